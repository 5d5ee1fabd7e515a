#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The progress of a run over many files, on a pseudo-terminal.

What barricade writes to it is played on a screen of one line: it counts to the
number of files, never leaves the line, and is gone at the end.
"""

import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
FILES = 4
FLAGS = ["--no-toolkit", "--", "-std=c++11"]
ERASE, WRAP_OFF, WRAP_ON = "\r\x1b[K", "\x1b[?7l", "\x1b[?7h"
LINE = re.compile(re.escape(WRAP_OFF) + r"\[(\d+)/(\d+)(?:, \d+:\d\d left)?\] ([^\x1b]*)" +
                  re.escape(WRAP_ON))


class ProgressTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Names that are cut, in the middle of a character if not with care.
        self.names = [f"{'漢' * 30}{'x' * (i % 3)}{i}.cu" for i in range(FILES)]
        for name in self.names:
            (self.folder / name).write_text("__global__ void k() {}\n")

    def run_on_terminal(self, *arguments):
        """(what the terminal got, what standard output got)"""
        ours, theirs = pty.openpty()
        with subprocess.Popen([BARRICADE, *arguments, *FLAGS],
                              cwd=self.folder, stdin=theirs, stderr=theirs,
                              stdout=subprocess.PIPE) as process:
            os.close(theirs)
            shown = b""
            try:
                while part := os.read(ours, 4096):
                    shown += part
            except OSError:
                pass  # The other end was closed.
            out = process.stdout.read()
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        return shown.decode("utf-8").replace("\r\n", "\n"), out

    def expect_progress(self, shown):
        """What comes after the progress."""
        *lines, rest = shown.split(ERASE)
        self.assertEqual(lines.pop(0), "")
        steps = [LINE.fullmatch(line).groups() for line in lines]
        self.assertEqual([(int(done), int(total)) for done, total, _ in steps],
                         [(done, FILES) for done in range(FILES + 1)])
        first, *names = [name for _, _, name in steps]
        self.assertEqual(first, "")
        for name in self.names:
            [end] = [shown for shown in names if name.endswith(shown)]
            self.assertIn("漢漢", end)
        return rest

    def test_counts_all_files_and_vanishes(self):
        for jobs in ("1", "2"):
            with self.subTest(jobs=jobs):
                shown, out = self.run_on_terminal("-j", jobs, *self.names)
                rest = self.expect_progress(shown)
                self.assertIn(f"{FILES} files", rest)
                self.assertNotIn("\x1b[?7", rest)
                self.assertEqual(out, b"")

    def test_variants_are_counted(self):
        loop = """\
__global__ void k{}(const float *a, float *sums, int n) {{
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}}
"""
        (self.folder / "loops.cu").write_text(loop.format(1) + loop.format(2))
        shown, _ = self.run_on_terminal("--variants=out", "--variant-intervals=1",
                                        "--no-verify", "loops.cu")
        counts = [LINE.fullmatch(line) for line in shown.split(ERASE)[1:-1]]
        total = int(counts[0][2])
        self.assertGreaterEqual(total, 2)
        self.assertEqual([int(count[1]) for count in counts], list(range(total + 1)))
        self.assertEqual(counts[-1][3], "loops.cu, k1")

    def test_quiet_and_single_files_show_none(self):
        for arguments in (["--quiet", *self.names], self.names[:1]):
            shown, _ = self.run_on_terminal(*arguments)
            self.assertNotIn("[0/", shown)
            self.assertNotIn(ERASE, shown)

    def test_nobody_looks(self):
        done = subprocess.run([BARRICADE, *self.names, *FLAGS],
                              cwd=self.folder, check=True, capture_output=True)
        self.assertNotIn(b"\x1b", done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main()
