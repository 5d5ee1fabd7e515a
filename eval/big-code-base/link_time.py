#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What linking the summaries of many files takes, and asking the index.

Writes a few sources that share headers, has barricade index them, and makes the
summaries of as many units as are asked for of theirs: what is a file's own gets
names of its own, what comes from headers stays. Links them, one by one and as
two halves, compares both, and asks the index about one file. Printed are, per
number of units: sizes, processor time for each unit, peak resident memory, and what a
run over one file takes with the index and without, in processor time as well.

Exit code 1 where linking the most takes more than a millisecond a unit.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

HEADER = "#pragma once\n" + "".join(
    f"inline __device__ float weight{{number}}_{i}(float x) {{{{ return x * {i}; }}}}\n"
    for i in range(10))
SOURCE = "".join(f'#include "shared{i}.cuh"\n' for i in range(10)) + """\
__device__ float sumOwn(const float *a, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * 64 + threadIdx.x];
  return sum;
}
""" + "".join(f"""\
__global__ void kernel{i}Own(const float *a, float *out, int n) {{
  out[threadIdx.x] = sumOwn(a, n) + weight{i}_{i}(n);
}}
void start{i}Own(const float *a, float *out) {{ kernel{i}Own<<<1, 128>>>(a, out, 3); }}
""" for i in range(10))
FLAGS = ["--", "nvcc", "-arch=sm_90", "-rdc=true"]


def measured(*command):
    """Seconds of processor time and MB that the command took."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command[:3]}: {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write_summaries(folder, count, barricade):
    """Those of the first unit's, with its name changed. Hashes stay as long as they
    are, so that the units' order and size is that of real ones."""
    for i in range(10):
        (folder / f"shared{i}.cuh").write_text(HEADER.format(number=i))
    source = folder / "unit0.cu"
    source.write_text(SOURCE)
    first = folder / "unit0.summary"
    subprocess.run([barricade, "index", "--quiet", source, "-o", first, *FLAGS], check=True)
    text = first.read_text()
    unit = next(line.split('"key":"')[1][:32] for line in text.splitlines()
                if '"kind":"unit"' in line)
    head, *records, _ = text.splitlines(keepends=True)
    names = [first]
    for number in range(1, count):
        own = f"Own{number}"
        changed = [
            r.replace(unit, f"{number:032x}").replace("unit0.cu", f"unit{number}.cu")
            .replace("Own", own)
            for r in records]
        # The names' lengths in symbols are no matter here.
        changed.sort(key=lambda r: tuple(r.split('"')[3:8:4]))
        path = folder / f"unit{number}.summary"
        body = "".join(changed)
        path.write_text(f'{head}{body}{{"crc32":{zlib.crc32(body.encode())}}}\n')
        names.append(path)
    return source, names


def report(barricade, count):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source, summaries = write_summaries(folder, count, barricade)

        def link(output, inputs):
            listed = folder / "list"
            listed.write_text("\n".join(map(str, inputs)))
            return measured(barricade, "link", f"@{listed}", "-o", output)

        seconds, memory = link(folder / "program.index", summaries)
        for half in (0, 1):
            link(folder / f"half{half}", summaries[half::2])
        link(folder / "again.index", [folder / "half0", folder / "half1"])
        index = (folder / "program.index").read_bytes()
        if index != (folder / "again.index").read_bytes():
            sys.exit("the halves' index is another one")
        # Units whose files are not there are stale: they get the first one's text.
        for number in range(1, count):
            (folder / f"unit{number}.cu").write_text(SOURCE)
        asked = [barricade, "--quiet", "--no-verify", str(source)]
        without, _ = measured(*asked, *FLAGS)
        with_index, _ = measured(*asked, f"--index={folder / 'program.index'}",
                                 "--closed-world", *FLAGS)
        print(f"| {count} | {sum(s.stat().st_size for s in summaries) / 1e6:.1f} "
              f"| {len(index) / 1e6:.1f} | {seconds / count * 1e3:.2f} | {memory:.0f} "
              f"| {without:.2f} | {with_index:.2f} |", flush=True)
        return seconds / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--barricade", default="barricade")
    parser.add_argument("units", type=int, nargs="*", default=[100, 1000, 10000])
    args = parser.parse_args()
    print("| units | summaries, MB | index, MB | link, ms a unit | peak memory, MB "
          "| a file without index, s | with it, s |\n|---:|---:|---:|---:|---:|---:|---:|")
    seconds = [report(args.barricade, count) for count in sorted(args.units)]
    return 1 if seconds[-1] > 1e-3 else 0


if __name__ == "__main__":
    sys.exit(main())
