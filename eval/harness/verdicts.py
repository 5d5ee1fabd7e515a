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
    def predicted(self):
        """The model says that it pays: the middle of its bounds does."""
        return self.low + self.high > 0

    @property
    def pays(self):
        return self.verdict == "faster"

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
    """Precision and recall of "pays", and what following the model blindly
    gains on average, beside what is gained by always and by the best choice."""
    predicted = [c for c in found if c.predicted]
    paying = [c for c in found if c.pays]
    right = [c for c in predicted if c.pays]

    def mean(gains):
        return sum(gains) / len(found) if found else None

    return {
        "cases": len(found),
        "predicted to pay": len(predicted),
        "pay": len(paying),
        "precision": share(right, predicted),
        "recall": share(right, paying),
        "gain within the bounds": share([c for c in found if c.within], found),
        "mean gain, following the model": mean([c.gain for c in predicted]),
        "mean gain, always rewriting": mean([c.gain for c in found]),
        "mean gain, knowing better": mean([max(0.0, c.gain) for c in found]),
        "worst loss, following the model": min([0.0, *(c.gain for c in predicted)]),
    }


def markdown(found):
    yield "| | |\n| --- | ---: |"
    for name, value in summary(found).items():
        shown = "none" if value is None else value if isinstance(value, int) else f"{100 * value:.1f} %"
        yield f"| {name} | {shown} |"
    yield "\n| case | expected | measured | verdict | |\n| --- | --- | ---: | --- | --- |"
    for c in found:
        judged = "right" if c.predicted == c.pays else "WRONG"
        yield (
            f"| {c.name} | {100 * c.low:+.1f} .. {100 * c.high:+.1f} % "
            f"| {100 * c.gain:+.1f} % | {c.verdict} | {judged} |"
        )
