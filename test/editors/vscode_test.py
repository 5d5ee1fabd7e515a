# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension of editors/vscode compiles, packs to a .vsix that has all that it
loads, and does what it should with the real server and a stand-in for the editor.
Needs npm and its registry; skipped where one is out of reach."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

BARRICADE = os.path.abspath(os.environ["BARRICADE"])
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "editors" / "vscode"
SESSION = pathlib.Path(__file__).with_name("vscode_session.js")
KERNEL = """\
__global__ void add(float *a, const float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    a[i + k * n] = a[i + k * n] + b[i + k * n];
  }
}
"""
NO_NETWORK = re.compile(
    "ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH")


@unittest.skipUnless(shutil.which("npm"), "npm is not installed")
class ExtensionTest(unittest.TestCase):
    def npm(self, *words):
        done = subprocess.run(["npm", *words], cwd=self.folder,
                              capture_output=True, text=True)
        output = done.stdout + done.stderr
        if done.returncode and words[0] == "ci" and NO_NETWORK.search(output):
            self.skipTest("npm's registry cannot be reached")
        self.assertEqual(done.returncode, 0, output)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # Below a root of its own, which has what is packed from ours.
        root = pathlib.Path(folder.name)
        shutil.copy(SOURCE.parents[1] / "LICENSE", root)
        self.folder = root / "editors" / "vscode"
        shutil.copytree(SOURCE, self.folder, ignore=shutil.ignore_patterns(
            "node_modules", "out", "*.vsix"))

    def test_extension(self):
        self.npm("ci", "--ignore-scripts")
        self.npm("run", "package")
        with self.subTest("package"):
            self.check_package()
        with self.subTest("session"):
            self.check_session()

    def check_session(self):
        file = self.folder / "k.cu"
        file.write_text(KERNEL)
        done = subprocess.run(
            ["node", SESSION, self.folder / "out" / "extension.js", file, BARRICADE],
            capture_output=True, text=True, timeout=400)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        steps = {step: json.loads(value) for step, value in
                 (line.split(": ", 1) for line in done.stdout.splitlines())}
        [found] = steps["findings"]
        self.assertEqual(found["line"], 2)
        self.assertEqual(steps["status"], {
            "text": "$(fold-down) 1", "command": "barricade.htmlReport", "shown": True})
        [page] = steps["report"]
        self.assertIn(found["message"], page)
        self.assertTrue(page.endswith("</html>\n"), page[-40:])
        # A wrong command is told, and a right one then taken.
        self.assertTrue([error for error in steps["wrong"]["errors"]
                         if "cannot start '/nowhere/barricade'" in error])
        self.assertEqual(steps["wrong"]["command"], "barricade.restart")
        self.assertEqual(steps["restarted"], "$(fold-down) 1")

    def check_package(self):
        package = zipfile.ZipFile(self.folder / "barricade.vsix")
        names = set(package.namelist())
        manifest = json.loads(package.read("extension/package.json"))
        main = "extension/" + manifest["main"].removeprefix("./")
        self.assertIn(main, names)
        self.assertEqual({main, "extension/" + manifest["icon"],
                          "extension/package.json", "extension/README.md",
                          "extension/LICENSE.txt",
                          "extension/out/third-party-licenses.txt"},
                         {n for n in names if n.startswith("extension/")})
        # Each library that is bundled comes with its licence.
        licences = package.read("extension/out/third-party-licenses.txt").decode()
        bundled = json.loads((self.folder / "out" / "bundled.json").read_text())
        for library in {path.split("/")[1] for path in bundled["inputs"]
                        if path.startswith("node_modules/")}:
            self.assertIn(f"==> node_modules/{library}/", licences)
        # Every command that the manifest promises is there, and every setting
        # is read.
        program = package.read(main).decode()
        for command in manifest["contributes"]["commands"]:
            self.assertIn(f'"{command["command"]}"', program)
        for setting in manifest["contributes"]["configuration"]["properties"]:
            name = setting.removeprefix("barricade.")
            # The client's library reads this one by itself.
            if name != "trace.server":
                self.assertIn(f'"{name}"', program)


if __name__ == "__main__":
    unittest.main()
