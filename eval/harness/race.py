# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times several programs against each other: interleaved, in a new random order
each round, until the differences are known well enough or the budget ends."""

import math
import random
import time
from dataclasses import dataclass

from . import stats

ALPHA = 0.05


@dataclass(frozen=True)
class Limits:
    """When a race ends. Seconds are of wall-clock time, `precision` is half of
    the gain's 95 % interval: 0.005 is half a percent. Rounds above the least
    number are run within this share of the seconds only, which leaves time for
    the races to come."""

    min_rounds: int = 8
    max_rounds: int = 40
    precision: float = 0.005
    seconds: float = 120.0
    share: float = 1.0


class Failure(Exception):
    """A program crashed, hung, or printed something else than the original."""


class Race:
    """`contestants` maps names to functions that run the program once and return
    what is to be noted: {"ms": ..., and what else is known of the run}. The first
    is the one that all others are compared with."""

    def __init__(self, name, contestants, journal, limits, say=lambda text: None):
        self.name, self.contestants = name, contestants
        self.journal, self.limits, self.say = journal, limits, say
        self.reference = next(iter(contestants))

    def run(self):
        """Why the race ended: `precise`, `rounds`, `budget` or `no reference`."""
        done = self.journal.last("race-done", race=self.name)
        if done:
            return done["why"]
        self._warm_up()
        while not (why := self._over()):
            self._round()
        self.journal.add("race-done", race=self.name, why=why)
        return why

    def entries(self, name):
        return self.journal.all("time", race=self.name, name=name)

    def times(self, name):
        return [entry["ms"] for entry in self.entries(name)]

    def failure(self, name):
        failed = self.journal.last("failed", race=self.name, name=name)
        return failed["why"] if failed else ""

    def running(self):
        return [name for name in self.contestants if not self.failure(name)]

    def _warm_up(self):
        """A GPU at rest has low clocks; the first run of all is not noted."""
        try:
            self.contestants[self.reference]()
        except Failure as failure:
            self.journal.add("failed", race=self.name, name=self.reference, why=str(failure))

    def _round(self):
        number = min(len(self.times(name)) for name in self.running())
        order = self.running()
        random.Random(f"{self.name} {number}").shuffle(order)
        for name in order:
            if len(self.times(name)) > number:
                continue  # noted before the run was killed
            begin = time.monotonic()
            try:
                facts = self.contestants[name]()
            except Failure as failure:
                self.journal.add("failed", race=self.name, name=name, why=str(failure))
                continue
            seconds = time.monotonic() - begin
            self.journal.add("time", race=self.name, name=name, seconds=seconds, **facts)
        self.say(f"{self.name}: round {number + 1}, {self._left():.0f} s left at most")

    def _spent(self):
        return sum(e["seconds"] for e in self.journal.all("time", race=self.name))

    def _left(self):
        """Seconds to the end: of the budget, or of all rounds at today's pace."""
        rounds = len(self.times(self.reference))
        by_rounds = math.inf
        if rounds:
            by_rounds = self._spent() / rounds * (self.limits.max_rounds - rounds)
        return max(0.0, min(self._seconds(rounds) - self._spent(), by_rounds))

    def _seconds(self, rounds):
        """What the race may take after so many rounds."""
        share = self.limits.share if rounds >= self.limits.min_rounds else 1.0
        return self.limits.seconds * share

    def _over(self):
        running = self.running()
        if self.reference not in running:
            return "no reference"
        rounds = min(len(self.times(name)) for name in running)
        if rounds >= self.limits.max_rounds:
            return "rounds"
        if self._spent() >= self._seconds(rounds) and rounds:
            return "budget"
        if rounds >= self.limits.min_rounds and self._precise(running):
            return "precise"
        return ""

    def _precise(self, running):
        reference = self.times(self.reference)
        for name in running:
            if name == self.reference:
                continue
            _, low, high = stats.gain(reference, self.times(name))
            if high - low > 2 * self.limits.precision:
                return False
        return True


@dataclass(frozen=True)
class Comparison:
    """A variant against the original: rho and its 95 % interval, p of the rank
    test and p corrected for all comparisons of the race."""

    gain: float
    low: float
    high: float
    p: float
    adjusted: float

    @property
    def verdict(self):
        if self.low == -math.inf:
            return "too few runs"
        if self.adjusted >= ALPHA:
            return "no difference seen"
        return "faster" if self.gain > 0 else "slower"


def compare(reference, others):
    """{name: Comparison} of {name: times}; names without times are left out."""
    timed = {name: times for name, times in others.items() if times and reference}
    ps = [stats.mann_whitney(reference, times) for times in timed.values()]
    adjusted = stats.holm(ps)
    return {
        name: Comparison(*stats.gain(reference, times), p, q)
        for (name, times), p, q in zip(timed.items(), ps, adjusted)
    }


def drift(entries):
    """Sentences about what makes the reference's runs differ from first to
    last, from what was noted of each; none if nothing was seen."""
    found = []
    change, p = stats.trend([e["ms"] for e in entries])
    if p < 0.01 and abs(change) > 0.01:
        found.append(f"the original's time moved by {change:+.1%} from first to last round")
    clocks = [e["gpu"]["sm_mhz"] for e in entries if e.get("gpu")]
    if clocks and max(clocks) - min(clocks) > 0.02 * max(clocks):
        found.append(f"the SM clock was between {min(clocks):.0f} and {max(clocks):.0f} MHz")
    if any(e["gpu"]["held_back"] for e in entries if e.get("gpu")):
        found.append("the GPU was held back by power or temperature")
    degrees = [e["gpu"]["celsius"] for e in entries if e.get("gpu")]
    if degrees and max(degrees) - min(degrees) > 10:
        found.append(f"the GPU was between {min(degrees):.0f} and {max(degrees):.0f} degrees C")
    return found
