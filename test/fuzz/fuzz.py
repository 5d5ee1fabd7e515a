#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random CUDA programs against barricade's promise.

For each program of a campaign:
  1. barricade reads it, and neither crashes nor hangs;
  2. no loop gets a form that the generator knows to be illegal for it;
  3. the rewrite compiles, and computes on the CPU executor what the original
     does, in adversarial orders of threads, without a fault;
  4. a second run over the rewrite proposes nothing;
  5. nothing is withdrawn because barricade could not verify it.

--generator says of what: kernels with loops (artificial-barrier), host loops
that launch kernels (grid-barrier; launch-replay: replayed; with steps that stay within
blocks: scopes; with those as launches that become one: stretches), both and more with all rules at once, in one
translation unit or in two with a header. Many programs share their files, so
that headers are read once. One that fails is taken out, made smaller and
written to --faults. Exit code 1 where there is one.
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
import loops
import mixed
import replayed
import scopes

RUNTIME = pathlib.Path(__file__).resolve().parents[2] / "runtime"
BATCH = 500  # programs that share a source
CRASHED, HUNG = "barricade crashes", "barricade hangs"
NOT_COMPILED = "the rewrite does not compile"
UNSTABLE = "a second run proposes more"
DIFFERENT = "the rewrite computes something else"
UNVERIFIED = "a rewrite is withdrawn"
NVCC_FLAGS = ["-arch=sm_75", "-std=c++17", f"-I{RUNTIME}"]
MARK = re.compile("\x01(\\d+)\x02")

GENERATORS = {"kernels": kernels.Kernel, "loops": loops.Program, "mixed": mixed.Program,
              "units": mixed.Units, "replayed": replayed.Program, "scopes": scopes.Program,
              "stretches": scopes.Stretches}


@dataclasses.dataclass
class Fault:
    kernel: kernels.Kernel
    kind: str
    detail: str


class Source:
    """The programs of one batch, each with a part of every file."""

    def __init__(self, programs, generator):
        self.programs, self.generator = programs, generator
        self.loop_at = {}  # file, offset -> program, number of its loop
        self.files = dict.fromkeys(generator.FILES, "")
        for program in programs:
            for name, part in program.texts().items():
                self.append(name, program, part)
        for name, text in self.files.items():
            self.files[name] = generator.prelude(name) + text

    def append(self, name, program, part):
        start = len(self.generator.prelude(name))
        text = self.files[name] + self.separator(program)
        pieces = MARK.split(part)
        text += pieces[0]
        for number, piece in zip(pieces[1::2], pieces[2::2]):
            self.loop_at[name, start + len(text)] = program, int(number)
            text += piece
        self.files[name] = text

    def marked(self, finding):
        """The program and the number of its loop that a finding is of."""
        place = finding["place"]
        at = pathlib.Path(place["file"]).name, place["offset"]
        return self.loop_at.get(at, (None, None))

    @staticmethod
    def separator(program):
        # The empty line keeps the comment from being of what follows.
        return f"\n// program {program.seed}\n\n"

    def split(self, files):
        """The texts of each program in a rewrite of the files."""
        result = {program: {} for program in self.programs}
        for name, text in files.items():
            parts = re.split(r"\n// program \d+\n\n", text)
            for program, part in zip(self.programs, parts[1:]):
                result[program][name] = part
        return result


