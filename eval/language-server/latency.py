#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How soon `barricade --lsp` answers an edit, and what memory it takes.

Opens a source, then types into one of its kernels, one character at a time,
each as an incremental change, and waits for the new diagnostics. Printed are,
per source: the time to the first diagnostics, when headers are precompiled;
median and worst wall-clock time from sending an edit to reading its
diagnostics, the server's pause of 30 ms included; mean processor time (user and
system) of an edit, of all threads and of the busiest one; resident memory after
the edits, and its peak. The two passes of a source are parsed side by side, so
that on two free cores the time of an edit is that of the busiest thread, and the
pause.

Exit code 1 where --limits is given and a median exceeds its source's limit.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "test" / "lsp"), str(ROOT / "eval" / "parse-time")]

from client import Client, position_at  # noqa: E402
from parse_time import SOURCES  # noqa: E402

LIMITS_MS = {"runtime only": 150, "thrust and cub": 300}
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid):
    """Of all threads, those that ended included."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def thread_seconds(pid):
    """By thread, of those that live."""
    return {task.name: int((task / "schedstat").read_text().split()[0]) / 1e9
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir()}


def memory_megabytes(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    raise ValueError(name)


def measure(barricade, source, edits):
    with tempfile.TemporaryDirectory() as folder, \
            Client([barricade, "--lsp"], cwd=folder) as server:
        server.initialize()
        path = os.path.join(folder, "k.cu")
        begin = time.monotonic()
        server.open(path, source)
        server.diagnostics_of(path, 1)
        first = time.monotonic() - begin

        pid = server.process.pid
        statement = "  float sum = 0;"
        at = source.index(statement) + len(statement)
        walls = []
        used, threads = processor_seconds(pid), thread_seconds(pid)
        for version in range(2, edits + 2):
            # Types a comment: // 0123...
            typed = "/" if version < 4 else chr(ord("0") + version % 10)
            here = position_at(source, at)
            source = source[:at] + typed + source[at:]
            at += 1
            begin = time.monotonic()
            server.change(path, version,
                          {"range": {"start": here, "end": here}, "text": typed})
            server.diagnostics_of(path, version)
            walls.append(time.monotonic() - begin)
        used = processor_seconds(pid) - used
        busiest = max(seconds - threads[task]
                      for task, seconds in thread_seconds(pid).items()
                      if task in threads)
        return {"first": first,
                "wall": statistics.median(walls) * 1000,
                "worst": max(walls) * 1000,
                "processor": used / edits * 1000,
                "busiest": busiest / edits * 1000,
                "memory": memory_megabytes(pid, "VmRSS"),
                "peak": memory_megabytes(pid, "VmHWM")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--barricade", default="build/tool/barricade")
    parser.add_argument("--edits", type=int, default=30)
    parser.add_argument("--limits", action="store_true",
                        help=f"fail above {LIMITS_MS} ms")
    options = parser.parse_args()

    print("| source | first, s | edit, ms: median | worst | processor, ms: all "
          "| busiest thread | memory, MB | peak |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    failed = False
    for name, source in SOURCES.items():
        m = measure(os.path.abspath(options.barricade), source, options.edits)
        print(f"| {name} | {m['first']:.1f} | {m['wall']:.0f} | {m['worst']:.0f} "
              f"| {m['processor']:.0f} | {m['busiest']:.0f} | {m['memory']:.0f} | {m['peak']:.0f} |",
              flush=True)
        failed |= m["wall"] > LIMITS_MS[name]
    print(f"\nload average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 1 if options.limits and failed else 0


if __name__ == "__main__":
    sys.exit(main())
