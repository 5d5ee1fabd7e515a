#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random CUDA programs against barricade's promise.

For each program of a campaign:
  1. barricade reads it, and neither crashes nor hangs;
  2. no loop that is known to be divergent gets the bare barrier;
  3. the rewrite compiles, and computes on the CPU executor what the original
     does, in adversarial orders of threads, without a fault;
  4. a second run over the rewrite proposes nothing.

Many programs share a source, so that headers are read once. One that fails is
taken out, made smaller and written to --faults. Exit code 1 where there is one.
"""
import argparse
import collections
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import kernels

BATCH = 500  # programs that share a source
CRASHED, HUNG = "barricade crashes", "barricade hangs"
WRONG_FORM = "a bare barrier where threads diverge"
NOT_COMPILED = "the rewrite does not compile"
UNSTABLE = "a second run proposes more"
DIFFERENT = "the rewrite computes something else"
MARK = re.compile("\x01(\\d+)\x02")

PRELUDE = """\
#include <climits>
#include <cstdint>
#include <cuda_runtime.h>

__constant__ int table[4] = {3, 1, 4, 1};
__device__ inline unsigned laneId() { return threadIdx.x % 32; }
__host__ __device__ inline int twice(int x) { return 2 * x; }
template <typename T> __device__ void change(T &x, unsigned to) { x = to; }
"""

# Runs every original and its rewrite on the same data, from program argv[1] on.
MAIN = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

template <typename E>
using Kernel = void (*)(const E *, unsigned *, unsigned *, int, int);

template <typename E>
static std::vector<unsigned> run(Kernel<E> kernel, int grid, dim3 block, int n, int m) {
  size_t threads = size_t(grid) * block.x * block.y;
  std::vector<E> input(256);
  unsigned state = 12345 + n;
  for (E &v : input)
    v = (state = state * 1664525u + 1013904223u) >> 20;
  std::vector<unsigned> result(threads * 5 + grid);
  for (size_t i = 0; i < threads * 5; ++i)
    result[i] = i * 2654435761u >> 7;
  E *a;
  unsigned *out;
  cudaMalloc(&a, input.size() * sizeof(E));
  cudaMalloc(&out, result.size() * sizeof(unsigned));
  cudaMemcpy(a, input.data(), input.size() * sizeof(E), cudaMemcpyHostToDevice);
  cudaMemcpy(out, result.data(), result.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  kernel<<<grid, block>>>(a, out, out + threads, n, m);
  cudaMemcpy(result.data(), out, result.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(out);
  return result;
}

template <typename E>
static void compare(int program, Kernel<E> original, Kernel<E> rewritten, int grid, dim3 block,
                    int n, int m) {
  std::printf("original %d\\n", program);
  std::fflush(stdout);
  auto expected = run(original, grid, block, n, m);
  std::printf("rewrite %d\\n", program);
  std::fflush(stdout);
  if (run(rewritten, grid, block, n, m) != expected)
    std::printf("different %d\\n", program);
}

int main(int, char **argv) {
  int first = std::atoi(argv[1]);
"""


@dataclasses.dataclass
class Fault:
    kernel: kernels.Kernel
    kind: str
    detail: str


class Source:
    """The programs of one batch in one file."""

    def __init__(self, programs):
        self.programs = programs
        self.loop_at = {}  # offset -> program, number of its loop
        text = PRELUDE
        for program in programs:
            text += self.separator(program)
            pieces = MARK.split(program.text())
            text += pieces[0]
            for number, piece in zip(pieces[1::2], pieces[2::2]):
                self.loop_at[len(text)] = program, int(number)
                text += piece
        self.text = text

    @staticmethod
    def separator(program):
        return f"\n// program {program.seed}\n"

    def split(self, text):
        """The text of each program in a rewrite of the source."""
        parts = re.split(r"\n// program \d+\n", text)
        return dict(zip(self.programs, parts[1:]))


