#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a program, then runs original and rewrite on the CPU executor.

Both must exit with 0 in every order of threads; with --same-output they must
print the same, too. A rewrite that changes nothing is a failure: there would be
nothing to test.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ORDERS = ("inorder", "reversed", "random", "starve")


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--barricade", required=True)
    parser.add_argument("--emulate", required=True)
    parser.add_argument("--interval", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--same-output", action="store_true")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        # Samples include their neighbours, so the whole folder comes along.
        tree = pathlib.Path(folder) / "tree"
        tree.mkdir()
        shutil.copytree(options.include, tree / "samples")
        shutil.copytree(options.source.parent, tree / "samples" / options.source.parent.name,
                        dirs_exist_ok=True)
        rewritten = tree / "samples" / options.source.parent.name / options.source.name
        code, text = run([options.barricade, "--quiet", "--in-place", "--min-instructions=0",
                          "--min-memory-ratio=0", "--barrier-interval=" + options.interval,
                          str(rewritten)])
        if code or rewritten.read_bytes() == options.source.read_bytes():
            print(f"not rewritten, exit code {code}\n{text}")
            return 1
        failed = False
        first = None
        for source in (options.source, rewritten):
            program = pathlib.Path(folder) / "program.emulated"
            code, text = run([options.emulate, "build", str(source), "-o", str(program)])
            if code:
                print(f"{source} does not build\n{text}")
                return 1
            for order in ORDERS:
                code, text = run([options.emulate, "run", str(program), "--order", order, "--",
                                  *options.arguments])
                if code:
                    failed = True
                    print(f"{source}, order {order}: exit code {code}\n{text}")
                first = first or text
                if options.same_output and text != first:
                    failed = True
                    print(f"{source}, order {order}, prints\n{text}\ninstead of\n{first}")
        return failed


if __name__ == "__main__":
    sys.exit(main())
