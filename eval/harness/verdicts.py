# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost model's verdicts against what was measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One rewrite in one case: gains as shares of the original's time."""

    name: str
    low: float
    high: float
    gain: float
    verdict: str

    @property
    def promise(self):
        """What the model says, by both of its bounds."""
        return "gain" if self.low > 0 else "loss" if self.high < 0 else "unclear"

    @property
    def pays(self):
        return self.verdict == "faster"

    @property
    def loses(self):
        return self.verdict == "slower"

    @property
    def within(self):
        return self.low <= self.gain <= self.high


def cases(data, manifest):
    """Single rewrites that were timed and that the model said something of."""
    expected = {}
    for variant in manifest.variants:
        if variant.kind == "single":
            facts = variant.rewrites[0].get("facts", {})
            if "expected-gain-low" in facts:
                expected[variant.id] = (
                    facts["expected-gain-low"]["value"],
                    facts["expected-gain-high"]["value"],
                )
    return [
        Case(f"{unit['case']} {row['id']}", *expected[row["id"]], row["gain"], row["verdict"])
        for unit in data["units"]
        for row in unit["variants"]
        if row["id"] in expected and row["status"] == "timed" and row["verdict"] != "too few runs"
    ]


def share(part, whole):
    return len(part) / len(whole) if whole else None


def summary(found):
    """Precision and recall of "pays" and of "loses", and what following the
    model blindly gains on average (rewriting where it promises a gain), beside
    what is gained by always and by the best choice."""
    gains = [c for c in found if c.promise == "gain"]
    losses = [c for c in found if c.promise == "loss"]
    paying, losing = [c for c in found if c.pays], [c for c in found if c.loses]

    def mean(values):
        return sum(values) / len(found) if found else None

    return {
        "cases": len(found),
        "pay": len(paying),
        "promised to pay": len(gains),
        "precision of it": share([c for c in gains if c.pays], gains),
        "recall": share([c for c in gains if c.pays], paying),
        "lose": len(losing),
        "said to lose": len(losses),
        "precision of that": share([c for c in losses if c.loses], losses),
        "none of which pays": share([c for c in losses if not c.pays], losses),
        "recall of losses": share([c for c in losses if c.loses], losing),
        "unclear, to be measured": len(found) - len(gains) - len(losses),
        "gain within the bounds": share([c for c in found if c.within], found),
        "mean gain, following the model": mean([c.gain for c in gains]),
        "mean gain, always rewriting": mean([c.gain for c in found]),
        "mean gain, knowing better": mean([max(0.0, c.gain) for c in found]),
        "worst loss, following the model": min([0.0, *(c.gain for c in gains)]),
    }


def judged(case):
    if case.promise == "unclear":
        return "unclear"
    wrong = case.loses if case.promise == "gain" else case.pays
    return "WRONG" if wrong else "right" if case.pays or case.loses else "no difference"


def markdown(found):
    yield "| | |\n| --- | ---: |"
    for name, value in summary(found).items():
        shown = "none" if value is None else value if isinstance(value, int) else f"{100 * value:.1f} %"
        yield f"| {name} | {shown} |"
    yield "\n| case | expected | measured | verdict | |\n| --- | --- | ---: | --- | --- |"
    for c in found:
        yield (
            f"| {c.name} | {100 * c.low:+.1f} .. {100 * c.high:+.1f} % "
            f"| {100 * c.gain:+.1f} % | {c.verdict} | {judged(c)} |"
        )
