#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that on every path through a kernel the release and acquire
operations of a grid barrier stand where its memory-model argument needs them.

  check_ptx_order.py -- COMPILER ARGUMENTS...

runs a compiler that makes PTX of one_barrier.cu, adding `-o FILE`, and walks each
kernel's control-flow graph together with an automaton of the allowed orders. To show that the check can fail, it is repeated on PTX with the release,
the acquire or a block barrier taken out, which it must refuse.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import ptx_graph  # noqa: E402

# What an instruction means to the argument; the first match counts.
EVENTS = [
    ("bar", r"(bar|barrier)(\.cta)?\.sync"),
    ("cluster arrives", r"barrier\.cluster\.arrive(?!\.relaxed)"),
    ("cluster waits", r"barrier\.cluster\.wait"),
    ("arrive", r"atom\.release\.gpu\.(global\.)?(inc|add)\.u32"),
    ("signal", r"st\.release\.gpu\.(global\.)?[ub]32"),
    ("poll", r"ld\.relaxed\.gpu\.(global\.)?[ub]32"),
    ("acquire", r"ld\.acquire\.gpu\.(global\.)?[ub]32|fence\.acquire\.gpu"),
    ("store", r"st\.(global\.)?[usb]32"),
    ("load", r"ld\.(global\.)?[usb]32"),
    ("other", r"atom|red|st\.(?!param|local|shared)|ld\.(?!param|local|shared|const)"
              r"|membar|fence"),
]

# Automata: state -> {event: next state}. "done" is reached by the last store.
COUNTER = {
    "start": {"store": "stored"},
    "stored": {"bar": "met"},
    # Followers go on to the second bar; the leader arrives first.
    "met": {"arrive": "arrived", "bar": "passed"},
    # The last block of a large grid need not poll.
    "arrived": {"poll": "arrived", "acquire": "acquired"},
    "acquired": {"acquire": "acquired", "bar": "passed"},
    "passed": {"load": "loaded"},
    "loaded": {"store": "done"},
    "done": {},
}
# From sm_90 on: where the grid is one cluster, each thread meets all others.
IN_CLUSTER = {
    "stored": {"bar": "met", "cluster arrives": "of cluster"},
    "of cluster": {"cluster waits": "passed"},
}
# In the split form branches are taken twice. The graph does not tell
# that both have one condition, so the paths that mix them are allowed as well.
SPLIT = dict(COUNTER,
             met={"arrive": "arrived", "poll": "polled", "bar": "passed"},
             arrived={"poll": "polled", "bar": "passed"},
             polled={"poll": "polled", "acquire": "acquired"})
SPLIT_IN_CLUSTER = {
    **SPLIT, **IN_CLUSTER,
    "met": {**SPLIT["met"], "cluster waits": "passed"},
    "arrived": {**SPLIT["arrived"], "cluster waits": "passed"},
    "of cluster": {"cluster waits": "passed", "poll": "polled", "bar": "passed"},
}
FLAGS = {
    "start": {"store": "stored"},
    "stored": {"poll": "numbered", "bar": "met"},
    "numbered": {"bar": "met"},
    "met": {"signal": "signalled", "acquire": "acquired", "bar": "passed"},
    "signalled": {"acquire": "acquired", "bar": "passed"},
    "acquired": {"acquire": "acquired", "bar": "passed"},
    # Block 0 serves the others after its own bar, then meets once more.
    "passed": {"signal": "serving", "bar": "passed", "load": "loaded"},
    "serving": {"signal": "serving", "bar": "passed"},
    "loaded": {"store": "done"},
    "done": {},
}


def automata(ptx):
    """By kernel, for the architecture of this PTX."""
    has_clusters = int(re.search(r"\.target\s+sm_(\d+)", ptx)[1]) >= 90
    return {"automatic": {**COUNTER, **IN_CLUSTER} if has_clusters else COUNTER,
            "split": SPLIT_IN_CLUSTER if has_clusters else SPLIT,
            "lock": COUNTER, "lock_free": FLAGS}


def instructions(ptx, kernel):
    for name, _, body in ptx_graph.kernels(ptx):
        if name == kernel:
            return list(ptx_graph.instructions(body))
    sys.exit(f"no kernel {kernel} in the PTX")


def event(instruction):
    opcode = re.sub(r"^@!?%?\w+\s+", "", instruction)
    for name, pattern in EVENTS:
        if re.match(pattern, opcode):
            return name
    return None


def violation(ptx, kernel, automaton):
    """The first instruction that a path reaches in a wrong state, or None."""
    code = instructions(ptx, kernel)
    labels = {line[:-1]: i for i, line in enumerate(code) if line.endswith(":")}
    seen, todo = set(), [(0, "start")]
    while todo:
        at, state = todo.pop()
        if (at, state) in seen:
            continue
        seen.add((at, state))
        if re.match(r"ret\b", code[at]) and state != "done":
            return f"a path ends as '{state}'"
        if name := event(code[at]):
            if name not in automaton[state]:
                return f"'{code[at]}' comes when '{state}'"
            state = automaton[state][name]
        todo += [(to, state) for to in ptx_graph.successors(code, labels, at)]
    return None


# What each takes out must be missed by every kernel.
MUTANTS = {
    "without release": lambda ptx: ptx.replace(".release", ".relaxed"),
    "without acquire": lambda ptx: re.sub(
        r"fence\.acquire\.gpu;|ld\.acquire\.gpu", lambda m:
        "" if m.group().startswith("fence") else "ld.relaxed.gpu", ptx),
    "without block barriers": lambda ptx: re.sub(
        r"\b(bar|barrier)(\.cta)?\.sync[^;]*;", "", ptx),
}
# The same, where it knows clusters.
CLUSTER_MUTANTS = {
    "without arrival in the cluster": lambda ptx: re.sub(
        r"barrier\.cluster\.arrive[^;]*;", "", ptx),
    "without release in the cluster": lambda ptx: re.sub(
        r"barrier\.cluster\.arrive[^;]*;", "barrier.cluster.arrive.relaxed;", ptx),
    "without wait in the cluster": lambda ptx: re.sub(
        r"barrier\.cluster\.wait[^;]*;", "", ptx),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "one_barrier.ptx")
        subprocess.run(sys.argv[2:] + ["-o", str(output)], check=True)
        ptx = output.read_text()
    failed = False
    for kernel, automaton in automata(ptx).items():
        if wrong := violation(ptx, kernel, automaton):
            print(f"{kernel}: {wrong}")
            failed = True
        mutants = dict(MUTANTS)
        if "of cluster" in automaton:
            mutants.update(CLUSTER_MUTANTS)
        for name, mutate in mutants.items():
            if not violation(mutate(ptx), kernel, automaton):
                print(f"{kernel} {name} passes the check")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
