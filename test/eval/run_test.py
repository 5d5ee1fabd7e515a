#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""eval/run from a manifest to its report, with programs that behave badly."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from support import ROOT, EvalTest, timed
from harness import journal, process

GOOD = timed(10)


class WithoutGpu(EvalTest):
    def test_builds_and_says_what_was_not_timed(self):
        folder = self.variants(GOOD, a=GOOD + "//a\n")
        code, text, _ = self.run_eval(folder)
        self.assertEqual(code, 0)
        self.assertIn("Not timed:** there is no GPU", text)
        self.assertEqual({r["status"] for r in self.rows().values()}, {"built"})

    def test_build_flags_are_the_builds_own(self):
        self.run_eval(self.variants(GOOD), "--flags=-O1")
        (line,) = self.log.read_text().splitlines()
        self.assertIn("-DX=1", line)
        self.assertIn("-O1", line)
        self.assertNotIn(" -c ", f" {line} ")
        self.assertNotIn("k.o", line)

    def test_a_failed_build_is_a_result(self):
        code, text, _ = self.run_eval(self.variants(GOOD, a="#error\n"))
        self.assertEqual(code, 1)
        row = self.rows()["a"]
        self.assertEqual(row["status"], "build failed")
        log = pathlib.Path(row["why"].split("see ")[1])
        self.assertIn("#error", log.read_text())

    def test_nothing_is_built_twice(self):
        folder = self.variants(GOOD, a=GOOD + "//a\n", b="#error\n")
        self.run_eval(folder)
        self.assertEqual(self.builds(), 3)
        self.run_eval(folder)
        self.assertEqual(self.builds(), 3)
        # Other flags make another program, the same bytes the same one.
        self.run_eval(self.variants(GOOD, c=GOOD + "//a\n"), "--fresh", "--cache", self.folder / "c")
        self.run_eval(self.variants(GOOD, d=GOOD + "//a\n"), "--fresh", "--cache", self.folder / "c")
        self.assertEqual(self.builds(), 5)
        self.run_eval(self.variants(GOOD), "--fresh", "--cache", self.folder / "c", "--flags=-O1")
        self.assertEqual(self.builds(), 6)

    def test_variants_that_are_the_same_program_are_one(self):
        self.run_eval(self.variants(GOOD, a=GOOD + "//a\n", b=GOOD + "//a\n", c=GOOD))
        self.assertEqual(list(self.rows()), ["original", "a"])

    def test_cases_choose_programs(self):
        cases = self.folder / "cases.json"
        for glob, count in (("*.cu", 2), ("other/*", 0)):
            cases.write_text(json.dumps({"programs": {glob: {"cases": {"x": {}, "y": {}}}}}))
            self.run_eval(self.variants(GOOD), "--fresh", f"--cases={cases}")
            self.assertEqual(len(self.results()["units"]), count)

    def test_cases_choose_variants(self):
        cases = self.folder / "cases.json"
        case = {"variants": ["k*", "-*4", "other"]}
        cases.write_text(json.dumps({"programs": {"*": {"cases": {"x": case}}}}))
        names = ("k1", "k4", "k14", "other", "rest")
        # One that changes no function is not of every function.
        more = {"rest": {"rewrites": []}}
        folder = self.variants(GOOD, more=more, **{name: f"{GOOD}//{name}\n" for name in names})
        self.run_eval(folder, f"--cases={cases}")
        self.assertEqual(list(self.rows()), ["original", "k1", "other"])

    def test_a_killed_compiler_is_no_result(self):
        (self.bin / "nvcc").unlink()
        (self.bin / "nvcc").write_text("#!/bin/bash\n[ $1 = --version ] || kill -9 $$\n")
        (self.bin / "nvcc").chmod(0o755)
        with self.assertRaises(RuntimeError):
            self.run_eval(self.variants(GOOD))
        self.assertEqual(list((self.out / "cache").iterdir()), [])

    def test_usage(self):
        folder = self.variants(GOOD)
        for arguments in (
            ["nowhere"],
            [folder, "--rounds=x"],
            [folder, "--rounds=9,8"],
            [folder, "--nvcc=no-such-compiler"],
            [folder, "--ignore=("],
            [folder, "--cases=nowhere"],
            [folder, "--no-such-option"],
        ):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_eval(*arguments)[0], 2)

    def test_manifests_that_are_none(self):
        folder = self.variants(GOOD)
        file = folder / "manifest.json"
        whole = json.loads(file.read_text())
        for change in (
            {"schema-version": 2},
            {"variants": []},
            {"variants": [{**whole["variants"][0], "id": "../x"}]},
            {"programs": [{**whole["programs"][0], "files": ["../../etc/passwd"]}]},
            {"programs": 3},
            {"root": 3},
            *(
                {key: [{**whole[key][0], name: value}]}
                for key, names in (
                    ("programs", ("working-directory", "command", "files")),
                    ("variants", ("kind", "setting", "rewrites", "files", "flags")),
                )
                for name in names
                for value in (True, None, [3])
            ),
        ):
            with self.subTest(change=change):
                file.write_text(json.dumps({**whole, **change}))
                self.assertEqual(self.run_eval(folder)[0], 2)
        for text in ("{", "[" * 100000, '{"schema-version": ' + "[" * 900 + "]" * 900 + "}"):
            with self.subTest(text=text[:30]):
                file.write_text(text)
                self.assertEqual(self.run_eval(folder)[0], 2)

    def test_other_files_that_are_nested_too_deep(self):
        folder = self.variants(GOOD)
        deep = self.folder / "deep.json"
        deep.write_text("[" * 100000)
        self.assertEqual(self.run_eval(folder, f"--cases={deep}")[0], 2)

    def test_a_wrong_type_is_named(self):
        folder = self.variants(GOOD)
        file = folder / "manifest.json"
        whole = json.loads(file.read_text())
        whole["variants"][0]["files"] = True
        file.write_text(json.dumps(whole))
        self.assertIn("'files' is a bool, no dict", self.run_eval(folder)[2])

    def test_a_run_of_something_else_is_not_continued(self):
        self.assertEqual(self.run_eval(self.variants(GOOD))[0], 0)
        other = self.variants(GOOD, a=GOOD + "//a\n")
        self.assertEqual(self.run_eval(other)[0], 2)
        self.assertEqual(self.run_eval(other, "--fresh")[0], 0)


