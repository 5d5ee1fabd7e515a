# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""eval/run: builds, checks and times the variants of a manifest."""

import sys
import time
from dataclasses import dataclass, replace

from . import gpu, timing
from .cases import cases_of
from .race import Failure, Limits, Race
from .runner import Reference, Runner

# Rules that change what happens inside of a kernel only: the sum of the
# kernels' times tells all. Of the others, launches and gaps matter, too.
WITHIN_KERNELS = {"artificial-barrier"}


@dataclass(frozen=True)
class Unit:
    """A program with one set of arguments."""

    program: object
    case: object
    flags: tuple

    @property
    def name(self):
        return f"{self.program.source} {self.case.name}"

    @property
    def folder(self):
        return f"{self.program.source}-{self.case.name}".replace("/", "_").replace(" ", "_")


class Experiment:
    """One run over a manifest, all of whose steps are in the journal."""

    def __init__(self, manifest, folder, journal, builder, known_cases, default_case,
                 limits=Limits(), timeout=300.0, without_gpu=False, say=None):  # fmt: skip
        self.manifest, self.folder, self.journal = manifest, folder, journal
        self.builder, self.timeout = builder, timeout
        self.limits, self.without_gpu = limits, without_gpu
        self.say = say or (lambda text: print(text, file=sys.stderr, flush=True))
        self.gpu = gpu.query()
        self.builds = {}
        self.sources = {}  # unit name -> (timing source, why no better one)
        self.races = {}
        self.units = []
        for program in manifest.programs:
            flags, cases = cases_of(program, known_cases, default_case)
            self.units += [Unit(program, case, flags) for case in cases]

    def run(self, after_case=lambda: None):
        self.build()
        if not self.gpu and not self.without_gpu:
            return self.say("no GPU here: built, but neither checked nor timed")
        if self.gpu:
            self.library, self.no_library = timing.injected_library(
                self.builder.cache, self.builder.nvcc[0]
            )
        with gpu.Monitor() as monitor:
            left = [unit for unit in self.units if not self.recall(unit)]
            for index, unit in enumerate(left):
                if self.gpu and not self.begun(unit) and self.spent_before(unit) >= self.limits.seconds:
                    # One round of it would be no result, and this run could
                    # not be taken up with a larger budget.
                    self.say(f"{unit.name}: not reached, the budget is spent")
                    continue
                self.check(unit, monitor)
                if self.gpu:
                    self.time(unit, monitor, len(left) - index)
                after_case()
        if not self.gpu:
            self.say("no GPU here: built and checked, but not timed")

    # --- Build -------------------------------------------------------------

    def build(self):
        wanted = list(
            {
                (unit.program.source, v.id): (unit.program, v, unit.flags)
                for unit in self.units
                for v in self.variants(unit)
            }.values()
        )
        left, begin = len(wanted), time.monotonic()

        def done(program, variant, result):
            nonlocal left
            left -= 1
            self.builds[program.source, variant.id] = result
            seconds = (time.monotonic() - begin) / (len(wanted) - left) * left
            self.say(
                f"build {program.source} {variant.id}: "
                f"{'done' if result.ok else result.why}"
                f"{' before' if result.cached else ''}, {left} left, about {seconds:.0f} s"
            )

        self.builder.build_all(self.manifest, wanted, done)

    def variants(self, unit):
        return [v for v in self.manifest.variants_of(unit.program) if unit.case.wants(v)]

    def built(self, unit):
        return [v for v in self.variants(unit) if self.builds[unit.program.source, v.id].ok]

    # --- Check -------------------------------------------------------------

    def runner(self, unit, monitor):
        case = unit.case
        return Runner(
            self.folder / "runs" / unit.folder, case.tolerance, monitor, case.output_files
        )

    def command(self, unit, variant):
        program = self.builds[unit.program.source, variant.id].program
        return [str(program), *unit.case.arguments]

    def once(self, unit, variant, runner, name, **how):
        return runner.run(
            self.command(unit, variant), name, cwd=unit.case.working_directory or None,
            right=variant.is_right, **how,
        )  # fmt: skip

    def checked(self, unit, variant):
        """The noted result of the check: {"ok": ..., "why": ...}, or None."""
        return self.journal.last("check", unit=unit.name, variant=variant.id)

    def note(self, unit, variant, ok, why="", **facts):
        self.journal.add("check", unit=unit.name, variant=variant.id, ok=ok, why=why, **facts)
        if not ok:
            self.say(f"check {unit.name} {variant.id}: {why}")

    def check(self, unit, monitor):
        """Runs the original twice, then every variant once."""
        runner = self.runner(unit, monitor)
        original = self.manifest.variants[0]
        if original not in self.built(unit):
            return
        if not self.reference(unit, original):
            self._check_original(unit, original, runner)
        reference = self.reference(unit, original)
        if not reference:
            return
        waiting = [v for v in self.built(unit) if not self.checked(unit, v)]
        for variant in waiting:
            begin = time.monotonic()
            try:
                self.once(
                    unit, variant, runner, f"{variant.id}-check",
                    timeout=min(self.timeout, reference.timeout), reference=reference,
                )  # fmt: skip
                ok, why = True, ""
            except Failure as failure:
                ok, why = False, str(failure)
            self.note(unit, variant, ok, why, seconds=time.monotonic() - begin)

    def reference(self, unit, original):
        noted = self.checked(unit, original)
        folder = self.folder / "runs" / unit.folder / "original-1"
        if not noted or not noted["ok"] or not (folder / "stdout").exists():
            return None
        return Reference(folder.absolute(), noted["seconds"])

    def _check_original(self, unit, original, runner):
        try:
            first = self.once(unit, original, runner, "original-1", timeout=self.timeout)
            reference = Reference(runner.folder / "original-1", first["wall_seconds"])
        except Failure as failure:
            return self.note(unit, original, False, f"the original fails: {failure}")
        try:
            again = self.once(
                unit, original, runner, "original-2",
                timeout=min(self.timeout, reference.timeout), reference=reference,
            )  # fmt: skip
        except Failure as failure:
            return self.note(
                unit, original, False,
                f"two runs of the original differ, so a tolerance must be declared: {failure}",
            )  # fmt: skip
        seconds = max(first["wall_seconds"], again["wall_seconds"])
        self.note(unit, original, True, seconds=seconds)

    # --- Time --------------------------------------------------------------

    def timer(self, unit, runner, reference):
        """The best source that works for the original."""
        why = []
        rules = set().union(*(v.rules for v in self.variants(unit)))
        choices = [
            timing.Timer("json"),
            timing.Timer("kernels", self.library, bool(rules - WITHIN_KERNELS)),
            timing.Timer("wall"),
        ]
        for timer in choices:
            if timer.source == "json" and not unit.case.tolerance.json:
                continue
            if timer.source == "kernels" and not self.library:
                why.append(self.no_library)
                continue
            try:
                self.once(
                    unit, self.manifest.variants[0], runner, "probe",
                    timeout=self.timeout, timer=timer, reference=reference,
                )  # fmt: skip
                self.sources[unit.name] = (timer.source, "; ".join(why))
                return timer
            except Failure as failure:
                why.append(f"{timer.source}: {failure}")
        self.sources[unit.name] = ("", "; ".join(why))
        return None

    def recall(self, unit):
        """Whether an earlier start has timed this case to its end."""
        done = self.journal.last("race-done", race=unit.name)
        if not done:
            return False
        noted = self.journal.last("source", unit=unit.name)
        self.sources[unit.name] = (noted["source"], noted["why"])
        right = [v.id for v in self.variants(unit) if (self.checked(unit, v) or {}).get("ok")]
        self.races[unit.name] = (Race(unit.name, dict.fromkeys(right), self.journal, self.limits), done["why"])
        return True

    def begun(self, unit):
        return bool(self.journal.all("check", unit=unit.name))

    def spent_before(self, unit):
        """Seconds of the budget: all checks, and the timing of other units."""
        checks = sum(e.get("seconds", 0.0) for e in self.journal.all("check"))
        times = sum(e["seconds"] for e in self.journal.all("time") if e["race"] != unit.name)
        return checks + times

    def time(self, unit, monitor, units_left):
        original = self.manifest.variants[0]
        if original not in self.built(unit):
            return
        reference = self.reference(unit, original)
        if not reference:
            return
        runner = self.runner(unit, monitor)
        noted = self.journal.last("source", unit=unit.name)
        if noted:
            timer = timing.Timer(noted["source"], self.library, noted["whole"])
            self.sources[unit.name] = (noted["source"], noted["why"])
        else:
            timer = self.timer(unit, runner, reference)
            if not timer:
                return
            self.journal.add("source", unit=unit.name, source=timer.source,
                             whole=timer.whole_span, why=self.sources[unit.name][1])  # fmt: skip
        right = [v for v in self.built(unit) if (self.checked(unit, v) or {}).get("ok")]
        timeout = min(self.timeout, reference.timeout)

        def contestant(variant):
            return lambda: self.once(
                unit, variant, runner, variant.id,
                timeout=timeout, timer=timer, reference=reference,
            )  # fmt: skip

        left = max(0.0, self.limits.seconds - self.spent_before(unit))
        race = Race(
            unit.name, {v.id: contestant(v) for v in right}, self.journal,
            replace(self.limits, seconds=left, share=1 / units_left), self.say,
        )  # fmt: skip
        self.races[unit.name] = (race, race.run())
