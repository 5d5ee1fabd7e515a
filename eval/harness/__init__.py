# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds, checks, times and tunes what `barricade --variants` wrote.

Python's standard library only. From files to a report: `manifest` says what
there is, `build` makes programs of it, `check` compares what they print,
`timing` measures them, `statistics` judges, `report` tells. `journal` remembers
every step, so that a run can go on after it was killed.
"""


import os

# Set where `barricade run` and its like start these commands.
COMMAND = os.environ.get("BARRICADE_COMMAND", "")


def program_name(name):
    """How the user started the command `name`."""
    return f"barricade {name}" if COMMAND else f"eval/{name}"


# What reading JSON that others wrote may raise, beside OSError.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


class UsageError(Exception):
    """What the user asked for cannot be done; the text says why. Exit code 2."""
