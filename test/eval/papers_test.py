#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables, verdicts and calibration files from data made by hand."""

import contextlib
import io
import json
import os
import unittest
from unittest import mock

from support import ROOT, EvalTest
from harness import calibrate_command, papers, papers_command, verdicts, verdicts_command


def row(name, kind, setting, median, gain=None, verdict=""):
    return {"id": name, "kind": kind, "setting": setting, "median_ms": median, "gain": gain,
            "low": gain, "high": gain, "verdict": verdict, "barriers-own": None,
            "status": "timed"}  # fmt: skip


def unit(program, case, *rows):
    return {"program": f"samples/{program}/{program}.cu", "case": case, "variants": list(rows)}


def exhibit(name, *units, microbench=None):
    data = papers.Data([{"units": units}], microbench)
    return next(e for e in papers.exhibits(data) if e.name == name)


class PapersTest(EvalTest):
    def test_rho(self):
        original = row("original", "original", "", 1.0)
        fast = row("vecadd.1-k4", "single", "k4", 0.9, 0.1, "faster")
        slow = row("vecadd.1-k1", "single", "k1", 1.1, -0.1, "slower")
        control = row("vecadd.1-k4-control", "control", "k4-control", 0.8, 0.2, "faster")
        found = exhibit("rho-vecadd", unit("vecadd", "2^20", original, fast, slow, control))
        self.assertEqual(found.verdict, papers.HOLDS)
        self.assertEqual([r[2] for r in found.rows], ["vecadd.1-k4", "vecadd.1-k1"])
        self.assertEqual(found.curves["1-k4"], [("2^20", 10.0)])
        # A control is no barrier: its gain makes no conclusion hold.
        found = exhibit("rho-vecadd", unit("vecadd", "2^20", original, slow, control))
        self.assertEqual(found.verdict, papers.FAILS)
        self.assertEqual(exhibit("rho-align").verdict, papers.UNKNOWN)

    def test_a_gain_of_the_shape_is_not_the_barriers(self):
        original = row("original", "original", "", 1.0)
        fast = row("vecadd.1-k4", "single", "k4", 0.9, 0.1, "faster")
        for own, p, expected in ((0.05, 0.01, papers.HOLDS), (0.05, 0.2, papers.FAILS), (-0.1, 0.01, papers.FAILS)):
            fast.update({"barriers-own": own, "barriers-own-p": p})
            found = exhibit("rho-vecadd", unit("vecadd", "2^20", original, fast))
            self.assertEqual(found.verdict, expected)

    def test_grid_barriers(self):
        original = row("original", "original", "", 2.0)
        lock = row("fft.9-lock", "single", "lock", 1.0, 0.5, "faster")
        free = row("fft.9-lock-free", "single", "lock-free", 2.1, -0.05, "slower")
        found = exhibit("grid-fft", unit("fft", "2^12", original, lock, free))
        self.assertEqual(found.verdict, papers.FAILS)
        self.assertEqual(set(found.curves), {"launches", "lock", "lock-free"})

    def mechanisms(self, program, case, **ms):
        """Times of a case: launches first, `no_barrier` means no-barrier."""
        kinds = {"launches": "original", "explicit": "comparison", "graph": "comparison"}
        rows = []
        for name, value in ms.items():
            name = name.replace("_", "-")
            kind = kinds.get(name, "unsafe" if name.startswith(("unsafe", "no-")) else "single")
            setting = "" if name == "launches" else name
            rows.append(row(f"{program}-{name}", kind, setting, value, 0.1, "faster"))
            rows[-1]["runs"] = [{"ms": value, "sequential_ms": 60.0}] * 3
        return unit(program, case, *rows)

    def test_speedups(self):
        small = self.mechanisms("fft", "2^10", launches=4.0, lock=3.0, lock_free=2.0)
        # Beyond what is resident at once nothing is claimed.
        large = self.mechanisms("fft", "2^20", launches=4.0, lock=5.0, lock_free=6.0)
        found = exhibit("speedups", large, small)
        self.assertEqual(found.verdict, papers.HOLDS)
        columns = dict(zip(found.header, found.rows[1]))
        self.assertEqual((columns["launches"], columns["lock"], columns["lock-free"], columns["graph"]),
                         ("15.0", "20.0", "30.0", ""))  # fmt: skip
        other = self.mechanisms("swat", "512", launches=4.0, lock=5.0, lock_free=2.0)
        self.assertEqual(exhibit("speedups", small, other).verdict, papers.FAILS)
        for one in small["variants"]:
            del one["runs"]
        self.assertEqual(exhibit("speedups", small).verdict, papers.UNKNOWN)

    def test_time_split(self):
        unit = self.mechanisms("swat", "512", launches=4.0, lock_free=2.0, explicit=10.0, no_barrier=1.0)
        found = exhibit("time-split", unit)
        columns = dict(zip(found.header, found.rows[0]))
        self.assertEqual((columns["launches"], columns["lock-free"], columns["explicit"]),
                         ("75.0 %", "50.0 %", "90.0 %"))  # fmt: skip
        self.assertEqual(found.verdict, papers.HOLDS)
        unit = self.mechanisms("swat", "512", launches=4.0, lock_free=5.0, no_barrier=1.0)
        self.assertEqual(exhibit("time-split", unit).verdict, papers.FAILS)
        self.assertEqual(exhibit("time-split", self.mechanisms("swat", "1", launches=1.0, lock=1.0)).verdict,
                         papers.UNKNOWN)  # fmt: skip

    def test_fences_in_programs(self):
        times = {"unsafe_lock": 2.0, "unsafe_lock_fences": 3.0}
        found = exhibit("application-fences", self.mechanisms("fft", "2^16", launches=2.5, **times))
        self.assertEqual((found.verdict, found.rows[0][5]), (papers.HOLDS, "+50.0 %"))
        found = exhibit("application-fences", self.mechanisms("fft", "2^16", launches=3.5, **times))
        self.assertEqual(found.verdict, papers.FAILS)

    def test_cases_without_a_verdict_are_left_out(self):
        cut = self.mechanisms("fft", "2^16", launches=2.5, lock=2.0)
        cut["variants"][1]["verdict"] = "too few runs"
        self.assertEqual(exhibit("grid-fft", cut).verdict, papers.UNKNOWN)

    def test_unsafe_barriers_are_no_mechanism(self):
        unit = self.mechanisms("fft", "2^16", launches=2.5, lock=2.0, unsafe_lock=1.0, no_barrier=0.5)
        self.assertEqual(set(exhibit("grid-fft", unit).curves), {"launches", "lock"})

    def fused(self, program, case, fused, wrong=0):
        found = self.mechanisms(program, case, launches=0.64, fused=fused, lock_free=0.5, fence_merged=0.4)
        found["arguments"] = ["--steps", "64"]
        found["variants"][-1]["runs"] = [{"ms": 0.4, "right": i >= wrong} for i in range(3)]
        return found

    def test_fused_steps(self):
        def steps(short, long):
            return exhibit("bma-steps", self.fused("update", "2^20", short), self.fused("update", "2^26", long))

        found = steps(0.32, 0.64)
        self.assertEqual((found.verdict, found.rows[0][:4]), (papers.HOLDS, ("1048576", "10.00", "5.00", "+50.0 %")))
        self.assertEqual(steps(0.32, 0.4).verdict, papers.FAILS)
        self.assertEqual(steps(0.7, 0.64).verdict, papers.FAILS)
        self.assertEqual(exhibit("bma-steps").verdict, papers.UNKNOWN)

    def test_the_fences_wrong_runs(self):
        found = exhibit("bma-race", self.fused("stressed", "2^20", 0.5, wrong=2))
        self.assertEqual((found.verdict, found.rows), (papers.HOLDS, [("1048576", "3", "0", "0", "0", "2")]))
        self.assertEqual(exhibit("bma-race", self.fused("stressed", "2^20", 0.5)).verdict, papers.FAILS)
        both = self.fused("stressed", "2^20", 0.5, wrong=2)
        del both["variants"][1]  # the fused one was wrong, so that it has no times
        found = exhibit("bma-race", both)
        self.assertEqual((found.verdict, found.rows[0][3]), (papers.FAILS, "failed"))

    def test_lengths(self):
        def at(case, verdict):
            return unit("bma", case, row("original", "original", "", 1.0),
                        row("x", "single", "lock", 1.0, 0.1, verdict))  # fmt: skip

        for long, expected in (("slower", papers.HOLDS), ("faster", papers.FAILS)):
            found = exhibit("bma-lengths", at("2^16", long), at("2^10", "faster"))
            self.assertEqual(found.verdict, expected)

    def test_microbench(self):
        file = self.folder / "m.csv"
        times = {"explicit": 8, "implicit": 2.5, "lock": 1, "lock_free": 1.5, "no barrier": 0.1,
                 "atomic only": 0.2, "atomic and __syncthreads": 0.4, "unsafe lock": 0.7,
                 "unsafe lock with fences": 2.7, "unsafe lock_free": 1, "unsafe lock_free with fences": 2}  # fmt: skip
        lines = ["mechanism,blocks,threads,steps,median_us,min_us"]
        lines += [f"{name},30,256,10,{us},{us}" for name, us in times.items()]
        file.write_text("\n".join(lines) + "\n")
        self.assertEqual(exhibit("mechanisms", microbench=file).verdict, papers.HOLDS)
        self.assertEqual(exhibit("fence-cost", microbench=file).verdict, papers.HOLDS)
        split = exhibit("cost-split", microbench=file)
        self.assertEqual([value for _, value in split.rows], ["0.100", "0.200", "0.300", "2.000"])
        self.assertEqual(split.verdict, papers.HOLDS)

    def test_command(self):
        out = self.folder / "tables"
        csv = ROOT / "docs" / "results" / "gpu-sync" / "microbench.csv"
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            self.assertEqual(papers_command.main(["--microbench", str(csv), "--out", str(out)]), 0)
            self.assertEqual(papers_command.main(["--out", str(out)]), 2)
            self.assertEqual(papers_command.main(["nowhere.json", "--out", str(out)]), 2)
        text = (out / "README.md").read_text()
        self.assertIn("P3 figure 8", text)
        self.assertIn("| lock_free | 1.8", text)
        self.assertTrue((out / "mechanisms.csv").read_text().startswith('mechanism,"30 blocks, us"'))


