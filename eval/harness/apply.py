# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what was measured to be faster into the user's sources."""

import difflib
import os
import sys
import tempfile
from pathlib import Path

from . import UsageError
from .manifest import REWRITES


def best(data):
    """{program: row} of the fastest variant that is significantly faster in one
    of the program's cases and slower in none."""
    chosen = {}
    for program in dict.fromkeys(unit["program"] for unit in data["units"]):
        units = [u for u in data["units"] if u["program"] == program]
        rows = {}
        for unit in units:
            for row in unit["variants"]:
                rows.setdefault(row["id"], []).append(row)
        good = {
            name: max(row["gain"] for row in found if row["verdict"] == "faster")
            for name, found in rows.items()
            if found[0]["kind"] in REWRITES
            and any(row["verdict"] == "faster" for row in found)
            and all(row["status"] == "timed" and row["verdict"] != "slower" for row in found)
        }
        if good:
            name = max(good, key=good.get)
            chosen[program] = rows[name][0]
    return chosen


def changes(manifest, variants):
    """{path below the root: new bytes}; the variants change different files."""
    result = {}
    for variant in variants:
        for path, file in variant.files.items():
            new = (manifest.folder / file).read_bytes()
            if result.setdefault(path, new) != new:
                raise UsageError(f"two of the best variants change '{path}': apply them by hand")
    return result


def diff(old, new, path):
    """A unified diff that `git apply` takes."""
    lines = difflib.unified_diff(
        old.decode(errors="surrogateescape").splitlines(keepends=True),
        new.decode(errors="surrogateescape").splitlines(keepends=True),
        f"a/{path}", f"b/{path}",
    )  # fmt: skip
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )


def replace_file(path, expected, new):
    """At once, or not at all; fails where the file is another by now."""
    try:
        if path.read_bytes() != expected:
            raise UsageError(f"'{path}' changed since the variants were prepared; not written")
        handle, partial = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(new)
        os.chmod(partial, path.stat().st_mode)
        os.replace(partial, path)
    except OSError as error:
        raise UsageError(f"cannot write '{path}': {error.strerror}")


def apply_best(data, manifest, root, in_place, out=sys.stdout):
    """Prints the diff of the best variants, and makes it where asked to."""
    chosen = best(data)
    variants = [manifest.variant(row["id"]) for row in chosen.values()]
    for path, new in sorted(changes(manifest, variants).items()):
        old = (manifest.folder / "original" / path).read_bytes()
        out.write(diff(old, new, path))
        if in_place:
            replace_file(root / path, old, new)
    for program, row in chosen.items():
        print(f"{program}: {row['id']}, {100 * row['gain']:+.1f} %", file=sys.stderr)
    if not chosen:
        print("no variant is faster: nothing to apply", file=sys.stderr)
