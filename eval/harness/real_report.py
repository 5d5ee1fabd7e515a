# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became of real programs' times: results.json and report.md."""

import collections
import json
import math
from pathlib import Path

from . import stats
from .race import drift

# metric -> (the race that has it, the key of a run, heading)
METRICS = {
    "process": ("process", "ms", "process"),
    "printed": ("process", "printed_ms", "printed by the program"),
    "kernels": ("kernels", "span_ms", "first kernel to last"),
}
BY_MORE_THAN = 0.01  # what is within this and the noise is the same
WRONG = ("fails", "different")


def results(journal, described):
    programs = [program_result(journal, p) for p in described["programs"]]
    about = {key: value for key, value in described.items() if key != "programs"}
    machine = journal.last("machine") or {}
    timed = [p for p in programs if p["metrics"]]
    return {
        "prepared": about,
        "machine": {key: machine.get(key) for key in ("gpu", "cupti")},
        "summary": {name: summary(timed, name) for name in METRICS},
        "programs": programs,
    }


def program_result(journal, program):
    name = program["name"]
    metrics = {key: metric(journal, name, key) for key in METRICS}
    metrics = {key: found for key, found in metrics.items() if found}
    verdict, why = judge(journal, program, metrics)
    arguments = journal.last("arguments", name=name)
    settled = journal.last("settled", name=name) or {}
    return {
        **program,
        "run-with": arguments["arguments"] if arguments else None,
        "compared": settled.get("compared", ""),
        "original-says-fail": settled.get("unhappy", False),
        "verdict": verdict,
        "why": why,
        "metrics": metrics,
        "drift": drift(journal.all("time", race=f"{name} process", name="original")),
    }


def judge(journal, program, metrics):
    """(verdict, why)"""
    name = program["name"]
    if program["status"] != "built":
        return "not run", program.get("why") or program["status"]
    for race in ("process", "kernels"):
        if failed := journal.last("failed", race=f"{name} {race}", name="rewritten"):
            return ("different" if failed["why"].startswith("different") else "fails"), failed["why"]
        for failed in journal.all("failed", race=f"{name} {race}"):
            return "skipped", f"{failed['name']}: {failed['why']}"
    if skipped := journal.last("skipped", name=name):
        return "skipped", skipped["why"]
    if not metrics:
        return "not reached", "no time was left"
    verdicts = {m["verdict"] for m in metrics.values()}
    return next((v for v in ("slower", "faster") if v in verdicts), "same"), ""


def metric(journal, program, name):
    """Both versions' times, how much faster the rewrite is, and the noise."""
    race, key, _ = METRICS[name]

    def values(version):
        runs = journal.all("time", race=f"{program} {race}", name=version)
        return [run[key] for run in runs if run.get(key)]

    first, again, rewritten = map(values, ("original", "again", "rewritten"))
    original = first + again
    if not original or not rewritten:
        return None
    faster = speedup(original, rewritten)
    noise = max(spread(original), spread(rewritten), abs(1 - speedup(first, again)) if again else 0.0)
    return {
        "original": quartiles(original),
        "rewritten": quartiles(rewritten),
        "runs": [len(original), len(rewritten)],
        "speedup": faster,
        "noise": noise,
        "verdict": verdict_of(faster, noise),
    }


def speedup(before, after):
    """The median of all ratios."""
    return 1 / (1 - stats.gain(before, after)[0])


def spread(values):
    """Half of what lies between the quartiles, as a share of the median."""
    low, middle, high = quartiles(values)
    return (high - low) / 2 / middle


def quartiles(values):
    return [stats.quantile(values, p) for p in (0.25, 0.5, 0.75)]


def verdict_of(faster, noise):
    threshold = 1 + BY_MORE_THAN + noise
    return "faster" if faster > threshold else "slower" if 1 / faster > threshold else "same"


def summary(programs, name):
    found = [(p["metrics"][name], p["name"]) for p in programs if name in p["metrics"]]
    if not found:
        return None
    worst, where = min(found, key=lambda pair: pair[0]["speedup"])
    count = collections.Counter(m["verdict"] for m, _ in found)
    return {
        "programs": len(found),
        "geometric-mean": math.exp(sum(math.log(m["speedup"]) for m, _ in found) / len(found)),
        "faster": count["faster"],
        "slower": count["slower"],
        "worst": worst["speedup"],
        "worst-program": where,
    }


