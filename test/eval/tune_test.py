#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""eval/tune on programs whose time and output depend on the lines of their
source: what is kept, what never is, and that it goes on after a kill."""

import contextlib
import io
import json
import unittest

from support import EvalTest
from harness import compose, tune_command

# Loops A, B and C of 100 ms each; a program is as slow as its lines say.
SOURCE = """\
loop A ms 100
loop B ms 100
loop C ms 100
"""
PROGRAM = """\
#!/bin/bash
grep -q hang k.cu && sleep 100
grep -q crash k.cu && exit 7
ms=$(awk -v r=$RANDOM '{ s += $4 } END { printf "%.5f", s * (1 + r / 3276800000) }' k.cu)
echo "{\\"correct\\": true, \\"sum\\": $(grep -c wrong k.cu), \\"times_ms\\": [$ms]}"
"""


class TuneTest(EvalTest):
    def setUp(self):
        super().setUp()
        self.with_gpu()
        self.tree = self.folder / "project"
        self.tree.mkdir()
        (self.tree / "k.cu").write_text(SOURCE)
        (self.tree / "program").write_text(PROGRAM)
        self.manifest = self.folder / "prepared"

    def rewrite(self, loop, line):
        """A finding that replaces the line of a loop, with its place."""
        at = SOURCE.index(f"loop {loop}")
        end = SOURCE.index("\n", at) + 1
        path = str(self.tree / "k.cu")
        return {
            "rule": "artificial-barrier",
            "function": f"kernel{loop}",
            "place": {"file": path, "offset": at, "line": SOURCE[:at].count("\n") + 1, "column": 1},
            "end": {"file": path, "offset": end, "line": 0, "column": 1},
            "edits": [{"file": path, "offset": at, "length": end - at, "text": line + "\n"}],
        }

    def prepare(self, **lines):
        """Variants by id, as `A_fast="loop A ms 50"`."""
        (self.manifest / "original").mkdir(parents=True)
        (self.manifest / "original" / "k.cu").write_text(SOURCE)
        variants = [self.entry("original", "original")]
        for name, line in lines.items():
            rewrite = self.rewrite(name[0], line)
            folder = self.manifest / "variants" / name
            folder.mkdir(parents=True)
            text = compose.apply_edits(SOURCE.encode(), rewrite["edits"])
            (folder / "k.cu").write_bytes(text)
            control = name.endswith("_control")
            variants.append(
                {"id": name, "kind": "control" if control else "single", "setting": "",
                 "control-of": name[: -len("_control")] if control else "",
                 "rewrites": [rewrite], "files": {"k.cu": f"variants/{name}/k.cu"}}  # fmt: skip
            )
        (self.manifest / "manifest.json").write_text(
            json.dumps({"schema-version": 1, "root": str(self.tree), "programs": [],
                        "variants": variants})  # fmt: skip
        )

    def tune(self, *more):
        """(exit code, diff, what was said)"""
        out, err = io.StringIO(), io.StringIO()
        arguments = ["--build=bash -n program", "--run=bash program", "--json", "--rounds=6,6",
                     "--precision=50", f"--tree={self.tree}", f"--variants={self.manifest}",
                     f"--out={self.out}", *more]  # fmt: skip
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = tune_command.main(arguments)
        self.assertEqual((self.tree / "k.cu").read_text(), SOURCE if "--apply" not in more else
                         (self.tree / "k.cu").read_text())  # fmt: skip
        return code, out.getvalue(), err.getvalue()

    def kept(self):
        return json.loads((self.out / "evidence.json").read_text())["kept"]

    def test_keeps_the_fastest_of_each_loop_and_nothing_slower(self):
        self.prepare(
            A_k1="loop A ms 90", A_k4="loop A ms 60", A_k4_control="loop A ms 20",
            B_k1="loop B ms 120", C_k1="loop C ms 95",
        )  # fmt: skip
        code, diff, said = self.tune()
        self.assertEqual(code, 0, said)
        self.assertEqual(self.kept(), ["A_k4", "C_k1"])
        self.assertIn("-loop A ms 100\n+loop A ms 60\n loop B ms 100\n-loop C", diff)
        self.assertIn("A_k4_control: +26.7 %", said)
        self.assertIn("all together, in a second race: +15.0 %", said)

    def test_output_that_changed_is_never_kept(self):
        self.prepare(A_k1="wrong A ms 10", A_k4="loop A ms 99", B_k1="crash B ms 10")
        code, _, said = self.tune()
        self.assertEqual(code, 1)
        self.assertEqual(self.kept(), ["A_k4"])
        self.assertIn("A_k1: $.sum is 1, the original's is 0", said)
        self.assertIn("B_k1: exit code 7", said)

    def test_check_command_decides(self):
        self.prepare(A_k1="wrong A ms 10")
        code, _, said = self.tune("--check=! grep -q wrong k.cu")
        self.assertEqual((code, self.kept()), (1, []))
        self.assertIn("A_k1: the check says: exit code 1", said)

    def test_a_hang_is_killed(self):
        self.prepare(A_k1="hang A ms 10", B_k1="loop B ms 50")
        code, _, said = self.tune("--timeout=1")
        self.assertEqual((code, self.kept()), (1, ["B_k1"]))
        self.assertIn("A_k1: killed after", said)

    def test_a_failed_build_is_a_result(self):
        self.prepare(A_k1="loop A ms 10 no build", B_k1="loop B ms 50")
        code, _, said = self.tune("--build=! grep -q 'no build' k.cu")
        self.assertEqual((code, self.kept()), (1, ["B_k1"]))
        self.assertIn("A_k1: the build fails", said)

    def test_nothing_is_faster(self):
        self.prepare(A_k1="loop A ms 101")
        code, diff, said = self.tune()
        self.assertEqual((code, diff, self.kept()), (0, "", []))
        self.assertIn("nothing to keep", said)

    def test_apply(self):
        self.prepare(A_k1="loop A ms 50")
        self.assertEqual(self.tune("--apply")[0], 0)
        self.assertEqual((self.tree / "k.cu").read_text(), SOURCE.replace("A ms 100", "A ms 50"))

    def test_lets_barricade_prepare(self):
        self.prepare(A_k1="loop A ms 50")
        log = self.folder / "args"
        tool = self.bin / "barricade"
        tool.write_text(
            f'#!/bin/bash\nprintf "%s\\n" "$@" > {log}\n'
            f'mkdir -p {self.out}; cp -r {self.manifest} "${{1#--variants=}}"\n'
        )
        tool.chmod(0o755)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = tune_command.main(
                ["--build=true", "--run=bash program", "--json", "--rounds=6,6", "--flags=nvcc -DX",
                 f"--tree={self.tree}", f"--out={self.out}", str(self.tree / "k.cu")]  # fmt: skip
            )
        self.assertEqual((code, self.kept()), (0, ["A_k1"]), err.getvalue())
        self.assertEqual(log.read_text().splitlines()[-3:], ["--", "nvcc", "-DX"])

    def again(self):
        """(exit code, what a second run found, what it said)"""
        first, self.out = self.out, self.folder / "second"
        code, _, said = self.tune(f"--again={first}")
        found = self.out / "again.json"
        return code, json.loads(found.read_text()) if found.exists() else None, said

    def test_a_second_run_of_what_was_kept(self):
        self.prepare(A_k1="loop A ms 60", A_k1_control="loop A ms 80", B_k1="loop B ms 101")
        self.assertEqual(self.tune()[0], 0)
        code, found, said = self.again()
        self.assertEqual((code, found["kept"]), (0, ["A_k1"]), said)
        self.assertEqual(set(found["gains"]), {"kept", "A_k1_control"})
        self.assertAlmostEqual(found["gains"]["kept"]["gain"], 40 / 300, places=3)
        self.assertAlmostEqual(found["gains"]["A_k1_control"]["gain"], 20 / 300, places=3)

    def test_a_second_run_that_finds_it_slower(self):
        self.prepare(A_k1="loop A ms 60")
        self.assertEqual(self.tune()[0], 0)
        (self.manifest / "variants" / "A_k1" / "k.cu").write_text(SOURCE.replace("A ms 100", "A ms 110"))
        code, found, _ = self.again()
        self.assertEqual((code, found["gains"]["kept"]["verdict"]), (1, "slower"))

    def test_a_second_run_of_nothing(self):
        self.prepare(A_k1="loop A ms 101")
        self.assertEqual(self.tune()[0], 0)
        self.assertEqual(self.again()[:2], (0, {"kept": [], "gains": {}}))

    def test_a_second_run_without_a_first(self):
        self.prepare(A_k1="loop A ms 60")
        self.assertEqual(self.again()[0], 2)

    def test_an_original_that_fails(self):
        self.prepare(A_k1="loop A ms 50")
        code, _, said = self.tune("--run=exit 3")
        self.assertEqual((code, "the original fails: exit code 3" in said), (1, True))

    def test_usage(self):
        self.prepare(A_k1="loop A ms 50")
        for wrong in ("--rounds=1", "--variants=nowhere", f"--tree={self.folder / 'project' / 'sub'}"):
            with self.subTest(wrong=wrong):
                self.assertEqual(self.tune(wrong)[0], 2)

    def test_killed_at_any_point_it_goes_on(self):
        self.prepare(A_k1="loop A ms 60", B_k1="loop B ms 70", B_k4="wrong B ms 1")
        expected = self.tune("--rounds=4,4")[:2]
        path = self.out / "journal.jsonl"
        lines = path.read_bytes().splitlines(keepends=True)
        self.assertGreater(len(lines), 25)
        for at in range(1, len(lines), 3):
            with self.subTest(at=at):
                path.write_bytes(b"".join(lines[:at]) + b'{"half a li')
                self.assertEqual(self.tune("--rounds=4,4")[:2], expected)
                now = path.read_bytes().splitlines(keepends=True)
                self.assertEqual(now[:at], lines[:at])
                times = sum(b'"time"' in line for line in now)
                self.assertEqual(times, sum(b'"time"' in line for line in lines))


class ComposeTest(unittest.TestCase):
    def edit(self, offset, length, text):
        return {"file": "f", "offset": offset, "length": length, "text": text}

    def test_insertions_at_one_place_keep_their_order(self):
        edits = [self.edit(1, 0, "x"), self.edit(1, 0, "y"), self.edit(0, 1, "A")]
        self.assertEqual(compose.apply_edits(b"ab", edits), b"Axyb")

    def test_the_same_text_twice(self):
        with self.assertRaises(compose.Conflict):
            compose.apply_edits(b"abcd", [self.edit(0, 2, ""), self.edit(1, 1, "")])

    def test_meeting(self):
        include = self.edit(0, 0, "#include <x>\n")
        self.assertFalse(compose.meets(include, dict(include)))
        self.assertTrue(compose.meets(self.edit(3, 0, "a"), self.edit(3, 0, "a")))
        self.assertTrue(compose.meets(self.edit(2, 3, ""), self.edit(4, 0, "a")))
        self.assertFalse(compose.meets(self.edit(2, 2, ""), self.edit(4, 0, "a")))


if __name__ == "__main__":
    unittest.main()
