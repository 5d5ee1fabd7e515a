# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/tune."""

import json
import shlex
import shutil
import sys
from pathlib import Path

from . import COMMAND, MALFORMED, UsageError, program_name
from . import options as options_of
from .cases import make_case
from .journal import Journal
from .manifest import Manifest, prepare
from .race import Failure
from .tune import Commands, Plan, Tuner

DESCRIPTION = """\
Tries barricade's rewrites of FILEs in a program of yours, loop by loop, and
keeps those that make it significantly faster and leave what it writes as it is.
Prints the diff of what it kept, and the evidence. Works on copies of the tree;
yours is changed with --apply only. A run that was killed goes on where it was
when it is started again."""


def parser():
    p = options_of.parser("tune", DESCRIPTION)
    p.add_argument("files", nargs="*", metavar="FILE.cu")
    p.add_argument("--build", required=True, metavar="CMD", help="builds the program, in the tree")
    p.add_argument("--run", required=True, metavar="CMD", help="runs it, in the tree")
    p.add_argument("--check", default="", metavar="CMD",
                   help="says by exit code 0 that what it wrote is right, in place of a comparison")  # fmt: skip
    p.add_argument("--tree", type=Path, default=Path("."), help="the program's folder (default: this)")
    p.add_argument("--out", type=Path, default=Path(".barricade-tune"), help="copies, logs and evidence")
    p.add_argument("--fresh", action="store_true", help="drop what an earlier run left in --out")
    p.add_argument("--variants", type=Path, help="prepared by barricade --variants, in place of FILEs")
    p.add_argument("--barricade", default=shlex.quote(COMMAND or "barricade"), help="the command, with options if need be")
    p.add_argument("--flags", default="", help="compile flags of FILEs, as 'nvcc -DX', for barricade")
    p.add_argument("--apply", action="store_true", help="make the changes in the tree")
    p.add_argument("--again", type=Path, metavar="RUN",
                   help="tunes nothing, but times what that run (its --out) kept against the original")  # fmt: skip
    options_of.add_output(p)
    options_of.add_timing(p)
    return p


def main(argv=None):
    options = parser().parse_args(argv)
    return options_of.guarded("tune", lambda: run(options))


def manifest_of(options):
    if options.variants:
        return Manifest(options.variants)
    if options.again:
        return Manifest(options.again / "variants")
    if not options.files:
        raise UsageError("name CUDA sources, or --variants")
    folder = options.out / "variants"
    if not (folder / "manifest.json").exists():
        prepare(folder, options.barricade, options.files,
                f"--project-root={options.tree.absolute()}", flags=options.flags)  # fmt: skip
    return Manifest(folder)


def run(options):
    limits = options_of.limits(options)
    if options.fresh:
        shutil.rmtree(options.out, ignore_errors=True)
    manifest = manifest_of(options)
    entry = options_of.output_entry(options)
    case = make_case("run", entry)
    plan = Plan(case.tolerance, case.output_files, limits, options.timeout)
    commands = Commands(options.build, options.run, options.check)
    about = {"manifest": manifest.digest, "commands": vars(commands), "output": entry,
             **({"again": str(options.again)} if options.again else {})}  # fmt: skip
    with Journal(options.out / "journal.jsonl", about) as journal:
        tuner = Tuner(options.tree, options.out, manifest, commands, plan, journal)
        try:
            if options.again:
                return again(tuner, options.again)
            kept = tuner.run()
        except Failure as failure:
            print(f"{program_name('tune')}: {failure}", file=sys.stderr)
            return 1
        say_evidence(tuner, journal, kept)
        (options.out / "tuned.diff").write_text(tuner.diff(kept), errors="surrogateescape")
        sys.stdout.write((options.out / "tuned.diff").read_text(errors="surrogateescape"))
        if options.apply:
            tuner.apply(kept)
        broken = [e["evidence"]["failed"] for e in journal.all("loop") if e["evidence"]["failed"]]
    return 1 if broken else 0


def again(tuner, earlier):
    """A second, independent run: is what was kept faster still?"""
    try:
        names = json.loads((earlier / "evidence.json").read_text())["kept"]
        kept = [tuner.manifest.variant(name) for name in names]
    except (OSError, StopIteration, *MALFORMED) as error:
        raise UsageError(f"'{earlier}' is no finished run of eval/tune over these variants: {error!r}")
    found = tuner.again(kept) if kept else {}
    evidence = {"kept": names, "gains": {n: {**vars(c), "verdict": c.verdict} for n, c in found.items()}}
    (tuner.folder / "again.json").write_text(json.dumps(evidence, indent=1) + "\n")
    for name, c in found.items():
        print(f"{name}: {100 * c.gain:+.1f} %, p {c.adjusted:.2g}, {c.verdict}", file=sys.stderr)
    if not kept:
        print("that run kept nothing", file=sys.stderr)
    return 1 if kept and found["kept"].verdict == "slower" else 0


def say_evidence(tuner, journal, kept):
    """What became of each loop, on stderr and as evidence.json."""
    loops = journal.all("loop")
    evidence = {"kept": [v.id for v in kept], "loops": loops}
    for entry in loops:
        print(f"\n{entry['loop']}: {entry['chosen'] or 'left as it is'}", file=sys.stderr)
        for name, (gain, p, verdict) in sorted(entry["evidence"]["gains"].items()):
            print(f"  {name}: {100 * gain:+.1f} %, p {p:.2g}, {verdict}", file=sys.stderr)
        for name, why in entry["evidence"]["failed"].items():
            print(f"  {name}: {why}", file=sys.stderr)
        for sentence in entry["evidence"]["drift"]:
            print(f"  drift: {sentence}", file=sys.stderr)
    if getattr(tuner, "confirmation", None):
        found = tuner.confirmation
        evidence["confirmation"] = [found.gain, found.low, found.high, found.p]
        print(f"\nall together, in a second race: {100 * found.gain:+.1f} %, p {found.p:.2g}",
              file=sys.stderr)  # fmt: skip
    (tuner.folder / "evidence.json").write_text(json.dumps(evidence, indent=1) + "\n")
    if not kept:
        print("\nnothing is faster: nothing to keep", file=sys.stderr)