class Checks(EvalTest):
    """Programs that run without a GPU."""

    def check(self, original, variant, *options):
        """(exit code, why the variant failed)"""
        folder = self.variants(original, a=variant)
        code, _, _ = self.run_eval(folder, "--without-gpu", "--fresh", *options)
        self.out_of_a = self.rows()["a"]
        return code, self.out_of_a["why"]

    def test_equal_output(self):
        self.assertEqual(self.check("//sh echo 1\n", "//sh echo 1 \n"), (0, ""))
        self.assertEqual(self.out_of_a["status"], "checked")

    def test_wrong_output(self):
        code, why = self.check("//sh echo sum 12\n", "//sh echo sum 13\n")
        self.assertEqual(code, 1)
        self.assertIn("byte 5", why)

    def test_missing_end_of_output(self):
        code, why = self.check("//sh echo 1; echo 2\n", "//sh echo 1\n")
        self.assertEqual((code, "byte 2" in why), (1, True))

    def test_exit_code(self):
        code, why = self.check("//sh echo 1\n", "//sh echo 1; echo bad luck >&2; exit 3\n")
        self.assertEqual((code, why), (1, "exit code 3: bad luck"))

    def test_crash(self):
        code, why = self.check("//sh echo 1\n", "//sh kill -SEGV $$\n")
        self.assertEqual((code, why), (1, "ended by SIGSEGV"))

    def test_hang(self):
        begin = time.monotonic()
        # The child would outlive a shell that alone is killed.
        code, why = self.check("//sh echo 1\n", "//sh sleep 100 & sleep 100\n", "--timeout=1")
        self.assertEqual(code, 1)
        self.assertIn("without an end", why)
        self.assertLess(time.monotonic() - begin, 20)

    def test_huge_output(self):
        limit = process.OUTPUT_LIMIT
        self.addCleanup(process.run.__kwdefaults__.__setitem__, "limit", limit)
        process.run.__kwdefaults__["limit"] = 1 << 20
        code, why = self.check("//sh echo y\n", "//sh yes\n")
        self.assertEqual((code, why), (1, "killed for more output than allowed"))
        # Large, yet allowed.
        many = "//sh yes | head -c 900000\n"
        self.assertEqual(self.check(many, many + "//\n"), (0, ""))
        code, why = self.check(many, "//sh yes | head -c 899999; echo\n")
        self.assertEqual(code, 0)
        code, why = self.check(many, "//sh yes | head -c 899998; echo x\n")
        self.assertEqual((code, "byte 899998" in why), (1, True))

    def test_noise_needs_a_tolerance(self):
        noisy = "//sh echo \"sum 1.00000$((RANDOM % 10))$((RANDOM % 10))$((RANDOM % 10))$((RANDOM % 10))\"\n"
        code, _ = self.check(noisy, noisy + "//a\n")
        self.assertEqual(code, 1)
        self.assertIn("two runs of the original differ", self.rows()["original"]["why"])
        self.assertEqual(self.check(noisy, noisy + "//a\n", "--relative=1e-4"), (0, ""))
        code, why = self.check(noisy, "//sh echo sum 1.01\n", "--relative=1e-4")
        self.assertEqual((code, "the original's is 'sum 1.00000" in why), (1, True))
        # A tolerance for numbers is none for words, nor for what is no number.
        self.assertEqual(self.check(noisy, "//sh echo Sum 1.0\n", "--relative=1e-4")[0], 1)
        self.assertEqual(self.check("//sh echo 1\n", "//sh echo nan\n", "--relative=9")[0], 1)
        self.assertEqual(self.check("//sh echo 1\n", "//sh echo 1e999\n", "--relative=9")[0], 1)

    def test_ignored_lines_and_order(self):
        a, b = "//sh echo time $RANDOM; echo a; echo b\n", "//sh echo b; echo a; echo time 7\n"
        options = ("--ignore=^time", "--unordered")
        self.assertEqual(self.check(a, b, *options), (0, ""))
        self.assertEqual(self.check(a, b, "--ignore=^time")[0], 1)
        self.assertEqual(self.check(a, "//sh echo b; echo b\n", *options)[0], 1)

    def test_json_but_for_times(self):
        a = """//sh echo '{"correct": true, "facts": {"n": 3}, "times_ms": [1]}'\n"""
        self.assertEqual(self.check(a, a.replace("[1]", "[2, 3]"), "--json"), (0, ""))
        code, why = self.check(a, a.replace('"n": 3', '"n": 4'), "--json")
        self.assertEqual((code, why), (1, "$.facts.n is 4, the original's is 3"))
        self.assertEqual(self.check(a, a.replace('"n": 3', '"n": true'), "--json")[0], 1)
        deep = """//sh python3 -c 'print(100000 * "[")'\n"""
        self.assertIn("nested too deep", self.check(a, deep, "--json")[1])
        code, why = self.check(a, a.replace("true", "false"), "--json")
        self.assertEqual((code, why), (1, "the program says that its result is wrong"))

    def test_files_that_the_program_writes(self):
        cases = self.folder / "cases.json"
        cases.write_text(
            json.dumps({"programs": {"*": {"cases": {"file": {"output-files": ["o.txt"]}}}}})
        )
        option = f"--cases={cases}"
        self.assertEqual(self.check("//sh echo 1 > o.txt\n", "//sh echo 1 >o.txt\n", option)[0], 0)
        code, why = self.check("//sh echo 1 > o.txt\n", "//sh echo 2 > o.txt\n", option)
        self.assertEqual((code, "o.txt: the output differs" in why), (1, True))
        code, why = self.check("//sh echo 1 > o.txt\n", "//sh echo none\n", option)
        self.assertEqual((code, why), (1, "the program did not write 'o.txt'"))

    def test_arguments(self):
        code, _ = self.check('//sh echo "$# $2"\n', "//sh echo '2 b c'\n", "--args=a 'b c'")
        self.assertEqual(code, 0)

    def test_an_original_that_fails_blames_no_variant(self):
        code, why = self.check("//sh exit 9\n", "//sh exit 9\n#\n")
        self.assertEqual((code, why), (1, ""))
        self.assertIn("the original fails: exit code 9", self.rows()["original"]["why"])


