#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes Markdown of what race, microbench and takeover measured.

  report.py race RACE.csv               the race, and automatic against the
                                        cooperative groups' barrier
  report.py microbench MICROBENCH.csv   the micro-benchmark, the split of the
                                        lock-based barrier's cost (Feng and Xiao)
                                        and the models (6) and (7) of Xiao and
                                        Feng, fitted
  report.py takeover TAKEOVER.csv       loops with takeovers against launches and
                                        against kernels from the start

Times are microseconds per barrier or step.
"""
import csv
import math
import statistics
import sys
from collections import defaultdict

AUTOMATIC = "gpu_sync.cuh: automatic"
COOPERATIVE = "gpu_sync.cuh: cooperative"


def read(path, name):
    """{row name: {(blocks, threads): [median, ...]}}; a '!' marks stale reads."""
    times, stale = defaultdict(lambda: defaultdict(list)), set()
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            shape = int(row["blocks"]), int(row["threads"])
            times[row[name]][shape].append(float(row["median_us"]))
            if row.get("stale", "0") != "0":
                stale.add((row[name], shape))
    return times, stale


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def shapes_of(times):
    return list(dict.fromkeys(s for row in times.values() for s in row))


def race(path):
    times, stale = read(path, "design")
    shapes = shapes_of(times)

    def cell(name, shape):
        if shape not in times[name]:
            return ""
        return f"{min(times[name][shape]):.3f}" + "!" * ((name, shape) in stale)

    yield from table(["us per barrier"] + [f"{b} x {t}" for b, t in shapes],
                     ([name] + [cell(name, s) for s in shapes] for name in times))
    yield "\n`!`: passes stale data, so it is no barrier.\n"
    yield from table(
        ["blocks x threads", "automatic", "cooperative", "ratio", "noise"],
        ([f"{b} x {t}", f"{min(mine):.3f}", f"{min(other):.3f}",
          f"{min(mine) / min(other):.3f}",
          f"{max(max(v) / min(v) - 1 for v in (mine, other)):.1%}"]
         for b, t in shapes
         for mine, other in [(times[AUTOMATIC][b, t], times[COOPERATIVE][b, t])]))
    yield "\nNoise: how far two measurements of one barrier in this run lie apart."


def fit(points, degree):
    """Least squares of y = a + b x (degree 1) or y = a (degree 0):
    (a, b, root of the mean squared error, largest error relative to y)."""
    xs, ys = zip(*points)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = 0.0
    if degree == 1:
        slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) /
                 sum((x - mean_x)**2 for x in xs))
    start = mean_y - slope * mean_x
    errors = [start + slope * x - y for x, y in points]
    return (start, slope, math.sqrt(sum(e * e for e in errors) / len(errors)),
            max(abs(e / y) for e, y in zip(errors, ys)))


def microbench(path):
    times, _ = read(path, "mechanism")
    median = {name: {s: v[0] for s, v in row.items()}
              for name, row in times.items()}
    loops = [name for name in median if "work" not in name]
    for threads in sorted({t for row in median.values() for _, t in row}):
        blocks = sorted({b for name in loops for b, t in median[name]
                         if t == threads})
        yield f"\n## {threads} threads per block\n"
        yield from table(
            ["us per step"] + [str(b) for b in blocks],
            ([name] + [f"{median[name][b, threads]:.3f}"
                       if (b, threads) in median[name] else "" for b in blocks]
             for name in loops))
    yield "\n## Independent work behind the barrier or in its split form\n"
    yield from table(["form", "us per step"],
                     ([name, f"{v:.3f}"] for name, row in median.items()
                      if "work" in name for v in row.values()))
    yield from cost_split(median)
    yield from models(median)


def cost_split(median):
    """System 18: times of kernels that differ in one part, subtracted."""
    yield "\n## The lock-based barrier's cost by subtraction, 256 threads\n"
    parts = [("t_a, atomics", "atomic only", "no barrier"),
             ("t_s, __syncthreads", "atomic and __syncthreads", "atomic only"),
             ("t_c, checking", "unsafe lock", "atomic and __syncthreads"),
             ("t_f, fences", "unsafe lock with fences", "unsafe lock")]
    shapes = [s for s in median["unsafe lock"] if s[1] == 256]
    yield from table(
        ["us per step"] + [str(b) for b, _ in shapes],
        ([name] + [f"{median[more][s] - median[less][s]:.3f}" for s in shapes]
         for name, more, less in parts))


def models(median):
    """Models (6) and (7) of P3 with N blocks: the lock-based barrier costs
    N t_a + (t_c + t_s), the lock-free one does not depend on N."""
    yield "\n## Models (6) and (7), 256 threads, 2 blocks and more\n"
    rows = []
    for name, degree in [("unsafe lock", 1), ("unsafe lock with fences", 1),
                         ("lock", 1), ("unsafe lock_free", 0),
                         ("unsafe lock_free with fences", 0), ("lock_free", 0)]:
        for most, where in [(132, "up to 132"), (math.inf, "all")]:
            points = [(b, us - median["no barrier"][b, t])
                      for (b, t), us in median[name].items()
                      if t == 256 and 2 <= b <= most]
            start, slope, rms, worst = fit(points, degree)
            law = f"{slope * 1000:.2f} ns N + {start:.3f} us" if degree else \
                f"{start:.3f} us"
            rows.append([name, f"({7 - degree})", where, law, f"{rms:.3f}",
                         f"{worst:.0%}"])
    yield from table(["barrier", "model", "blocks", "fit", "rms error, us",
                      "largest error"], rows)


def takeover(path):
    """us a loop, the first in a process and later ones: medians of processes;
    above 1 the launches took longer."""
    rows = defaultdict(lambda: defaultdict(list))
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            place = int(row["blocks"]), int(row["work"]), int(row["steps"])
            rows[place][row["form"]].append(row)
    forms = ["start", "counted", "uncounted"]

    def cells(place, column):
        launches, *others = (
            statistics.median(float(row[column]) for row in rows[place][form])
            for form in ["launches", *forms])
        return [f"{launches:.0f}", *(f"{launches / us:.2f}" for us in others)]

    yield from table(
        ["blocks, work, steps", "first, us", *forms, "later, us", *forms,
         "taken over (counted)"],
        ([", ".join(map(str, place)), *cells(place, "first_us"),
          *cells(place, "later_us"),
          f"{sum(row['first_at'] != '-1' for row in rows[place]['counted'])} of "
          f"{len(rows[place]['counted'])}"] for place in sorted(rows)))


def main():
    reports = {"race": race, "microbench": microbench, "takeover": takeover}
    if len(sys.argv) != 3 or sys.argv[1] not in reports:
        sys.exit(__doc__)
    print("\n".join(reports[sys.argv[1]](sys.argv[2])))


if __name__ == "__main__":
    main()
