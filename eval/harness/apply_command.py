# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/apply."""

import argparse
from pathlib import Path

from . import UsageError, apply, program_name, report
from .manifest import Manifest
from .options import guarded


def main(argv=None):
    p = argparse.ArgumentParser(
        prog=program_name("apply"),
        description="Prints the diff of the variants that eval/run found to be faster: for each "
        "program the best that is slower in none of its cases.",
        epilog="exit code: 0 done, 2 usage",
    )
    p.add_argument("results", type=Path, help="results.json of eval/run")
    p.add_argument("--variants", type=Path, required=True, help="what was measured")
    p.add_argument("--in-place", action="store_true", help="make the changes")
    p.add_argument("--root", type=Path, help="the project (default: where it was prepared)")
    options = p.parse_args(argv)
    return guarded("apply", lambda: run(options))


def run(options):
    manifest = Manifest(options.variants)
    data = report.read(options.results)
    if data["manifest"]["sha256"] != manifest.digest:
        raise UsageError("the results are of other variants")
    apply.apply_best(data, manifest, options.root or Path(manifest.root), options.in_place)
    return 0
