#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a program, then runs original and rewrite on the CPU executor.

Both must exit with 0 in every order of threads; with --same-output they must
print the same, too. With --faulty the original must fail in some order.
A rewrite that changes nothing is a failure: there would be nothing to test. With
--persistent all run on three devices, a large, a small one, and one that shares its
multiprocessors; on the large one no launch that barricade wrote may be refused. With --logical-blocks none may be on
one that holds two blocks, where without that option some are. --launches says how
many launches barricade must have written: a loop that it refuses is not tested.
Where a kernel may take a loop over, it does so in the first iteration in half of the
orders and in the second in the others; a graph that makes three launches at once comes
after the first launch or after the second. With --stretches no kernel does: launches
stay launches, of which some must become steps of one.
"""
import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from rewriting import rewritten_copy

ORDERS = ("inorder", "reversed", "random", "starve")
REFUSAL_IS_FATAL = "BARRICADE_TEST_REFUSAL_IS_FATAL"
LAUNCH = "barricade::launch_"
# Devices, in the executor's words. A program is run without its command, which takes
# longer to start than most programs to run.
LARGE = {"BARRICADE_EMU_SMS": "16"}
TWO_BLOCKS = {"BARRICADE_EMU_SMS": "1", "BARRICADE_EMU_BLOCKS_PER_SM": "2"}
# One that tells of more than there is, as under MPS: launches are refused late.
TELLS_OF_MORE = {"BARRICADE_EMU_SMS": "16", "BARRICADE_EMU_FREE_SMS": "1",
                 "BARRICADE_EMU_BLOCKS_PER_SM": "2", "BARRICADE_EMU_REPORT_TOO_LARGE": "0"}
RUNTIME = "#include <barricade/gpu_sync.cuh>\n"
TRAP = f"""#include <cstdlib>
namespace barricade {{
inline cudaError_t notRefused(cudaError_t Launched) {{
  if (Launched != cudaSuccess && std::getenv("{REFUSAL_IS_FATAL}"))
    __builtin_trap();
  return Launched;
}}
}} // namespace barricade
"""


def run(command, **variables):
    result = subprocess.run(command, capture_output=True, text=True,
                            env={**os.environ, **variables})
    return result.returncode, result.stdout + result.stderr


def with_traps(text):
    """The program, with a trap that can be set where a launch of barricade's is refused."""
    launches = set(re.findall(LAUNCH + r"\w+", text))
    wrappers = "".join(f"#define {name.split('::')[1]}(...) notRefused({name}(__VA_ARGS__))\n"
                       for name in sorted(launches))
    return text.replace(RUNTIME, RUNTIME + TRAP + wrappers)


NEVER = 1 << 30
IN_FIRST_ITERATION = [(0, order) for order in ORDERS]
# Read as they run, so that one build does for all.
TAKEOVER_AT = "BARRICADE_TEST_TAKEOVER_AT"
REPLAY_AT = "BARRICADE_TEST_REPLAY_AT"


def read_from(variable):
    return f'strtoull(getenv("{variable}"), nullptr, 10)'


def takeovers(source, stretches):
    """A rewritten program, and where it takes over in which order."""
    text = source.read_text()
    if stretches:
        if "barricade::Stretch" not in text:
            sys.exit("no launches can be steps of one: there is nothing to test")
        return source, [(NEVER, order) for order in ORDERS]
    if not any("barricade::" + name in text
               for name in ("Takeover", "ReplayedLaunches", "LoopedLaunches")):
        return source, IN_FIRST_ITERATION
    return source, [(number % 2, order) for number, order in enumerate(ORDERS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--barricade", required=True)
    parser.add_argument("--emulate", required=True)
    parser.add_argument("--option", action="append", default=[], help="of barricade")
    parser.add_argument("--runtime", help="folder of barricade/*.cuh")
    parser.add_argument("--persistent", action="store_true")
    parser.add_argument("--logical-blocks", action="store_true")
    parser.add_argument("--launches", type=int)
    parser.add_argument("--stretches", action="store_true")
    parser.add_argument("--include", required=True)
    parser.add_argument("--faulty", action="store_true",
                        help="the original is wrong in some order of threads")
    parser.add_argument("--same-output", action="store_true")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        building = ["-I" + options.runtime] if options.runtime else []
        program = pathlib.Path(folder) / "program.emulated"

        def rewrite(place, *more):
            copy = rewritten_copy(options.barricade, [*options.option, *more],
                                  options.include, options.source, place)
            text = copy.read_text()
            written = text.count(LAUNCH)
            if options.launches not in (None, written):
                sys.exit(f"{options.launches} launches should have been written, not {written}")
            if options.persistent or options.logical_blocks:
                copy.write_text(with_traps(text))
            return copy

        def build(source):
            code, text = run([options.emulate, "build", str(source), "-o", str(program),
                              f"-DBARRICADE_TAKEOVER_AT={read_from(TAKEOVER_AT)}",
                              f"-DBARRICADE_REPLAY_AT={read_from(REPLAY_AT)}",
                              "-DBARRICADE_LAUNCHES_PER_REPLAY=3", *building])
            if code:
                sys.exit(f"{source} does not build\n{text}")

        def run_program(takeover, **variables):
            replay = 1 if takeover == NEVER else takeover + 1
            return run([program, *options.arguments],
                       **{TAKEOVER_AT: str(takeover), REPLAY_AT: str(replay)}, **variables)

        devices = [{}]
        if options.persistent:
            devices = [{REFUSAL_IS_FATAL: "1", **LARGE}, TWO_BLOCKS, TELLS_OF_MORE]
        if options.logical_blocks:
            devices = [{REFUSAL_IS_FATAL: "1", **TWO_BLOCKS}]
            build(rewrite(pathlib.Path(folder) / "whole"))
            if run_program(0, **devices[0])[0] == 0:
                sys.exit("all grids are resident: there is nothing to test")
            programs = [takeovers(rewrite(folder, "--grid-barrier-logical-blocks"), options.stretches)]
        else:
            programs = [(options.source, IN_FIRST_ITERATION),
                        takeovers(rewrite(folder), options.stretches)]
        failed = False
        first = None
        faults = 0
        for source, runs in programs:
            build(source)
            for (takeover, order), device in itertools.product(runs, devices):
                code, text = run_program(takeover, BARRICADE_EMU_ORDER=order, **device)
                if code and options.faulty and source == options.source:
                    faults += 1
                elif code:
                    failed = True
                    print(f"{source}, order {order}: exit code {code}\n{text}")
                first = first or text
                if options.same_output and text != first:
                    failed = True
                    print(f"{source}, order {order}, prints\n{text}\ninstead of\n{first}")
        if options.faulty and not faults:
            print(f"{options.source} is right in all orders")
            failed = True
        return failed


if __name__ == "__main__":
    sys.exit(main())
