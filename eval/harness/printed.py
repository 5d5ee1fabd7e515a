# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times that a program prints of itself, as people write them: `Average
kernel execution time: 1.23 (us)`, `time (ms): 4.5`, `took 3 s`."""

import re

TELLS = re.compile(r"time|elapsed|took|duration", re.I)
# A time of the host's own computation says nothing of the GPU's.
OF_THE_HOST = re.compile(r"\bcpu\b|\bhost time|reference|serial|sequential", re.I)
UNIT = r"(ns|us|ms|s|n?u?m?secs?|(?:nano|micro|milli)?seconds?)"
NUMBER = r"(\d+(?:\.\d*)?(?:e[-+]?\d+)?)"
BEFORE = re.compile(rf"{NUMBER}\s*[(\[]?\s*{UNIT}\b", re.I)
AFTER = re.compile(rf"[(\[]\s*{UNIT}\s*[)\]]\s*[:=]?\s*{NUMBER}", re.I)
MILLISECONDS = {"n": 1e-6, "u": 1e-3, "m": 1.0, "s": 1e3}


def printed_ms(text):
    """The sum of all times that the text tells, None where it tells none."""
    times = [ms for line in text.splitlines() if (ms := line_ms(line)) is not None]
    return sum(times) if times else None


def line_ms(line):
    if not TELLS.search(line) or OF_THE_HOST.search(line):
        return None
    if found := BEFORE.search(line):
        number, unit = found.groups()
    elif found := AFTER.search(line):
        unit, number = found.groups()
    else:
        return None
    return float(number) * MILLISECONDS[letter(unit.lower())]


def letter(unit):
    """`u` of all spellings of microseconds, and so on."""
    return "u" if unit.startswith("micro") else unit[0]
