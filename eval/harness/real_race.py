# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races real programs against their rewrites on a GPU: the process, what it
prints of its own time, and by CUPTI the span from its first kernel's start to its
last kernel's end. The last in runs of their own, since CUPTI costs time."""

import json
import re
import shutil
import time
from pathlib import Path

from . import MALFORMED, UsageError, gpu, outputs, process, real_report, timing
from .journal import Journal
from .printed import printed_ms
from .race import Failure, Limits, Race
from .runner import Reference

WARM_UP_SECONDS = 3
SLACK = 1.5  # what a race may take, by its original's first run
OVERTIME = 30  # seconds after which even what was begun in time is ended
ORIGINAL, AGAIN, REWRITTEN = "original", "again", "rewritten"
DIFFERENT = "different: "


class Skipped(Exception):
    """The program cannot be timed here."""


def run(options):
    bench = options.bench
    try:
        described = json.loads((bench / "programs.json").read_text())
    except (OSError, *MALFORMED) as error:
        raise UsageError(f"'{bench}' is not what `prepare` wrote: {error}")
    for program in described["programs"]:
        program["arguments"] = options.arguments.get(program["name"], program.get("arguments"))
    wanted = [p for p in described["programs"] if re.search(options.only, p["name"])]
    if not wanted:
        raise UsageError(f"no program's name matches '{options.only}'")
    machine = gpu.query()
    if not machine and options.seconds > 0:
        raise UsageError("there is no GPU here: nvidia-smi shows none")
    if options.fresh:
        shutil.rmtree(options.out, ignore_errors=True)
    about = {"programs": described, "runs": options.runs, "kernel-runs": options.kernel_runs}
    library, why = timing.injected_library(options.out / "cache", options.nvcc)
    with Journal(options.out / "journal.jsonl", about) as journal, gpu.Monitor() as monitor:
        if machine:
            journal.add("machine", gpu=machine, cupti=why or "used")
        bout = Bout(options, journal, monitor, library)
        bout.run([p for p in wanted if p["status"] == "built" and re.search(options.rule, " ".join(p["rewrites"]))])
        data = real_report.results(journal, described)
    text = real_report.write(data, options.out)
    print(text, end="")
    return 1 if any(p["verdict"] in real_report.WRONG for p in data["programs"]) else 0


class NoTime(Exception):
    """The program would take longer than there is time."""


class Bout:
    """All races, one after the other, as long as there is time."""

    def __init__(self, options, journal, monitor, library):
        self.options, self.journal, self.monitor, self.library = options, journal, monitor, library
        self.ends = time.monotonic() + options.seconds

    def left(self):
        return self.ends - time.monotonic()

    def run(self, programs):
        for number, program in enumerate(programs):
            if self.journal.last("done", name=program["name"]):
                continue
            if self.left() <= 0:
                break
            try:
                self.race(program, warm_up=WARM_UP_SECONDS if number == 0 else 0)
                self.journal.add("done", name=program["name"])
            except Skipped as why:
                self.journal.add("skipped", name=program["name"], why=str(why))
                self.journal.add("done", name=program["name"])
            except NoTime:
                continue  # a shorter one may fit
            self.say(f"{number + 1}/{len(programs)} {program['name']}: {self.left():.0f} s left")

    def say(self, text):
        print(text, flush=True)

    def race(self, program, warm_up):
        runner = Runner(self.options, program, self.monitor)
        runner.settle(self.journal, warm_up)
        rounds = self.options.runs * 3 + self.options.kernel_runs * 2
        seconds = runner.seconds * rounds * SLACK
        if seconds > self.left():
            raise NoTime
        again = {AGAIN: lambda: runner.run(ORIGINAL)}
        self.one(program, "process", runner, {}, again, self.options.runs)
        if self.library and not self.failed(program, "process"):
            kernels = runner.folder / "kernels"
            environment = timing.Timer("kernels", self.library).environment(kernels)
            self.one(program, "kernels", runner, environment, {}, self.options.kernel_runs)

    def one(self, program, kind, runner, environment, more, rounds):
        contestants = {
            ORIGINAL: lambda: runner.run(ORIGINAL, environment),
            **more,
            REWRITTEN: lambda: runner.run(REWRITTEN, environment),
        }
        limits = Limits(rounds, rounds, seconds=self.left() + OVERTIME)
        Race(f"{program['name']} {kind}", contestants, self.journal, limits).run()

    def failed(self, program, kind):
        return self.journal.last("failed", race=f"{program['name']} {kind}")