class Timing(EvalTest):
    def setUp(self):
        super().setUp()
        self.with_gpu()

    def test_faster_slower_and_the_barriers_own(self):
        folder = self.variants(
            timed(10), {"fast-control": "fast"},
            fast=timed(8), slow=timed(11), same=timed(10) + "//\n", **{"fast-control": timed(9)},
        )  # fmt: skip
        code, text, err = self.run_eval(folder, "--json")
        self.assertEqual(code, 0, err)
        rows = self.rows()
        self.assertEqual(rows["fast"]["verdict"], "faster")
        self.assertAlmostEqual(rows["fast"]["gain"], 0.2, places=3)
        self.assertLess(rows["fast"]["low"], 0.2)
        self.assertEqual(rows["slow"]["verdict"], "slower")
        self.assertAlmostEqual(rows["slow"]["gain"], -0.1, places=3)
        self.assertEqual(rows["same"]["verdict"], "no difference seen")
        self.assertAlmostEqual(rows["fast"]["barriers-own"], 1 - 8 / 9, places=3)
        self.assertIn("Times: json.", text)
        self.assertIn("ended by: precise", text)
        self.assertEqual({len(r["runs"]) for r in rows.values()}, {8})
        self.assertEqual(self.results()["units"][0]["drift"], [])

    def test_unsafe_variants_are_timed_and_not_checked(self):
        wrong = timed(5).replace('"correct": true', '"correct": false') + "//sh exit 1\n"
        folder = self.variants(
            timed(10), more={name: {"kind": "unsafe"} for name in ("wrong", "crash")},
            wrong=wrong, crash=wrong.replace("exit 1", "exit 3"), right=timed(9),
        )  # fmt: skip
        (self.folder / "project").mkdir()
        (self.folder / "project" / "k.cu").write_text(timed(10))
        code, _, err = self.run_eval(folder, "--json", "--apply")
        self.assertEqual(code, 1, err)
        rows = self.rows()
        self.assertEqual((rows["wrong"]["status"], rows["wrong"]["verdict"]), ("timed", "faster"))
        self.assertEqual((rows["crash"]["status"], rows["crash"]["why"][:11]), ("check failed", "exit code 3"))
        # What is no rewrite is never applied, however fast.
        self.assertEqual((self.folder / "project" / "k.cu").read_text(), timed(9))

    def test_flags_of_a_variant(self):
        more = {"a": {"kind": "comparison", "flags": ["-DVARIANT"]}}
        code, _, err = self.run_eval(self.variants(timed(10), more=more, a=timed(10)), "--json")
        self.assertEqual((code, self.rows()["a"]["status"]), (0, "timed"), err)
        self.assertEqual(self.log.read_text().count("-DVARIANT"), 1)

    def test_the_cpus_own_time_is_noted(self):
        report = """//sh echo '{"facts": {"sequential_ms": '$RANDOM'}, "times_ms": [2]}'\n"""
        code, _, err = self.run_eval(self.variants(report), "--json", "--rounds=2,2")
        self.assertEqual(code, 0, err)
        for entry in self.rows()["original"]["runs"]:
            self.assertEqual(entry["ms"], 2)
            self.assertGreaterEqual(entry["sequential_ms"], 0)

    def test_rounds_are_interleaved(self):
        trace = self.folder / "trace"
        folder = self.variants(
            f"//sh echo o >> {trace}\n" + GOOD, a=f"//sh echo a >> {trace}\n" + GOOD
        )
        self.run_eval(folder, "--json", "--rounds=12,12")
        order = trace.read_text().split()[-24:]
        for at in range(0, 24, 2):
            self.assertEqual(set(order[at : at + 2]), {"o", "a"})
        self.assertNotEqual(len({tuple(order[at : at + 2]) for at in range(0, 24, 2)}), 1)

    def test_budget_ends_a_race(self):
        slow = "//sh sleep 0.3\n"
        folder = self.variants(slow, a=slow + "//\n")
        code, text, _ = self.run_eval(folder, "--budget=2", "--precision=0.0001")
        self.assertEqual(code, 0)
        self.assertIn("ended by: budget", text)
        self.assertIn("Times: wall", text)  # and says why there is no better one
        self.assertRegex(self.results()["units"][0]["why-no-better-source"], "CUPTI|kernels")

    def test_cases_that_the_budget_does_not_reach(self):
        cases = self.folder / "cases.json"
        cases.write_text(json.dumps({"programs": {"*": {"cases": {"x": {"json": True}, "y": {"json": True}}}}}))
        folder = self.variants("//sh sleep 0.3\n" + timed(10), a="//sh sleep 0.3\n" + timed(9))

        def statuses(*options):
            code, _, said = self.run_eval(folder, f"--cases={cases}", "--rounds=2,2", *options)
            self.assertEqual(code, 0, said)
            units = self.results()["units"]
            return [{row["status"] for row in unit["variants"]} for unit in units], "not reached" in said

        self.assertEqual(statuses("--budget=1.5"), ([{"timed"}, {"built"}], True))
        # With more of it the same run goes on.
        self.assertEqual(statuses("--budget=60"), ([{"timed"}, {"timed"}], False))

    def test_a_variant_that_breaks_while_timed_is_out(self):
        count = self.folder / "count"
        flaky = f"//sh echo >> {count}; [ $(grep -c '' {count}) -lt 4 ] || exit 5\n" + GOOD
        code, _, _ = self.run_eval(self.variants(GOOD, a=flaky, b=timed(9)), "--json")
        self.assertEqual(code, 1)
        self.assertEqual(self.rows()["a"]["status"], "check failed")
        self.assertEqual(self.rows()["b"]["verdict"], "faster")

    def test_drift_is_said(self):
        self.environment(FAKE_HOT="1")
        count = self.folder / "count"
        warmer = (
            f"//sh echo >> {count}; n=$(grep -c '' {count}); sleep 0.05\n"
            """//sh echo "{\\"correct\\": true, \\"times_ms\\": [$((100 + n))]}"\n"""
        )
        _, text, _ = self.run_eval(self.variants(warmer, a=GOOD), "--json", "--rounds=10,10")
        self.assertIn("**Drift:** the original's time moved by", text)
        self.assertIn("the SM clock was between", text)
        self.assertIn("held back by power or temperature", text)

    def test_killed_at_any_point_it_goes_on(self):
        """Cuts the journal after each event, as a kill there would have: the
        rest is done, what is there is not done again."""
        folder = self.variants(GOOD, a=timed(9), b="//sh exit 1\n")
        options = ("--json", "--rounds=4,4", "--precision=50")
        self.assertEqual(self.run_eval(folder, *options)[0], 1)
        path = self.out / "journal.jsonl"
        lines = path.read_bytes().splitlines(keepends=True)
        events = [json.loads(line) for line in lines]
        self.assertEqual(sum(e["event"] == "time" for e in events), 8)
        for kept in range(len(lines)):
            with self.subTest(kept=kept):
                # A kill leaves half a line at times.
                path.write_bytes(b"".join(lines[:kept]) + lines[kept][: len(lines[kept]) // 2])
                self.assertEqual(self.run_eval(folder, *options)[0], 1)
                now = [json.loads(line) for line in path.read_text().splitlines()]
                self.assertEqual(now[:kept], events[:kept])
                self.assertEqual(sum(e["event"] == "time" for e in now), 8)
                self.assertEqual(self.rows()["b"]["status"], "check failed")
        self.assertEqual(self.builds(), 3)

    def test_a_real_kill(self):
        folder = self.variants("//sh sleep 0.2\n" + GOOD, a="//sh sleep 0.2\n" + timed(9))
        command = [sys.executable, str(ROOT / "eval" / "run"), str(folder), "--out", str(self.out),
                   "--json", "--rounds=6,6", "--precision=50"]  # fmt: skip
        path = self.out / "journal.jsonl"
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            while not path.exists() or path.read_text().count('"time"') < 5:
                self.assertIsNone(run.poll())
                time.sleep(0.05)
            os.kill(run.pid, signal.SIGKILL)
        before = path.read_text()
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.assertTrue(path.read_text().startswith(before[: before.rfind("\n") + 1]))
        self.assertEqual({len(r["runs"]) for r in self.rows().values()}, {6})

    def test_what_is_done_is_reported_before_a_kill(self):
        marker = self.folder / "second"
        # The second case waits for its kill.
        program = f'//sh [ "$1" = first ] || {{ touch {marker}; sleep 60; }}\n' + GOOD
        cases = self.folder / "cases.json"
        both = {name: {"arguments": name, "json": True} for name in ("first", "second")}
        cases.write_text(json.dumps({"programs": {"*": {"cases": both}}}))
        command = [sys.executable, str(ROOT / "eval" / "run"), str(self.variants(program, a=program + "//\n")),
                   "--out", str(self.out), f"--cases={cases}", "--rounds=6,6"]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            while not marker.exists():
                self.assertIsNone(run.poll())
                time.sleep(0.05)
            os.kill(run.pid, signal.SIGKILL)
        first, second = self.results()["units"]
        self.assertEqual({row["status"] for row in first["variants"]}, {"timed"})
        self.assertEqual({row["status"] for row in second["variants"]}, {"built"})

    def test_apply(self):
        folder = self.variants(GOOD, a=timed(9), b=timed(8), c=timed(12))
        project = self.folder / "project"
        project.mkdir()
        (project / "k.cu").write_text(GOOD)
        self.run_eval(folder, "--json")
        apply = [sys.executable, str(ROOT / "eval" / "apply"), str(self.out / "results.json"),
                 "--variants", str(folder)]  # fmt: skip
        done = subprocess.run(apply, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("k.cu: b, +20.0 %", done.stderr)
        self.assertIn("+++ b/k.cu", done.stdout)
        self.assertEqual((project / "k.cu").read_text(), GOOD)
        self.assertEqual(subprocess.run([*apply, "--in-place"], capture_output=True).returncode, 0)
        self.assertEqual((project / "k.cu").read_text(), timed(8))
        # The project's file is another by now, and then there is none.
        self.assertEqual(subprocess.run([*apply, "--in-place"], capture_output=True).returncode, 2)
        (project / "k.cu").unlink()
        nowhere = [*apply[:2], "nowhere", *apply[3:]]
        for wrong, said in (([*apply, "--in-place"], "cannot write"), (nowhere, "cannot read")):
            done = subprocess.run(wrong, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(said, done.stderr)


class JournalTest(EvalTest):
    def test_reads_what_it_wrote(self):
        path = self.folder / "j"
        with journal.Journal(path, {"n": 1}) as first:
            first.add("x", value=(1, 2))
        with journal.Journal(path, {"n": 1}) as second:
            self.assertEqual(second.events, first.events)


if __name__ == "__main__":
    unittest.main()
