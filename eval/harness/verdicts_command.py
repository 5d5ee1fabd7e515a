# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/verdicts."""

import argparse
import json
from pathlib import Path

from . import UsageError, verdicts
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
    return guarded("eval/verdicts", lambda: run(options))


def run(options):
    manifest = Manifest(options.variants)
    try:
        data = json.loads(options.results.read_text())
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read '{options.results}': {error}")
    found = verdicts.cases(data, manifest)
    if not found:
        raise UsageError("nothing was both predicted and timed: prepare with --calibration")
    print("\n".join(verdicts.markdown(found)))
    return 0