class Runner:
    """Runs one program, each version in a folder of its own, and compares what
    it gives with what two runs of the original gave."""

    def __init__(self, options, program, monitor):
        self.options, self.program, self.monitor = options, program, monitor
        self.folder = (options.out / "runs" / program["name"].replace("/", "-")).absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.arguments, self.expected, self.seconds = [], [], 0.0

    def settle(self, journal, warm_up):
        """Finds arguments that do not take too long, and what is printed."""
        known = journal.last("arguments", name=self.program["name"])
        for self.arguments in [known["arguments"]] if known else shorter(self.program["arguments"]):
            outcome, execution = self.execute(ORIGINAL, {}, self.options.timeout)
            if not outcome.timed_out:
                break
        if not outcome.good:
            raise Skipped(f"the original {self.explain(outcome, execution)}")
        journal.add("arguments", name=self.program["name"], arguments=self.arguments)
        self.expected, self.seconds = [execution], outcome.seconds
        begin = time.monotonic()
        while len(self.expected) < 2 or time.monotonic() - begin < warm_up:
            outcome, execution = self.execute(ORIGINAL, {}, self.timeout)
            if not outcome.good:
                raise Skipped(f"the original's second run {self.explain(outcome, execution)}")
            self.expected[1:] = [execution]
        compared, _ = outputs.compare(*self.expected, self.expected[0])
        checks = all(re.search(self.program["check"], e.text) for e in self.expected)
        unhappy = bool(re.search(r"\bFAIL", execution.text))
        journal.add("settled", name=self.program["name"], compared=compared, unhappy=unhappy)
        if not checks:
            raise Skipped("the original fails its own check")

    @property
    def timeout(self):
        return Reference(self.folder, self.seconds).timeout

    @staticmethod
    def explain(outcome, execution):
        said = " ".join(execution.text.split())[-200:]
        return f"was {why}" if (why := outcome.why_bad()).startswith("killed") else f"fails: {why}: {said}"

    def execute(self, version, environment, timeout):
        folder = (self.options.bench / version / self.program["folder"]).absolute()
        before = outputs.stamps(folder)
        output = self.folder / version
        command = [str(folder / self.program["binary"]), *self.arguments]
        outcome = process.run(command, cwd=folder, timeout=timeout, stdout=output, env=environment)
        text = output.read_text(errors="replace").replace(str(folder), ".")
        return outcome, outputs.Execution(outcome.good, text, outputs.written_since(folder, before))

    def run(self, version, environment=None):
        """What is to be noted of one run; Failure where it is not right."""
        begin = time.monotonic()
        outcome, execution = self.execute(version, environment or {}, self.timeout)
        seen = self.monitor.during(begin, time.monotonic())
        if not outcome.good:
            raise Failure(self.explain(outcome, execution))
        if not re.search(self.program["check"], execution.text):
            raise Failure(f"{DIFFERENT}its own check fails")
        compared, details = outputs.compare(*self.expected, execution)
        if compared == "differs":
            raise Failure(DIFFERENT + details[:1000])
        facts = {"ms": outcome.seconds * 1e3, "gpu": seen}
        if (ms := printed_ms(execution.text)) is not None:
            facts["printed_ms"] = ms
        if environment:
            file = Path(environment["BARRICADE_KERNEL_TIMES"])
            found = timing.read_kernels(file)
            file.unlink(missing_ok=True)
            facts |= {"span_ms": found.span_ms, "busy_ms": found.busy_ms, "kernels": found.count} if found else {}
        return facts


def shorter(arguments):
    """The arguments, then with a tenth and a hundredth of the last number, which
    most often says how many times something is repeated."""
    yield arguments
    numbers = [i for i, word in enumerate(arguments) if word.isdigit()]
    for divisor in (10, 100) if numbers else ():
        value = int(arguments[numbers[-1]]) // divisor
        if value:
            yield [*arguments[: numbers[-1]], str(value), *arguments[numbers[-1] + 1 :]]
