#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a copy of a CUDA source and checks what a user relies on:

1. barricade changes the file, and says so by exit code 0;
2. the result compiles, with nvcc (where there is one) and with Clang;
3. a second run over the result proposes nothing;
4. where the source has a main(), the result runs on the CPU executor without a
   fault, in adversarial orders of threads, and prints what the source prints.
"""

import argparse
import os
import shutil
import subprocess
import sys

# Without libcu++, which takes more time than everything else that
# cooperative_groups.h brings along, and of which no rewrite uses anything.
LIGHT = ["-D_CG_LIMIT_INCLUDED_DEPENDENCIES"]
ORDERS = ("inorder", "reversed", "random", "starve")


def parse_command_line():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--barricade", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--nvcc", help="left out: the result is not compiled by nvcc")
    parser.add_argument("--emulate", required=True, help="the CPU executor")
    parser.add_argument("--runtime", required=True, help="folder of barricade/*.cuh")
    parser.add_argument("source")
    parser.add_argument("result")
    own, flags = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, flags = own[:at], own[at + 1 :]
    args, options = parser.parse_known_args(own)
    return args, options, flags


def fail(what, output=""):
    sys.exit(f"rewrite-check: {what}\n{output}")


def run(command, what, allowed=(0,), **variables):
    """The command's stdout; ends the test where its exit code is not allowed."""
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **variables}
    )
    if done.returncode not in allowed:
        fail(
            f"{what}: exit code {done.returncode} of {' '.join(command)}",
            done.stdout + done.stderr,
        )
    return done.stdout


def for_clang(flag):
    """nvcc's spelling of a flag in Clang's words, for the few that tests use."""
    if flag.startswith("-arch="):
        return ["--cuda-gpu-arch=" + flag.removeprefix("-arch=")]
    if flag == "--expt-relaxed-constexpr":  # as Clang always does
        return []
    return ["-fgpu-rdc" if flag == "-rdc=true" else flag]


def libcudacxx(nvcc):
    """Where CUDA 13 keeps CUDA's C++ library, which nvcc finds by itself."""
    toolkit = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    folder = os.path.join(toolkit, "include", "cccl")
    return ["-isystem", folder] if os.path.isdir(folder) else []


def run_both(args, include_flags):
    """Source and result, each in several orders of threads."""
    outputs = {}
    for file in (args.source, args.result):
        program = args.result + ".emulated"
        run([args.emulate, "build", file, "-o", program, "-O0"] + include_flags, "emulator")
        # Without the executor's command, which takes longer to start than this to run.
        for order in ORDERS:
            output = run([program], f"{order} order of {file}", BARRICADE_EMU_ORDER=order)
            outputs.setdefault(output, (file, order))
    if len(outputs) > 1:
        fail(f"different outputs of {list(outputs.values())}", "\n".join(outputs))


def main():
    args, options, flags = parse_command_line()
    source_folder = os.path.dirname(os.path.abspath(args.source))
    helpers = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
    include_flags = [f"-I{source_folder}", f"-I{args.runtime}", f"-I{helpers}"]
    flags = include_flags + LIGHT + flags
    if not any(flag.startswith("-std=") for flag in flags):
        flags.append("-std=c++17")
    if not any(flag.startswith("-arch=") for flag in flags):
        flags.append("-arch=sm_75")
    compiler = ["--", args.nvcc or "nvcc"] + flags

    shutil.copyfile(args.source, args.result)
    # What is legal is tested here, whether it pays or not.
    barricade = [args.barricade, "--profit=any", "--fail-on=never"]
    run(barricade + ["--in-place", args.result] + options + compiler, "rewriting")
    with open(args.source, "rb") as before, open(args.result, "rb") as after:
        if before.read() == after.read():
            fail("nothing was rewritten")

    if args.nvcc:
        run([args.nvcc, "-c", "-o", os.devnull, args.result] + flags, "nvcc")
    # The device's side is left to the second run, which parses it with Clang.
    clang = [args.clang, "-fsyntax-only", "--cuda-host-only", "-Wno-unknown-cuda-version"]
    if args.nvcc:
        clang += libcudacxx(args.nvcc)
    clang += [word for flag in flags for word in for_clang(flag)]
    run(clang + [args.result], "Clang")

    again = barricade + ["--dry-run", args.result] + options + compiler
    diff = run(again, "second run", allowed=(0, 1))
    if diff.strip():
        fail("a second run is not content with the result", diff)

    with open(args.source, encoding="utf-8") as file:
        if "int main(" in file.read():
            run_both(args, include_flags)


if __name__ == "__main__":
    main()