class Runner:
    """Has programs rewritten, compiled and run, in a scratch folder."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.counts = collections.Counter()

    def call(self, command, seconds, **variables):
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=seconds, stdin=subprocess.DEVNULL,
                              env={**os.environ, **variables})

    def barricade(self, path, interval, *more):
        command = [self.options.barricade, "--quiet", "--rules=artificial-barrier",
                   "--min-instructions=0", "--min-memory-ratio=0",
                   f"--barrier-interval={interval}", *more, str(path), "--",
                   "nvcc", "-arch=sm_75", "-std=c++17"]
        return self.call(command, 60 + self.options.batch)

    def faults_of(self, programs, interval):
        """Examines the programs together; where that fails, in halves."""
        try:
            return self.examine(programs, interval)
        except Broken as broken:
            if len(programs) == 1:
                return [Fault(programs[0], broken.kind, broken.detail)]
            half = len(programs) // 2
            return (self.faults_of(programs[:half], interval) +
                    self.faults_of(programs[half:], interval))

    def examine(self, programs, interval):
        source = Source(programs)
        path = self.folder / "batch.cu"
        path.write_text(source.text)
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        try:
            done = self.barricade(path, interval, "--in-place", f"--json={report}")
        except subprocess.TimeoutExpired:
            raise Broken(HUNG) from None
        if done.returncode == 3:  # the generator's own error
            raise Broken("the program does not parse", done.stdout + done.stderr)
        if done.returncode != 0:
            raise Broken(CRASHED, f"exit code {done.returncode}\n{done.stderr[-3000:]}")
        findings = json.loads(report.read_text())["findings"]
        faults = self.wrong_forms(source, findings)
        rewritten = source.split(path.read_text())
        before = source.split(source.text)
        changed = [p for p in programs if rewritten[p] != before[p]]
        if not changed:
            self.count(findings, programs, changed)
            return faults
        path.write_text(PRELUDE + "".join(self.separated(changed, rewritten)))
        again = self.barricade(path, interval, "--dry-run")
        if again.stdout.strip() or again.returncode:
            if len(programs) > 1:
                raise Broken(UNSTABLE)
            faults.append(Fault(programs[0], UNSTABLE, again.stdout + again.stderr))
        self.compile_with_nvcc(path)
        faults += self.run(changed, before, rewritten)
        # Only now: what is examined in halves is counted in its parts.
        self.count(findings, programs, changed)
        return faults

    def count(self, findings, programs, changed):
        self.counts["programs"] += len(programs)
        self.counts["programs rewritten"] += len(changed)
        for finding in findings:
            self.counts["loops"] += 1
            if finding["applies"]:
                self.counts["form " + finding["form"]] += 1
            elif finding["verdict"] == "refused":
                self.counts["refused " + finding["reasons"][0]["id"]] += 1
            else:
                self.counts["left " + (finding["reasons"] or [{"id": "?"}])[0]["id"]] += 1

    def wrong_forms(self, source, findings):
        faults = []
        for finding in findings:
            program, number = source.loop_at.get(finding["place"]["offset"], (None, None))
            if not program:
                continue
            truth = program.truth(number)
            if finding["form"] == "uniform" and truth == "divergent":
                faults.append(Fault(program, WRONG_FORM, f"{finding['place']}"))
            taken = finding["form"] if finding["verdict"] != "refused" else "refused"
            self.counts[f"{truth} {taken}"] += 1
        return faults

    @staticmethod
    def separated(programs, texts):
        return [Source.separator(p) + texts[p] for p in programs]

    def compile_with_nvcc(self, path):
        if self.options.nvcc and random.random() < self.options.nvcc_share:
            done = self.call([self.options.nvcc, "-arch=sm_75", "-std=c++17", "-w", "-c", "-o",
                              os.devnull, str(path)], 600)
            if done.returncode:
                raise Broken(NOT_COMPILED, done.stdout + done.stderr)
            self.counts["batches compiled with nvcc"] += 1

    def run(self, changed, before, rewritten):
        """Original against rewrite, all in one program."""
        text = PRELUDE
        for name, parts in (("original", before), ("rewritten", rewritten)):
            text += f"namespace {name} {{\n" + "".join(parts[p] for p in changed) + "}\n"
        text += MAIN
        for at, program in enumerate(changed):
            text += f"  if (first <= {at}) {{\n"
            for kernel in program.instances():
                for grid, block, n, m in program.launches():
                    text += (f"    compare<{program.element}>({at}, original::{kernel}, "
                             f"rewritten::{kernel}, {grid}, {block}, {n}, {m});\n")
            text += "  }\n"
        path = self.folder / "compare.cu"
        path.write_text(text + "}\n")
        program = self.folder / "compare.emulated"
        built = self.call([self.options.emulate, "build", str(path), "-o", str(program),
                           "-O", "0"], 900, BARRICADE_EMU_CACHE=str(self.folder / "cache"))
        for made in (self.folder / "cache").iterdir():
            made.unlink()
        if built.returncode:
            raise Broken(NOT_COMPILED, built.stdout + built.stderr)
        faults = {}
        for order in self.options.orders:
            self.run_in_order(program, order, changed, faults)
        return list(faults.values())

    def run_in_order(self, binary, order, changed, faults):
        first = 0
        seed = str(random.randrange(1 << 30))
        while first < len(changed):
            try:
                done = self.call([str(binary), str(first)], 20 + len(changed),
                                 BARRICADE_EMU_ORDER=order, BARRICADE_EMU_SEED=seed,
                                 BARRICADE_EMU_HANG_ACCESSES=str(4 << 20))
                code, said, report = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired as expired:
                code, report = -1, "timeout"
                said = (expired.stdout or b"").decode()
            for line in said.splitlines():
                if line.startswith("different "):
                    program = changed[int(line.split()[1])]
                    faults.setdefault(program.seed, Fault(program, DIFFERENT, order))
            if code == 0:
                return
            phase, number = said.splitlines()[-1].split()
            program = changed[int(number)]
            kind = re.search(r"error: (\S+):", report)
            name = kind.group(1) if kind else f"exit code {code}"
            # A faulty original is the generator's error.
            faults.setdefault(program.seed, Fault(
                program, f"{phase}: {name}", f"order {order}, seed {seed}\n{report}"))
            first = int(number) + 1


class Broken(Exception):
    """Something failed for all programs of a source together."""

    def __init__(self, kind, detail=""):
        super().__init__(kind)
        self.kind, self.detail = kind, detail


def blocks_of(program):
    """All blocks of the program, outer ones first."""
    pending = list(program.roots())
    while pending:
        block = pending.pop(0)
        yield block
        for statement in block.statements:
            pending += statement.blocks()


def minimised(fault, runner, interval):
    """Takes out what the fault does not need."""
    program = fault.kernel

    def still_fails():
        return any(f.kind == fault.kind for f in runner.faults_of([program], interval))

    if not still_fails():
        return False
    tries = runner.options.shrink
    shrunk = True
    while shrunk and tries > 0:
        shrunk = False
        for block in blocks_of(program):
            at = 0
            while at < len(block.statements) and tries > 0:
                old = list(block.statements)
                inner = [s for b in old[at].blocks() for s in b.statements]
                for replacement in ([], inner) if inner else ([],):
                    block.statements[at:at + 1] = replacement
                    tries -= 1
                    if still_fails():
                        shrunk = True
                        break
                    block.statements[:] = old
                else:
                    at += 1
    return True


def write_fault(fault, interval, runner, folder):
    folder.mkdir(parents=True, exist_ok=True)
    reproduced = minimised(fault, runner, interval)
    text = PRELUDE + MARK.sub("", fault.kernel.text())
    launches = ", ".join(map(str, fault.kernel.launches()))
    heading = (f"// {fault.kind}\n// seed {fault.kernel.seed}, interval {interval}, "
               f"alone {'too' if reproduced else 'not'}\n// launches {launches}\n")
    detail = "".join(f"// {line}\n" for line in fault.detail.splitlines()[:30])
    path = folder / f"{fault.kernel.seed}.cu"
    path.write_text(heading + detail + text)
    print(f"{path}: {fault.kind}", flush=True)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--barricade", required=True)
    parser.add_argument("--emulate", required=True)
    parser.add_argument("--nvcc", help="compiles some of the rewritten batches, too")
    parser.add_argument("--nvcc-share", type=float, default=1.0, metavar="P")
    parser.add_argument("--first", type=int, default=1, help="the first program's seed")
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=1e9, help="no new batch after these")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--interval", type=int, choices=[1, 2, 4], help="else a random one")
    parser.add_argument("--orders", nargs="+", default=["random", "starve"])
    parser.add_argument("--shrink", type=int, default=80, metavar="TRIES")
    parser.add_argument("--faults", type=pathlib.Path, default=pathlib.Path("faults"))
    parser.add_argument("--counts", type=pathlib.Path, help="added to, as JSON")
    return parser.parse_args(arguments)


def main():
    options = parse(sys.argv[1:])
    started = time.monotonic()
    counts = collections.Counter()
    if options.counts and options.counts.exists():
        counts.update(json.loads(options.counts.read_text()))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "cache").mkdir()
        last = options.first + options.programs
        for first in range(options.first, last, options.batch):
            if time.monotonic() - started > options.seconds:
                break
            random.seed(first)
            runner = Runner(options, folder)
            programs = [kernels.Kernel(s) for s in range(first, min(first + options.batch, last))]
            interval = options.interval or random.choice([1, 1, 2, 4])
            faults = runner.faults_of(programs, interval)
            counts.update(runner.counts)
            for fault in faults:
                failed = True
                counts["fault " + fault.kind] += 1
                write_fault(fault, interval, runner, options.faults)
            if options.counts:
                options.counts.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    for name, number in sorted(counts.items()):
        print(f"{number:8} {name}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
