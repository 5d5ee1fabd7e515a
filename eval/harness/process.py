# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that may hang, crash or flood the disk."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

POLL_SECONDS = 0.02
OUTPUT_LIMIT = 256 << 20  # bytes


@dataclass
class Outcome:
    """How a program ended. Seconds are wall-clock time."""

    exit: int  # negative: killed by this signal
    seconds: float
    timed_out: bool = False
    flooded: bool = False

    @property
    def good(self):
        return self.ended_with(0)

    def ended_with(self, code):
        """Whether it came to its own end, with this exit code."""
        return self.exit == code and not self.timed_out and not self.flooded

    def why_bad(self):
        if self.timed_out:
            return f"killed after {self.seconds:.1f} s without an end"
        if self.flooded:
            return "killed for more output than allowed"
        if self.exit < 0:
            try:
                return f"ended by {signal.Signals(-self.exit).name}"
            except ValueError:
                return f"ended by signal {-self.exit}"
        return f"exit code {self.exit}" if self.exit else ""

    def as_dict(self):
        return asdict(self)


class Watchdog:
    """Ends a process and all it started when it takes too long or writes too
    much. A thread of its own, so that waiting for the end is not slowed down."""

    def __init__(self, process, timeout, files, limit):
        self.process, self.files, self.limit = process, files, limit
        self.deadline = time.monotonic() + timeout
        self.timed_out = self.flooded = False
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self):
        while not self.done.wait(POLL_SECONDS):
            self.timed_out = time.monotonic() > self.deadline
            self.flooded = any(size_of(file) > self.limit for file in self.files)
            if self.timed_out or self.flooded:
                return kill_group(self.process)

    def stop(self):
        self.done.set()
        self.thread.join()


def size_of(file):
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, *, cwd, timeout, stdout, stderr=None, env=None, limit=OUTPUT_LIMIT):
    """Runs a command (a list, or text for the shell) to its end. What it
    prints goes to the files `stdout` and `stderr`, or all to `stdout`."""
    stdout = Path(stdout)
    stdout.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(stdout, "wb") as out,
        open(stderr, "wb") if stderr else contextlib.nullcontext(out) as err,
    ):
        begin = time.perf_counter()
        try:
            process = subprocess.Popen(
                command,
                shell=isinstance(command, str),
                cwd=cwd,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            err.write(f"{error}\n".encode())
            return Outcome(127, 0.0)
        files = [stdout, stderr] if stderr else [stdout]
        watchdog = Watchdog(process, timeout, files, limit)
        try:
            code = process.wait()
            seconds = time.perf_counter() - begin
        finally:
            watchdog.stop()
            # What it left running would disturb whatever comes next.
            kill_group(process)
            process.wait()
    flooded = watchdog.flooded or any(size_of(file) > limit for file in files)
    return Outcome(code, seconds, watchdog.timed_out, flooded)


def tail(file, size=2000):
    """The end of a text file."""
    with open(file, "rb") as stream:
        stream.seek(max(0, size_of(file) - size))
        return stream.read().decode(errors="replace")
