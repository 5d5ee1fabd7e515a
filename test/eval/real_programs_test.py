#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""eval/real-programs from folders of programs to the report. The programs are
shell scripts, and so are barricade and nvcc: the rewrite is `after` for `before`."""

import contextlib
import io
import json
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

from support import ROOT, EvalTest

sys.path.insert(0, str(ROOT / "test" / "corpus"))
from harness import printed, real_command, real_race  # noqa: E402

COMMAND = ROOT / "eval" / "real-programs"
BARRICADE = """#!/usr/bin/env python3
import json, pathlib, sys
report = next(word[7:] for word in sys.argv if word.startswith("--json="))
findings = []
for unit in (word for word in sys.argv if word.endswith(".cu")):
    text = pathlib.Path(unit).read_text()
    if "unreadable" in text:
        print("x.cu:1: error: unreadable", file=sys.stderr)
        sys.exit(3)
    for _ in range(text.count("before")):
        findings.append({"rule": "rule", "applies": True, "form": "form", "place": {"file": unit, "line": 1}})
    if "held back" in text:
        findings.append({"rule": "rule", "applies": False, "form": "form", "place": {"file": unit, "line": 2}})
    pathlib.Path(unit).write_text(text.replace("before", "after"))
pathlib.Path(report).write_text(json.dumps({"findings": findings}))
"""
MAKEFILE = """CC = nvcc
main: main.cu
\t$(CC) -O3 -lineinfo -arch=sm_60 -o $@ main.cu
run: main
\t$(LAUNCHER) rm -rf out;
\tmkdir out
\t./main {arguments}
\t./main other
"""
CMAKE = """#!/usr/bin/env python3
import json, os, pathlib, shutil, sys
words = sys.argv[1:]
if words[0] == "--build":
    source, nvcc = json.loads(pathlib.Path(words[1], "what").read_text())
    os.execvp(nvcc, [nvcc, "-o", words[1] + "/program", source + "/main.cu"])
source, build = words[1], pathlib.Path(words[3])
nvcc = next(word.partition("=")[2] for word in words if word.startswith("-DCMAKE_CUDA_COMPILER="))
(build / "what").write_text(json.dumps([source, nvcc]))
entry = {"directory": str(build), "file": source + "/main.cu", "command": "nvcc main.cu"}
(build / "compile_commands.json").write_text(json.dumps([entry]))
"""
# A program that takes as long as its source says, and says so.
TIMED = """//sh t={ms}; [ {word} = after ] && t={rewritten}
//sh sleep $(awk -v t=$t 'BEGIN {{ print t / 1000 }}')
//sh echo "Average kernel execution time: $t (ms)"
"""


def timed(ms, rewritten):
    return TIMED.format(ms=ms, rewritten=rewritten, word="before")


PROGRAMS = {
    "same": timed(50, 50) + "//sh echo FAILED\n",
    "faster": timed(150, 20),
    "slower": timed(20, 150),
    "different": "//sh echo before\n",
    'fails': '//sh [ before = "b"efore ] || { echo no luck; exit 3; }\n',
    "needs-data": "//sh echo cannot read; exit 1 # before\n",
    "long": "//sh [ $1 -gt 20 ] && sleep 60; echo $1 # before\n",
    "writes": "//sh echo written > out/file # before\n",
    "untouched": "//sh echo nothing # held back\n",
    "unreadable": "//sh echo unreadable before\n",
}


class RealPrograms(EvalTest):
    def setUp(self):
        super().setUp()
        self.with_gpu()
        patch = unittest.mock.patch.object(real_race, "WARM_UP_SECONDS", 0)
        patch.start()
        self.addCleanup(patch.stop)
        self.corpus = self.folder / "corpus"
        (self.bin / "make").symlink_to("/usr/bin/make")
        barricade = self.bin / "barricade"
        barricade.write_text(BARRICADE)
        barricade.chmod(0o755)

    def program(self, name, text, arguments="100"):
        folder = self.corpus / name
        folder.mkdir(parents=True)
        (folder / "Makefile").write_text(MAKEFILE.replace("{arguments}", arguments))
        (folder / "main.cu").write_text(text)

    def call(self, *words):
        """(exit code, stdout, stderr)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = real_command.main([str(word) for word in words])
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def prepare(self, *words):
        return self.call("prepare", self.folder / "work", f"--folder=mine={self.corpus}", "--barricade=barricade",
                         "-j2", *words)  # fmt: skip

    @property
    def bench(self):
        return self.folder / "work" / "bench"

    def race(self, *words):
        return self.call("run", self.bench, "--out", self.out, "--runs=3", "--timeout=2", *words)

    def verdicts(self):
        data = json.loads((self.out / "results.json").read_text())
        return {p["name"].partition("/")[2]: p for p in data["programs"]}

    def described(self):
        data = json.loads((self.bench / "programs.json").read_text())
        return {p["name"].partition("/")[2]: p for p in data["programs"]}


