#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py BARRICADE_EMULATE FILE.cu: the planted fault is found, its twin runs.

A line of FILE.cu that ends in "// FAULT: KIND" is where the executor must
report KIND, in every thread order; several such lines allow any one of them.
With -DFIXED the program must end with exit code 0 in every order.
"""

import os
import re
import subprocess
import sys
import tempfile

ORDERS = [("inorder", 1), ("reversed", 1), ("random", 1), ("random", 2),
          ("random", 3), ("ahead", 5), ("starve", 5)]
FAULT_EXIT_CODE = 86


def runs(command, source, options, *flags):
    """(order, seed, finished run) for each order of the program."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/program.emulated"
        subprocess.run([command, "build", source, "-o", program, *flags],
                       check=True)
        for order, seed in ORDERS:
            yield order, seed, subprocess.run(
                [command, "run", program, f"--order={order}", f"--seed={seed}",
                 *options], capture_output=True, text=True)


def main():
    command, source = sys.argv[1:]
    text = open(source, encoding="utf-8").read()
    expected = {(number, kind.group(1))
                for number, line in enumerate(text.splitlines(), 1)
                if (kind := re.search(r"// FAULT: (\S+)$", line))}
    if not expected:
        sys.exit(f"{source} plants no fault")
    options = " ".join(re.findall(r"^// OPTIONS: (.*)$", text, re.M)).split()
    failures = 0
    for order, seed, run in runs(command, source, options):
        found = re.match(r"(.*):(\d+):\d+: error: ([\w-]+):", run.stderr)
        if (run.returncode != FAULT_EXIT_CODE or not found
                or os.path.basename(found[1]) != os.path.basename(source)
                or (int(found[2]), found[3]) not in expected):
            print(f"{order} {seed}: expected one of {sorted(expected)}, got exit "
                  f"code {run.returncode} and\n{run.stdout}{run.stderr}")
            failures += 1
    for order, seed, run in runs(command, source, options, "-DFIXED"):
        if run.returncode:
            print(f"{order} {seed}: the fixed program ends with exit code "
                  f"{run.returncode}\n{run.stdout}{run.stderr}")
            failures += 1
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
