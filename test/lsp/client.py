# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A language server's client, over the real transport: a process's pipes.

A thread reads what the server says, as editors do, so that neither side ever
waits for the other's pipe to drain.
"""

import json
import os
import queue
import subprocess
import threading
import urllib.parse


class ServerDied(Exception):
    pass


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


class Client:
    def __init__(self, command, cwd=None, stderr=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=stderr, cwd=cwd)
        self.messages = queue.Queue()
        self.replies = {}
        self.diagnostics = {}  # by URI: the last ones published
        self.shown = []  # texts of window/showMessage
        self.documents = []  # URIs of window/showDocument
        self.refreshes = 0  # of pulled diagnostics, that were asked for
        self.progress = []  # parameters of $/progress
        self.last_id = 0
        self.patience = 300  # seconds for the next message, on a busy machine
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.reader.join()
        self.process.stdout.close()

    # --- Transport ------------------------------------------------------------

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(length)))

    def send_bytes(self, content):
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def send_text(self, text):
        body = text.encode("utf-8", "surrogatepass")
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send(self, **message):
        self.send_text(json.dumps({"jsonrpc": "2.0", **message},
                                  ensure_ascii=False))

    def take(self):
        """Takes the next message; keeps what it says."""
        message = self.messages.get(timeout=self.patience)
        if message is None:
            raise ServerDied(f"exit code {self.process.wait()}")
        if "method" not in message:
            self.replies[message["id"]] = message
        elif message["method"] == "window/workDoneProgress/create":
            self.send(id=message["id"], result=None)
        elif message["method"] == "workspace/diagnostic/refresh":
            self.refreshes += 1
            self.send(id=message["id"], result=None)
        elif message["method"] == "window/showDocument":
            self.documents.append(message["params"]["uri"])
            self.send(id=message["id"], result={"success": True})
        elif message["method"] == "$/progress":
            self.progress.append(message["params"])
        elif message["method"] == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        elif message["method"] == "window/showMessage":
            self.shown.append(message["params"]["message"])
        return message

    # --- Requests -------------------------------------------------------------

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def start(self, method, **params):
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        return self.last_id

    def wait(self, request):
        while request not in self.replies:
            self.take()
        return self.replies.pop(request)

    def call(self, method, **params):
        reply = self.wait(self.start(method, **params))
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        return reply["result"]

    def initialize(self, root=None, options=None, **capabilities):
        result = self.call("initialize", processId=None,
                           rootUri=root and uri_of(root),
                           initializationOptions=options,
                           capabilities=capabilities)
        self.notify("initialized")
        return result

    def shut_down(self):
        """Ends the session as an editor does; the server's exit code."""
        self.call("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=60)

    # --- Documents ------------------------------------------------------------

    def open(self, path, text, version=1):
        self.notify("textDocument/didOpen", textDocument={
            "uri": uri_of(path), "languageId": "cuda", "version": version,
            "text": text})

    def change(self, path, version, *changes):
        self.notify("textDocument/didChange",
                    textDocument={"uri": uri_of(path), "version": version},
                    contentChanges=list(changes))

    def close(self, path):
        self.notify("textDocument/didClose", textDocument={"uri": uri_of(path)})

    def diagnostics_of(self, path, version):
        """The diagnostics published for this version."""
        uri = uri_of(path)
        while self.diagnostics.get(uri, {}).get("version") != version:
            self.take()
        return self.diagnostics[uri]["diagnostics"]

    def actions(self, path, first, last=None, only=None):
        context = {"diagnostics": []}
        if only:
            context["only"] = only
        return self.call(
            "textDocument/codeAction", textDocument={"uri": uri_of(path)},
            range={"start": {"line": first, "character": 0},
                   "end": {"line": first if last is None else last,
                           "character": 0}},
            context=context)

    def lenses(self, path):
        """By line, the titles."""
        return [(lens["range"]["start"]["line"], lens["command"]["title"])
                for lens in self.call("textDocument/codeLens",
                                      textDocument={"uri": uri_of(path)})]

    def hover(self, path, line, character):
        return self.call(
            "textDocument/hover", textDocument={"uri": uri_of(path)},
            position={"line": line, "character": character})


# --- Texts --------------------------------------------------------------------


def offset_at(text, position):
    """The index in `text` of a protocol position, which must exist: lines end
    in \\n or \\r\\n, characters are UTF-16 code units."""
    start = 0
    for _ in range(position["line"]):
        start = text.index("\n", start) + 1
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    units = 0
    for index in range(start, end + 1):
        if units == position["character"]:
            return index
        if index < end:
            units += 2 if ord(text[index]) > 0xFFFF else 1
    raise AssertionError(f"{position} is not in the text")


def position_at(text, index):
    line = text.count("\n", 0, index)
    start = text.rfind("\n", 0, index) + 1
    units = len(text[start:index].encode("utf-16-le", "surrogatepass")) // 2
    return {"line": line, "character": units}


def apply_edits(text, edits):
    """The text after a list of the protocol's TextEdits: they all speak of the
    text before, must not overlap, and those at one place keep their order."""
    spans = sorted(((offset_at(text, e["range"]["start"]),
                     offset_at(text, e["range"]["end"]), e["newText"])
                    for e in edits), key=lambda span: span[:2])
    result, done = "", 0
    for begin, end, new in spans:
        assert done <= begin <= end, "edits overlap"
        result += text[done:begin] + new
        done = end
    return result + text[done:]


def edits_of(action, path):
    edit = action["edit"]
    if "changes" in edit:
        return edit["changes"][uri_of(path)]
    return [e for document in edit["documentChanges"]
            if document["textDocument"]["uri"] == uri_of(path)
            for e in document["edits"]]
