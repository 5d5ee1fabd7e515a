#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prepares real variants of samples and lets eval/run build and check them on
the CPU executor: every one computes what its original does, without a race."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "eval"))

from harness import manifest  # noqa: E402

SMALL = "--runs 1 --warmup 0 --json"


class EmulatedTest(unittest.TestCase):
    def check(self, sample, options, arguments):
        """{id: status}"""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = ROOT / "samples" / sample / f"{sample}.cu"
            prepare = [os.environ["BARRICADE"], f"--variants={folder / 'v'}", *options, source]
            done = subprocess.run(prepare, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            run = [sys.executable, ROOT / "eval" / "run", folder / "v", "--without-gpu", "--json",
                   f"--nvcc={os.environ['EMULATE']} build", f"--args={arguments} {SMALL}"]  # fmt: skip
            done = subprocess.run(run, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            data = json.loads((folder / "v" / "results" / "results.json").read_text())
            return {row["id"]: row["status"] for row in data["units"][0]["variants"]}

    def test_artificial_barriers_and_controls(self):
        found = self.check(
            "memtest", ["--rules=artificial-barrier", "--variant-intervals=4"],
            "--n 2048 --blocks 2 --threads 64",
        )  # fmt: skip
        self.assertGreaterEqual(len(found), 5)
        self.assertTrue(any(name.endswith("-control") for name in found))
        self.assertLessEqual(set(found.values()), {"checked", "timed"})

    def test_strategies_of_the_grid_barrier(self):
        found = self.check("jacobi", ["--rules=grid-barrier"], "--n 40 --iterations 6")
        # A place's line, or the rule where all its places are taken at once.
        place = r"jacobi\.(\d+|grid-barrier)-"
        settings = {re.sub(place, "", name) for name in found if name != "original"}
        self.assertEqual(settings, {"automatic", "lock", "lock-free", "cooperative"})
        self.assertLessEqual(set(found.values()), {"checked", "timed"})

    def test_forms_of_bma(self):
        with tempfile.TemporaryDirectory() as folder:
            prepare = [ROOT / "eval/launch-fusion/prepare", os.environ["BARRICADE"], folder]
            done = subprocess.run(prepare, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = manifest.Manifest(folder)
            for program in found.programs:
                kinds = {v.id: v.kind for v in found.variants_of(program)}
                self.assertEqual(kinds, {"original": "original", "fused": "single", "lock-free": "single",
                                         "fence-merged": "unsafe"})  # fmt: skip
                texts = [found.texts(program, v) for v in found.variants]
                held_up = sum(b"STRESS(blockIdx.x)" in b"".join(t.values()) for t in texts)
                self.assertEqual(held_up, 4 if program.source.startswith("race/") else 0)


if __name__ == "__main__":
    unittest.main()
