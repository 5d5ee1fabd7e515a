#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_order.py BARRICADE_EMULATE order.cu: orders differ, runs repeat."""

import subprocess
import sys

RUNS = [("inorder", 1), ("reversed", 1), ("random", 1), ("random", 2),
        ("random", 3), ("ahead", 5), ("starve", 5)]


def main():
    command, source = sys.argv[1:]

    def output(order, seed):
        return subprocess.run(
            [command, "run", source, f"--order={order}", f"--seed={seed}"],
            check=True, capture_output=True, text=True).stdout

    outputs = {}
    for order, seed in RUNS:
        text = output(order, seed)
        if text != output(order, seed):
            sys.exit(f"{order} {seed}: two runs differ")
        if sorted(map(int, text.split())) != list(range(256)):
            sys.exit(f"{order} {seed}: not every thread ran once:\n{text}")
        if text in outputs:
            sys.exit(f"{order} {seed} runs as {outputs[text]} does")
        outputs[text] = (order, seed)


if __name__ == "__main__":
    main()
