# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables and figures of the papers behind barricade, made from what was
measured here; next to each what the paper reports, and whether that holds.

P1 Lo et al., artificial barriers; P2 Kao and Kang, their insertion; P3 Xiao and
Feng, grid barriers; P4 Feng and Xiao, what fences cost; P5 Ali et al.,
Berlekamp-Massey."""

import csv
import math
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from . import stats
from .manifest import REWRITES
from .race import ALPHA

HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "no data"


@dataclass
class Exhibit:
    """A table or figure. `curves`: {label: [(x, y)]} where it is a figure; a
    case's name as x stands for itself, between no others."""

    name: str
    title: str
    paper: str  # what the paper reports
    claim: str  # what would have to be true here
    header: tuple
    rows: list = field(default_factory=list)
    verdict: str = UNKNOWN
    axes: tuple = ()
    curves: dict = field(default_factory=dict)


class Data:
    """Results of eval/run, and the micro-benchmark's times where there are any."""

    def __init__(self, results, microbench=None):
        self.units = [unit for data in results for unit in data["units"]]
        self.microbench = read_microbench(microbench) if microbench else {}

    def of(self, program):
        """(unit, its variants that were timed) of a program, without those
        cases that the budget ended before they could be judged."""
        for unit in self.units:
            if PurePosixPath(unit["program"]).stem == program:
                rows = [row for row in unit["variants"] if row["median_ms"] is not None]
                if len(rows) > 1 and all(row["verdict"] != "too few runs" for row in rows):
                    yield unit, rows


def read_microbench(path):
    """{mechanism: {(blocks, threads): us a step}}"""
    times = defaultdict(dict)
    with open(path, newline="") as stream:
        for row in csv.DictReader(stream):
            shape = int(row["blocks"]), int(row["threads"])
            times[row["mechanism"]][shape] = float(row["median_us"])
    return dict(times)


def size_of(case):
    """A case's name as a number, for an axis: `2^18`, `tf 16`, `set 2`."""
    word = case.split()[-1]
    try:
        base, _, power = word.partition("^")
        return float(base) ** float(power) if power else float(base)
    except ValueError:
        return None


def best(rows):
    """The rewrite with the largest gain."""
    rewrites = [row for row in rows if row["kind"] in REWRITES]
    return max(rewrites, key=lambda row: row["gain"], default=None)


def percent(value):
    return "" if value is None else f"{100 * value:+.1f} %"


# --- P1, P2: artificial barriers ------------------------------------------------

PAPER_RHO = {
    "memtest": ("P1 figure 6", "7 / 1 / 3 % (GTX 295 / 480 / 690)"),
    "vecadd": ("P1 figure 7", "22 / 8.8 / 13.8 % at 2^26; P2: up to 4 % for TF > 1"),
    "scalarprod": ("P1 figure 8", "2.2 / 1.2 / 0.1 %, irregular lengths 4.1 / 15.8 / 10.2 %"),
    "align": ("P1 figure 9, table 3", "0 to 11 %, the outer place usually best"),
}


def artificial_barriers(data, program):
    name, reported = PAPER_RHO[program]
    exhibit = Exhibit(
        f"rho-{program}", f"{name}: rho of {program}", reported,
        "some barrier makes the program faster in some case, and faster than its control",
        ("case", "original ms", "variant", "rho", "95 %", "verdict", "barrier's own"),
        axes=("case", "rho, %"),
    )  # fmt: skip
    barriers_merit = []
    for unit, rows in data.of(program):
        for row in rows:
            if row["kind"] not in REWRITES:
                continue
            barriers_merit.append(is_barriers_merit(row))
            exhibit.rows.append(
                (unit["case"], f"{rows[0]['median_ms']:.4g}", row["id"], percent(row["gain"]),
                 f"{percent(row['low'])} .. {percent(row['high'])}", row["verdict"],
                 percent(row["barriers-own"]))  # fmt: skip
            )
            place_and_interval = row["id"].partition(".")[2]
            points = exhibit.curves.setdefault(place_and_interval, [])
            points.append((unit["case"], 100 * row["gain"]))
    if exhibit.rows:
        exhibit.verdict = HOLDS if any(barriers_merit) else FAILS
    return exhibit


