#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks in nvcc's PTX what the rule grid-barrier promises of a program.

  check_step_ptx.py --barricade=PATH --include=SAMPLES --arch=sm_NN A.cu
                    -- NVCC ARGUMENTS...

For each --arch:
- Each kernel of the original has the same instructions in the rewrite, where it
  is but a call of its step.
- In the kernels that the rewrite has besides, no load is one that need not see
  earlier steps' stores (ld.global.nc and the like), and no value loaded in one
  step is used in a later one, but for those of host scalars that are copied.

With --stretches the kernels that the rewrite has besides are those whose steps
have barriers of the block between.

With --rounding the third alone is asked, of fused kernels, too, and each new
kernel must be compared.

With --hazard nothing is rewritten, and the kernels of A.cu must fail the second
check: to show that it can.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from rewriting import rewritten_copy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import ptx_graph  # noqa: E402

REGISTER = re.compile(r"%(?:rd|rs|fd|f|r|p|h|hh|b|rc|rl)\d+\b")
# Loads of memory that other steps may write; the barrier's own are strong.
LOAD = re.compile(r"ld\.(?!param|shared|local|const|relaxed|acquire)")
NOT_COHERENT = re.compile(r"ld\.global\.(\w+\.)*nc\b|ldu\.|tex\.|tld4\.|suld\.")
GRID_BARRIER = re.compile(r"fence\.acquire\.gpu|ld\.acquire\.gpu")
STEP_BARRIER = re.compile(r"bar(rier)?\.sync")


def compile_ptx(nvcc, arch, source, folder):
    output = pathlib.Path(folder, "kernel.ptx")
    subprocess.run([*nvcc, f"-arch={arch}", "-ptx", str(source), "-o", str(output)], check=True)
    return {name: (directives, body)
            for name, directives, body in ptx_graph.kernels(output.read_text())}


def canonical(name, directives, body):
    """The kernel without the names that a compiler numbers or mangles."""
    names = {}

    def rename(found):
        kind = re.match(r"%[a-z]+|\$L|_ZZ", found.group()).group()
        return names.setdefault(found.group(), f"{kind}<{len(names)}>")

    text = "\n".join(ptx_graph.instructions(body)).replace(name, "<kernel>")
    text = re.sub(REGISTER.pattern + r"|\$L\w+|_ZZ\w+", rename, text)
    return " ".join(directives.split()) + "\n" + text


def operands(instruction):
    """Registers that an instruction writes and those that it reads."""
    guard = re.match(r"@!?(%?\w+)\s+", instruction)
    rest = instruction[guard.end():] if guard else instruction
    opcode, _, text = rest.partition(" ")
    reads = set(REGISTER.findall(guard.group())) if guard else set()
    if re.match(r"(st|red|bar|barrier|bra|ret|membar|fence|exit|trap)\b", opcode):
        return set(), reads | set(REGISTER.findall(text)), bool(guard)
    first = re.match(r"\s*(\{[^}]*\}|[^,]*)", text).group()
    return (set(REGISTER.findall(first)),
            reads | set(REGISTER.findall(text[len(first):])), bool(guard))


def fixed_point(code, flow, follow, start):
    """Iterates flow(at, value) along follow(at) until nothing grows."""
    values = [set(start) for _ in code]
    todo = list(range(len(code)))
    while todo:
        at = todo.pop()
        out = flow(at, values[at])
        for to in follow(at):
            if not out <= values[to]:
                values[to] |= out
                todo.append(to)
    return values


def carried_over(code, barrier):
    """Registers with values of loads in front of a barrier, used behind."""
    labels = {line[:-1]: i for i, line in enumerate(code) if line.endswith(":")}
    after = [[to for to in ptx_graph.successors(code, labels, at) if to < len(code)]
             for at in range(len(code))]
    before = [[] for _ in code]
    for at, following in enumerate(after):
        for to in following:
            before[to].append(at)
    effects = [operands(line) for line in code]

    def loaded(at, incoming):
        writes, reads, guarded = effects[at]
        opcode = re.sub(r"^@!?%?\w+\s+", "", code[at])
        new = LOAD.match(opcode) or reads & incoming
        kept = incoming if guarded else incoming - writes
        return kept | (writes if new else set())

    def used(at, later):
        writes, reads, guarded = effects[at]
        return (later if guarded else later - writes) | reads

    from_load = fixed_point(code, loaded, lambda at: after[at], ())
    # live[at]: used behind at; flows backwards through each instruction.
    live = fixed_point(code, used, lambda at: before[at], ())
    return {register for at, line in enumerate(code) if barrier.search(line)
            for register in from_load[at] & live[at]}


