# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what two programs wrote, within a declared tolerance."""

import itertools
import json
import math
import re
from dataclasses import dataclass, field

CHUNK = 1 << 20
TOKEN = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Tolerance:
    """What may differ between two right runs. By default nothing."""

    relative: float = 0.0
    absolute: float = 0.0
    ignore: tuple = ()  # regular expressions; lines in which one is found
    unordered: bool = False  # the order of lines
    json: bool = False  # a JSON object; keys that end in _ms are times
    patterns: tuple = field(default=(), init=False, compare=False)

    def __post_init__(self):
        object.__setattr__(
            self, "patterns", tuple(re.compile(p.encode()) for p in self.ignore)
        )

    @property
    def exact(self):
        return self == Tolerance()

    def near(self, a, b):
        if a == b or (math.isnan(a) and math.isnan(b)):
            return True
        # An infinite difference is near nothing, though inf <= inf.
        return math.isfinite(a - b) and abs(a - b) <= max(
            self.absolute, self.relative * max(abs(a), abs(b))
        )


def difference(reference, candidate, tolerance=Tolerance()):
    """Where two files differ, in one line; empty if they do not."""
    if tolerance.json:
        return json_difference(reference, candidate, tolerance)
    if tolerance.exact:
        return byte_difference(reference, candidate)
    return text_difference(reference, candidate, tolerance)


def byte_difference(reference, candidate):
    with open(reference, "rb") as a, open(candidate, "rb") as b:
        offset = 0
        while True:
            x, y = a.read(CHUNK), b.read(CHUNK)
            if x != y:
                at = next(
                    (i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y))
                )
                return f"the output differs from the original's at byte {offset + at}"
            if not x:
                return ""
            offset += len(x)


def lines_of(stream, tolerance):
    lines = (
        line.rstrip(b"\r\n")
        for line in stream
        if not any(p.search(line) for p in tolerance.patterns)
    )
    return iter(sorted(lines)) if tolerance.unordered else lines


def text_difference(reference, candidate, tolerance):
    with open(reference, "rb") as a, open(candidate, "rb") as b:
        pairs = itertools.zip_longest(lines_of(a, tolerance), lines_of(b, tolerance))
        for number, (x, y) in enumerate(pairs, 1):
            if x is None or y is None or not same_line(x, y, tolerance):
                return (
                    f"line {number} of the compared output is {shown(y)}, "
                    f"the original's is {shown(x)}"
                )
    return ""


def same_line(x, y, tolerance):
    """Equal but for numbers that are near each other."""
    if x == y:
        return True
    if TOKEN.split(x) != TOKEN.split(y):
        return False
    return all(
        p == q or tolerance.near(float(p), float(q))
        for p, q in zip(TOKEN.findall(x), TOKEN.findall(y))
    )


def shown(line):
    if line is None:
        return "missing"
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")


def json_difference(reference, candidate, tolerance):
    try:
        with open(reference, "rb") as a, open(candidate, "rb") as b:
            x, y = json.load(a), json.load(b)
        if isinstance(y, dict) and y.get("correct") is False:
            return "the program says that its result is wrong"
        return value_difference(x, y, tolerance, "$")
    except ValueError as error:
        return f"the output is no JSON: {error}"
    except RecursionError:
        return "the output is nested too deep to be compared as JSON"


def value_difference(x, y, tolerance, path):
    numbers = (int, float)
    if isinstance(x, bool) or isinstance(y, bool) or not (
        isinstance(x, numbers) and isinstance(y, numbers)
    ):
        if type(x) is not type(y):
            return f"{path} is {y!r}, the original's is {x!r}"
    if isinstance(x, dict):
        for key in sorted(x.keys() | y.keys()):
            if key.endswith("_ms"):
                continue
            if key not in x or key not in y:
                return f"{path}.{key} is missing on one side"
            found = value_difference(x[key], y[key], tolerance, f"{path}.{key}")
            if found:
                return found
        return ""
    if isinstance(x, list):
        if len(x) != len(y):
            return f"{path} has {len(y)} entries, the original's {len(x)}"
        found = (value_difference(p, q, tolerance, f"{path}[{i}]") for i, (p, q) in enumerate(zip(x, y)))
        return next(filter(None, found), "")
    if isinstance(x, numbers) and not isinstance(x, bool):
        same = tolerance.near(float(x), float(y))
    else:
        same = x == y
    return "" if same else f"{path} is {y!r}, the original's is {x!r}"
