#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`checked` notices what goes wrong when a rewritten program runs.

The programs are shell scripts, and so are barricade, nvcc and memcheck: the
rewrite is to write `after` for `before`.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKED = pathlib.Path(__file__).with_name("checked")

BARRICADE = """
for word; do
  case $word in
    --json=*) report=${word#--json=};;
    --) break;;
    *.cu) sed -i s/before/after/ "$word"; unit=$word;;
  esac
done
grep -q after "$unit" && verdict=rewrite
echo '{"findings": [{"rule": "rule", "verdict": "'${verdict:-refused}'"}]}' > "$report"
"""
NVCC = """
while [ $# -gt 0 ]; do
  case $1 in -o) shift; to=$1;; *.cu|*.o) from=$1;; esac
  shift
done
grep -q 'no code' "$from" && exit 1
cp "$from" "$to"; chmod +x "$to"
"""
MEMCHECK = """
shift 4 # --error-exitcode 9 --tool memcheck
"$@"
if grep -q 'bad after' "$1"; then echo ERROR SUMMARY: 2 errors; else echo ERROR SUMMARY: 0 errors; fi
"""

MATCH = "echo 'Non-Matching CPU-GPU Outputs Beyond Error: 0'\n"
PROGRAMS = {
    "good": MATCH + "date +%N; echo same; : before",
    "fails": "echo before | grep before && " + MATCH,
    "other": MATCH + "echo before",
    "latency": MATCH + "printf 'Matrix (us)\\n  GPU  0\\n\\n    0  before\\nend\\n'",
    "matrix": MATCH + "printf 'Matrix (elements)\\n  GPU  0\\n    0  before\\n'",
    "file": MATCH + "echo before > written.txt",
    "broken": MATCH + ": no code before",
    "memory": MATCH + ": bad before",
    "slow": MATCH + "case before in a*) sleep 60; : ;; esac",
    "wrong": "echo 'Non-Matching CPU-GPU Outputs Beyond Error: 7'; : before",
    "untouched": MATCH,
}


class CheckedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        root = pathlib.Path(cls.folder.name)
        tools = {}
        for name, text in {"barricade": BARRICADE, "nvcc": NVCC, "memcheck": MEMCHECK}.items():
            tools[name] = root / name
            tools[name].write_text("#!/bin/sh\n" + text)
            tools[name].chmod(0o755)
        for name, text in PROGRAMS.items():
            source = root / "polybench" / "CUDA" / name / f"{name}.cu"
            source.parent.mkdir(parents=True)
            source.write_text(f"#!/bin/sh\n{text}\n")
        prepare = ["prepare", root / "out", "--polybench", root / "polybench"]
        cls.call(*prepare, "--barricade", tools["barricade"])
        run = ["run", root / "results", root / "out", "--timeout=2"]
        cls.done = cls.call(*run, "--nvcc", tools["nvcc"], "--sanitizer", tools["memcheck"])
        results = json.loads((root / "results" / "results.json").read_text())
        cls.outcomes = {outcome["name"].partition("/")[2]: outcome for outcome in results}
        cls.table = (root / "results" / "table.md").read_text()

    @staticmethod
    def call(*words):
        return subprocess.run([sys.executable, CHECKED, *words], capture_output=True, text=True)

    def fault(self, name):
        return self.outcomes[name]["fault"]

    def test_what_differs_anyhow_is_not_compared(self):
        good = self.outcomes["good"]
        self.assertEqual(good["fault"], "")
        self.assertEqual(good["verdict"], "passes → passes")
        self.assertEqual(good["compared"], "2 of 3 lines, 0 files equal")
        self.assertEqual(good["memcheck"], "clean")

    def test_measured_tables_are_not_compared(self):
        self.assertEqual(self.outcomes["latency"]["compared"], "2 of 2 lines, 0 files equal")
        self.assertEqual(self.fault("matrix"), "the rewrite's output differs")

    def test_each_fault_is_noticed(self):
        self.assertEqual(self.done.returncode, 1)
        self.assertEqual(self.fault("fails"), "the rewrite fails its check")
        self.assertEqual(self.fault("other"), "the rewrite's output differs")
        self.assertIn("+ after", self.outcomes["other"]["details"])
        self.assertEqual(self.fault("file"), "the rewrite's output differs")
        self.assertEqual(self.outcomes["file"]["details"], "written.txt")
        self.assertEqual(self.fault("memory"), "memcheck finds errors in the rewrite alone")
        self.assertEqual(self.fault("broken"), "the original does not build")
        self.assertEqual(self.fault("slow"), "the rewrite does not end in time")

    def test_the_originals_own_failure_is_no_fault(self):
        self.assertEqual(self.fault("wrong"), "")
        self.assertEqual(self.outcomes["wrong"]["verdict"], "fails → fails")

    def test_the_table_names_what_was_not_rewritten(self):
        self.assertNotIn("untouched", self.outcomes)
        self.assertIn("Nothing to rewrite: polybench/untouched.", self.table)


if __name__ == "__main__":
    unittest.main()
