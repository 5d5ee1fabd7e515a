#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Berlekamp-Massey with kernels apart, fused by barricade, and merged by a fence
(papers: P5, figures 3 to 5), on a GPU.

    measure.py prepare FOLDER --barricade BARRICADE   (on any machine)
    measure.py race FOLDER [--json FILE]              (on a machine with a GPU)
    measure.py time FOLDER [--json FILE]              (on a machine with a GPU)

The forms of the sample bma:

    separate      three launches a step
    fused         what barricade writes of it: one launch, two grid barriers
    lock-free     the same with barricade's own grid barrier, which needs a state
    fence-merged  the paper's: two launches, a fence taken for a barrier

`prepare` writes them to FOLDER, which then is all that the other two need, with
nvcc. `race` runs each form with delays in some blocks and counts the wrong runs:
that of the fence is expected to be wrong, and any other that is ends it with
exit code 1. `time` runs all forms in turn at each length, every result checked,
and prints microseconds per step; `sample` rows are whole syntheses.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMS = ("separate", "fused", "lock-free", "fence-merged")
FAULTY = "fence-merged"
FIRST_LINE = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
LENGTHS = range(10, 27)       # bits of the polynomials, as powers of two
RACE_LENGTHS = range(10, 23)  # 1 Kbit to 4 Mbit
SAMPLE_LENGTHS = (10, 12, 14, 16)
PROGRAMS = ("update", "stressed", "sample")


#===--- On any machine -----------------------------------------------------===#


def fuse(barricade, source, barrier):
    done = subprocess.run(
        [barricade, "--rules=launch-fusion", "--in-place", source.name,
         "--", "nvcc", "-std=c++17", "-arch=sm_90"],
        cwd=source.parent, capture_output=True, text=True)
    text = source.read_text()
    if done.returncode > 1 or "CooperativeGridBarrier" not in text:
        sys.exit(f"measure.py: nothing fused\n{done.stderr}")
    source.write_text(text.replace("CooperativeGridBarrier", barrier))


def add_stress(source):
    """A delay at the start of each kernel that computes an index."""
    text = source.read_text()
    if FIRST_LINE not in text:
        sys.exit(f"measure.py: {source} is not as expected")
    (source.parent / f"stressed_{source.name}").write_text(
        text.replace(FIRST_LINE, FIRST_LINE + "  STRESS(blockIdx.x);\n"))


def prepare(folder, barricade):
    shutil.copytree(ROOT / "runtime", folder / "runtime")
    shutil.copy(pathlib.Path(__file__).with_name("update.cu"), folder)
    for form in FORMS:
        for part in ("bma", "common"):
            shutil.copytree(ROOT / "samples" / part, folder / form / part)
        source = folder / form / "bma/bma.cu"
        if form == "fused":
            fuse(barricade, source, "CooperativeGridBarrier")
        elif form == "lock-free":
            fuse(barricade, source, "LockFreeGridBarrier")
        elif form == FAULTY:
            source = source.with_name("bma_fence_fault.cu")
        source.rename(source.with_name("form.cu"))
        add_stress(source.with_name("form.cu"))


#===--- On a machine with a GPU --------------------------------------------===#