class FromFoldersToReport(RealPrograms):
    def test_all(self):
        for name, text in PROGRAMS.items():
            self.program(name, text)
        (self.corpus / "same" / "data.txt").write_text("small")
        self.program("no-data", "//sh echo before\n", arguments="../data/absent.txt 3")
        self.assertEqual(self.prepare()[0], 0)
        found = self.described()
        self.assertEqual(found["untouched"]["status"], "nothing to rewrite")
        self.assertEqual((found["unreadable"]["status"], found["unreadable"]["why"]), ("not read", "unreadable"))
        self.assertEqual(found["no-data"]["status"], "its data are missing: ../data/absent.txt")
        self.assertEqual((found["same"]["arguments"], found["same"]["note"]), (["100"], "the first of 2 runs"))
        self.assertEqual(found["same"]["rewrites"], {"rule": 1})
        self.assertTrue((self.bench / "rewritten" / "mine" / "same" / "data.txt").exists())

        code, text, _ = self.race()
        self.assertEqual(code, 1)
        verdicts = self.verdicts()
        said = {name: p["verdict"] for name, p in verdicts.items()}
        for name in ("same", "long", "writes"):  # these may vary by chance
            self.assertIn(said.pop(name), ("same", "faster", "slower"))
        self.assertEqual(said, {
            "faster": "faster", "slower": "slower", "different": "different", "fails": "fails",
            "needs-data": "skipped", "untouched": "not run", "unreadable": "not run", "no-data": "not run",
        })  # fmt: skip
        self.assertIn("exit code 3: no luck", verdicts["fails"]["why"])
        self.assertIn("+ after", verdicts["different"]["why"])
        self.assertIn("cannot read", verdicts["needs-data"]["why"])
        self.assertEqual(verdicts["long"]["run-with"], ["10"])
        self.assertAlmostEqual(verdicts["slower"]["metrics"]["printed"]["speedup"], 20 / 150, 3)
        summary = json.loads((self.out / "results.json").read_text())["summary"]["printed"]
        self.assertEqual((summary["programs"], summary["faster"], summary["slower"]), (3, 1, 1))
        self.assertEqual(summary["worst-program"], "mine/slower")
        self.assertIn("| mine/long | 10 (for 100) | 1 rule | ", text)
        self.assertIn("Fake GPU", text)
        self.assertIn("own account before any rewrite\n\n- mine/same: ", text)
        self.assertRegex(text, "Nothing to rewrite in 1: mine/untouched")

    def test_builds_as_the_program_does(self):
        self.program("one", "//sh echo before\n")
        self.prepare("--arch=sm_80")
        original, rewrite = self.log.read_text().splitlines()
        for line in original, rewrite:
            self.assertIn(" -O3 ", line)
            self.assertIn("-arch=sm_80", line)
            self.assertNotIn("sm_60", line)
            self.assertNotIn("-lineinfo", line)

    def test_a_program_with_cmake(self):
        (self.bin / "cmake").write_text(CMAKE)
        (self.bin / "cmake").chmod(0o755)
        folder = self.corpus / "one"
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text("")
        (folder / "main.cu").write_text("//sh [ $1 = 7 ] && sleep 0.02; echo $1 # before\n")
        self.assertEqual(self.prepare()[0], 0)
        self.assertEqual(self.described()["one"]["status"], "built")
        self.assertIn("after", next((self.bench / "rewritten" / "mine" / "one").iterdir()).read_text())
        self.race("--arguments=mine/one=7 8")
        self.assertEqual(self.verdicts()["one"]["run-with"], ["7", "8"])

    def test_a_rewrite_that_does_not_build(self):
        self.program("one", "//sh echo\n//#before\n")
        (self.bin / "barricade").write_text(BARRICADE.replace('"after"', '"error"'))
        code, text, _ = self.prepare()
        self.assertEqual(code, 1)
        self.assertEqual(self.described()["one"]["status"], "the rewrite does not build")
        self.assertIn("#error", self.described()["one"]["why"])
        self.assertEqual(self.race()[0], 0)
        self.assertIn("## Not built", (self.out / "report.md").read_text())

    def test_goes_on_where_it_was(self):
        self.program("one", timed(10, 10))
        self.program("two", timed(10, 10))
        self.assertEqual(self.prepare("--only=one")[0], 0)
        self.assertEqual(self.builds(), 2)
        self.assertEqual(self.prepare()[0], 0)
        self.assertEqual(self.builds(), 4)
        words = [sys.executable, str(COMMAND), "run", str(self.bench), "--out", str(self.out), "--runs=12"]
        first = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        journal = self.out / "journal.jsonl"
        self.wait_for(lambda: journal.exists() and journal.read_text().count('"again"') >= 2)
        first.send_signal(signal.SIGKILL)
        first.wait()
        self.call("run", self.bench, "--out", self.out, "--runs=12")
        runs = {name: p["metrics"]["process"]["runs"] for name, p in self.verdicts().items()}
        self.assertEqual(runs, {"one": [24, 12], "two": [24, 12]})
        # Another number of runs is another run.
        self.assertEqual(self.race()[0], 2)
        self.assertEqual(self.race("--fresh")[0], 0)

    def wait_for(self, condition):
        ends = time.monotonic() + 60
        while not condition() and time.monotonic() < ends:
            time.sleep(0.05)
        self.assertTrue(condition())

    def test_what_there_is_no_time_for_is_left_for_later(self):
        self.program("long", timed(400, 400))
        self.program("short", timed(10, 10))
        self.prepare()
        self.race("--rule=other")
        self.assertEqual({p["verdict"] for p in self.verdicts().values()}, {"not reached"})
        self.race("--seconds=5")
        said = {name: p["verdict"] for name, p in self.verdicts().items()}
        self.assertEqual(said, {**said, "long": "not reached"})
        self.assertNotEqual(said["short"], "not reached")
        self.race()
        self.assertNotEqual(self.verdicts()["long"]["verdict"], "not reached")

    def test_usage(self):
        self.program("one", "//sh echo before\n")
        for words in (
            ["prepare", self.folder / "w", "--barricade=barricade"],
            ["prepare", self.folder / "w", "--barricade=barricade", "--folder=nowhere"],
            ["prepare", self.folder / "w", "--barricade=barricade", f"--folder=x={self.folder / 'absent'}"],
            ["prepare", self.folder / "w", "--barricade=absent", f"--folder=x={self.corpus}"],
            ["run", self.folder / "absent", "--out", self.out],
            ["run", self.folder / "absent", "--out", self.out, "--arguments=x"],
        ):
            with self.subTest(words=words):
                self.assertEqual(self.call(*words)[0], 2)
        self.prepare()
        self.assertEqual(self.race("--only=unheard-of")[0], 2)
        (self.bin / "nvidia-smi").unlink()
        self.assertEqual(self.race()[0], 2)
        self.assertEqual(self.race("--kernel-runs=1")[0], 2)
        self.assertEqual(self.race("--seconds=0")[0], 0)  # only the report