class VerdictsTest(EvalTest):
    CASES = [
        verdicts.Case("hit", 0.01, 0.1, 0.05, "faster"),
        verdicts.Case("false alarm", 0.01, 0.1, -0.2, "slower"),
        verdicts.Case("miss", -0.2, -0.1, 0.1, "faster"),
        verdicts.Case("true loss", -0.3, -0.1, -0.2, "slower"),
        verdicts.Case("unclear", -0.1, 0.1, 0.05, "faster"),
        verdicts.Case("no loss", -0.1, -0.01, 0.0, "no difference seen"),
    ]

    def test_summary(self):
        found = verdicts.summary(self.CASES)
        self.assertEqual((found["precision of it"], found["recall"]), (1 / 2, 1 / 3))
        self.assertEqual((found["precision of that"], found["recall of losses"]), (1 / 3, 1 / 2))
        self.assertEqual((found["none of which pays"], found["unclear, to be measured"]), (2 / 3, 1))
        self.assertEqual(found["gain within the bounds"], 3 / 6)
        self.assertAlmostEqual(found["mean gain, following the model"], (0.05 - 0.2) / 6)
        self.assertAlmostEqual(found["mean gain, knowing better"], 0.2 / 6)
        self.assertEqual(found["worst loss, following the model"], -0.2)
        self.assertEqual(list(map(verdicts.judged, self.CASES)),
                         ["right", "WRONG", "WRONG", "right", "unclear", "no difference"])  # fmt: skip

    def test_nothing_predicted_has_no_precision(self):
        found = verdicts.summary(self.CASES[2:])
        self.assertEqual((found["precision of it"], found["recall"]), (None, 0.0))

    def test_command_needs_predictions(self):
        folder = self.variants("//\n", a="//a\n")
        results = self.folder / "r.json"
        results.write_text('{"units": []}')
        with contextlib.redirect_stderr(io.StringIO()):
            code = verdicts_command.main([str(results), "--variants", str(folder)])
        self.assertEqual(code, 2)


