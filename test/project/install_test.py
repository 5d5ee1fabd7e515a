#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cmake --install` gives a tree that works without the one it was built in."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BUILD_DIR"])
COMPLETE = pathlib.Path(__file__).with_name("complete.zsh")

KERNEL = """\
#include "barricade/gpu_sync.cuh"

__global__ void sum(const float *a, float *out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = s;
}
"""


def output(*command, cwd=None, codes=(0,)):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode not in codes:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stderr}")
    return done.stdout


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name, "prefix")
        output("cmake", "--install", str(BUILD), "--prefix", str(cls.prefix))
        cls.barricade = str(cls.prefix / "bin" / "barricade")

    def test_version(self):
        self.assertRegex(output(self.barricade, "--version"), r"barricade \d+\.\d+")

    def test_manual_has_every_option(self):
        options = set(re.findall(r"--[a-z][a-z-]+", output(self.barricade, "--help")))
        self.assertGreater(len(options), 10)
        manual = (self.prefix / "share/man/man1/barricade.1").read_text()
        self.assertEqual(
            options - set(re.findall(r"--[a-z][a-z-]+", manual.replace("\\-", "-"))),
            set(),
        )

    def test_rewrites_with_the_installed_header(self):
        source = pathlib.Path(self.folder.name, "kernel.cu")
        source.write_text(KERNEL)
        diff = output(
            self.barricade,
            "--dry-run",
            source.name,
            "--",
            "nvcc",
            f"-I{self.prefix}/include",
            cwd=source.parent,
            codes=(1,),
        )
        self.assertIn("+    __syncthreads();", diff)

    def test_projects_find_the_function_that_analyses(self):
        folder = self.prefix / "share/cmake/barricade"
        self.assertIn("Barricade.cmake", (folder / "barricadeConfig.cmake").read_text())
        self.assertIn("function(barricade_analyze target)",
                      (folder / "Barricade.cmake").read_text())

    def test_reads_without_a_toolkit(self):
        source = pathlib.Path(self.folder.name, "plain.cu")
        source.write_text(KERNEL.partition("\n")[2])
        diff = output(
            self.barricade, "--dry-run", "--no-toolkit", str(source), codes=(1,)
        )
        self.assertIn("+    __syncthreads();", diff)

    def test_reads_its_own_declarations(self):
        # Found by name on PATH, as users start it, and by a link.
        source = pathlib.Path(self.folder.name, "plain.cu")
        source.write_text(KERNEL.partition("\n")[2])
        link = pathlib.Path(self.folder.name, "link")
        link.symlink_to(self.barricade)
        for command in ("barricade", str(link)):
            printed = output(
                "env", f"PATH={self.prefix}/bin:{os.environ['PATH']}", command,
                "--print-command", "--no-toolkit", str(source))
            self.assertIn(f"{self.prefix}/share/barricade/fallback/", printed)

    def test_commands_that_measure(self):
        for command in ("run", "tune", "apply", "calibrate"):
            text = output(self.barricade, command, "--help")
            self.assertIn(f"usage: barricade {command} ", text)
            manual = (self.prefix / f"share/man/man1/barricade-{command}.1").read_text()
            self.assertIn(f"barricade {command}", manual.replace("\\-", "-"))

    def test_nothing_of_the_checkout_is_needed_to_measure(self):
        # What it would build with lies under the prefix, too.
        found = output("python3", "-c", "from harness.build import RUNTIME; print(RUNTIME)",
                       cwd=self.prefix / "share/barricade/eval").strip()
        self.assertEqual(pathlib.Path(found).resolve(), (self.prefix / "include").resolve())
        self.assertTrue(pathlib.Path(found, "barricade/gpu_sync.cuh").is_file())

    def check_completion(self, complete):
        for words, wanted in (("--prof", "--profit="), ("ca", "calibrate"),
                              ("explain single-", "single-thread"),
                              ("run --without-", "--without-gpu")):
            with self.subTest(words):
                self.assertEqual(complete(f"barricade {words}").split()[-1:], [wanted])

    def test_completion_for_bash(self):
        script = self.prefix / "share/bash-completion/completions/barricade"

        def complete(line):
            return output("bash", "-c", f". {script}; COMP_WORDS=(\"$@\"); "
                          f"COMP_CWORD=$(($# - 1)); COMP_WORDS[0]={self.barricade}; "
                          "compopt() { :; }; _barricade; echo ${COMPREPLY[@]}",
                          "-", *line.split())

        self.check_completion(complete)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_completion_for_fish(self):
        script = self.prefix / "share/fish/vendor_completions.d/barricade.fish"

        def complete(line):
            found = output("fish", "--no-config", "-c", f"set PATH {self.prefix}/bin $PATH; "
                           f"source {script}; complete -C '{line}'")
            return found.partition("\t")[0]

        self.check_completion(complete)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_completion_for_zsh(self):
        line_after = pathlib.Path(self.folder.name, "line")

        def complete(line):
            line_after.unlink(missing_ok=True)
            output("zsh", "-f", str(COMPLETE), str(self.prefix / "share/zsh/site-functions"),
                   str(self.prefix / "bin"), str(line_after), line)
            return line_after.read_text()

        self.check_completion(complete)

    def test_documentation(self):
        docs = self.prefix / "share/doc/barricade"
        for name in ("README.md", "LICENSE", "user-guide.md"):
            self.assertTrue((docs / name).is_file(), name)


if __name__ == "__main__":
    unittest.main()
