#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CMake and Ninja, or Make, build the index of a project and analyse by it.

A change of a file has its own summary made again, and what depends on that; what
is found is what a build from nothing finds.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
NVCC = os.environ["NVCC"]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

HAS_NVCC = bool(shutil.which(NVCC))

# What find_package(barricade) takes for an installation.
CONFIG = f'include("{ROOT}/cmake/Barricade.cmake")\n'


class Project(unittest.TestCase):
    generator = "Ninja"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name, "a project")
        self.build = self.project / "build"
        shutil.copytree(HERE / "whole-program", self.project)
        (self.project / "barricadeConfig.cmake").write_text(CONFIG)

    def configure(self, codes=(0,)):
        done = subprocess.run(
            ["cmake", "-G", self.generator, "-S", self.project, "-B", self.build,
             f"-Dbarricade_DIR={self.project}", f"-DBARRICADE_EXECUTABLE={BARRICADE}",
             f"-DCMAKE_CUDA_COMPILER={NVCC}", "-DCMAKE_CUDA_ARCHITECTURES=90"],
            capture_output=True, text=True)
        self.assertIn(done.returncode, codes, done.stderr)
        return done.stderr

    def make(self, target="app-barricade"):
        """What the build said."""
        done = subprocess.run(["cmake", "--build", self.build, "--target", target],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def findings(self, target="app"):
        """Reasons by function, as the reports have them."""
        found = {}
        for report in (self.build / "barricade" / target).glob("*.json"):
            for finding in json.loads(report.read_text())["findings"]:
                if finding["rule"] == "artificial-barrier":
                    found[finding["function"]] = [r["id"] for r in finding["reasons"]]
        return found

    def edit(self, name, old, new):
        path = self.project / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def check_all_is_known(self):
        self.configure()
        said = self.make()
        self.make("sums-barricade")
        self.assertEqual(said.count("Indexing"), 2, said)
        self.assertNotIn("warning: the index", said)
        self.assertEqual(self.findings(), {"twice": []})
        self.assertEqual(self.findings("sums"), {"sum": []})
        self.assertNotIn("Indexing", self.make())
        self.assertNotIn("Analysing", self.make())


@unittest.skipUnless(HAS_NVCC, "nvcc is not installed")
class WithNinja(Project):
    def test_all_is_known(self):
        self.check_all_is_known()

    def test_changes_have_made_again_what_depends_on_them(self):
        self.configure()
        self.make()
        # A caller in another file: what was legal is no more.
        self.edit("sum.cu", "out[threadIdx.x] = sum(a, n);",
                  "extern __device__ float twice(const float *, int);\n"
                  "  out[threadIdx.x] = threadIdx.x < n ? twice(a, n) : sum(a, n);")
        said = self.make()
        self.assertEqual(said.count("Indexing"), 1, said)
        self.assertEqual(self.findings(), {"twice": ["unknown-callers"]})
        # A header, of both.
        self.edit("sum.cuh", "#pragma once", "#pragma once\n// more")
        self.assertEqual(self.make().count("Indexing"), 2)
        # A new file.
        self.edit("CMakeLists.txt", "app main.cu", "app main.cu new.cu")
        (self.project / "new.cu").write_text("__global__ void unused() {}\n")
        self.assertIn("new.cu", self.make())
        index = self.build / "barricade/app/program.index"
        before = self.findings(), index.read_bytes()
        shutil.rmtree(self.build)
        self.configure()
        self.make()
        self.assertEqual((self.findings(), index.read_bytes()), before)

    def test_options_of_the_build_are_seen(self):
        self.configure()
        self.make()
        self.edit("CMakeLists.txt", "add_executable(other",
                  "target_compile_definitions(sums PRIVATE MORE)\nadd_executable(other")
        self.edit("sum.cu", "__global__ void total",
                  "#ifdef MORE\n__device__ float twice(const float *, int);\n"
                  "__device__ float (*pointer)(const float *, int) = twice;\n#endif\n"
                  "__global__ void total")
        self.make()
        self.assertEqual(self.findings(), {"twice": ["unknown-callers"]})

    def test_what_is_not_known_yet_is_refused(self):
        self.edit("CMakeLists.txt", "app main.cu", "app $<1:main.cu>")
        self.assertIn("is not known before the build", self.configure(codes=(1,)))


@unittest.skipUnless(HAS_NVCC, "nvcc is not installed")
class WithMake(Project):
    generator = "Unix Makefiles"

    def test_all_is_known(self):
        self.check_all_is_known()


if __name__ == "__main__":
    unittest.main()
