#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a Markdown table of what run.sh measured.

  report.py RAW.jsonl

Times are medians of kernel milliseconds, over all rounds and runs. "gain" is the
improvement rho = (t - t_s) / t of Lo et al.; the barrier's own share compares
with the control, which has the same loop without the barrier.
"""
import json
import statistics
import sys


def main():
    times, wrong = {}, []
    for line in open(sys.argv[1]):
        row = json.loads(line)
        output = row["output"]
        if row["exit"] or not isinstance(output, dict) or not output["correct"]:
            wrong.append((row["case"], row["variant"], row["exit"]))
            continue
        key = row["case"], row["variant"]
        times.setdefault(key, []).extend(output["times_ms"])
    cases = list(dict.fromkeys(case for case, _ in times))
    print("| case | K | original ms | spread | rewritten ms | control ms |"
          " gain | barrier's own |")
    print("| --- |" + " ---: |" * 7)
    for case in cases:
        base = times[case, "original"]
        original = statistics.median(base)
        spread = (max(base) - min(base)) / original
        for k in (1, 4, 16, 64):
            if (case, f"k{k}") not in times:
                continue
            new = statistics.median(times[case, f"k{k}"])
            control = statistics.median(times[case, f"control{k}"])
            print(f"| {case} | {k} | {original:.3f} | {spread:.1%} | {new:.3f} |"
                  f" {control:.3f} | {(original - new) / original:+.1%} |"
                  f" {(control - new) / control:+.1%} |")
    for case in wrong:
        print("\nWRONG OR FAILED:", *case)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