def build(folder, form, program):
    sources = folder / form / "bma"
    output = folder / form / program
    command = ["nvcc", "-std=c++17", "-O3", "-arch=native", f"-I{folder}/runtime", "-o", output]
    if program == "sample":
        command.append(sources / "form.cu")
    else:
        name = "stressed_form.cu" if program == "stressed" else "form.cu"
        command += [f'-DFORM="{sources / name}"', folder / "update.cu"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{form}: {program} does not compile:\n{done.stderr}")


def build_all(folder):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for job in [pool.submit(build, folder, form, program)
                    for form in FORMS for program in PROGRAMS]:
            job.result()


def run(folder, form, program, options):
    """The program's report and whether its results were right."""
    done = subprocess.run([folder / form / program, *map(str, options), "--json"],
                          capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 1):
        sys.exit(f"{form}: {program} {options}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout), done.returncode == 0


def race(folder, delay, seeds):
    """Wrong runs by form and length; exit code."""
    rows, failed = [], False
    print(f"Wrong results in {seeds} runs of 64 steps, delays up to {delay} us:\n")
    print("| bits | " + " | ".join(FORMS) + " |\n| --- |" + " ---: |" * len(FORMS))
    for power in RACE_LENGTHS:
        cells = []
        for form in FORMS:
            wrong = sum(not run(folder, form, "stressed",
                                ["--n", f"2^{power}", "--delay", delay, "--runs", 1,
                                 "--warmup", 0, "--seed", seed])[1]
                        for seed in range(1, seeds + 1))
            failed |= wrong > 0 and form != FAULTY
            cells.append(str(wrong))
            rows.append({"bits": 2**power, "form": form, "delay_us": delay,
                         "runs": seeds, "wrong": wrong})
        print(f"| 2^{power} | " + " | ".join(cells) + " |", flush=True)
    if not any(row["wrong"] for row in rows if row["form"] == FAULTY):
        print("\nThe fence was right throughout: nothing is shown.")
        failed = True
    return rows, failed


def measure(folder, program, options, rounds, failed):
    """Milliseconds of the runs' medians by form, all forms in turn."""
    times = {form: [] for form in FORMS}
    for seed in range(1, rounds + 1):
        for form in FORMS:
            report, right = run(folder, form, program, [*options, "--seed", seed])
            times[form].append(report["median_ms"])
            if not right:
                failed.add((form, " ".join(map(str, options))))
    return times


def table_row(label, times, per):
    medians = {form: statistics.median(times[form]) * 1000 / per for form in FORMS}
    spread = max((max(t) - min(t)) / statistics.median(t) for t in times.values())
    print(f"| {label} | " + " | ".join(f"{medians[form]:.2f}" for form in FORMS)
          + f" | {spread:.1%} | "
          + " | ".join(f"{medians['separate'] / medians[form]:.2f}" for form in FORMS[1:])
          + " |", flush=True)


def time_all(folder, rounds):
    rows, failed, steps = [], set(), 64
    print("| case | " + " | ".join(f"{form}, us" for form in FORMS) + " | spread | "
          + " | ".join(f"separate / {form}" for form in FORMS[1:]) + " |")
    print("| --- |" + " ---: |" * (2 * len(FORMS)))
    for power in LENGTHS:
        times = measure(folder, "update", ["--n", f"2^{power}", "--steps", steps, "--runs", 10],
                        rounds, failed)
        table_row(f"step 2^{power}", times, steps)
        rows += [{"case": "step", "bits": 2**power, "form": form,
                  "us": [ms * 1000 / steps for ms in times[form]]} for form in FORMS]
    for power in SAMPLE_LENGTHS:
        times = measure(folder, "sample", ["--n", f"2^{power}", "--runs", 3, "--warmup", 1],
                        rounds, failed)
        table_row(f"sample 2^{power}", times, 2**power)
        rows += [{"case": "sample", "bits": 2**power, "form": form,
                  "us": [ms * 1000 / 2**power for ms in times[form]]} for form in FORMS]
    for form, options in sorted(failed):
        print(f"wrong result: {form} {options}")
    return rows, any(form != FAULTY for form, _ in failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=("prepare", "race", "time"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--barricade", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3, help="of time")
    parser.add_argument("--seeds", type=int, default=5, help="of race")
    parser.add_argument("--delay", type=int, default=50, help="of race, us")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    folder = args.folder.resolve()
    if args.step == "prepare":
        if not args.barricade:
            parser.error("prepare needs --barricade")
        prepare(folder, args.barricade.resolve())
        return 0
    build_all(folder)
    rows, failed = (race(folder, args.delay, args.seeds) if args.step == "race"
                    else time_all(folder, args.rounds))
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
