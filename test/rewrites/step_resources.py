#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares persistent kernels with the kernels of which they are made.

  step_resources.py --barricade=PATH --include=SAMPLES --arch=sm_NN A.cu...
                    -- NVCC ARGUMENTS...

Prints a table in Markdown, one line for each persistent kernel: registers and
spilled bytes of it and of its kernels, from ptxas; instructions that load from
and store to global memory, and the widest of them, from the PTX. A persistent
kernel has its kernels' loads and stores, and those of what the host copied in the
loop; those of the barrier are not counted. The last column says what is worse in
the persistent kernel, but for registers, which the loop takes, too; the exit code
is 1 where something is that --explained does not name, or where what it names is no
worse.
"""
import argparse
import collections
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import check_step_ptx
from rewriting import rewritten_copy

STORE = re.compile(r"(st|red|atom)\.(?!shared|local|release|relaxed|acq)")
BARRIER = re.compile(r"__gpu_sync|\.(acquire|release|relaxed|acq_rel)\.gpu")

Resources = collections.namedtuple("Resources", "registers spills at width")
Row = collections.namedtuple("Row", "name calls parts own whole")
KINDS = ("loads", "stores")


def width(instruction):
    """How many bits the access moves in each thread."""
    vector = re.search(r"\.v(\d)\.", instruction)
    bits = re.search(r"\.[bsuf](\d+)\b", instruction)
    return (int(vector.group(1)) if vector else 1) * (int(bits.group(1)) if bits else 0)


def accesses(body):
    """What a kernel does to global memory, but for its barrier: how often it
    loads and stores at each line of the source, and the widest access. What is
    compiled for several paths or calls counts once: the most in one basic block."""
    blocks, block, place, widest = collections.Counter(), 0, None, 0
    for line in (each.strip() for each in re.split(r"[;\n]", body)):
        code = re.sub(r"^@!?%?\w+\s+", "", line)
        kind = ("loads" if check_step_ptx.LOAD.match(code)
                else "stores" if STORE.match(code) and not BARRIER.search(code) else None)
        if code.startswith(".loc"):
            place = tuple(code.split()[1:3])
        elif line.endswith(":") or code.startswith("bra"):
            block += 1
        elif kind:
            blocks[kind, place, block] += 1
            widest = max(widest, width(code))
    at = collections.Counter()
    for (kind, place, _), count in blocks.items():
        at[kind, place] = max(at[kind, place], count)
    return at, widest


def resources(nvcc, arch, kernels, ptx):
    """What each kernel of the PTX takes of a multiprocessor."""
    ptxas = pathlib.Path(nvcc[0]).with_name("ptxas")
    told = subprocess.run([ptxas, "-v", f"-arch={arch}", ptx, "-o", "/dev/null"],
                          capture_output=True, text=True, check=True).stderr
    found = re.finditer(r"entry function '(\w+)'.*?(\d+) bytes spill stores, "
                        r"(\d+) bytes spill loads.*?Used (\d+) registers", told, re.DOTALL)
    return {name: Resources(int(registers), int(stores) + int(loads),
                            *accesses(kernels[name][1]))
            for name, stores, loads, registers in (each.groups() for each in found)}


def called(kernel, mangled):
    """Whether the mangled name is the kernel's or one of its instances'."""
    return kernel == mangled or re.search(f"{len(kernel)}{kernel}", mangled)


def own_accesses(text):
    """What a persistent kernel does in place of the host, by its text."""
    if re.search(r"barricade::(fill|copy)\(", text):
        return dict.fromkeys(KINDS, math.inf)
    return {"loads": len(re.findall(r" = \*\(", text)),
            "stores": text.count("barricade::store(")}


def rows(text, old, new):
    """A Row for each persistent kernel that the rewritten text has."""
    text = re.sub(r"//.*", "", text)
    for found in re.finditer(r"\b(\w+_persistent)\(\s*barricade.*?\n}\n", text, re.DOTALL):
        calls = collections.Counter(re.findall(r"\b(\w+?)_step\d*[<(]", found.group()))
        parts = [old[name] for name in old if any(called(kernel, name) for kernel in calls)]
        for name in new:
            if called(found.group(1), name) and parts:
                yield Row(found.group(1), calls, parts, own_accesses(found.group()), new[name])


def most(row, field):
    return max(getattr(part, field) for part in row.parts)


def count(at, kind):
    return sum(times for (each, _), times in at.items() if each == kind)


def expected(row, kind):
    """Of all kernels together: instances of a template share lines."""
    at = collections.Counter()
    for part in row.parts:
        at |= part.at
    return count(at, kind) + row.own[kind]


def losses(row):
    """In what a persistent kernel is worse than its kernels."""
    if row.whole.spills > most(row, "spills"):
        yield "spills"
    for kind in KINDS:
        if count(row.whole.at, kind) > expected(row, kind):
            yield kind
    if row.whole.width < most(row, "width"):
        yield "width"


def table_line(source, row):
    kernels = ", ".join(kernel + (f" x{count}" if count > 1 else "")
                        for kernel, count in row.calls.items())
    pairs = [(most(row, "registers"), row.whole.registers),
             (most(row, "spills"), row.whole.spills),
             *((expected(row, kind), count(row.whole.at, kind)) for kind in KINDS),
             (most(row, "width"), row.whole.width)]
    cells = [source.name, row.name, kernels, *(f"{old} / {new}".replace("inf", "any") for old, new in pairs),
             ", ".join(losses(row))]
    return "| " + " | ".join(cells) + " |"


def compiled(options, arch, source, folder):
    nvcc = [*options.nvcc, "-lineinfo"]
    kernels = check_step_ptx.compile_ptx(nvcc, arch, source, folder)
    return resources(options.nvcc, arch, kernels, pathlib.Path(folder, "kernel.ptx"))


def compared(options, source):
    with tempfile.TemporaryDirectory() as folder:
        rewritten = rewritten_copy(options.barricade, ["--rules=grid-barrier"],
                                   options.include, source, folder)
        old = compiled(options, options.arch, source, folder)
        new = compiled(options, options.arch, rewritten, folder)
        return list(rows(rewritten.read_text(), old, new))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--barricade", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--arch", required=True)
    parser.add_argument("--explained", action="append", default=[],
                        help="a persistent kernel that pays for a promise its steps cannot make")
    parser.add_argument("source", type=pathlib.Path, nargs="+")
    at = sys.argv.index("--")
    options = parser.parse_args(sys.argv[1:at])
    options.nvcc = sys.argv[at + 1:]
    print("| source | persistent kernel | kernels | registers | spilled bytes | loads | stores "
          "| widest | worse |")
    print("|---|---|---|---|---|---|---|---|---|")
    worse = set()
    for source in options.source:
        for row in compared(options, source):
            print(table_line(source, row), flush=True)
            if any(losses(row)):
                worse.add(row.name)
    return worse != set(options.explained)


if __name__ == "__main__":
    sys.exit(main())
