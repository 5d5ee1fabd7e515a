#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What memory and time a run over many files takes, with and without a cache.

Writes files of several kernels each, in which names and numbers differ, and
runs barricade over a few and over many of them: first without a cache, then
with an empty and a full one. Printed are, per run: wall-clock time, processor
time (user and system, all threads) and peak resident memory.

The ASTs of a file go when it is done; what stays is its findings and the texts
they speak of. Exit code 1 where the many take more than 1.25 times the memory
of the few and what is kept (--kept-kb for each file).
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

KERNEL = """\
__global__ void k{file}_{number}(const float *a, float *sums, int n) {{
  float sum = {number};
  for (int j = 0; j < n + {file}; ++j)
    sum += a[threadIdx.x * n + j * {number}];
  sums[threadIdx.x] = sum;
}}
"""


def write_sources(folder, files, kernels):
    names = [f"f{i}.cu" for i in range(files)]
    for i, name in enumerate(names):
        (folder / name).write_text(
            "".join(KERNEL.format(file=i, number=j) for j in range(kernels)))
    return names


def measure(command, folder):
    """(wall-clock seconds, processor seconds, peak resident MB)"""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"barricade ended with {process.returncode}")
    return (time.monotonic() - begin, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--barricade", default="build/tool/barricade")
    parser.add_argument("--few", type=int, default=10)
    parser.add_argument("--many", type=int, default=110)
    parser.add_argument("--kernels", type=int, default=5, help="in each file")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--kept-kb", type=float, default=50)
    parser.add_argument("options", nargs="*", metavar="OPTION",
                        help="more of barricade's, for instance --no-toolkit (after --)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        names = write_sources(folder, options.many, options.kernels)
        command = [os.path.abspath(options.barricade), "--quiet", "-j", str(options.jobs),
                   *options.options]
        cached = [*command, "--cache-dir=cache"]
        print("| files | cache | wall-clock, s | processor, s | peak memory, MB |")
        print("|---:|---|---:|---:|---:|")
        peaks = []
        for count, cache, words in ((options.few, "none", command),
                                    (options.many, "none", command),
                                    (options.many, "empty", cached),
                                    (options.many, "full", cached)):
            wall, processor, peak = measure([*words, *names[:count]], folder)
            print(f"| {count} | {cache} | {wall:.1f} | {processor:.1f} | {peak:.0f} |",
                  flush=True)
            peaks.append(peak)
    kept = options.kept_kb / 1024 * (options.many - options.few)
    return 1 if max(peaks) > 1.25 * peaks[0] + kept else 0


if __name__ == "__main__":
    sys.exit(main())
