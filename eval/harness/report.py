# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run found out: results.json with everything, results.csv and report.md
for people."""

import csv
import json
import math
from dataclasses import asdict
from pathlib import Path

from . import MALFORMED, UsageError, stats
from .race import compare, drift

SCHEMA_VERSION = 1
CSV_COLUMNS = (
    "program", "case", "variant", "kind", "setting", "status", "runs", "median_ms", "q1_ms",
    "q3_ms", "gain", "gain_low", "gain_high", "p_adjusted", "verdict", "barriers_own",
)  # fmt: skip


def results(experiment, command):
    """Everything as one value, which JSON can hold."""
    return {
        "schema-version": SCHEMA_VERSION,
        "command": command,
        "manifest": {"path": str(experiment.manifest.path), "sha256": experiment.manifest.digest},
        "gpu": experiment.gpu,
        "nvcc": experiment.builder.version,
        "not-timed": not_timed(experiment),
        "units": [unit_result(experiment, unit) for unit in experiment.units],
    }


def read(path):
    """What an earlier run wrote as results.json."""
    try:
        data = json.loads(Path(path).read_text())
        version = data["schema-version"]
    except (OSError, *MALFORMED) as error:
        raise UsageError(f"cannot read results from '{path}': {error!r}")
    if version != SCHEMA_VERSION:
        raise UsageError(f"'{path}' has schema version {version}; this is for {SCHEMA_VERSION}")
    return data


def not_timed(experiment):
    return "" if experiment.gpu else "there is no GPU here: nvidia-smi shows none"


def unit_result(experiment, unit):
    race, ended = experiment.races.get(unit.name, (None, ""))
    source, why = experiment.sources.get(unit.name, ("", ""))
    times = {v.id: race.times(v.id) if race else [] for v in experiment.variants(unit)}
    original = experiment.manifest.variants[0].id
    others = {name: values for name, values in times.items() if name != original}
    comparisons = compare(times[original], others)
    entries = {v.id: race.entries(v.id) if race else [] for v in experiment.variants(unit)}
    rows = [
        {
            **variant_result(experiment, unit, v, race, times),
            **comparison_result(comparisons.get(v.id)),
            "runs": entries[v.id],
        }
        for v in experiment.variants(unit)
    ]
    add_barriers_own(rows)
    return {
        "program": unit.program.source,
        "case": unit.case.name,
        "arguments": list(unit.case.arguments),
        "time-source": source,
        "why-no-better-source": why,
        "ended": ended,
        "drift": drift(entries[original]),
        "variants": rows,
    }


def variant_result(experiment, unit, variant, race, times):
    status, why = status_of(experiment, unit, variant, race)
    values = times[variant.id]
    return {
        "id": variant.id,
        "kind": variant.kind,
        "setting": variant.setting,
        "control-of": variant.control_of,
        "rewrites": experiment.manifest.places(variant),
        "status": status,
        "why": why,
        "median_ms": stats.median(values) if values else None,
        "q1_ms": stats.quantile(values, 0.25) if values else None,
        "q3_ms": stats.quantile(values, 0.75) if values else None,
    }


def status_of(experiment, unit, variant, race):
    """build failed | check failed | timed | checked | built | not checked"""
    built = experiment.builds[unit.program.source, variant.id]
    if not built.ok:
        return "build failed", f"{built.why}; see {built.log}"
    checked = experiment.checked(unit, variant)
    if checked and not checked["ok"]:
        return "check failed", checked["why"]
    if race and race.failure(variant.id):
        return "check failed", race.failure(variant.id)
    if race and race.times(variant.id):
        return "timed", ""
    return ("checked", "") if checked else ("built", "")


def comparison_result(comparison):
    if not comparison:
        return {"gain": None, "verdict": ""}
    facts = {key: finite(value) for key, value in asdict(comparison).items()}
    return {**facts, "verdict": comparison.verdict}


def finite(value):
    """JSON has no infinity: an open end of an interval is null."""
    return value if math.isfinite(value) else None


def add_barriers_own(rows):
    """The gain of a variant over its control: the barrier without the shape."""
    times = {row["id"]: [entry["ms"] for entry in row["runs"]] for row in rows}
    for row in rows:
        row["barriers-own"] = None
    for control in rows:
        own, shape = times.get(control["control-of"]), times[control["id"]]
        if own and shape:
            row = next(r for r in rows if r["id"] == control["control-of"])
            row["barriers-own"] = stats.gain(shape, own)[0]
            row["barriers-own-p"] = stats.mann_whitney(shape, own)


def failed(data):
    """Whether a variant failed to build or to compute what the original does."""
    return [
        (unit["program"], unit["case"], row["id"], row["status"], row["why"])
        for unit in data["units"]
        for row in unit["variants"]
        if row["status"] in ("build failed", "check failed")
    ]


def write(data, folder):
    folder = Path(folder)
    (folder / "results.json").write_text(json.dumps(data, indent=1) + "\n")
    with open(folder / "results.csv", "w", newline="") as stream:
        table = csv.DictWriter(stream, CSV_COLUMNS)
        table.writeheader()
        table.writerows(csv_rows(data))
    (folder / "report.md").write_text(markdown(data))


def csv_rows(data):
    for unit in data["units"]:
        for row in unit["variants"]:
            yield {
                "program": unit["program"],
                "case": unit["case"],
                "variant": row["id"],
                "kind": row["kind"],
                "setting": row["setting"],
                "status": row["status"],
                "runs": len(row["runs"]),
                "median_ms": row["median_ms"],
                "q1_ms": row["q1_ms"],
                "q3_ms": row["q3_ms"],
                "gain": row["gain"],
                "gain_low": row.get("low"),
                "gain_high": row.get("high"),
                "p_adjusted": row.get("adjusted"),
                "verdict": row["verdict"],
                "barriers_own": row["barriers-own"],
            }


def percent(value):
    return "" if value is None else f"{100 * value:+.1f} %"


def interval(row):
    low = "" if row.get("low") is None else f"{100 * row['low']:+.1f}"
    high = "" if row.get("high") is None else f"{100 * row['high']:+.1f}"
    return f"{low} .. {high}" if row["gain"] is not None else ""


def markdown(data):
    lines = ["# What the variants gain", ""]
    if data["gpu"]:
        gpu = data["gpu"]
        lines.append(f"{gpu['name']}, driver {gpu['driver_version']}, clocks as found.")
    if data["not-timed"]:
        lines.append(f"**Not timed:** {data['not-timed']}.")
    lines += ["", f"    {data['command']}", "", LEGEND]
    for unit in data["units"]:
        lines += ["", f"## {unit['program']}, {unit['case']}", "", *unit_markdown(unit)]
    problems = failed(data)
    if problems:
        lines += ["", "## What failed", ""]
        lines += [f"- {p} {c} {v}: {status}: {why}" for p, c, v, status, why in problems]
    return "\n".join(lines) + "\n"


LEGEND = """\
*gain* is rho = (t - t_s) / t of Lo et al. by the median of all ratios, negative is slower; beside it its 95 % interval.
*verdict*: by the Mann-Whitney test at 5 %, corrected for all variants of the case (Holm). *barrier's own*: against the same
loop without its barrier."""


def unit_markdown(unit):
    words = " ".join(unit["arguments"])
    if words:
        yield f"Arguments: `{words}`."
    if unit["time-source"]:
        why = f" ({unit['why-no-better-source']})" if unit["why-no-better-source"] else ""
        yield f"Times: {unit['time-source']}{why}. The race ended by: {unit['ended']}."
    for sentence in unit["drift"]:
        yield f"**Drift:** {sentence}."
    yield ""
    yield "| variant | n | median ms | quartiles | gain | 95 % | verdict | barrier's own |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |"
    for row in unit["variants"]:
        if row["status"] != "timed":
            yield f"| {row['id']} | | | | | | {row['status']} | |"
            continue
        yield (
            f"| {row['id']} | {len(row['runs'])} | {row['median_ms']:.4g} "
            f"| {row['q1_ms']:.4g} .. {row['q3_ms']:.4g} | {percent(row['gain'])} "
            f"| {interval(row)} | {row['verdict']} | {percent(row['barriers-own'])} |"
        )