def is_barriers_merit(row):
    """Faster than the original, and not by the loop's new shape alone."""
    if row["verdict"] != "faster" or row["barriers-own"] is None:
        return row["verdict"] == "faster"
    return row["barriers-own"] > 0 and row["barriers-own-p"] < ALPHA


# --- P3: grid barriers in applications ------------------------------------------

PAPER_APPS = {
    "fft": ("P3 figures 10 and 11", 0.0908),
    "swat": ("P3 figures 10 and 12", 0.2547),
    "bitonic": ("P3 figures 10 and 13", 0.4039),
}
# Speed-ups over a sequential program with implicit CPU sync, the lock-based and
# the lock-free barrier; shares of synchronisation with the first and the last.
PAPER_SPEEDUPS = {"fft": (62.5, 67.1, 69.9), "swat": (9.5, 10.9, 12.9), "bitonic": (14.4, 17.3, 24.0)}
PAPER_SHARES = {"fft": (0.178, 0.080), "swat": (0.492, 0.311), "bitonic": (0.596, 0.327)}
MECHANISMS = ("explicit", "launches", "graph", "lock", "lock-free", "cooperative", "automatic")


def by_mechanism(rows):
    """{mechanism: row} of what was timed of one case."""
    return {"launches" if row["kind"] == "original" else row["setting"]: row for row in rows}


def grid_barriers(data, program):
    name, reported = PAPER_APPS[program]
    exhibit = Exhibit(
        f"grid-{program}", f"{name}: {program} by mechanism",
        f"lock-free {percent(reported)} against back-to-back launches (GTX 280, 30 blocks)",
        "the lock-free barrier is faster than launches in some case",
        ("case", "launches ms", "barrier", "ms", "gain", "verdict"),
        axes=("elements", "ms"),
    )  # fmt: skip
    for unit, rows in data.of(program):
        x = size_of(unit["case"])
        for label, row in by_mechanism(rows).items():
            if label not in MECHANISMS:
                continue
            if x is not None:
                exhibit.curves.setdefault(label, []).append((x, row["median_ms"]))
            if row["kind"] != "original":
                exhibit.rows.append(
                    (unit["case"], f"{rows[0]['median_ms']:.4g}", row["setting"],
                     f"{row['median_ms']:.4g}", percent(row["gain"]), row["verdict"])  # fmt: skip
                )
    found = [row for row in exhibit.rows if row[2] == "lock-free"]
    if found:
        exhibit.verdict = HOLDS if any(row[5] == "faster" for row in found) else FAILS
    return exhibit


def sequential_ms(rows):
    """The CPU's own time for what the case computes; None where none is noted."""
    noted = [run["sequential_ms"] for row in rows for run in row.get("runs", ()) if "sequential_ms" in run]
    return stats.median(noted) if noted else None


def speedups(data):
    exhibit = Exhibit(
        "speedups", "P3 table III: speed-up over a sequential program",
        "; ".join(f"{app} {' / '.join(map(str, numbers))}" for app, numbers in PAPER_SPEEDUPS.items())
        + " (launches / lock / lock-free)",
        "in each program's smallest case launches are slowest, then lock, then lock-free",
        ("program", "case", "sequential ms", *MECHANISMS),
    )  # fmt: skip
    ordered = []
    for app in PAPER_SPEEDUPS:
        cases = []
        for unit, rows in data.of(app):
            alone, found = sequential_ms(rows), by_mechanism(rows)
            if alone is None:
                continue
            times = {m: alone / found[m]["median_ms"] for m in MECHANISMS if m in found}
            exhibit.rows.append(
                (app, unit["case"], f"{alone:.4g}",
                 *(f"{times[m]:.1f}" if m in times else "" for m in MECHANISMS))  # fmt: skip
            )
            cases.append((size_of(unit["case"]) or 0, times))
        if cases:
            times = min(cases, key=lambda case: case[0])[1]
            order = [times.get(m, math.nan) for m in ("launches", "lock", "lock-free")]
            ordered.append(order == sorted(order))
    if ordered:
        exhibit.verdict = HOLDS if all(ordered) else FAILS
    return exhibit


