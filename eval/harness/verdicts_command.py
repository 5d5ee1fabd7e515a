# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/verdicts."""

import argparse
from pathlib import Path

from . import UsageError, report, verdicts
from .manifest import Manifest
from .options import guarded


def main(argv=None):
    p = argparse.ArgumentParser(
        prog="eval/verdicts",
        description="Compares what the cost model expected (barricade --variants with "
        "--calibration) with what eval/run measured: precision and recall, in Markdown.",
        epilog="exit code: 0 done, 2 usage",
    )
    p.add_argument("results", type=Path, help="results.json of eval/run")
    p.add_argument("--variants", type=Path, required=True, help="what was measured")
    options = p.parse_args(argv)
    return guarded("verdicts", lambda: run(options))


def run(options):
    manifest = Manifest(options.variants)
    found = verdicts.cases(report.read(options.results), manifest)
    if not found:
        raise UsageError("nothing was both predicted and timed: prepare with --calibration")
    print("\n".join(verdicts.markdown(found)))
    return 0
