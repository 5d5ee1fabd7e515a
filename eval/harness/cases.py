# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a program is to be run: its arguments, its tolerance, its inputs."""

import fnmatch
import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from . import MALFORMED, UsageError
from .check import Tolerance

KEYS = {
    "arguments", "json", "relative", "absolute", "ignore", "unordered", "variants",
    "working-directory", "flags", "output-files",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    name: str
    arguments: tuple
    tolerance: Tolerance
    variants: tuple  # globs; empty: all
    working_directory: str
    output_files: tuple  # files the program writes, compared like its output

    def wants(self, variant):
        """Chosen by id, by setting, or by the functions that it changes; as
        barricade's --rules, `-GLOB` leaves out and the last match decides."""
        wanted = variant.kind == "original" or not self.variants
        for glob in self.variants if variant.kind != "original" else ():
            name = glob[1:] if glob.startswith("-") else glob
            if (
                fnmatch.fnmatch(variant.id, name)
                or fnmatch.fnmatch(variant.setting, name)
                or variant.functions
                and all(fnmatch.fnmatch(f, name) for f in variant.functions)
            ):
                wanted = name == glob
        return wanted


def make_case(name, entry, base="."):
    unknown = set(entry) - KEYS
    if unknown:
        raise UsageError(f"case '{name}': unknown keys {', '.join(sorted(unknown))}")
    arguments = entry.get("arguments", "")
    if isinstance(arguments, str):
        arguments = shlex.split(arguments)
    try:
        tolerance = Tolerance(
            float(entry.get("relative", 0)),
            float(entry.get("absolute", 0)),
            tuple(entry.get("ignore", ())),
            bool(entry.get("unordered", False)),
            bool(entry.get("json", False)),
        )
    except Exception as error:  # a regular expression that is none
        raise UsageError(f"case '{name}': {error}")
    folder = entry.get("working-directory", "")
    return Case(
        name,
        tuple(arguments),
        tolerance,
        tuple(entry.get("variants", ())),
        str(Path(base, folder).absolute()) if folder else "",
        tuple(entry.get("output-files", ())),
    )


def read_cases(path):
    """{glob of program sources: (flags, [Case])} of a file, see
    docs/measuring.md."""
    try:
        data = json.loads(Path(path).read_text())
        programs = data["programs"]
        return {
            glob: (
                tuple(entry.get("flags", ())),
                [make_case(name, case, Path(path).parent) for name, case in entry["cases"].items()],
            )
            for glob, entry in programs.items()
        }
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}")
    except MALFORMED as error:
        raise UsageError(f"'{path}' holds no cases: {error!r}")


def cases_of(program, known, default):
    """(flags, cases) of a program: those of the first glob that it matches. A
    file of cases chooses programs, too; without one each has the default."""
    for glob, found in known.items():
        if fnmatch.fnmatch(program.source, glob):
            return found
    return (), ([] if known else [default])
