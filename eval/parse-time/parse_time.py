#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""barricade's whole run against Clang's bare parse of the same file, and what
it costs to verify the rewrites.

All read the same source with the same flags, on the host and on the device;
Clang by `-fsyntax-only`, barricade with and without `--no-verify`. Runs
alternate, so that a change of the machine's speed meets all alike. Printed are
medians of the wall-clock time and of the processor time (user and system),
barricade's without verification over Clang's, and with it over without.

Exit code 1 where --limit is given and a ratio of wall-clock times exceeds it.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

KERNELS = """
__global__ void rowSums(const float *a, float *sums, int columns) {
  float sum = 0;
  for (int j = 0; j < columns; ++j)
    sum += a[(blockIdx.x * blockDim.x + threadIdx.x) * columns + j];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void scale(float *a, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    a[i] *= factor;
}
"""

SOURCES = {
    "runtime only": KERNELS + """
int main() {
  float *a, *sums;
  cudaMalloc(&a, sizeof(float) << 20);
  cudaMalloc(&sums, sizeof(float) << 10);
  scale<<<16, 256>>>(a, 1 << 20, 2.0f);
  rowSums<<<4, 256>>>(a, sums, 1024);
  return cudaDeviceSynchronize() != cudaSuccess;
}
""",
    "thrust and cub": "#include <cub/cub.cuh>\n"
    "#include <thrust/device_vector.h>\n"
    "#include <thrust/reduce.h>\n"
    "#include <thrust/sort.h>\n" + KERNELS + """
int main() {
  thrust::device_vector<float> a(1 << 20, 1.0f), sums(1 << 10);
  thrust::sort(a.begin(), a.end());
  rowSums<<<4, 256>>>(a.data().get(), sums.data().get(), 1024);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, a.data().get(), sums.data().get(),
                         1 << 20);
  return thrust::reduce(sums.begin(), sums.end()) < 0;
}
""",
}


def parse_command_line():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--barricade", default="build/tool/barricade")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--arch", default="sm_75")
    parser.add_argument("--runs", type=int, default=9, help="of each (default 9)")
    parser.add_argument("--limit", type=float, help="largest ratio that will do")
    parser.add_argument("--json", metavar="FILE", help="write the numbers, too")
    return parser.parse_args()


def measure(command):
    """Seconds of wall-clock and of processor time; ends the program where the
    command fails."""
    started = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - started
    if status:
        sys.exit(f"{' '.join(command)} failed:\n{errors}")
    return wall, usage.ru_utime + usage.ru_stime


def compare(commands, runs):
    """Medians per command of (wall, processor) over alternating runs."""
    times = {name: [] for name in commands}
    for command in commands.values():
        measure(command)  # fills the file cache
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(measure(command))
    return {
        name: [statistics.median(column) for column in zip(*rows)]
        for name, rows in times.items()
    }


def commands_for(source, args):
    cccl = pathlib.Path(args.cuda_path, "include", "cccl")
    flags = ["-std=c++17", "-Wno-unknown-cuda-version", "-isystem", str(cccl)]
    flags += [f"--cuda-path={args.cuda_path}", f"--cuda-gpu-arch={args.arch}"]
    return {
        "clang": [args.clang, "-fsyntax-only", *flags, str(source)],
        "barricade": [args.barricade, "--no-verify", str(source), "--", *flags],
        "verified": [args.barricade, str(source), "--", *flags],
    }


def main():
    args = parse_command_line()
    report = {}
    print(f"{'':16}{'clang':>18}{'barricade':>18}{'verified':>18}{'ratios':>16}{'':16}")
    print(f"{'':16}" + f"{'wall s':>9}{'cpu s':>9}" * 3 + f"{'wall':>8}{'cpu':>8}" * 2)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SOURCES.items():
            source = pathlib.Path(folder, name.replace(" ", "_") + ".cu")
            source.write_text(text)
            medians = compare(commands_for(source, args), args.runs)
            clang, barricade = medians["clang"], medians["barricade"]
            verified = medians["verified"]
            ratio = [ours / theirs for ours, theirs in zip(barricade, clang)]
            cost = [with_it / without for with_it, without in zip(verified, barricade)]
            row = "".join(f"{value:9.3f}" for value in clang + barricade + verified)
            print(f"{name:16}{row}" + "".join(f"{value:8.2f}" for value in ratio + cost))
            report[name] = {**medians, "ratio": ratio, "verification": cost}
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(report, indent=2) + "\n")
    if args.limit and any(row["ratio"][0] > args.limit for row in report.values()):
        sys.exit(f"a ratio of wall-clock times exceeds {args.limit}")


if __name__ == "__main__":
    main()
