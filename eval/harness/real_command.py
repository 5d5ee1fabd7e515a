# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/real-programs."""

import argparse
import os
import shlex
from pathlib import Path

from . import UsageError, real_kept, real_race
from . import options as options_of

CORPORA = ("hecbench", "rodinia", "polybench", "samples")
DESCRIPTION = """\
What barricade's rewrites do to the time of whole programs. `prepare` rewrites
folders of programs and builds what changed, before and after; it needs barricade
and nvcc. `run` needs a GPU, this repository and the folder OUT/bench, which
`prepare` wrote. Both go on where they were when they are started again. `kept`
compares several results."""
EXIT_CODES = """\
exit code: 0 done, 1 a rewrite did not build, failed, or gave something else than
its original, 2 usage"""


def parser():
    p = argparse.ArgumentParser(
        prog="eval/real-programs", description=DESCRIPTION, epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    verbs = p.add_subparsers(dest="verb", required=True)
    first = verbs.add_parser("prepare", help="rewrite and build the programs")
    first.add_argument("out", type=Path)
    for corpus in CORPORA:
        first.add_argument(f"--{corpus}", type=Path, metavar="DIR", help="its checked-out repository")
    first.add_argument("--folder", action="append", default=[], metavar="NAME=DIR",
                       help="further programs with a Makefile or CMakeLists.txt each")  # fmt: skip
    first.add_argument("--barricade", default="build/tool/barricade")
    first.add_argument("--rules", default="", help="barricade's rules, by default its own choice")
    first.add_argument("--options", default="", help="more options for barricade")
    first.add_argument("--nvcc", default="nvcc")
    first.add_argument("--arch", default="sm_90")
    first.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="programs at once")
    second = verbs.add_parser("run", help="time them on a GPU")
    second.add_argument("bench", type=Path)
    second.add_argument("--out", type=Path, required=True, help="results and journal")
    second.add_argument("--nvcc", default="nvcc", help="its toolkit has CUPTI")
    second.add_argument("--seconds", type=float, default=3600, help="for everything (default 3600)")
    second.add_argument("--runs", type=int, default=5, help="rounds that time the process (default 5)")
    second.add_argument("--kernel-runs", type=int, default=3, help="rounds that time kernels (default 3)")
    second.add_argument("--rule", default="", metavar="REGEX", help="programs that such a rule rewrote")
    second.add_argument("--arguments", action="append", default=[], metavar="NAME=WORDS",
                        help="for the program of this name, instead of its own")  # fmt: skip
    second.add_argument("--timeout", type=float, default=5,
                        help="seconds that a run of an original may take (default 5)")  # fmt: skip
    third = verbs.add_parser("kept", help="compare what barricade's own choice gains with the best that was measured")
    third.add_argument("own", type=Path, help="results.json of a run of what was prepared with defaults")
    third.add_argument("others", type=Path, nargs="+", help="the same of other options, as --options=--profit=any")
    for verb in (first, second):
        verb.add_argument("--only", default="", metavar="REGEX", help="programs whose name matches")
        verb.add_argument("--fresh", action="store_true", help="drop what an earlier run left")
    return p


def main(argv=None):
    options = parser().parse_args(argv)
    return options_of.guarded("real-programs", lambda: start(options))


def pairs(option, form, words):
    """{before the sign: after it} of an option's values."""
    for word in words:
        if "=" not in word:
            raise UsageError(f"{option} takes {form}, not '{word}'")
    return dict(word.split("=", 1) for word in words)


def start(options):
    if options.verb == "kept":
        print(real_kept.report([options.own, *options.others]), end="")
        return 0
    if options.verb == "run":
        if options.kernel_runs == 1:
            raise UsageError("--kernel-runs=1 shows no noise: 0, or at least 2")
        found = pairs("--arguments", "NAME=WORDS", options.arguments)
        options.arguments = {name: shlex.split(words) for name, words in found.items()}
        return real_race.run(options)
    from . import real_prepare

    options.folders = {
        name: getattr(options, name)
        for name in CORPORA
        if getattr(options, name)
    }
    options.folders |= {name: Path(root) for name, root in pairs("--folder", "NAME=DIR", options.folder).items()}
    rules = [f"--rules={options.rules}"] if options.rules else []
    options.options = rules + shlex.split(options.options)
    return real_prepare.prepare(options)