class Runner:
    """Has programs rewritten, compiled and run, in a scratch folder."""

    def __init__(self, options, folder):
        self.options = options
        self.generator = GENERATORS[options.generator]
        self.folder = pathlib.Path(folder)
        self.units = [n for n in self.generator.FILES if n.endswith(".cu")]
        self.counts = collections.Counter()
        commands = [{"directory": str(folder), "file": unit,
                     "arguments": ["nvcc", *NVCC_FLAGS, "-c", unit]} for unit in self.units]
        (self.folder / "compile_commands.json").write_text(json.dumps(commands))

    def call(self, command, seconds, **variables):
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=seconds, stdin=subprocess.DEVNULL,
                              env={**os.environ, **variables})

    def barricade(self, interval, *more):
        command = [self.options.barricade, "--quiet", "--profit=any", *self.generator.OPTIONS,
                   f"--barrier-interval={interval}", f"--project-root={self.folder}", *more,
                   "-p", str(self.folder), *(str(self.folder / unit) for unit in self.units)]
        return self.call(command, 60 + 2 * self.options.batch)

    def write(self, files, folder):
        for name, text in files.items():
            (folder / name).write_text(text)

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
        source = Source(programs, self.generator)
        self.write(source.files, self.folder)
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        try:
            done = self.barricade(interval, "--in-place", f"--json={report}")
        except subprocess.TimeoutExpired:
            raise Broken(HUNG) from None
        if done.returncode == 3:  # the generator's own error
            raise Broken("the program does not parse", done.stdout + done.stderr)
        if done.returncode not in (0, 4):  # 4: a fault of the program
            raise Broken(CRASHED, f"exit code {done.returncode}\n{done.stderr[-3000:]}")
        findings = json.loads(report.read_text())["findings"]
        faults = self.wrong_forms(source, findings) + self.withdrawn(source, findings)
        rewritten = source.split({n: (self.folder / n).read_text() for n in source.files})
        before = source.split(source.files)
        changed = [p for p in programs if rewritten[p] != before[p]]
        if not changed:
            self.count(findings, programs, changed)
            return faults
        applied = {p: {n for f in findings if f["applies"] for q, n in [source.marked(f)]
                       if q is p} for p in changed}
        faults += self.proposed_again(changed, applied, rewritten, interval)
        right = [p for p in changed if p.is_right(applied[p])]
        if right:
            faults += self.run(right, rewritten)
        # Only now: what is examined in halves is counted in its parts.
        self.count(findings, programs, changed)
        return faults

    def proposed_again(self, changed, applied, rewritten, interval):
        settled = [p for p in changed if p.is_settled(applied[p])]
        self.write({name: self.generator.prelude(name) + self.joined(settled, rewritten, name)
                    for name in self.generator.FILES}, self.folder)
        again = self.barricade(interval, "--dry-run", *self.generator.AGAIN)
        self.compile_with_nvcc()
        if not again.stdout.strip() and again.returncode in (0, 4):
            return []
        if len(changed) > 1:
            raise Broken(UNSTABLE)
        return [Fault(changed[0], UNSTABLE, again.stdout + again.stderr)]

    def count(self, findings, programs, changed):
        self.counts["programs"] += len(programs)
        self.counts["programs rewritten"] += len(changed)
        for finding in findings:
            self.counts["loops"] += 1
            if finding["applies"]:
                self.counts["form " + (finding["form"] or finding["rule"])] += 1
                if "block" in str(finding["facts"].get("barriers", "")):
                    self.counts["loops with barriers of a block"] += 1
            elif finding["verdict"] == "refused":
                self.counts["refused " + finding["reasons"][0]["id"]] += 1
            else:
                self.counts["left " + (finding["reasons"] or [{"id": "?"}])[0]["id"]] += 1

    def wrong_forms(self, source, findings):
        faults = []
        for finding in findings:
            program, number = source.marked(finding)
            if not program:
                continue
            truth = program.truth(number)
            if program.is_wrong(finding, truth):
                faults.append(Fault(program, program.WRONG, f"{finding['place']}"))
            taken = finding["form"] or finding["verdict"]
            taken = taken if finding["verdict"] != "refused" else "refused"
            self.counts[f"{truth} {taken}"] += 1
        return faults

    @staticmethod
    def withdrawn(source, findings):
        """What barricade's second look refused: its first should have."""
        faults = []
        for finding in findings:
            if "not-verified" in (reason["id"] for reason in finding["reasons"]):
                program, _ = source.marked(finding)
                if not program and len(source.programs) > 1:
                    raise Broken(UNVERIFIED)
                faults.append(Fault(program or source.programs[0], UNVERIFIED, str(finding)))
        return faults

    @staticmethod
    def joined(programs, texts, name):
        return "".join(Source.separator(p) + texts[p][name] for p in programs)

    def compile_with_nvcc(self):
        if not self.options.nvcc or random.random() >= self.options.nvcc_share:
            return
        for unit in self.units:
            done = self.call([self.options.nvcc, *NVCC_FLAGS, "-w", "-c", "-o", os.devnull,
                              str(self.folder / unit)], 600)
            if done.returncode:
                raise Broken(NOT_COMPILED, done.stdout + done.stderr)
        self.counts["batches compiled with nvcc"] += 1

    def comparing(self, name, programs, rewritten):
        """A file with originals and rewrites, and in a source what compares them."""
        text = self.generator.prelude(name)
        references = {p: {n: MARK.sub("", t) for n, t in p.references().items()} for p in programs}
        for space, parts in (("original", references), ("rewritten", rewritten)):
            text += f"namespace {space} {{\n{self.joined(programs, parts, name)}\n}}\n"
        if name not in self.units:
            return text
        text += self.generator.HARNESS
        for at, program in enumerate(programs):
            calls = "".join(f"  {call}\n" for call in program.comparisons(at, name))
            text += f"void {pathlib.Path(name).stem}{at}() {{\n{calls}}}\n"
        return text + (self.main(len(programs)) if name == self.units[-1] else "")

    def main(self, programs):
        """Compares all programs from number argv[1] on."""
        stems = [pathlib.Path(unit).stem for unit in self.units]
        text = self.generator.DEFINITIONS
        for at in range(programs):
            text += "".join(f"void {stem}{at}();\n" for stem in stems)
        text += "int main(int, char **argv) {\n  int first = std::atoi(argv[1]);\n"
        for at in range(programs):
            calls = "".join(f"    {stem}{at}();\n" for stem in stems)
            text += f"  if (first <= {at}) {{\n{calls}  }}\n"
        return text + self.generator.MAIN_END + "}\n"

    def run(self, changed, rewritten):
        """Original against rewrite, all in one program."""
        folder = self.folder / "compare"
        folder.mkdir(exist_ok=True)
        self.write({name: self.comparing(name, changed, rewritten)
                    for name in self.generator.FILES}, folder)
        program = folder / "compare.emulated"
        built = self.call([self.options.emulate, "build",
                           *(str(folder / unit) for unit in self.units), "-o", str(program),
                           "-O", "0", f"-I{RUNTIME}", f"-I{pathlib.Path(__file__).parent}", f"-DBARRICADE_TAKEOVER_AT={self.generator.TAKEOVER_AT}",
                           "-DBARRICADE_REPLAY_AT=2",
                           "-DBARRICADE_LAUNCHES_PER_REPLAY=3"], 900, BARRICADE_EMU_CACHE=str(self.folder / "cache"))
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
                                 BARRICADE_EMU_HANG_ACCESSES=str(4 << 20),
                                 **self.generator.ENVIRONMENT)
                code, said, report = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired as expired:
                code, report = -1, "timeout"
                said = (expired.stdout or b"").decode()
            for line in said.splitlines():
                if line.startswith("different "):
                    program = changed[int(line.split()[1])]
                    faults.setdefault(program.seed, Fault(program, DIFFERENT, order))
                elif line.startswith("count "):
                    _, number, what = line.split(maxsplit=2)
                    self.counts[what] += int(number)
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
    text = calls = ""
    for name, part in fault.kernel.texts().items():
        text += f"//--- {name}\n" + runner.generator.prelude(name) + MARK.sub("", part)
        calls += "".join(f"// {call}\n" for call in fault.kernel.comparisons(0, name))
    heading = (f"// {fault.kind}\n// seed {fault.kernel.seed}, interval {interval}, "
               f"alone {'too' if reproduced else 'not'}\n{calls}")
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
    parser.add_argument("--generator", choices=GENERATORS, default="kernels")
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
            programs = [runner.generator(s)
                        for s in range(first, min(first + options.batch, last))]
            interval = options.interval or random.choice([1, 1, 2, 4])
            faults = runner.faults_of(programs, interval)
            counts.update(runner.counts)
            for fault in faults:
                failed = True
                counts["fault " + fault.kind] += 1
                write_fault(fault, interval, runner, options.faults)
            if options.counts:
                options.counts.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    if options.programs >= 20 and not counts["programs rewritten"]:
        print("nothing was rewritten: this shows nothing")
        failed = True
    for name, number in sorted(counts.items()):
        print(f"{number:8} {name}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