def copied_scalars(text, kernel):
    """How many host scalars the kernel copies from memory in each iteration, by
    `name = *(pointer);`: their values are meant to live on behind a barrier."""
    for found in re.finditer(r"\b(\w+_persistent)\(.*?\n}\n", text, re.DOTALL):
        if found.group(1) in kernel:
            return len(re.findall(r"^\s+\w+ = \*\(", found.group(), re.MULTILINE))
    return 0


def roundings(body):
    """How often the kernel has each floating-point operation that rounds a
    product or a sum."""
    found = re.findall(r"^\s*(?:@!?%?\w+\s+)?((?:fma|mad|mul|add|sub)\.[\w.]*f(?:16|32|64)\w*)", "\n".join(
        ptx_graph.instructions(body)), re.MULTILINE)
    return collections.Counter(found)


def kernel_named(name, kernels):
    """The only kernel of that name, whose symbol it is a part of; or None."""
    found = [symbol for symbol in kernels if f"{len(name)}{name}" in symbol]
    return found[0] if len(found) == 1 else None


def other_roundings(text, old, added, must_compare):
    """The new kernels that do not round as their steps, which is told where
    each of these is a kernel of a name of its own."""
    faults = []
    for function in re.finditer(r"__global__ [^;{]*?\b(\w+_(?:persistent|stretch|fused))\(.*?\n}\n", text, re.DOTALL):
        symbol = kernel_named(function.group(1), added)
        steps = [kernel_named(step, old) for step in re.findall(r"(?<!\.)(?<!barricade::)\b(\w+)_step\(", function.group())]
        if not symbol or not steps or None in steps:
            faults += [f"{function.group(1)} is not compared"] if must_compare else []
            continue
        expected = sum((roundings(old[step][1]) for step in steps), collections.Counter())
        found = roundings(added[symbol])
        # Loops may be unrolled.
        times = max(1, sum(found.values()) // max(1, sum(expected.values())))
        if found != collections.Counter({what: times * count for what, count in expected.items()}):
            faults.append(f"{function.group(1)} has {dict(found)}, its steps {dict(expected)}")
    return faults


def hazards(body, copied, barrier):
    code = list(ptx_graph.instructions(body))
    found = [line for line in code if NOT_COHERENT.search(line)]
    if not any(barrier.search(line) for line in code):
        found.append("no barrier")
    carried = sorted(carried_over(code, barrier))
    return found + (carried if len(carried) > copied else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--barricade")
    parser.add_argument("--include")
    parser.add_argument("--hazard", action="store_true")
    parser.add_argument("--stretches", action="store_true")
    parser.add_argument("--rounding", action="store_true")
    parser.add_argument("--arch", action="append", required=True)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("nvcc", nargs="+")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        rewritten = options.source
        if not options.hazard:
            rules = "grid-barrier" + (",launch-replay" if options.stretches else
                                      ",launch-replay,launch-fusion" if options.rounding else "")
            rewritten = rewritten_copy(options.barricade, [f"--rules={rules}"],
                                       options.include, options.source, folder)
        faults = [fault for arch in options.arch
                  for fault in check(options, arch, rewritten, folder)]
    print("\n".join(faults))
    return bool(faults)


def check(options, arch, rewritten, folder):
    """What is wrong with the PTX for one architecture."""
    faults = []
    old = {} if options.hazard else compile_ptx(options.nvcc, arch, options.source, folder)
    new = compile_ptx(options.nvcc, arch, rewritten, folder)
    for name, kernel in old.items():
        if name not in new or canonical(name, *kernel) != canonical(name, *new[name]):
            faults.append(f"{arch}: {name} has changed")
    barrier = STEP_BARRIER if options.stretches else GRID_BARRIER
    added = {name: body for name, (_, body) in new.items()
             if name not in old and (not options.stretches or "_stretch" in name)}
    if not added:
        faults.append(f"{arch}: no kernel has been added")
    for name, body in added.items() if not options.rounding else ():
        found = hazards(body, copied_scalars(pathlib.Path(rewritten).read_text(), name), barrier)
        if options.hazard and not found:
            faults.append(f"{arch}: no hazard is found in {name}")
        elif not options.hazard:
            faults += [f"{arch}: {name}: {what}" for what in found]
    if not options.hazard:
        faults += [f"{arch}: {what}" for what in other_roundings(
            pathlib.Path(rewritten).read_text(), old, added, options.rounding)]
    return faults


if __name__ == "__main__":
    sys.exit(main())
