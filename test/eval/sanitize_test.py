#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""eval/experiments/sanitize with fakes of nvcc and compute-sanitizer."""

import json
import shlex
import subprocess
import unittest
from pathlib import PurePosixPath

from support import ROOT, EvalTest

COMMAND = ROOT / "eval" / "experiments" / "sanitize"
PROGRAMS = json.loads(COMMAND.with_suffix(".json").read_text())
# Stands in for a tool: what the program says on stderr is an error.
TOOL = """\
#!/bin/bash
tool=$4
said=$("${@:5}" 2>&1 >/dev/null)
[ "$said" != "$tool" ] || { echo "an error"; exit 9; }
"""


class SanitizeTest(EvalTest):
    def setUp(self):
        super().setUp()
        tool = self.bin / "compute-sanitizer"
        tool.write_text(TOOL)
        tool.chmod(0o755)

    def rows(self, programs):
        """(exit code, {(program, run): result}); `programs`: texts by name, the
        others print nothing, as the fake compiler makes of the originals."""
        folder = self.folder / "rewritten"
        for program in PROGRAMS:
            for option in program["options"]:
                label = f"{PurePosixPath(program['source']).stem}-{option}"
                file = folder / label / program["source"]
                file.parent.mkdir(parents=True)
                file.write_text(programs.get(label, "//sh true\n"))
        report = self.folder / "report.md"
        command = [str(COMMAND), "run", str(folder), "--out", str(report)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        rows = [line.strip("| ").split(" | ") for line in report.read_text().splitlines()[2:]]
        return done.returncode, {(label, run): result for label, run, result in rows}

    def test_all_is_right(self):
        code, rows = self.rows({})
        self.assertEqual((code, set(rows.values())), (0, {"right"}))
        self.assertEqual(len(rows), sum(len(p["options"]) * (1 + len(p["tools"]) + ("sweep" in p)) for p in PROGRAMS))
        # An original is built once, and only where its output is compared.
        sources = [shlex.split(line)[-1] for line in self.log.read_text().splitlines()]
        originals = [s for s in sources if not s.startswith(str(self.folder))]
        self.assertEqual(sorted(originals), [f"test/rewrites/{name}.cu" for name in ("nested", "odd", "rounds")])

    def test_what_is_wrong_is_said(self):
        code, rows = self.rows({
            "rounds-k1": "//sh echo x\n", "forms-k1": "#error\n", "steps-persistent": "//sh exit 4\n",
            "vecadd-k4": "//sh echo racecheck >&2\n", "fft-persistent": "//sh [[ $* != *2^22* ]]\n",
        })  # fmt: skip
        self.assertEqual(code, 1)
        wrong = {(label, run.split()[0]): result for (label, run), result in rows.items() if result != "right"}
        self.assertEqual(
            set(wrong),
            {("rounds k1", "plain"), ("forms k1", "build"), ("steps persistent", "plain"), ("vecadd k4", "racecheck"), ("fft persistent", "sweep")},
        )
        self.assertIn("differs from the original's", wrong["rounds k1", "plain"])
        self.assertIn("exit code 4", wrong["steps persistent", "plain"])
        self.assertIn("exit code 9: an error", wrong["vecadd k4", "racecheck"])
        self.assertIn("2^22: exit code 1", wrong["fft persistent", "sweep"])


if __name__ == "__main__":
    unittest.main()
