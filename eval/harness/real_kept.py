# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of the gain that measuring finds barricade's own choice keeps.

Several results of `eval/real-programs run`: of what was written by default, and
of other choices. The best of each program, which is the program itself where
none is faster, is what one who measures all of them would take.
"""

import json
import math
from pathlib import Path

from . import UsageError
from .real_report import METRICS


def read(file):
    """{name: its entry} of the programs of a results.json"""
    try:
        data = json.loads(Path(file).read_text())
        return {p["name"]: p for p in data["programs"]}, " ".join(data["prepared"]["options"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"'{file}' is no results.json of eval/real-programs: {error!r}") from None


def is_rewritten(program):
    return program is not None and program["status"] == "built"


def is_same(one, another):
    """Whether both rewrite the program alike, so that a run of one tells of both."""
    return is_rewritten(one) and is_rewritten(another) and "text" in one and one["text"] == another.get("text")


def gain(program, entries, metric):
    """How much faster it is, 1 within the noise; None: nobody knows. Of those among
    the entries that are the same text, the run with the least noise tells it."""
    if not is_rewritten(program):
        return 1.0
    runs = [e["metrics"].get(metric) for e in entries if e is program or is_same(program, e)]
    measured = min(filter(None, runs), key=lambda run: run["noise"], default=None)
    if not measured:
        return None
    return 1.0 if measured["verdict"] == "same" else measured["speedup"]


def kept(own, others, metric):
    """(rows of (program, own gain, best gain), names of which something is not
    known), of what somebody rewrites"""
    rows, unknown = [], []
    for name in sorted({name for each in (own, *others) for name, p in each.items() if is_rewritten(p)}):
        entries = [each.get(name) for each in (own, *others)]
        gains = [gain(entry, entries, metric) for entry in entries]
        if None in gains:
            unknown.append(name)
        else:
            rows.append((name, gains[0], max(1.0, *gains)))
    return rows, unknown


def share(rows):
    """Of the logarithm of all gains; None where there is none."""
    best = sum(math.log(best) for _, _, best in rows)
    return sum(math.log(ours) for _, ours, _ in rows) / best if best else None


def report(files):
    own, *others = [read(file) for file in files]
    lines = [f"Own choice: {own[1] or 'defaults'}; beside it: {'; '.join(words or 'defaults' for _, words in others)}.", "",
             "| time | programs | gain of the best, geometric mean | of the own choice | kept | not known |",
             "| --- | ---: | ---: | ---: | ---: | --- |"]  # fmt: skip
    for metric, (_, _, heading) in METRICS.items():
        rows, unknown = kept(own[0], [found for found, _ in others], metric)
        part = share(rows)
        lines.append(f"| {heading} | {len(rows)} | {mean(b for _, _, b in rows):.3f} | {mean(o for _, o, _ in rows):.3f} "
                     f"| {'nothing to keep' if part is None else f'{part:.1%}'} | {', '.join(unknown) or 'none'} |")  # fmt: skip
    for metric, (_, _, heading) in METRICS.items():
        rows, _ = kept(own[0], [found for found, _ in others], metric)
        lines += ["", f"{heading.capitalize()}, where the best is another one or the own choice is slower:", ""]
        lines += [f"- {name}: {ours:.3f} of {best:.3f}" for name, ours, best in rows if ours < best] or ["- none"]
    return "\n".join(lines) + "\n"


def mean(values):
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else 1.0
