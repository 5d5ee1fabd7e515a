#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C and kill leave nothing half-written, whenever they come.

Runs that write all they can are ended at random times. Then every source has
its old or its new text, all of them the same; every report is whole or not
there; no other file is left; the cache still gives the right results; and the
exit status is the signal's, unless the run was over.
"""

import os
import pathlib
import pty
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BARRICADE = os.environ["BARRICADE"]
RUNS = int(os.environ.get("INTERRUPTED_RUNS", 60))
SEED = int(os.environ.get("SEED", 20261121))
LOOP = """\
__global__ void k{0}(const float *a, float *sums, int n) {{
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}}
"""
SOURCES = {"shared.cuh": "#pragma once\n" + LOOP.format("header"),
           **{f"f{i}.cu": '#include "shared.cuh"\n' + LOOP.format(i) for i in range(3)}}
REPORTS = ["json", "sarif", "html", "export-fixes", "write-baseline"]


class InterruptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.cache = self.folder / "cache"
        self.random = random.Random(SEED)
        print(f"seed {SEED}")

    def fresh_project(self):
        project = self.folder / "project"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        (project / ".git").mkdir()
        (project / "reports").mkdir()
        for name, text in SOURCES.items():
            (project / name).write_text(text)
        return project

    def start(self, project, action):
        return subprocess.Popen(
            [BARRICADE, action, "--edit-headers", "--no-toolkit",
             f"--cache-dir={self.cache}",
             *(f"--{name}=reports/{name}" for name in REPORTS),
             *(name for name in SOURCES if name.endswith(".cu")),
             "--", "-std=c++11"],
            cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @staticmethod
    def files(project):
        return {str(path.relative_to(project)): path.read_bytes()
                for path in project.rglob("*") if path.is_file()}

    def expect_whole(self, left, complete):
        """What is left is a part of what a whole run leaves."""
        sources = {name: left.pop(name) for name in SOURCES}
        old = {name: text.encode() for name, text in SOURCES.items()}
        new = {name: complete[name] for name in SOURCES}
        self.assertIn(sources, (old, new))
        for name, content in left.items():
            self.assertIn(name, complete)
            self.assertEqual(content, complete[name], name)

    def interrupt_at_random_times(self, action, runs, empty_cache):
        project = self.fresh_project()
        if empty_cache:
            shutil.rmtree(self.cache, ignore_errors=True)
        began = time.monotonic()
        self.assertEqual(self.start(project, action).wait(), 0)
        seconds = time.monotonic() - began
        complete = self.files(project)
        self.assertEqual(len(complete), len(SOURCES) + len(REPORTS) +
                         (len(SOURCES) if "output" in action else 0))
        ended = 0
        for _ in range(runs):
            if empty_cache:
                shutil.rmtree(self.cache, ignore_errors=True)
            project = self.fresh_project()
            run = self.start(project, action)
            # Later than the whole run, too: machines are not equally busy.
            time.sleep(self.random.uniform(0, 1.2 * seconds))
            sent = self.random.choice((signal.SIGINT, signal.SIGTERM))
            run.send_signal(sent)
            code = run.wait()
            self.assertIn(code, (0, -sent))
            ended += code != 0
            left = self.files(project)
            if code == 0:
                self.assertEqual(left, complete)
            else:
                self.expect_whole(left, complete)
            self.assertEqual([p.name for p in self.cache.glob("*.tmp-*")], [])
        print(f"{action}: {ended} of {runs} runs were ended by the signal")
        self.assertGreater(ended, 0)
        # Whatever the cache has now, it is right.
        project = self.fresh_project()
        self.assertEqual(self.start(project, action).wait(), 0)
        self.assertEqual(self.files(project), complete)

    def test_ctrl_c_tells_what_is_known(self):
        project = self.fresh_project()
        (project / "bad.cu").write_text("int x = y;\n")
        os.mkfifo(project / "wait.h")
        (project / "slow.cu").write_text('#include "wait.h"\n')
        run = subprocess.Popen(
            [BARRICADE, "--no-toolkit", "--profit=any", "--in-place", "-j2",
             "f0.cu", "bad.cu", "slow.cu", "f1.cu", "--", "-std=c++11"],
            cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # By then all that can be read is.
        time.sleep(5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGINT, err)
        self.assertIn("f0.cu:4:3: warning: ", out)
        self.assertIn("f1.cu:4:3: warning: ", out)
        self.assertIn("bad.cu:1:9: error: ", err)
        self.assertIn("1 file does not parse: bad.cu\n", err)
        self.assertIn("interrupted: 3 of 4 files were read; nothing was", err)
        self.expect_nothing_written()

    def expect_nothing_written(self):
        for name, text in SOURCES.items():
            self.assertEqual((self.folder / "project" / name).read_text(), text)

    def interrupt_when_shown(self, words, *arguments):
        """What a terminal gets of a run that is interrupted once \p words are."""
        project = self.fresh_project()
        (project / "many.cu").write_text("".join(LOOP.format(f"m{i}") for i in range(400)))
        ours, theirs = pty.openpty()
        with (project / "stdout").open("w") as out:
            run = subprocess.Popen([BARRICADE, "--no-toolkit", "--profit=any", "--color=never",
                                    *arguments, "many.cu", "f0.cu", "--", "-std=c++11"],
                                   cwd=project, stdin=theirs, stderr=theirs, stdout=out)
        os.close(theirs)
        shown, sent = b"", False
        try:
            while part := os.read(ours, 4096):
                shown += part
                if words.encode() in shown and not sent:
                    run.send_signal(signal.SIGINT)
                    sent = True
        except OSError:
            pass  # The other end was closed.
        os.close(ours)
        self.assertEqual(run.wait(timeout=60), -signal.SIGINT, shown)
        return (project / "stdout").read_text(), shown.decode()

    def test_ctrl_c_while_changes_are_verified(self):
        out, err = self.interrupt_when_shown("verifying [0/2", "--in-place")
        self.assertIn("f0.cu:4:3: warning: ", out)
        self.assertIn("401 to rewrite", err)
        self.assertIn("interrupted: the changes were not verified; nothing was written", err)
        self.expect_nothing_written()

    def test_ctrl_c_while_variants_are_made(self):
        out, err = self.interrupt_when_shown("[1/4", "--variants=out", "--variant-intervals=1")
        self.assertEqual(out, "")
        self.assertRegex(err, r"interrupted: \d+ of 40\d rewrites were tried; no variant was written")
        self.assertFalse((self.folder / "project" / "out").exists())

    def test_while_files_are_read(self):
        self.interrupt_at_random_times("--in-place", RUNS // 6, empty_cache=True)

    def test_while_files_are_written(self):
        # With a full cache most of the time goes into writing.
        self.start(self.fresh_project(), "--in-place").wait()
        self.interrupt_at_random_times("--in-place", RUNS, empty_cache=False)

    def test_output_folder(self):
        self.start(self.fresh_project(), "--in-place").wait()
        self.interrupt_at_random_times("--output-dir=out", RUNS // 2, empty_cache=False)


if __name__ == "__main__":
    unittest.main()
