# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The snippets of editors/, in the real editors, without a screen.

Each editor opens a file, shows the finding, applies the action and undoes it;
what it then holds is compared here.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BARRICADE = pathlib.Path(os.environ["BARRICADE"]).resolve()

# The clef: one character, two UTF-16 units, four bytes.
KERNEL = """\
__global__ void add(float *a, const float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  /*𝄞*/ for (int k = 0; k < rounds; ++k) {
    a[i + k * n] = a[i + k * n] + b[i + k * n];
  /*𝄞*/ }
}
"""
# Of which clangd has something to say.
CLANGD_WARNS = "#warning look\n"


class EditorTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name, "k.cu")
        # The snippets start `barricade`, which here reads no toolkit.
        wrapper = pathlib.Path(self.folder.name, "bin", "barricade")
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\nexec "{BARRICADE}" "$@" --no-toolkit\n')
        wrapper.chmod(0o755)
        self.environment = dict(
            os.environ, HOME=self.folder.name, LC_ALL="C.UTF-8",
            XDG_CONFIG_HOME=self.folder.name,
            PATH=f"{wrapper.parent}:{os.environ['PATH']}")

    def golden(self):
        """What --in-place writes."""
        copy = pathlib.Path(self.folder.name, "golden.cu")
        shutil.copy(self.file, copy)
        subprocess.run([BARRICADE, "--in-place", "--quiet", "--no-toolkit",
                        copy], check=True, capture_output=True)
        return copy.read_bytes().decode()

    def steps(self, command):
        """What the editor says that there is after each step."""
        done = subprocess.run(command, cwd=self.folder.name, timeout=240,
                              env=self.environment, capture_output=True)
        output = done.stdout.decode()
        self.assertEqual(done.returncode, 0, output + done.stderr.decode())
        return dict(line.split(": ", 1) for line in output.splitlines()
                    if ": " in line)

    def check(self, kernel, column_of, command):
        self.file.write_bytes(kernel.encode())
        golden = self.golden()
        self.assertIn("__syncthreads();", golden)
        steps = self.steps(command)
        line = kernel.splitlines()[2]
        place = {"line": 2, "column": column_of(line[:line.index("for")])}
        [found] = json.loads(steps["findings"])
        self.assertEqual({k: found[k] for k in place}, place)
        self.assertIn("artificial barrier", found["message"])
        # Editors show every line break as the same.
        self.assertEqual(json.loads(steps["applied"]).rstrip("\n"),
                         golden.replace("\r\n", "\n").rstrip("\n"))
        self.assertIs(json.loads(steps["undone"]), True)
        [typed] = json.loads(steps["typed"])
        self.assertEqual({k: typed[k] for k in place},
                         dict(place, line=4))
        return steps


class DocumentationTest(unittest.TestCase):
    def test_documentation_shows_the_tested_snippets(self):
        page = (ROOT / "docs" / "editors.md").read_text()
        for language, snippet in (("lua", "neovim/barricade.lua"),
                                  ("elisp", "emacs/barricade.el"),
                                  ("elisp", "emacs/barricade-lsp-mode.el")):
            shown = [block.split("```")[0] for block in page.split(f"```{language}\n")[1:]]
            text = (ROOT / "editors" / snippet).read_text()
            self.assertEqual(len([block for block in shown if block in text]), 1, snippet)


@unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
class NeovimTest(EditorTest):
    command = ["nvim", "--headless", "-u",
               str(ROOT / "editors" / "neovim" / "barricade.lua"), "-i", "NONE",
               "-n", "k.cu", "-c",
               f"luafile {ROOT / 'test' / 'editors' / 'neovim.lua'}"]

    @staticmethod
    def column_of(before):
        return len(before.encode())

    def test_unix_file(self):
        self.check(KERNEL, self.column_of, self.command)

    def test_dos_file(self):
        self.check(KERNEL.replace("\n", "\r\n"), self.column_of, self.command)

    @unittest.skipUnless(shutil.which("clangd"), "clangd is not installed")
    def test_beside_clangd(self):
        steps = self.check(KERNEL + CLANGD_WARNS, self.column_of, [
            self.command[0], "--cmd", f"luafile {HERE / 'clangd.lua'}", *self.command[1:]])
        self.assertEqual(json.loads(steps["servers"]), ["barricade", "clangd"])


@unittest.skipUnless(shutil.which("emacs"), "Emacs is not installed")
class EmacsTest(EditorTest):
    command = ["emacs", "--batch", "--eval", "(package-initialize)", "-l",
               str(ROOT / "editors" / "emacs" / "barricade.el"), "-l",
               str(ROOT / "test" / "editors" / "emacs.el")]

    def test_unix_file(self):
        self.check(KERNEL, len, self.command)

    def test_dos_file(self):
        self.check(KERNEL.replace("\n", "\r\n"), len, self.command)

    @unittest.skipUnless(shutil.which("clangd"), "clangd is not installed")
    def test_beside_clangd(self):
        # lsp-mode 8.0 takes characters of two UTF-16 units for one.
        self.file.write_text(KERNEL.replace("𝄞", "é") + CLANGD_WARNS)
        golden = self.golden()
        # lsp-mode takes the repository for the project.
        subprocess.run(["git", "init", "-q"], cwd=self.folder.name, check=True)
        steps = self.steps([
            "emacs", "--batch", "--eval", "(package-initialize)", "-l",
            str(ROOT / "editors" / "emacs" / "barricade-lsp-mode.el"), "-l",
            str(HERE / "emacs_lsp_mode.el")])
        self.assertEqual(json.loads(steps["servers"]), ["barricade", "clangd"])
        self.assertEqual(json.loads(steps["applied"]), golden)


if __name__ == "__main__":
    unittest.main()
