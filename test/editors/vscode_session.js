// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user does in VS Code, with the extension's own code, its language
// client and the real server, but with a stand-in for the editor: as much of the
// module `vscode` as those two use, and anything else does nothing. Prints what
// the user would see after each step, as lines "STEP: JSON".
//
// node session.js EXTENSION.js FILE.cu BARRICADE

'use strict';
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { pathToFileURL, fileURLToPath } = require('node:url');

const [extensionPath, file, command] = process.argv.slice(2);

//===--- The stand-in -----------------------------------------------------===//

/// Can be called, constructed and asked for anything.
function anything() {
  return new Proxy(function () {}, {
    get(target, key) {
      if (key === 'then' || typeof key === 'symbol')
        return undefined; // no promise, no list
      return key in target ? target[key] : (target[key] = anything());
    },
    apply: () => anything(),
  });
}

/// \p known, and nothing that matters besides.
function standIn(known) {
  return new Proxy(known, {
    get: (target, key) => key in target || typeof key === 'symbol'
      ? target[key] : (target[key] = anything()),
  });
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };
  fire(value) {
    return Promise.all([...this.listeners].map(listener => listener(value)));
  }
  dispose() { this.listeners.clear(); }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => anything() };
  cancel() { this.token.isCancellationRequested = true; }
  dispose() {}
}

class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  get scheme() { return 'file'; }
  get fsPath() { return fileURLToPath(this.text); }
  toString() { return this.text; }
}
class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(a, b, c, d) {
    this.start = a instanceof Position ? a : new Position(a, b);
    this.end = a instanceof Position ? b : new Position(c, d);
  }
}
class TabInputText {
  constructor(uri) { this.uri = uri; }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

const text = readFileSync(file, 'utf8');
const document = {
  uri: new Uri(pathToFileURL(file).toString()), languageId: 'cuda', version: 1,
  fileName: file, isDirty: false, isClosed: false, getText: () => text,
};
const settings = { path: command, arguments: ['--no-toolkit'] };
const status = { shown: false, show() { this.shown = true; }, hide() { this.shown = false; },
                 dispose() {} };
const commands = new Map();
const diagnostics = new Map();
const panels = [];
const errors = [];
const changedDiagnostics = new EventEmitter();
const changedSettings = new EventEmitter();

// What the extension's own code names stands here: its bundle copies what is known.
const vscode = standIn({
  version: '1.90.0',
  CancellationTokenSource, EventEmitter, Uri, Position, Range, Diagnostic, TabInputText,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  ProgressLocation: { Window: 10 },
  ViewColumn: { Beside: -2 },
  commands: standIn({
    registerCommand(name, action) {
      commands.set(name, action);
      return { dispose: () => commands.delete(name) };
    },
  }),
  languages: standIn({
    match: (selector, at) =>
      [selector].flat().some(s => (s.language ?? s) === at.languageId) ? 10 : 0,
    onDidChangeDiagnostics: changedDiagnostics.event,
    getDiagnostics: uri => diagnostics.get(uri.toString()) ?? [],
    createDiagnosticCollection: () => standIn({
      set(uri, found) {
        diagnostics.set(uri.toString(), found);
        void changedDiagnostics.fire({ uris: [uri] });
      },
      clear: () => diagnostics.clear(),
      dispose: () => diagnostics.clear(),
    }),
  }),
  window: standIn({
    activeTextEditor: { document },
    visibleTextEditors: [{ document }],
    tabGroups: standIn({ all: [{ tabs: [{ input: new TabInputText(document.uri) }] }] }),
    createStatusBarItem: () => status,
    showErrorMessage: message => void errors.push(message),
    withProgress: (_, task) =>
      task({ report() {} }, new CancellationTokenSource().token),
    createWebviewPanel() {
      const panel = { webview: { html: '' } };
      panels.push(panel);
      return panel;
    },
  }),
  workspace: standIn({
    textDocuments: [document],
    notebookDocuments: [],
    workspaceFolders: undefined,
    getWorkspaceFolder: () => undefined,
    getConfiguration: () => ({ get: (name, other) => settings[name] ?? other }),
    onDidChangeConfiguration: changedSettings.event,
  }),
});

const load = Module._load;
Module._load = (name, ...rest) => name === 'vscode' ? vscode : load(name, ...rest);

//===--- The user ---------------------------------------------------------===//

function say(step, value) {
  console.log(`${step}: ${JSON.stringify(value)}`);
}

async function until(what, condition) {
  for (const end = Date.now() + 120000; !condition();) {
    if (Date.now() > end)
      throw new Error(`no ${what}; the editor was told: ${errors.join('; ')}`);
    await new Promise(done => setTimeout(done, 20));
  }
}

function servers() {
  const children = execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)]);
  return children.toString().split('\n').filter(line => line.includes('--lsp')).length;
}

// The language client may publish an empty list before the server's first answer.
const findings = () => [...diagnostics.values()].flat();

const changeSettings = () => changedSettings.fire({ affectsConfiguration: () => true });

async function main() {
  const extension = require(extensionPath);
  await extension.activate({ subscriptions: [] });
  await until('finding', () => findings().length);
  say('findings', findings().map(d => ({ line: d.range.start.line, message: d.message })));
  say('status', { text: status.text, command: status.command, shown: status.shown });

  await commands.get(status.command)();
  say('report', panels.map(panel => panel.webview.html));

  settings.path = '/nowhere/barricade';
  await changeSettings();
  say('wrong', { errors: [...errors], command: status.command });
  settings.path = command;
  await commands.get('barricade.restart')();
  await until('finding after the restart', () => findings().length);
  say('restarted', status.text);

  await Promise.all([changeSettings(), changeSettings()]);
  await until('finding after two restarts', () => findings().length);
  // The server of the first restart may still be leaving.
  await until('single server', () => servers() === 1);
  await extension.deactivate();
  await until('end of the server', () => servers() === 0);
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
