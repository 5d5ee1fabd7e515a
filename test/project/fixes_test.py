#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-apply-replacements makes of --export-fixes what --in-place makes.

Sources and headers are reached by their names and by links to files and
folders, twice in one source and from several; some loops only one pass sees.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
APPLY = "clang-apply-replacements-22"
LOOP = """\
__global__ void {0}(const float *a, float *sums, int n) {{
  float sum = 0; /* \u00fc \U0001d11e */
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}}
"""
BOTH_PASSES = (LOOP.format("both") + "#ifdef __CUDA_ARCH__\n" + LOOP.format("device")
               + "#else\n" + LOOP.format("host") + "#endif\n")


class FixesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def make(self, name):
        project = self.folder / name
        (project / ".git").mkdir(parents=True)
        (project / "real").mkdir()
        (project / "link").symlink_to("real")
        (project / "real/h.cuh").write_text("#pragma once\n" + LOOP.format("header"))
        (project / "real/alias.cuh").symlink_to("h.cuh")
        (project / "a.cu").write_text('#include "link/h.cuh"\n#include "real/h.cuh"\n' + BOTH_PASSES)
        # Written byte by byte: the last line has no end.
        (project / "real/b.cu").write_bytes(
            ('#include "alias.cuh"\r\n' + LOOP.format("b").replace("\n", "\r\n")).encode()[:-2])
        (project / "b.cu").symlink_to("link/b.cu")
        return project

    def run_barricade(self, project, option):
        done = subprocess.run(
            [BARRICADE, option, "--edit-headers", "--no-toolkit", "a.cu", "b.cu",
             "--", "-Ireal", "-std=c++11"],
            cwd=project, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    @staticmethod
    def state(project):
        """Contents of files and targets of links."""
        return {str(path.relative_to(project)):
                os.readlink(path) if path.is_symlink() else path.read_bytes()
                for path in project.rglob("*") if path.is_symlink() or path.is_file()}

    @unittest.skipUnless(shutil.which(APPLY), f"{APPLY} is not installed")
    def test_same_as_in_place(self):
        project = self.make("project")
        before = self.state(project)
        done = self.run_barricade(project, "--in-place")
        want = self.state(project)
        # Of the header, of both sources, and of the device pass alone. What only
        # the host pass sees is refused.
        self.assertIn("4 rewritten, 1 refused", done.stderr)
        shutil.rmtree(project)

        self.make("project")  # the same place: paths in the fixes are absolute
        fixes = self.folder / "fixes"
        fixes.mkdir()
        self.run_barricade(project, f"--export-fixes={fixes}/all.yaml")
        self.assertEqual(self.state(project), before)
        subprocess.run([APPLY, fixes], check=True)
        self.assertEqual(self.state(project), want)
        self.assertNotEqual(want, before)


if __name__ == "__main__":
    unittest.main()
