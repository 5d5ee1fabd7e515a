#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kept headers change how long a run takes, and nothing else.

What is kept, and what makes it invalid, is for the unit tests. Here the command
is asked: where the folder is, what is said where there can be none, several
processes at once, and that reports and rewrites are the same byte by byte.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
LIT = pathlib.Path(__file__).resolve().parent.parent / "lit"
SOURCES = ["artificial-barrier/golden-uniform.cu", "grid-barrier/golden-shapes.cu",
           "launch-fusion/names-elsewhere.cu", "launch-replay/keeps-loads.cu"]
REPORTS = ["--json", "--sarif", "--html", "--export-fixes"]


class HeaderCacheTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.cache = self.folder / "xdg" / "barricade" / "headers"
        self.source = self.folder / "a.cu"
        self.source.write_text("__global__ void k(int *x) { x[threadIdx.x] = 1; }\n")

    def run_barricade(self, *arguments, home=None, cache_home=None, wait=True):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("HOME", "XDG_CACHE_HOME")}
        environment["HOME"] = str(home or self.folder)
        if cache_home:
            environment["XDG_CACHE_HOME"] = str(cache_home)
        run = subprocess.run if wait else subprocess.Popen
        pipes = {"capture_output": True} if wait else {
            "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        return run([BARRICADE, "--no-config", *map(str, arguments), "--", "nvcc",
                    "-std=c++17", f"-I{LIT / 'Inputs'}"],
                   env=environment, cwd=self.folder, **pipes)

    def entries(self, cache=None):
        return sorted((cache or self.cache).glob("llvmcache-*[0-9A-Fa-f]"))

    def outputs(self, *options):
        """Everything that a run over the suite's sources says and writes."""
        reports = self.folder / "reports"
        shutil.rmtree(reports, ignore_errors=True)
        reports.mkdir()
        named = [f"{name}={reports / name[2:]}" for name in REPORTS]
        files = [LIT / name for name in SOURCES]
        done = self.run_barricade("--rules=*", "--profit=any", "--dry-run", "--explain",
                                  *named, *options, *files, cache_home=self.folder / "xdg")
        self.assertIn(b"+", done.stdout)
        words = "".join(option + " " for option in options).encode()
        return {"code": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
                **{path.name: path.read_bytes().replace(words, b"")
                   for path in reports.iterdir()}}

    def test_everything_is_the_same(self):
        whole = self.outputs("--no-header-cache")
        self.assertFalse(self.cache.exists())
        empty = self.outputs()
        kept = self.entries()
        self.assertGreater(len(kept), 1)
        for path in kept:
            self.assertGreater(path.stat().st_size, 1000)
        full = self.outputs()
        self.assertEqual(kept, self.entries())
        for name in whole:
            self.assertEqual(whole[name], empty[name], name)
            self.assertEqual(whole[name], full[name], name)

    def test_where_headers_are_kept(self):
        for options, cache in (
                ({}, self.folder / ".cache/barricade/headers"),
                ({"cache_home": self.folder / "xdg"}, self.cache)):
            with self.subTest(cache):
                self.assertEqual(0, self.run_barricade(self.source, **options).returncode)
                self.assertTrue(self.entries(cache))
        own = self.folder / "own"
        self.run_barricade(self.source, f"--header-cache={own}")
        self.assertTrue(self.entries(own))

    def test_a_folder_that_cannot_be_had(self):
        (self.folder / "file").write_text("")
        named = self.run_barricade(self.source, "--header-cache=file")
        self.assertEqual(2, named.returncode)
        self.assertIn(b"cannot create folder 'file'", named.stderr)
        # Nobody asked for one.
        usual = self.run_barricade(self.source, home=self.folder / "file")
        self.assertEqual(0, usual.returncode, usual.stderr)
        self.assertEqual(b"", usual.stdout)

    def test_several_processes_at_once(self):
        running = [self.run_barricade(LIT / SOURCES[1], "--profit=any", "--dry-run",
                                      "--no-verify", cache_home=self.folder / "xdg", wait=False)
                   for _ in range(4)]
        outputs = {process.communicate()[0] for process in running}
        self.assertEqual(1, len(outputs))
        self.assertIn(b"_persistent", outputs.pop())
        self.assertEqual([], list(self.cache.glob("*.tmp-*")))

    def test_a_disk_that_is_full(self):
        # A file may have no more than a few bytes, as on a disk without room.
        done = subprocess.run(
            ["bash", "-c", f"ulimit -f 8; trap '' XFSZ; exec {BARRICADE} --no-config a.cu "
                           "--header-cache=small --quiet -- nvcc -std=c++17"],
            cwd=self.folder, capture_output=True)
        self.assertEqual((0, b"", b""), (done.returncode, done.stdout, done.stderr))
        self.assertEqual([], self.entries(self.folder / "small"))


if __name__ == "__main__":
    unittest.main()
