#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files for GitHub, GitLab and containers are what their readers accept, and so
is the report in JSON, by ajv.

They run nowhere but there: here each passes the linter or the schema that is kept
for its kind (from npm; skipped where its registry is out of reach), their scripts
pass ShellCheck, and those that install are run on machines made of fakes.
"""

import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINTERS = pathlib.Path(os.environ["BUILD_DIR"]) / "ci-files"


@functools.cache
def linters():
    """The folder of the linters; None where they cannot be had."""
    if not shutil.which("npm"):
        return None
    LINTERS.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc", "lint.mjs"):
        shutil.copy(HERE / "ci-files" / name, LINTERS)
    done = subprocess.run(["npm", "ci", "--ignore-scripts", "--omit=optional"],
                          cwd=LINTERS, capture_output=True)
    return LINTERS if done.returncode == 0 else None


def documented(page, language, part):
    """The block of a page in this language that has this part."""
    blocks = (ROOT / "docs" / page).read_text().split(f"```{language}\n")[1:]
    [block] = [block.split("```")[0] for block in blocks if part in block]
    return block


class LintTest(unittest.TestCase):
    def errors(self, kind, text, *more):
        if not linters():
            self.skipTest("npm or its registry cannot be reached")
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            done = subprocess.run(["node", "lint.mjs", kind, file.name, *more], cwd=LINTERS,
                                  capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def check(self, kind, text, spoilt, *more):
        """No errors; but one where the text is spoilt: the linter does look."""
        self.assertEqual(self.errors(kind, text, *more), "")
        right, wrong = spoilt
        self.assertIn(right, text)
        self.assertNotEqual(self.errors(kind, text.replace(right, wrong), *more), "")

    def test_github_action(self):
        self.check("github-action", (ROOT / "action.yml").read_text(),
                   ("using: composite", "usng: composite"))

    def test_documented_workflow(self):
        self.check("github-workflow", documented("ci.md", "yaml", "on: [push"),
                   ("runs-on:", "run-on:"))

    def test_gitlab_job(self):
        self.check("gitlab", (ROOT / "packaging/gitlab/barricade.yml").read_text(),
                   ("script:", "scrip:"))

    def test_documented_gitlab_file(self):
        self.check("gitlab", documented("ci.md", "yaml", "include:"),
                   ("include:", "inclde:"))

    def test_json_report(self):
        sources = [ROOT / "samples" / name for name in ("jacobi/jacobi.cu", "vecadd/vecadd.cu")]
        done = subprocess.run(
            [LINTERS.parent / "tool" / "barricade", "--json=-", "--quiet", "--explain",
             "--no-toolkit", "--profit=any", *sources, "--", "-std=c++17"],
            capture_output=True, text=True)
        self.check("json", done.stdout, ('"schema-version"', '"schema-versoin"'),
                   str(ROOT / "docs" / "json-schema.json"))

    def test_containerfile(self):
        self.check("containerfile", (ROOT / "packaging/Containerfile").read_text(),
                   ("RUN ", "RN "))


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "os-release").write_text("VERSION_CODENAME=noble\n")

    def command(self, name, script):
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def run_script(self, name, *words, root=ROOT, **environment):
        environment = {
            "PATH": f"{self.folder}/bin:/usr/bin:/bin",
            "BARRICADE_OS_RELEASE": str(self.folder / "os-release"),
            "BARRICADE_APT_FOLDER": str(self.folder / "apt"), **environment}
        done = subprocess.run([root / "packaging" / name, *words], env=environment,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @unittest.skipUnless(shutil.which("shellcheck"), "ShellCheck is not installed")
    def test_shellcheck(self):
        scripts = [ROOT / "dev", ROOT / "packaging/completion/barricade.bash",
                   *(ROOT / "packaging").glob("*.sh")]
        done = subprocess.run(["shellcheck", "--shell=bash", "--exclude=SC1090", *scripts],
                              capture_output=True, text=True)
        self.assertEqual(done.stdout, "")

    def test_llvm_source_is_added(self):
        service = self.folder / "service" / "noble"
        service.mkdir(parents=True)
        (service.parent / "llvm-snapshot.gpg.key").write_text("the key")
        self.command("apt-cache", "exit 100")
        self.command("apt-get", 'echo "apt-get $*"')
        said = self.run_script("add-llvm-source.sh", f"file://{service}/")
        self.assertEqual(said, "apt-get update\n")
        key = self.folder / "apt/keyrings/llvm.asc"
        self.assertEqual(key.read_text(), "the key")
        self.assertEqual(
            (self.folder / "apt/sources.list.d/llvm-22.list").read_text(),
            f"deb [signed-by={key}] file://{service}/ llvm-toolchain-noble-22 main\n")

    def test_llvm_source_is_there_already(self):
        self.command("apt-cache", "exit 0")
        self.run_script("add-llvm-source.sh", "file:///nowhere")
        self.assertFalse((self.folder / "apt").exists())

    def test_package_of_an_earlier_run_is_installed(self):
        # A copy, in which `dev` builds no more than a file.
        root = self.folder / "root"
        (root / "packaging").mkdir(parents=True)
        for name in ("add-llvm-source.sh", "install.sh"):
            shutil.copy(ROOT / "packaging" / name, root / "packaging")
        dev = root / "dev"
        dev.write_text('#!/bin/sh\ncd "$(dirname "$0")" && echo "dev $*" && '
                       "mkdir -p build/packages && touch build/packages/barricade_1.deb\n")
        dev.chmod(0o755)
        self.command("id", "echo 1000")
        self.command("sudo", '"$@"')
        self.command("apt-cache", "exit 0")
        self.command("apt-get", 'echo "apt-get $*"')
        kept = self.folder / "kept"
        install = ("apt-get install -y --no-install-recommends "
                   f"{kept.resolve()}/barricade_1.deb\n")
        for built in ("dev package deb\n", ""):
            said = self.run_script("install.sh", root=root, PACKAGES=str(kept))
            self.assertEqual(said, f"apt-get update\n{built}{install}")


if __name__ == "__main__":
    unittest.main()
