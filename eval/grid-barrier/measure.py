#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Relaunch loops of the samples against what they can become, on a GPU.

    measure.py prepare FOLDER --barricade BARRICADE   (on any machine)
    measure.py run FOLDER [--json FILE]               (on a machine with a GPU)

Each sample is built in these forms, and all are run in turn, so that a change
of the card's clocks meets each alike:

    original      a launch a step
    persistent    what barricade writes
    cooperative   the same with the grid barrier of cooperative groups
    graph         the original's launches captured once, replayed as a CUDA graph

Every run checks every element of the result on its own random input. A table of
medians over the rounds goes to stdout: microseconds, and the original's time over
each form's. Exit code 1 where a result was wrong or a program failed.
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
FORMS = ("original", "persistent", "cooperative", "graph")
# Sizes whose grid fits on the card, then some whose grid does not.
CASES = [
    ("bitonic", ["--n", "2^12"]), ("bitonic", ["--n", "2^16"]),
    ("bitonic", ["--n", "2^17"]), ("bitonic", ["--n", "2^20"]),
    ("fft", ["--n", "2^10"]), ("fft", ["--n", "2^16"]),
    ("fft", ["--n", "2^20"]),
    ("jacobi", ["--n", "64"]), ("jacobi", ["--n", "256"]),
    ("jacobi", ["--n", "256", "--digits", "4"]), ("jacobi", ["--n", "512"]),
    ("jacobi", ["--n", "2048", "--iterations", "100"]),
    ("swat", ["--n", "1024"]), ("swat", ["--n", "4096"]),
    ("bfs", []), ("bma", []),
]
SAMPLES = sorted({name for name, _ in CASES})

TIMED = "      work();\n      CUDA_CHECK(cudaEventRecord(stop));\n"
REPLAYED = """\
      if (!graph) {
        CUDA_CHECK(cudaStreamBeginCapture(cudaStreamPerThread,
                                          cudaStreamCaptureModeGlobal));
        work();
        cudaGraph_t captured;
        CUDA_CHECK(cudaStreamEndCapture(cudaStreamPerThread, &captured));
        CUDA_CHECK(cudaGraphInstantiate(&graph, captured, 0));
        CUDA_CHECK(cudaEventRecord(start)); // capture is not timed
      }
      CUDA_CHECK(cudaGraphLaunch(graph, cudaStreamPerThread));
      CUDA_CHECK(cudaEventRecord(stop));
"""


def replace_once(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"measure.py: {path} is not as expected: {old!r}")
    path.write_text(text.replace(old, new))


def prepare(folder, barricade):
    for form in ("original", "persistent", "graph"):
        shutil.copytree(ROOT / "samples", folder / form / "samples")
    shutil.copytree(ROOT / "runtime", folder / "runtime")
    for name in SAMPLES:
        done = subprocess.run(
            [barricade, "--rules=grid-barrier", "--in-place", "--edit-headers",
             f"samples/{name}/{name}.cu"],
            cwd=folder / "persistent", capture_output=True, text=True)
        if done.returncode > 1:
            sys.exit(done.stderr)
        print(f"{name}: {done.stderr.strip().splitlines()[-1]}")
    shutil.copytree(folder / "persistent", folder / "cooperative")
    for source in (folder / "cooperative/samples").glob("*/*.cu"):
        source.write_text(source.read_text().replace(
            "barricade::GridBarrier", "barricade::CooperativeGridBarrier"))
    header = folder / "graph/samples/common/sample.h"
    replace_once(header, TIMED, REPLAYED)
    replace_once(header, "    size_t mismatches = 0;\n    for (int i = 1 - warmup",
                 "    cudaGraphExec_t graph = nullptr;\n"
                 "    size_t mismatches = 0;\n    for (int i = 1 - warmup")


def build(folder, form, name):
    program = folder / form / name
    options = ["-default-stream", "per-thread"] if form == "graph" else []
    done = subprocess.run(
        ["nvcc", "-std=c++17", "-O3", "-arch=native", f"-I{folder}/runtime",
         *options, "-o", program, folder / form / f"samples/{name}/{name}.cu"],
        capture_output=True, text=True)
    return program, done


def run(folder, rounds, runs, output):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        built = {(form, name): pool.submit(build, folder, form, name)
                 for form in FORMS for name in SAMPLES}
    times, failed = {}, False
    for (form, name), job in built.items():
        if job.result()[1].returncode:
            failed = True
            print(f"{form} {name} does not compile:\n{job.result()[1].stderr}")
    for seed in range(1, rounds + 1):
        for name, options in CASES:
            for form in FORMS:
                program = folder / form / name
                if not program.exists():
                    continue
                done = subprocess.run(
                    [program, *options, "--runs", str(runs), "--seed", str(seed),
                     "--json"], capture_output=True, text=True, timeout=120)
                key = (name, " ".join(options), form)
                if done.returncode:
                    # A loop that copies to the host cannot be captured.
                    if form != "graph":
                        failed = True
                    times.setdefault(key, done.stderr.strip()[-120:])
                    continue
                report = json.loads(done.stdout)
                times.setdefault(key, []).append(report["median_ms"] * 1000)
    table(times)
    if output:
        output.write_text(json.dumps(
            [{"sample": n, "options": o, "form": f, "median_us": t}
             for (n, o, f), t in times.items()], indent=1) + "\n")
    return failed


def table(times):
    print("| sample | " + " | ".join(FORMS) + " | spread | "
          + " | ".join(f"original / {f}" for f in FORMS[1:]) + " |")
    print("| --- |" + " ---: |" * (2 * len(FORMS)))
    for name, options in CASES:
        cells, ratios, spread = [], [], 0
        base = times.get((name, " ".join(options), "original"))
        for form in FORMS:
            t = times.get((name, " ".join(options), form))
            if not isinstance(t, list):
                cells.append("-")
                ratios.append("-")
                continue
            median = statistics.median(t)
            spread = max(spread, (max(t) - min(t)) / median)
            cells.append(f"{median:.1f}")
            ratios.append(f"{statistics.median(base) / median:.2f}")
        print(f"| {name} {' '.join(options)} | " + " | ".join(cells)
              + f" | {spread:.1%} | " + " | ".join(ratios[1:]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=("prepare", "run"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--barricade", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    if args.step == "prepare":
        if not args.barricade:
            parser.error("prepare needs --barricade")
        prepare(args.folder.resolve(), args.barricade.resolve())
        return 0
    return run(args.folder.resolve(), args.rounds, args.runs, args.json)


if __name__ == "__main__":
    sys.exit(main())
