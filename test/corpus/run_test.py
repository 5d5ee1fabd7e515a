#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The corpus run notices each fault that it is there to notice.

barricade and nvcc are played by shell scripts, over a small folder of programs.
"""

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from sources import Sources

RUN = pathlib.Path(__file__).with_name("run")

# Accepts what holds no word `broken`.
NVCC = """
for word; do case $word in *.cu) ! grep -q broken "$word" || exit 1;; esac; done
"""

# Called as: barricade OPTION... UNIT -- FLAG...
PREAMBLE = """
for word; do
  case $word in
    --dry-run|--in-place) mode=$word;;
    --json=*) report=${word#--json=};;
    --) break;;
    *) unit=$word;;
  esac
done
if [ "$report" ]; then
  echo '{"findings": [{"rule": "r", "verdict": "refused", "reasons": [{"id": "why"}],
    "place": {"file": "'$PWD/$unit'", "offset": 7}}]}' > "$report"
fi
write() { echo "$1" > new; mv new "$unit"; }
"""
DIFF = 'echo "--- a/$unit"; echo "+++ b/$unit"; exit 1'


def finding(line, verdict, form="", reasons=(), **facts):
    """One of artificial-barrier's, a strict candidate unless `facts` differ."""
    strict = {"in-kernel": True, "innermost": True, "global-accesses": 2}
    values = strict | {"transcendental": 0, "calls": 0}
    values |= {name.replace("_", "-"): value for name, value in facts.items()}
    return {
        "rule": "artificial-barrier",
        "verdict": verdict,
        "form": form,
        "place": {"file": "k.cu", "line": line, "offset": line},
        "facts": {name: {"value": value, "unit": ""} for name, value in values.items()},
        "reasons": [{"id": reason} for reason in reasons],
    }


class AcceptanceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        loader = importlib.machinery.SourceFileLoader("corpus_run", str(RUN))
        spec = importlib.util.spec_from_loader(loader.name, loader)
        cls.corpus_run = importlib.util.module_from_spec(spec)
        sys.modules[loader.name] = cls.corpus_run  # dataclasses look there
        loader.exec_module(cls.corpus_run)

    def test_legal_forms_and_reasons_are_told(self):
        text = self.corpus_run.acceptance(
            [
                finding(1, "rewrite", "rounds"),
                finding(2, "rewrite", "rounds"),
                finding(3, "not-profitable", "vote", ["few-memory-operations"]),
                finding(4, "refused", reasons=["has-barrier", "has-barrier", "continue"]),
            ]
        )
        self.assertIn("| rounds | 2 | 2 |", text)
        self.assertIn("| vote | 0 | 1 |", text)
        self.assertIn("| accepted |  | 3 (75 %) |", text)
        self.assertIn("| k.cu:4 | has-barrier, continue |", text)

    def test_only_strict_candidates_count(self):
        others = [
            finding(1, "refused", in_kernel=False),
            finding(2, "refused", innermost=False),
            finding(3, "refused", global_accesses=1),
            finding(4, "refused", transcendental=1),
            finding(5, "refused", calls=1),
            finding(6, "refused") | {"rule": "grid-barrier"},
        ]
        self.assertEqual(self.corpus_run.strict_candidates(others), [])
        self.assertIn("| accepted |  | 0 (none) |", self.corpus_run.acceptance(others))


    def test_launches_are_counted_by_form(self):
        either = {"rule": "grid-barrier"}
        text = self.corpus_run.by_form(
            [
                finding(1, "rewrite", "persistent") | either,
                finding(2, "rewrite", "persistent", replays=True) | either,
                finding(3, "rewrite", "persistent", replays=True, graph_is_as_fast=True) | either,
                finding(4, "refused") | either,
                finding(5, "refused") | either,
                finding(5, "rewrite", "replayed") | {"rule": "launch-replay"},
                finding(6, "rewrite", "rounds"),
            ]
        )
        self.assertIn("| persistent kernel | 1 |", text)
        self.assertIn("| persistent kernel or graph | 1 |", text)
        self.assertIn("| kernel until a graph pays | 1 |", text)
        self.assertIn("| replayed | 1 |", text)
        self.assertNotIn("rounds", text)
        self.assertIn("| relaunch loops that stay | 1 |", text)
        self.assertIn("| all relaunch loops | 5 |", text)

    def test_a_reason_counts_once_a_loop(self):
        findings = [
            finding(1, "refused", reasons=["has-barrier", "has-barrier"]),
            finding(2, "refused", reasons=["continue", "has-barrier"]),
            finding(3, "rewrite", "rounds"),
        ]
        rule = "artificial-barrier"
        self.assertEqual(
            self.corpus_run.blockers(findings), [(rule, "has-barrier", 2, 1), (rule, "continue", 1, 0)]
        )

    def test_each_place_has_its_form_or_its_reasons(self):
        findings = [finding(9, "refused", reasons=["a", "b", "a"]), finding(3, "rewrite", "rounds")]
        self.assertEqual(
            self.corpus_run.verdicts_by_place(findings), [("k.cu:3", "rounds"), ("k.cu:9", "a, b")]
        )


class CorpusTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.corpus = self.folder / "corpus"
        self.write("corpus/one/main.cu", '#include "kernel.cu"\n#include "util.h"\n')
        self.write("corpus/one/kernel.cu", "")
        self.write("corpus/common/inc/util.h", "")
        self.write("cuda/bin/nvcc", f"#!/bin/sh\n{NVCC}", mode=0o755)

    def write(self, name, text, mode=0o644):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def run_with(self, barricade, code):
        """The outcomes of a run over the corpus with this barricade."""
        self.write("barricade", f"#!/bin/sh\n{PREAMBLE}\n{barricade}\n", mode=0o755)
        before = (self.corpus / "one/main.cu").read_text()
        journal = self.folder / "journal"
        done = subprocess.run(
            [RUN, self.corpus, f"--barricade={self.folder}/barricade"]
            + [f"--cuda={self.folder}/cuda", f"--journal={journal}", "--timeout=2"],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual((self.corpus / "one/main.cu").read_text(), before)
        self.table = done.stdout
        (outcome,) = map(json.loads, journal.read_text().splitlines())
        self.assertEqual(outcome["unit"], "one/main.cu")
        return outcome

    def test_included_sources_are_no_units(self):
        sources = Sources(self.corpus)
        self.assertEqual([str(u) for u in sources.translation_units()], ["one/main.cu"])

    def test_headers_are_found_by_name(self):
        sources = Sources(self.corpus)
        (unit,) = sources.translation_units()
        self.assertEqual(sources.flags(unit), ["-Icommon/inc"])

    def test_the_systems_headers_come_first(self):
        self.write("system/util.h", "")
        sources = Sources(self.corpus, [self.folder / "system"])
        (unit,) = sources.translation_units()
        self.assertEqual(sources.flags(unit), [])

    def test_flags_come_from_the_nearest_build_file(self):
        self.write("corpus/Makefile", "nvcc -rdc=true")
        self.write("corpus/one/Makefile", "nvcc --extended-lambda")
        sources = Sources(self.corpus)
        (unit,) = sources.translation_units()
        self.assertIn("--extended-lambda", sources.flags(unit))
        self.assertNotIn("-rdc=true", sources.flags(unit))

    def test_nothing_to_rewrite(self):
        outcome = self.run_with("exit 0", code=0)
        self.assertTrue(outcome["parsed"])
        self.assertFalse(outcome["rewritten"])
        self.assertIn("| r | why | 1 | 1 |", self.table)

    def test_good_rewrite(self):
        rewrites = f"""
          grep -q done "$unit" && exit 0
          [ $mode = --in-place ] && write done && exit 0
          {DIFF}"""
        outcome = self.run_with(rewrites, code=0)
        self.assertTrue(outcome["rewritten"])
        self.assertIn("| rewritten | 1 |", self.table)

    def test_rewrite_that_does_not_compile(self):
        rewrites = f"""
          grep -q broken "$unit" && exit 0
          [ $mode = --in-place ] && write broken && exit 0
          {DIFF}"""
        outcome = self.run_with(rewrites, code=1)
        self.assertEqual(outcome["faults"], ["the rewrite does not compile"])

    def test_rewrite_of_what_never_compiled(self):
        self.write("corpus/one/main.cu", '#include "kernel.cu"\nbroken\n')
        rewrites = f"""
          grep -q more "$unit" && exit 0
          [ $mode = --in-place ] && write "broken, more" && exit 0
          {DIFF}"""
        outcome = self.run_with(rewrites, code=0)
        self.assertFalse(outcome["nvcc_accepts"])

    def test_rewrite_that_is_not_stable(self):
        rewrites = f"[ $mode = --in-place ] && write x && exit 0; {DIFF}"
        outcome = self.run_with(rewrites, code=1)
        self.assertEqual(outcome["faults"], ["proposes more after its own rewrite"])

    def test_crash(self):
        outcome = self.run_with("kill -SEGV $$", code=1)
        self.assertEqual(outcome["faults"], ["crashes: --dry-run, -11"])

    def test_internal_fault(self):
        outcome = self.run_with("exit 101", code=1)
        self.assertEqual(outcome["faults"], ["crashes: --dry-run, 101"])

    def test_hang(self):
        outcome = self.run_with("exec sleep 60", code=1)
        self.assertEqual(outcome["faults"], ["hangs: --dry-run"])

    def test_not_parsed_though_nvcc_does(self):
        error = 'echo "one/main.cu:1:1: error: odd" >&2; exit 3'
        outcome = self.run_with(error, code=0)
        self.assertEqual((outcome["parsed"], outcome["nvcc_accepts"]), (False, True))
        self.assertIn("| `odd` | yes | 1 |", self.table)

    def test_what_the_journal_holds_is_not_examined_again(self):
        first = self.run_with("exit 0", code=0)
        self.assertEqual(self.run_with("exit 101", code=0), first)

    def test_usage_error_is_a_fault(self):
        outcome = self.run_with("echo no such option >&2; exit 2", code=1)
        self.assertEqual(outcome["faults"], ["fails: no such option"])


if __name__ == "__main__":
    unittest.main()
