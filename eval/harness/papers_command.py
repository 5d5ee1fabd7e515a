# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/papers."""

import argparse
import shlex
import sys
from pathlib import Path

from . import UsageError, papers, report
from .options import guarded


def main(argv=None):
    p = argparse.ArgumentParser(
        prog="eval/papers",
        description="Makes the papers' tables (Markdown, CSV) and figures (SVG, where matplotlib "
        "is installed) of what was measured, with the papers' own numbers beside them.",
        epilog="exit code: 0 done, 2 usage",
    )
    p.add_argument("results", nargs="*", type=Path, help="results.json of eval/run, several")
    p.add_argument("--microbench", type=Path, help="microbench.csv of eval/gpu-sync/run.sh")
    p.add_argument("--out", type=Path, required=True, help="a folder")
    options = p.parse_args(argv)
    command = "eval/papers " + shlex.join(sys.argv[1:] if argv is None else argv)
    return guarded("papers", lambda: run(options, command))


def run(options, command):
    if not options.results and not options.microbench:
        raise UsageError("name results.json, or --microbench")
    results = [report.read(path) for path in options.results]
    try:
        data = papers.Data(results, options.microbench)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"cannot read what was measured: {error}")
    found, plotted = papers.write(data, options.out, command)
    for e in found:
        print(f"{e.verdict:13}  {e.title}")
    if not plotted and any(e.curves for e in found):
        print("eval/papers: no figures: matplotlib is not installed", file=sys.stderr)
    return 0
