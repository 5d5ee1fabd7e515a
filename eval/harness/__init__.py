# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds, checks, times and tunes what `barricade --variants` wrote.

Python's standard library only. From files to a report: `manifest` says what
there is, `build` makes programs of it, `check` compares what they print,
`timing` measures them, `statistics` judges, `report` tells. `journal` remembers
every step, so that a run can go on after it was killed.
"""


class UsageError(Exception):
    """What the user asked for cannot be done; the text says why. Exit code 2."""
