#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares barricade's instruction counts of loops with nvcc's PTX.

usage: ptx_counts.py --nvcc NVCC --loop-facts PROGRAM FILE.cu...

Every loop is compiled with `#pragma unroll 1`, so that a loop of the source is a
loop of the PTX, and found there by its back edge and the line that -lineinfo
gives it. Loads, stores and atomics must agree exactly, the number of
instructions by TOLERANCE, or by SLACK instructions in small loops. Moves between
registers do not count: they are PTX's way to write SSA's phis.
Exit code: 0 all loops agree, 1 not, 77 no nvcc.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 0.25
SLACK = 3
LINE = re.compile(r"\s*\.loc\s+\d+\s+(\d+)")
LABEL = re.compile(r"^(\$L\w+):")
BRANCH = re.compile(r"\s*(?:@!?%p\d+\s+)?bra(?:\.uni)?\s+(\$L\w+);")
MEMORY = re.compile(r"\s*(?:@!?%p\d+\s+)?(?:ld|st|atom|red|ldu)\.(?!param)")
ENTRY = re.compile(r"\.(?:entry|func)\s.*?_Z\d*(\w+)")


def keep_rolled(source):
    """The source with a pragma before every loop, line for line the same."""
    return re.sub(r"(?<!} )\b(for(?= \()|while(?= \()|do(?= {))",
                  r'_Pragma("unroll 1") \1', source)


def is_instruction(line):
    code = line.strip()
    return (code.endswith(";") and code[0] not in ".{/$"
            and not re.match(r"mov\.\w+\s+%\w+, [%0-9]", code))


def instructions_of(ptx):
    """The instructions of a function: (text, line of the source), labels too."""
    source_line = 0
    for line in ptx.splitlines():
        if match := LINE.match(line):
            # Line 0 says that an instruction belongs to no one place.
            source_line = int(match[1]) or source_line
        elif (match := LABEL.match(line)) or (line.strip() and is_instruction(line)):
            yield line, source_line


def loops_of(ptx):
    """The loops of a function by line: a list of [first, last] for each."""
    code = list(instructions_of(ptx))
    labels = {LABEL.match(text)[1]: at for at, (text, _) in enumerate(code)
              if LABEL.match(text)}
    extent = {}
    for at, (text, line) in enumerate(code):
        branch = BRANCH.match(text)
        if branch and labels.get(branch[1], at) < at:
            first = labels[branch[1]]
            last, _ = extent.get(first, (0, 0))
            extent[first] = max((last, 0), (at, line))
    return code, [(first, last, line) for first, (last, line) in extent.items()]


def count(code, loops, loop, trips):
    """(instructions, memory operations) per iteration; nested loops weigh as
    often as they run, `trips` by line."""
    first, last, _ = loop
    total = memory = 0
    for at in range(first, last + 1):
        if LABEL.match(code[at][0]):
            continue
        weight = 1
        for inner in loops:
            if inner != loop and first <= inner[0] <= at <= inner[1] <= last:
                weight *= trips.get(inner[2], 1)
        total += weight
        memory += weight * bool(MEMORY.match(code[at][0]))
    return total, memory


def functions_of(ptx):
    """Name and text of every function of a PTX file."""
    parts = re.split(r"(?m)^(?=\.visible|\.weak|\.func)", ptx.split("\t.section")[0])
    for part in parts:
        if match := ENTRY.search(part):
            yield match[1], part


def compare(path, nvcc, loop_facts):
    """Prints a line for every loop; returns how many disagree or are missing."""
    rolled = keep_rolled(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        copy = folder / path.parent.name / path.name
        copy.parent.mkdir()
        copy.write_text(rolled)
        common = path.parent.parent / "common"
        if common.is_dir():
            shutil.copytree(common, folder / "common")
        subprocess.run([nvcc, "-arch=sm_90", "-O3", "-std=c++17", "-ptx", "-lineinfo",
                        str(copy), "-o", str(folder / "out.ptx")], check=True)
        ptx = (folder / "out.ptx").read_text()
        output = subprocess.run([loop_facts, str(copy)], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
    facts = [json.loads(line) for line in output.splitlines()]
    trips = {fact["line"]: fact["trips"] for fact in facts}
    faults = 0
    seen = set()
    for name, text in functions_of(ptx):
        code, loops = loops_of(text)
        for loop in sorted(loops):
            fact = next((f for f in facts if f["line"] == loop[2]), None)
            if not fact:
                print(f"FAIL {path.name}:{loop[2]} {name}: no such loop in the facts")
                faults += 1
                continue
            seen.add(fact["line"])
            total, memory = count(code, loops, loop, trips)
            error = abs(fact["instructions"] - total)
            good = (fact["memory"] == memory
                    and error <= max(SLACK, TOLERANCE * total))
            faults += not good
            print(f"{'ok  ' if good else 'FAIL'} {path.name}:{loop[2]} "
                  f"{fact['function']}: T {fact['instructions']}, PTX {total}; "
                  f"memory {fact['memory']}, PTX {memory}")
    for fact in facts:
        if fact["line"] not in seen:
            print(f"FAIL {path.name}:{fact['line']} {fact['function']}: not in the PTX")
            faults += 1
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--loop-facts", required=True)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which(options.nvcc):
        print("no nvcc: nothing to compare with")
        return 77
    faults = [compare(path.resolve(), options.nvcc, options.loop_facts)
              for path in options.files]
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
