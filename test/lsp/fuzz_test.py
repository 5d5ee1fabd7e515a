# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Thousands of edits, of a fixed seed, to `barricade --lsp`.

A document of kernels and comments is edited at random: text of all widths of
UTF-8 and both line breaks comes and goes in comments, kernels come and go,
garbage destroys the source for a while and is taken back. Whenever the source
is whole, the findings must be those of its kernels, each at its `for`, and
applying one must give the text that we expect. In between the server is asked
about places that exist and places that do not, and half of that is cancelled.

The text grows, and with it the time that an edit takes: after some hundred
edits it is replaced by that of a new document, which now and then is another
one of the same name.

BARRICADE_FUZZ_EDITS: how many edits (default 10000). BARRICADE_FUZZ_SEED.
"""

import os
import random
import sys
import unittest

from client import Client, apply_edits, edits_of, offset_at, position_at, uri_of

BARRICADE = os.path.abspath(os.environ["BARRICADE"])
EDITS = int(os.environ.get("BARRICADE_FUZZ_EDITS", "10000"))
SEED = int(os.environ.get("BARRICADE_FUZZ_SEED", "20261121"))
EDITS_OF_A_TEXT = 500

FILE = "/nowhere/fuzzed.cu"
SNIPPETS = ["é", "漢字", "🚀", "👩‍👩‍👧", "x", " ", "\t", "\n", "\r\n", "\n\n", "for (",
            "\\", '"', "'", "{", "}", "ab\r\ncd", "\u2028", "\u00a0", "𝄞" * 5, "0" * 90]
GARBAGE = SNIPPETS + ["/*", "*/", "//", "#if 0\n", "#else\n", "R\"(", "<<<", ">>>", "(",
                      ")", "[", ";", "__global__", "template <", "#include \"no\"\n",
                      "operator", "\\\n", "\x01"]


def kernel(number):
    loop = "for (int k = 0; k < n; ++k) {"
    return (f"/*<é>*/ __global__ void f{number}(float *a, int n) {{\n"
            f"  int i = threadIdx.x; /*<>*/ {loop}\r\n"
            f"    a[i + k * n] = a[i + k * n] + 1; /*<漢>*/\n"
            f"  }}\n}} /*<🚀>*/\n")


class Document:
    """What the editor has: `text`, and the changes that the server was told."""

    def __init__(self, rng, version):
        self.rng = rng
        self.text = "/*<>*/\n" + "".join(kernel(i) for i in range(3))
        self.kernels = 3
        self.born = 3
        self.version = version
        self.pending = []

    def replace(self, begin, end, new):
        """One incremental change. It must not cut a "\\r\\n" in two, which no
        position can name."""
        while self.splits(begin):
            begin -= 1
        while self.splits(end):
            end += 1
        self.pending.append({
            "range": {"start": position_at(self.text, begin),
                      "end": position_at(self.text, end)},
            "text": new})
        self.text = self.text[:begin] + new + self.text[end:]

    def splits(self, index):
        return self.text[index - 1:index + 1] == "\r\n"

    def comment(self):
        """The inside of some comment."""
        starts = [i for i in range(len(self.text))
                  if self.text.startswith("/*<", i)]
        begin = self.rng.choice(starts) + 3
        return begin, self.text.index(">*/", begin)

    def edit_comment(self):
        begin, end = self.comment()
        at = self.rng.randint(begin, end)
        until = self.rng.randint(at, min(end, at + 6))
        new = self.rng.choice(SNIPPETS) if self.rng.random() < 0.7 else ""
        # "/" at the comment's end or a lone "\r" before "\n" would be another
        # edit than meant.
        if "\r" not in self.text[max(0, at - 1):until + 1]:
            self.replace(at, until, new)

    def add_kernel(self):
        at = self.text.rindex("\n") + 1
        self.replace(at, at, kernel(self.born))
        self.born += 1
        self.kernels += 1

    def remove_kernel(self):
        if self.kernels < 2:
            return
        begins = [i for i in range(len(self.text))
                  if self.text.startswith("__global__ void f", i)]
        begin = self.rng.choice(begins)
        end = self.text.index("\n} /*<", begin) + 2
        self.replace(begin, end, "")
        self.kernels -= 1

    def destroy(self):
        at = self.rng.randint(0, len(self.text))
        until = min(len(self.text), at + self.rng.choice([0, 0, 1, 5, 40]))
        self.replace(at, until, self.rng.choice(GARBAGE))

    def restore(self, whole):
        """Takes garbage back: by the whole text, or by one change around all
        that differs."""
        if self.rng.random() < 0.3:
            self.pending.append({"text": whole})
            self.text = whole
            return
        begin = len(os.path.commonprefix([self.text, whole]))
        tail = len(os.path.commonprefix([self.text[begin:][::-1],
                                         whole[begin:][::-1]]))
        while (self.splits(begin) or
               whole[begin - 1:begin + 1] == "\r\n") and begin:
            begin -= 1
        while tail and (self.splits(len(self.text) - tail) or
                        whole[len(whole) - tail - 1:len(whole) - tail + 1] == "\r\n"):
            tail -= 1
        self.replace(begin, len(self.text) - tail,
                     whole[begin:len(whole) - tail])
        assert self.text == whole


class FuzzTest(unittest.TestCase):
    def setUp(self):
        self.rng = random.Random(SEED)
        self.server = Client([BARRICADE, "--lsp", "--no-toolkit", "--", "-std=c++11"])
        self.addCleanup(self.server.__exit__)
        self.server.initialize()
        self.asked = self.findings = self.actions = 0

    def begin_anew(self, version):
        # A higher version always, so that nothing published for the text before
        # is taken for this one's.
        self.document = Document(self.rng, version)
        text = self.document.text
        if version > 1 and self.rng.random() < 0.7:
            self.server.change(FILE, version, {"text": text})
            return
        self.server.close(FILE)  # at first, one that is not open
        self.server.open(FILE, text, version)

    def tell(self):
        """Sends the changes; several may come in one notification."""
        document = self.document
        while document.pending:
            count = self.rng.choice([1, 1, 1, 2, 3])
            batch, document.pending = (document.pending[:count],
                                       document.pending[count:])
            document.version += 1
            self.server.change(FILE, document.version, *batch)

    def ask_something(self):
        """A question whose answer nobody waits for."""
        where = self.rng.choice([
            position_at(self.document.text,
                        self.rng.randint(0, len(self.document.text))),
            {"line": self.rng.randint(0, 10**6),
             "character": self.rng.randint(0, 10**6)}])
        document = {"uri": uri_of(FILE)}
        if self.rng.random() < 0.5:
            request = self.server.start("textDocument/hover",
                                        textDocument=document, position=where)
        else:
            request = self.server.start(
                "textDocument/codeAction", textDocument=document,
                range={"start": where, "end": where}, context={})
        if self.rng.random() < 0.5:
            self.server.notify("$/cancelRequest", id=request)
        self.asked += 1

    def check_findings(self):
        document = self.document
        found = self.server.diagnostics_of(FILE, document.version)
        self.assertEqual(len(found), document.kernels, document.text)
        for diagnostic in found:
            begin = offset_at(document.text, diagnostic["range"]["start"])
            end = offset_at(document.text, diagnostic["range"]["end"])
            self.assertEqual(document.text[begin:end],
                             "for (int k = 0; k < n; ++k) {")
        self.findings += len(found)

    def check_action(self):
        text = self.document.text
        self.assertIn("for (int k", text)
        loops = [i for i in range(len(text)) if text.startswith("for (int k", i)]
        loop = self.rng.choice(loops)
        line = position_at(text, loop)["line"]
        [apply] = [a for a in self.server.actions(FILE, line)
                   if a["title"].startswith("Apply artificial")]
        end = text.index("\n  }\n", loop) + 1
        expected = text[:end] + "    __syncthreads();\n" + text[end:]
        # The barrier's line break is that of the line before it.
        result = apply_edits(text, edits_of(apply, FILE))
        self.assertEqual(result.replace("\r\n", "\n"),
                         expected.replace("\r\n", "\n"))
        self.actions += 1

    def edit_and_check(self, count):
        """Makes so many edits at least; how many it made."""
        edits = 0
        while edits < count:
            kind = self.rng.random()
            if kind < 0.85:
                self.document.edit_comment()
            elif kind < 0.90:
                self.document.add_kernel()
            elif kind < 0.95:
                self.document.remove_kernel()
            else:
                edits += self.destroy_and_restore()
            edits += 1
            if self.rng.random() < 0.5:
                self.tell()
            if self.rng.random() < 0.05:
                self.tell()
                self.check_findings()
                if self.rng.random() < 0.25:
                    self.check_action()
        self.tell()
        self.check_findings()
        return edits

    def destroy_and_restore(self):
        """How many edits destroyed."""
        whole = self.document.text
        edits = self.rng.randint(1, 10)
        for _ in range(edits):
            self.document.destroy()
            if self.rng.random() < 0.3:
                self.tell()
                self.ask_something()
        if self.rng.random() < 0.2:
            # Analysed in this state, whatever it is.
            self.tell()
            self.server.diagnostics_of(FILE, self.document.version)
        self.document.restore(whole)
        return edits

    def test_random_edits(self):
        edits, version = 0, 1
        while edits < EDITS:
            self.begin_anew(version)
            edits += self.edit_and_check(min(EDITS_OF_A_TEXT, EDITS - edits))
            version = self.document.version + 1
        self.assertEqual(self.server.shut_down(), 0)
        print(f"\n{edits} edits, {self.findings} findings in place, "
              f"{self.actions} actions right, {self.asked} stray questions",
              file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
