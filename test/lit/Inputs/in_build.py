# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A source as one build has it: `in_build.py FILE [MACRO...]` prints it without its
conditions, where these macros are defined and no others. Lines that are left out
are empty, so that all others keep their numbers."""
import re
import sys

path, *macros = sys.argv[1:]
taken = [[True, True]]  # for each condition: is this branch compiled, was one
for line in open(path):
    directive = re.match(r"#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)", line)
    if not directive:
        print(line.rstrip("\n") if all(now for now, _ in taken) else "")
        continue
    kind, names = directive[1], re.findall(r"\w+", directive[2].replace("defined", ""))
    holds = any(name in macros for name in names) != (kind == "ifndef")
    if kind in ("ifdef", "ifndef", "if"):
        taken.append([holds, holds])
    elif kind == "elif":
        taken[-1] = [holds and not taken[-1][1], holds or taken[-1][1]]
    elif kind == "else":
        taken[-1] = [not taken[-1][1], True]
    else:
        taken.pop()
    print()
