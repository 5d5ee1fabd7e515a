// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts `barricade --lsp`, counts its findings in the status bar, and shows
// the command's HTML report.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, State } from 'vscode-languageclient/node';

const languages = ['cuda-cpp', 'cuda'];

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;

function settings() {
  const all = vscode.workspace.getConfiguration('barricade');
  return {
    path: all.get<string>('path', 'barricade'),
    arguments: all.get<string[]>('arguments', []),
    explain: all.get<boolean>('explain', false),
    workspaceDiagnostics: all.get<boolean>('workspaceDiagnostics', false),
  };
}

function workingDirectory(file: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath
    ?? dirname(file.fsPath);
}

function cudaDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && languages.includes(document.languageId)
    ? document : undefined;
}

async function start(): Promise<void> {
  const { path, arguments: more, explain, workspaceDiagnostics } = settings();
  client = new LanguageClient(
    'barricade',
    { command: path, args: ['--lsp', ...(explain ? ['--explain'] : []), ...more] },
    {
      documentSelector: languages.map(language => ({ scheme: 'file', language })),
      initializationOptions: { workspaceDiagnostics },
      synchronize: {
        fileEvents: ['**/.barricade.yaml', '**/compile_commands.json']
          .map(glob => vscode.workspace.createFileSystemWatcher(glob)),
      },
    });
  client.onDidChangeState(showStatus);
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(
      `barricade: cannot start '${path}': ${error}. The setting barricade.path names the command.`);
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  try {
    await old?.dispose();
  } catch {
    // One that never started, its command being a wrong one, cannot be stopped.
  }
}

// One after the other: two at once would leave a server behind.
let restarted: Promise<void> = Promise.resolve();

function restart(): Promise<void> {
  restarted = restarted.then(stop).then(start);
  return restarted;
}

function showStatus(): void {
  const document = cudaDocument();
  if (!document) {
    status.hide();
    return;
  }
  if (client?.state !== State.Running) {
    status.text = '$(circle-slash) barricade';
    status.tooltip = 'barricade is not running; click to restart it';
    status.command = 'barricade.restart';
  } else {
    const ours = vscode.languages.getDiagnostics(document.uri)
      .filter(d => d.source === 'barricade');
    const count = (severity: vscode.DiagnosticSeverity): number =>
      ours.filter(d => d.severity === severity).length;
    const faults = count(vscode.DiagnosticSeverity.Error);
    const rewrites = count(vscode.DiagnosticSeverity.Information);
    status.text = (faults ? `$(error) ${faults} ` : '') + `$(fold-down) ${rewrites}`;
    status.tooltip =
      `barricade: ${faults} faults, ${rewrites} possible rewrites; click for the report`;
    status.command = 'barricade.htmlReport';
  }
  status.show();
}

function run(command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) =>
    execFile(command, args, { cwd }, (error, _, stderr) => {
      // 1 says that there is something to change, 4 that there is a fault.
      if (error && error.code !== 1 && error.code !== 4)
        reject(new Error(stderr.trim() || error.message));
      else
        resolve();
    }));
}

async function showReport(): Promise<void> {
  const document = cudaDocument();
  if (!document) {
    void vscode.window.showInformationMessage('barricade: open a CUDA file first.');
    return;
  }
  // The command reads the disk.
  if (document.isDirty && !await document.save())
    return;
  const { path, arguments: more } = settings();
  const folder = await mkdtemp(join(tmpdir(), 'barricade-'));
  const report = join(folder, 'report.html');
  // Flags for the compiler, if any, stay behind the file.
  const flags = more.includes('--') ? more.indexOf('--') : more.length;
  try {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'barricade: report' },
      () => run(path,
        ['--quiet', `--html=${report}`, ...more.slice(0, flags),
          document.uri.fsPath, ...more.slice(flags)],
        workingDirectory(document.uri)));
    const panel = vscode.window.createWebviewPanel(
      'barricade.report', 'barricade', vscode.ViewColumn.Beside,
      { enableScripts: true });
    panel.webview.html = await readFile(report, 'utf8');
  } catch (error) {
    void vscode.window.showErrorMessage(`barricade: no report: ${error}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  context.subscriptions.push(
    status,
    vscode.commands.registerCommand('barricade.restart', restart),
    vscode.commands.registerCommand('barricade.htmlReport', showReport),
    vscode.window.onDidChangeActiveTextEditor(showStatus),
    vscode.languages.onDidChangeDiagnostics(showStatus),
    vscode.workspace.onDidChangeConfiguration(async change => {
      if (change.affectsConfiguration('barricade'))
        await restart();
    }));
  await restart();
}

export async function deactivate(): Promise<void> {
  await stop();
}
