# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a program still computes the same, where nobody declared what it
prints: what two runs of the original have in common, a run of the rewrite must
have, too. Lines that tell times are left out."""

import difflib
import hashlib
import re
from dataclasses import dataclass

# Lines that tell how long something took, or how fast it was.
TIMES = re.compile(
    r"time|took|second|\bback:|\d ?m?s\b|[MG]?(B|flops?|options|elements)/s|^(memcopy|kernel|.*stream.*):", re.I
)
UNIT_OF_TABLE = re.compile(r"\((GB/s|MB/s|us|ms|s)\)$")


@dataclass
class Execution:
    good: bool
    text: str
    written: dict  # file -> digest of what the program wrote there


def stamps(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): (p.stat().st_mtime_ns, p.stat().st_size) for p in files}


def written_since(folder, before):
    """The digests of the files in the folder that are not as `before`."""
    return {
        path: hashlib.sha256((folder / path).read_bytes()).hexdigest()
        for path, stamp in stamps(folder).items()
        if before.get(path) != stamp
    }


def told_lines(text):
    """The lines without those that tell times, and numbers that such a line
    announces: in the line after a colon, or in the indented table under a unit."""
    lines, announced, in_table = [], False, False
    for line in text.splitlines():
        in_table = bool(UNIT_OF_TABLE.search(line)) or (in_table and line[:1] in {"", " "})
        tells = bool(TIMES.search(line)) or announced or in_table
        announced = tells and line.endswith(":")
        if not tells:
            lines.append(line)
    return lines


def compare(first, second, third):
    """Whether the rewrite's execution, the third, gave what the original's two
    gave, and what differs. Lines and files in which those differ are left out."""
    lines = [told_lines(execution.text) for execution in (first, second, third)]
    files = {path for path in first.written if first.written[path] == second.written.get(path)}
    wrong = sorted(path for path in files if third.written.get(path) != first.written[path])
    if len(lines[0]) != len(lines[1]):
        return ("differs" if wrong else f"{len(files)} files" if files else "varies"), ", ".join(wrong)
    stable = [a == b for a, b in zip(lines[0], lines[1])]
    if len(lines[2]) != len(lines[0]):
        return "differs", "\n".join(list(difflib.unified_diff(lines[0], lines[2], lineterm=""))[:40])
    unlike = [(a, c) for a, c, same in zip(lines[0], lines[2], stable) if same and a != c]
    if unlike or wrong:
        return "differs", "\n".join([f"- {a}\n+ {c}" for a, c in unlike[:20]] + wrong)
    return f"{sum(stable)} of {len(stable)} lines, {len(files)} files equal", ""