def time_split(data):
    exhibit = Exhibit(
        "time-split", "P3 figures 11 to 13, system 16: synchronisation's share of the time",
        "; ".join(f"{app} {100 * a:.1f} -> {100 * b:.1f} %" for app, (a, b) in PAPER_SHARES.items())
        + " (launches -> lock-free); computation is what the kernel takes without its barrier",
        "the share is smaller with the lock-free barrier than with launches in each program's smallest case",
        ("program", "case", "computation ms", *MECHANISMS),
    )  # fmt: skip
    smaller = []
    for app in PAPER_SHARES:
        cases = []
        for unit, rows in data.of(app):
            found = by_mechanism(rows)
            if "no-barrier" not in found:
                continue
            alone = found["no-barrier"]["median_ms"]
            shares = {m: 1 - alone / found[m]["median_ms"] for m in MECHANISMS if m in found}
            exhibit.rows.append(
                (app, unit["case"], f"{alone:.4g}",
                 *(f"{100 * shares[m]:.1f} %" if m in shares else "" for m in MECHANISMS))  # fmt: skip
            )
            cases.append((size_of(unit["case"]) or 0, shares))
        if cases:
            shares = min(cases, key=lambda case: case[0])[1]
            smaller.append(shares.get("lock-free", math.nan) < shares["launches"])
    if smaller:
        exhibit.verdict = HOLDS if all(smaller) else FAILS
    return exhibit


def application_fences(data):
    exhibit = Exhibit(
        "application-fences", "P4 figures 1 to 3 by program: the published barriers with and without fences",
        "with fences and 30 blocks +23 % (swat) and +101 % (bitonic) time against CPU sync",
        "a published barrier with fences is slower than launches in some program",
        ("program", "case", "barrier", "ms", "with fences", "the fences", "launches ms"),
    )  # fmt: skip
    slower = []
    for app in PAPER_APPS:
        for unit, rows in data.of(app):
            found = by_mechanism(rows)
            for barrier in ("unsafe-lock", "unsafe-lock-free"):
                bare, fenced = found.get(barrier), found.get(f"{barrier}-fences")
                if not bare or not fenced:
                    continue
                launches = found["launches"]["median_ms"]
                less, more = bare["median_ms"], fenced["median_ms"]
                exhibit.rows.append(
                    (app, unit["case"], barrier, f"{less:.4g}", f"{more:.4g}",
                     percent(more / less - 1), f"{launches:.4g}")  # fmt: skip
                )
                slower.append(more > launches)
    if slower:
        exhibit.verdict = HOLDS if any(slower) else FAILS
    return exhibit


# One kernel a step by barricade, the same with another barrier, and P5's.
FUSIONS = ("fused", "lock-free", "fence-merged")


def fusion_race(data):
    exhibit = Exhibit(
        "bma-race", "P5: is the merged kernel right?",
        "not asked",
        "with some blocks held up the fence gives wrong results, grid barriers give none",
        ("bits", "runs", *(f"{m}: wrong" for m in ("launches", *FUSIONS))),
    )  # fmt: skip
    wrong = defaultdict(int)
    for unit, rows in data.of("stressed"):
        found = by_mechanism(rows)
        # All but the fence's are checked in every run, and would not be timed.
        counts = {m: sum(not run.get("right", True) for run in found[m]["runs"]) for m in found}
        exhibit.rows.append(
            (f"{size_of(unit['case']):.0f}", f"{len(rows[0]['runs'])}",
             *(str(counts.get(m, "failed")) for m in ("launches", *FUSIONS)))  # fmt: skip
        )
        for m in ("launches", *FUSIONS):
            wrong[m] += counts.get(m, 1)
    if exhibit.rows:
        only = {m for m, count in wrong.items() if count} == {"fence-merged"}
        exhibit.verdict = HOLDS if only else FAILS
    return exhibit


def fusion_steps(data):
    """P5's own comparison: kernels apart, one kernel, and the published merge."""
    exhibit = Exhibit(
        "bma-steps", "P5 figures 3 to 5: a step of Berlekamp-Massey over the length",
        "the merged kernel (here: fence-merged) is faster up to 4 Mbit, slower beyond",
        "one kernel with grid barriers is faster up to 4 Mbit, and not beyond 32",
        ("bits", "launches us", *(cell for m in FUSIONS for cell in (f"{m} us", "gain"))),
        axes=("bits", "us a step"),
    )  # fmt: skip
    times = {}
    for unit, rows in data.of("update"):
        steps = int(unit["arguments"][unit["arguments"].index("--steps") + 1])
        us = {m: 1e3 * row["median_ms"] / steps for m, row in by_mechanism(rows).items()}
        bits = size_of(unit["case"])
        times[bits] = us
        exhibit.rows.append(
            (f"{bits:.0f}", f"{us['launches']:.2f}",
             *(cell for m in FUSIONS for cell in (f"{us[m]:.2f}", percent(1 - us[m] / us["launches"]))))  # fmt: skip
        )
        for form, value in us.items():
            exhibit.curves.setdefault(form, []).append((bits, value))
    if times:
        gains = {bits: 1 - us["fused"] / us["launches"] for bits, us in times.items()}
        short = all(g > 0 for bits, g in gains.items() if bits <= 4 << 20)
        long = all(g < 0.02 for bits, g in gains.items() if bits > 32 << 20)
        exhibit.verdict = HOLDS if short and long else FAILS
    return exhibit