class Kept(RealPrograms):
    """Of programs' gains by kernels' time: a number is beyond the noise."""

    def results(self, name, gains, options=(), text=None, noise=0.0):
        """`text`: what all programs are the same by"""
        def entry(program, gain):
            if gain == "nothing":
                return {"name": program, "status": "nothing to rewrite", "metrics": {}}
            if gain == "unknown":
                return {"name": program, "status": "built", "text": text, "metrics": {}}
            # What lies within the noise is 1, whatever it is.
            verdict, gain = ("same", 1.02) if gain == 1 else ("faster" if gain > 1 else "slower", gain)
            return {"name": program, "status": "built", "text": text or program + name,
                    "metrics": {"kernels": {"speedup": gain, "noise": noise, "verdict": verdict}}}  # fmt: skip

        file = self.folder / name
        file.write_text(json.dumps({"prepared": {"options": list(options)},
                                    "programs": [entry(*each) for each in gains.items()]}))  # fmt: skip
        return file

    def report(self, *files):
        code, out, _ = self.call("kept", *files)
        self.assertEqual(code, 0)
        return out

    def test_share_of_the_best(self):
        own = self.results("own", {"both": 4.0, "missed": "nothing", "avoided": "nothing", "equal": 1,
                                   "neither": "nothing"})  # fmt: skip
        every = self.results("any", {"both": 4.0, "missed": 2.0, "avoided": 0.6, "equal": 1}, ["--profit=any"])
        text = self.report(own, every)
        self.assertIn("Own choice: defaults; beside it: --profit=any.", text)
        # log 4 of log 4 + log 2; what loses is nobody's choice.
        self.assertIn("| first kernel to last | 4 | 1.682 | 1.414 | 66.7% | none |", text)
        self.assertIn("- missed: 1.000 of 2.000\n", text)
        self.assertNotIn("avoided:", text)

    def test_a_loss_counts_against_it(self):
        own = self.results("own", {"won": 4.0, "lost": 0.5})
        text = self.report(own, self.results("any", {"won": 4.0, "lost": 0.5}))
        self.assertIn("| 2 | 2.000 | 1.414 | 50.0% | none |", text)
        self.assertIn("- lost: 0.500 of 1.000\n", text)

    def test_what_was_not_reached_is_left_out_and_named(self):
        own = self.results("own", {"one": 4.0, "two": "unknown"})
        text = self.report(own, self.results("any", {"one": 4.0, "two": 2.0}))
        self.assertIn("| 1 | 4.000 | 4.000 | 100.0% | two |", text)

    def test_the_same_rewrite_needs_one_run(self):
        own = self.results("own", {"one": 4.0, "two": 2.0}, text="the same")
        text = self.report(own, self.results("any", {"one": "unknown", "two": "unknown"}, text="the same"))
        self.assertIn("| 2 | 2.828 | 2.828 | 100.0% | none |", text)

    def test_of_the_same_rewrites_the_clearest_run_counts(self):
        own = self.results("own", {"one": 0.5}, text="the same", noise=0.2)
        text = self.report(own, self.results("any", {"one": 2.0}, text="the same", noise=0.1))
        self.assertIn("| 1 | 2.000 | 2.000 | 100.0% | none |", text)

    def test_nothing_gains(self):
        own = self.results("own", {"one": "nothing"})
        self.assertIn("| nothing to keep | none |", self.report(own, self.results("any", {"one": 0.7})))

    def test_files_that_are_none(self):
        own = self.results("own", {})
        other = self.folder / "other"
        for text in ("", "[]", "{}", '{"programs": [{}]}'):
            other.write_text(text)
            self.assertEqual(self.call("kept", own, other)[0], 2)
        self.assertEqual(self.call("kept", own, self.folder / "absent")[0], 2)


class Printed(unittest.TestCase):
    def test_units_and_places(self):
        for text, ms in {
            "Average kernel execution time: 1.5 (us)": 0.0015,
            "Average execution time of kernel (3x3) 2.5 (ms)": 2.5,
            "Total kernel time = 0.25 seconds.": 250,
            "Average kernel time: 12 usec.": 0.012,
            "elapsed time for each run         : 4.500ms": 4.5,
            "time (ms): 4.5": 4.5,
            "took 1e-3 s": 1,
            "CPU time: 3 (us)": None,
            "100 time steps": None,
            "Bandwidth: 3 ms": None,
        }.items():
            with self.subTest(text=text):
                self.assertEqual(printed.printed_ms(text + "\n"), ms)

    def test_all_are_summed(self):
        self.assertEqual(printed.printed_ms("time 1 ms\nresult 3\ntime 2 s\n"), 2001)


if __name__ == "__main__":
    unittest.main()
