# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/run."""

import shlex
import shutil
import sys
from pathlib import Path

from . import COMMAND, UsageError, apply, program_name, report
from . import options as options_of
from .build import Builder
from .cases import make_case, read_cases
from .experiment import Experiment
from .gpu import query
from .journal import Journal
from .manifest import Manifest, prepare

DESCRIPTION = """\
Builds, checks and times what `barricade --variants` wrote. INPUT is its folder,
its manifest.json, or CUDA sources, which are then prepared first (that needs
barricade on this machine). A run that was killed goes on where it was when it
is started again."""


def parser():
    p = options_of.parser("run", DESCRIPTION)
    p.add_argument("input", nargs="+", metavar="INPUT")
    p.add_argument("--out", type=Path, help="results and logs (default: beside the manifest, 'results')")
    p.add_argument("--fresh", action="store_true", help="drop what an earlier run left in --out")
    p.add_argument("--cases", help="JSON: arguments and tolerances by program (docs/measuring.md)")
    p.add_argument("--args", default="", help="the programs' arguments, where --cases has none")
    p.add_argument("--flags", default="", help="more flags for nvcc; -arch=native without an -arch")
    p.add_argument("--nvcc", default="nvcc", help="the compiler's command")
    p.add_argument("--cache", type=Path, help="built programs (default: --out/cache)")
    p.add_argument("-j", "--jobs", type=int, help="builds at once (default: one a core)")
    p.add_argument("--without-gpu", action="store_true",
                   help="check even so: nvcc makes programs that run on the CPU")  # fmt: skip
    p.add_argument("--barricade", default=shlex.quote(COMMAND or "barricade"), help="the command, for sources as INPUT")
    p.add_argument("--apply", action="store_true",
                   help="write the best variant of each program into the sources")  # fmt: skip
    options_of.add_output(p)
    options_of.add_timing(p)
    return p


def main(argv=None):
    options = parser().parse_args(argv)
    command = program_name("run") + " " + shlex.join(sys.argv[1:] if argv is None else argv)
    return options_of.guarded("run", lambda: run(options, command))


def run(options, command):
    limits = options_of.limits(options)
    manifest = Manifest(prepared(options))
    out = options.out or manifest.folder / "results"
    if options.fresh:
        shutil.rmtree(out, ignore_errors=True)
    entry = options_of.output_entry(options, options.args)
    known = read_cases(options.cases) if options.cases else {}
    flags = with_architecture(options.flags)
    cases_text = Path(options.cases).read_text() if options.cases else ""
    # What changes the meaning of times already noted; the budget does not.
    about = {"manifest": manifest.digest, "case": entry, "cases": cases_text,
             "flags": flags, "nvcc": options.nvcc}  # fmt: skip
    builder = Builder(options.cache or out / "cache", options.nvcc, flags, options.jobs)
    with Journal(out / "journal.jsonl", about) as journal:
        experiment = Experiment(
            manifest, out, journal, builder, known, make_case("default", entry),
            limits, options.timeout, options.without_gpu,
        )  # fmt: skip
        # A run that is killed has reported all cases but the last.
        experiment.run(lambda: report.write(report.results(experiment, command), out))
        data = report.results(experiment, command)
    report.write(data, out)
    print((out / "report.md").read_text(), end="")
    print(f"\n{out / 'report.md'}, results.csv and results.json are written.", file=sys.stderr)
    if options.apply:
        apply.apply_best(data, manifest, Path(manifest.root), in_place=True)
    return 1 if report.failed(data) else 0


def prepared(options):
    """The manifest, after barricade has written it where sources are given."""
    if not all(name.endswith((".cu", ".cuh")) for name in options.input):
        if len(options.input) != 1:
            raise UsageError("give one folder of variants, or CUDA sources")
        return options.input[0]
    if not options.out:
        raise UsageError("sources as INPUT need --out, for variants and results")
    folder = options.out.parent / (options.out.name + "-variants")
    if not (folder / "manifest.json").exists():
        prepare(folder, options.barricade, options.input,
                flags=f"nvcc {options.flags}" if options.flags else "")  # fmt: skip
    return folder


def with_architecture(flags):
    words = shlex.split(flags)
    named = any(w.startswith(("-arch", "--gpu-arch", "-gencode", "--generate-code")) for w in words)
    return words if named or not query() else [*words, "-arch=native"]