def bma_lengths(data):
    exhibit = Exhibit(
        "bma-lengths", "P5 figures 3 to 5: the whole program over the length",
        "fewer launches a step are faster up to 4 Mbit, slower beyond",
        "some rewrite is faster at the shortest length, none at the longest",
        ("bits", "separate kernels ms", "best rewrite", "gain", "verdict"),
        axes=("bits", "gain, %"),
    )  # fmt: skip
    verdicts = {}
    for unit, rows in data.of("bma"):
        row, bits = best(rows), size_of(unit["case"])
        if row is None or bits is None:
            continue
        verdicts[bits] = row["verdict"]
        exhibit.rows.append(
            (f"{bits:.0f}", f"{rows[0]['median_ms']:.4g}", row["id"], percent(row["gain"]),
             row["verdict"])  # fmt: skip
        )
        exhibit.curves.setdefault("best rewrite", []).append((bits, 100 * row["gain"]))
    if len(verdicts) > 1:
        short, long = verdicts[min(verdicts)], verdicts[max(verdicts)]
        exhibit.verdict = HOLDS if short == "faster" and long != "faster" else FAILS
    return exhibit


# --- P3, P4: the micro-benchmark ------------------------------------------------


def by_blocks(data, mechanisms, threads=256):
    """{mechanism: [(blocks, us)]} for one block size."""
    return {
        m: sorted((b, us) for (b, t), us in data.microbench[m].items() if t == threads)
        for m in mechanisms
        if m in data.microbench
    }


def at_blocks(curve, blocks):
    return min(curve, key=lambda point: abs(point[0] - blocks))[1] if curve else math.nan


def mechanisms(data):
    exhibit = Exhibit(
        "mechanisms", "P3 figure 8: time of a step over the number of blocks, 256 threads",
        "lock-free is 8.4 times faster than explicit and 4.0 times faster than implicit CPU sync; "
        "lock-based grows with the blocks, lock-free does not",
        "lock-free is faster than implicit CPU sync with 30 blocks",
        ("mechanism", "30 blocks, us", "132 blocks, us", "against implicit at 30"),
        axes=("blocks", "us a step"),
    )  # fmt: skip
    names = ("explicit", "implicit", "graph", "lock", "lock_free", "cooperative", "automatic")
    exhibit.curves = by_blocks(data, names)
    if exhibit.curves:
        base = at_blocks(exhibit.curves["implicit"], 30)
        for name, curve in exhibit.curves.items():
            us = at_blocks(curve, 30)
            exhibit.rows.append(
                (name, f"{us:.3f}", f"{at_blocks(curve, 132):.3f}", f"{base / us:.1f} times")
            )
        exhibit.verdict = HOLDS if at_blocks(exhibit.curves["lock_free"], 30) < base else FAILS
    return exhibit


def fence_cost(data):
    exhibit = Exhibit(
        "fence-cost", "P4 figures 1 to 3: what fences cost, 256 threads",
        "with __threadfence() the barriers lose to CPU sync beyond 12 to 18 blocks",
        "the fenced barriers lose to implicit CPU sync from some number of blocks on",
        ("barrier", "30 blocks, us", "with fences", "the fences", "implicit CPU sync"),
        axes=("blocks", "us a step"),
    )  # fmt: skip
    pairs = [("unsafe lock", "unsafe lock with fences"),
             ("unsafe lock_free", "unsafe lock_free with fences")]  # fmt: skip
    exhibit.curves = by_blocks(data, [name for pair in pairs for name in pair] + ["implicit"])
    if len(exhibit.curves) < 5:
        return exhibit
    implicit = dict(exhibit.curves["implicit"])
    loses = False
    for bare, fenced in pairs:
        us, more = (at_blocks(exhibit.curves[name], 30) for name in (bare, fenced))
        exhibit.rows.append(
            (bare, f"{us:.3f}", f"{more:.3f}", f"{more - us:+.3f}",
             f"{at_blocks(exhibit.curves['implicit'], 30):.3f}")  # fmt: skip
        )
        loses |= any(us > implicit[b] for b, us in exhibit.curves[fenced] if b in implicit)
    exhibit.verdict = HOLDS if loses else FAILS
    return exhibit


