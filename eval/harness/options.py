# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options that eval/run and eval/tune share."""

import argparse
import signal
import sys

from . import UsageError, program_name
from .race import Limits

EXIT_CODES = """\
exit code: 0 done, 1 a variant did not build or did not compute what the
original does, 2 usage"""


def parser(name, description):
    return argparse.ArgumentParser(
        prog=program_name(name), description=description, epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip


def add_output(p):
    group = p.add_argument_group("what the program prints")
    group.add_argument("--json", action="store_true", help="JSON with times_ms")
    group.add_argument("--relative", type=float, default=0.0, help="numbers may differ by this share")
    group.add_argument("--absolute", type=float, default=0.0, help="or by this much")
    group.add_argument("--ignore", action="append", default=[], metavar="REGEX",
                       help="lines that are not compared")  # fmt: skip
    group.add_argument("--unordered", action="store_true", help="the order of lines does not matter")
    group.add_argument("--output-file", action="append", default=[], metavar="FILE",
                       help="a file that it writes, compared as well")  # fmt: skip


def output_entry(options, arguments=""):
    """The same as an entry of a file of cases."""
    return {
        "arguments": arguments, "json": options.json, "relative": options.relative,
        "absolute": options.absolute, "ignore": options.ignore, "unordered": options.unordered,
        "output-files": options.output_file,
    }  # fmt: skip


def add_timing(p):
    group = p.add_argument_group("timing")
    group.add_argument("--budget", type=float, default=600.0, help="seconds for checks and timing (default 600)")
    group.add_argument("--rounds", default="8,40", help="least and most rounds (default 8,40)")
    group.add_argument("--precision", type=float, default=0.5,
                       help="percent: half the gain's interval at which a race ends (default 0.5)")  # fmt: skip
    group.add_argument("--timeout", type=float, default=300.0, help="seconds for one run")


def limits(options):
    try:
        least, most = map(int, options.rounds.split(","))
    except ValueError:
        raise UsageError(f"--rounds takes two numbers, as 8,40, not '{options.rounds}'")
    if not 1 <= least <= most:
        raise UsageError("--rounds: the first number is at least 1 and at most the second")
    return Limits(least, most, options.precision / 100, options.budget)


def guarded(name, work):
    """The exit code of `work()`; what the user did wrong is one line."""
    # Ends by an exception, so that programs which run are ended, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        return work()
    except UsageError as error:
        print(f"{program_name(name)}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