def write(data, folder):
    """The report, which is written too."""
    text = markdown(data)
    Path(folder, "results.json").write_text(json.dumps(data, indent=1) + "\n")
    Path(folder, "report.md").write_text(text)
    return text


LEGEND = f"""\
Numbers are original / rewrite: above 1 the rewrite is faster. *process*: wall-clock time from start to end; *printed by the
program*: the sum of the times that it prints of itself; *first kernel to last*: on the GPU's clock, from the first kernel's
start to the last one's end (CUPTI, in runs of their own). Each is the median of all ratios between runs of both, after ± the
noise: the largest of what two series of the original differ by, and of half the interquartile range of either version.
*faster* and *slower* are said of what lies beyond {BY_MORE_THAN:.0%} and the noise."""


def markdown(data):
    programs = data["programs"]
    machine = data["machine"]["gpu"] or {"name": "no GPU yet", "driver_version": "none"}
    lines = ["# Real programs, before and after", ""]
    options = " ".join(data["prepared"]["options"]) or "barricade's own defaults"
    lines += [f"{machine['name']}, driver {machine['driver_version']}; {options}; CUPTI: {data['machine']['cupti']}."]
    lines += ["", LEGEND, "", *summary_table(data["summary"])]
    timed = sorted((p for p in programs if p["metrics"]), key=worst_of)
    lines += ["", "## Programs", "", *program_table(timed)]
    wrong = [p for p in programs if p["verdict"] in WRONG]
    lines += section("What went wrong", wrong, lambda p: f"{p['verdict']}: {one_line(p['why'])}")
    skipped = [p for p in programs if p["verdict"] in ("skipped", "not reached")]
    lines += section("Skipped", skipped, lambda p: one_line(p["why"]))
    unhappy = [p for p in timed if p["original-says-fail"]]
    lines += section("Wrong by their own account before any rewrite", unhappy, lambda p: p["compared"])
    lines += section("Drift", [p for p in timed if p["drift"]], lambda p: "; ".join(p["drift"]))
    absent = [p for p in programs if p["status"] not in ("built", "nothing to rewrite")]
    lines += section("Not built", absent, lambda p: one_line(": ".join(filter(None, (p["status"], p.get("why"))))))
    same = [p["name"] for p in programs if p["status"] == "nothing to rewrite"]
    lines += ["", f"Nothing to rewrite in {len(same)}: {', '.join(same) or 'none'}."]
    return "\n".join(lines) + "\n"


def worst_of(program):
    return min(m["speedup"] for m in program["metrics"].values())


def section(heading, programs, text):
    return ["", f"## {heading}", "", *(f"- {p['name']}: {text(p)}" for p in programs)] if programs else []


def one_line(text, at_most=300):
    text = " ".join(text.split())
    return text if len(text) <= at_most else text[: at_most - 3] + "..."


def summary_table(found):
    yield "| time | programs | geometric mean | faster | slower | worst |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for name, (_, _, heading) in METRICS.items():
        if s := found[name]:
            yield (
                f"| {heading} | {s['programs']} | {s['geometric-mean']:.3f} | {s['faster']} | {s['slower']} "
                f"| {s['worst']:.3f}, {s['worst-program']} |"
            )


def program_table(programs):
    yield "| program | arguments | rewrites | verdict | process | printed | kernels | process, ms | kernels, ms |"
    yield "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for p in programs:
        rewrites = ", ".join(f"{n} {rule}" for rule, n in p["rewrites"].items())
        arguments = " ".join(p["run-with"] or [])
        if p["run-with"] != p["arguments"]:
            arguments += f" (for {' '.join(p['arguments'])})"
        cells = [p["name"], arguments, rewrites, p["verdict"]]
        cells += [ratio(p["metrics"].get(name)) for name in METRICS]
        cells += [milliseconds(p["metrics"].get(name)) for name in ("process", "kernels")]
        yield "| " + " | ".join(cells) + " |"


def ratio(metric):
    return f"{metric['speedup']:.3f} ± {metric['noise']:.3f}" if metric else ""


def milliseconds(metric):
    return f"{metric['original'][1]:.4g} → {metric['rewritten'][1]:.4g}" if metric else ""