def cost_split(data):
    exhibit = Exhibit(
        "cost-split", "P4: the lock-based barrier's cost by subtraction, 256 threads, 30 blocks",
        "per 10,000 barriers of n blocks, ms: t_s 0.541, t_a 2.3 n, t_c 5.56, t_f 0.333 n + 7.27",
        "fences are the largest part",
        ("part", "us a barrier"),
    )  # fmt: skip
    steps = ["no barrier", "atomic only", "atomic and __syncthreads", "unsafe lock",
             "unsafe lock with fences"]  # fmt: skip
    curves = by_blocks(data, steps)
    if len(curves) < len(steps):
        return exhibit
    us = [at_blocks(curves[name], 30) for name in steps]
    parts = dict(zip(("t_a, atomics", "t_s, __syncthreads", "t_c, checking", "t_f, fences"),
                     (more - less for less, more in zip(us, us[1:]))))  # fmt: skip
    exhibit.rows = [(name, f"{value:.3f}") for name, value in parts.items()]
    exhibit.verdict = HOLDS if max(parts, key=parts.get) == "t_f, fences" else FAILS
    return exhibit


def exhibits(data):
    return [
        *(artificial_barriers(data, program) for program in PAPER_RHO),
        mechanisms(data),
        *(grid_barriers(data, program) for program in PAPER_APPS),
        speedups(data),
        time_split(data),
        fence_cost(data),
        application_fences(data),
        cost_split(data),
        fusion_steps(data),
        fusion_race(data),
        bma_lengths(data),
    ]


# --- Output ---------------------------------------------------------------------


def markdown(found, command, plotted):
    yield "# The papers' tables and figures, measured here\n"
    yield f"    {command}\n"
    yield "| exhibit | the paper's conclusion |\n| --- | --- |"
    for e in found:
        yield f"| [{e.title}](#{e.name}) | {e.verdict} |"
    for e in found:
        yield f'\n<a id="{e.name}"></a>\n\n## {e.title}\n'
        yield f"The paper: {e.paper}. Here: {e.claim}: **{e.verdict}**.\n"
        if not e.rows:
            continue
        yield "| " + " | ".join(e.header) + " |"
        yield "|" + " --- |" * len(e.header)
        yield from ("| " + " | ".join(row) + " |" for row in e.rows)
        if e.name in plotted:
            yield f"\n![{e.title}]({e.name}.svg)"


def plot(exhibit, folder):
    """Whether there is a figure now."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    xs = [x for points in exhibit.curves.values() for x, _ in points]
    names = any(isinstance(x, str) for x in xs)
    for label, points in exhibit.curves.items():
        points = points if names else sorted(points)
        line = "none" if names else "-"
        axes.plot(*zip(*points), marker="o", markersize=3, linestyle=line, label=label)
    if names:
        axes.tick_params(axis="x", labelrotation=90, labelsize=7)
    elif min(xs) > 0 and max(xs) > 20 * min(xs):
        axes.set_xscale("log", base=2)
    axes.set_xlabel(exhibit.axes[0])
    axes.set_ylabel(exhibit.axes[1])
    axes.set_title(exhibit.title, fontsize=9)
    axes.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(folder / f"{exhibit.name}.svg")
    pyplot.close(figure)
    return True


def write(data, folder, command):
    """What was written and whether figures are among it."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found = exhibits(data)
    plotted = set()
    for e in found:
        with open(folder / f"{e.name}.csv", "w", newline="") as stream:
            csv.writer(stream).writerows([e.header, *e.rows])
        if e.curves and e.axes and plot(e, folder):
            plotted.add(e.name)
    (folder / "README.md").write_text("\n".join(markdown(found, command, plotted)) + "\n")
    return found, plotted
