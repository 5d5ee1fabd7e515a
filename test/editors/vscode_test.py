# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension of editors/vscode compiles and packs to a .vsix that has all
that it loads. Needs npm and its registry; skipped where one is out of reach."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "editors" / "vscode"
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
        self.folder = pathlib.Path(folder.name, "vscode")
        shutil.copytree(SOURCE, self.folder, ignore=shutil.ignore_patterns(
            "node_modules", "out", "*.vsix"))

    def test_packs_what_it_loads(self):
        self.npm("ci", "--ignore-scripts")
        self.npm("run", "package")
        package = zipfile.ZipFile(self.folder / "barricade.vsix")
        names = set(package.namelist())
        manifest = json.loads(package.read("extension/package.json"))
        main = "extension/" + manifest["main"].removeprefix("./")
        self.assertIn(main, names)
        for needed in manifest["dependencies"]:
            self.assertIn(f"extension/node_modules/{needed}/package.json", names)
        self.assertFalse([n for n in names if n.endswith(".ts") and
                          n.startswith("extension/src/")])
        # Every command that the manifest promises is there, and every setting
        # is read.
        program = package.read(main).decode()
        for command in manifest["contributes"]["commands"]:
            self.assertIn(f"'{command['command']}'", program)
        for setting in manifest["contributes"]["configuration"]["properties"]:
            name = setting.removeprefix("barricade.")
            # The client's library reads this one by itself.
            if name != "trace.server":
                self.assertIn(f"'{name}'", program)


if __name__ == "__main__":
    unittest.main()