class CalibrateTest(EvalTest):
    LOOP = {"locality": "coalesced", "block-threads": 128, "blocks-per-multiprocessor": 1, "form": "barrier", "interval": 1,
            "gain": -0.1, "ns-per-access": 100.0}  # fmt: skip

    def calibrate(self, file="c.json", **changes):
        """(exit code, the file); without a name that of a profile"""
        data = {"schema-version": 1, "architecture": "sm_75", "gpu": "Fake GPU", "loops": [self.LOOP],
                **{name: 1.5 for name in calibrate_command.CONSTANTS},
                "persistent-launch-us": 1.25, "overlap-saved-us": 0, **changes}  # fmt: skip
        (self.bin / "nvcc").unlink()
        (self.bin / "nvcc").write_text(
            "#!/bin/bash\nwhile [ $1 != -o ]; do shift; done\n"
            f"{{ echo '#!/bin/bash'; echo \"[ \\\"\\$1\\\" = first-use ] && echo 110.5 || "
            f"echo '{json.dumps(json.dumps(data))[1:-1]}'\"; }} > $2\n"
            "chmod +x $2\n"
        )
        (self.bin / "nvcc").chmod(0o755)
        (self.bin / "chmod").symlink_to("/bin/chmod")
        data_home = {"XDG_DATA_HOME": str(self.folder)}
        names = [str(self.folder / file)] if file else []
        file = self.folder / (file or "barricade/profiles/sm_75.json")
        with contextlib.redirect_stdout(io.StringIO()), mock.patch.dict(os.environ, data_home):
            return calibrate_command.main(names), file

    def test_writes_what_was_measured(self):
        self.with_gpu()
        code, file = self.calibrate()
        self.assertEqual(code, 0)
        data = json.loads(file.read_text())
        self.assertEqual((data["driver"], data["loops"]), ("1.0", [self.LOOP]))
        self.assertEqual((data["first-use-us"], data["persistent-launch-us"], data["overlap-saved-us"]),
                         (110.5, 1.25, 0))  # fmt: skip

    def test_without_a_name_barricade_finds_it(self):
        self.with_gpu()
        code, file = self.calibrate(file=None)
        self.assertEqual((code, json.loads(file.read_text())["gpu"]), (0, "Fake GPU"))

    def test_no_gpu(self):
        with contextlib.redirect_stderr(io.StringIO()):
            code, file = self.calibrate()
        self.assertEqual((code, file.exists()), (2, False))

    def test_numbers_that_are_none(self):
        right = {**{n: 1.0 for n in calibrate_command.CONSTANTS},
                 **{n: 0 for n in calibrate_command.OPTIONAL}, "loops": [self.LOOP]}  # fmt: skip
        calibrate_command.check(right)
        for wrong in ({"launch-us": 0.0}, {"loops": [{}]}, {"grid-steps": [{"blocks": 1}]},
                      {"first-use-us": -1.0}, {"overlap-saved-us": float("nan")}):  # fmt: skip
            with self.assertRaises(ValueError):
                calibrate_command.check({**right, **wrong})


if __name__ == "__main__":
    unittest.main()
