# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one program once: output checked, time taken, GPU watched."""

import os
import shutil
import time
from pathlib import Path

from . import check, process
from .race import Failure

# Share of the original's wall-clock time, and seconds on top, after which a
# variant is taken to hang.
HANG_FACTOR, HANG_SECONDS = 10, 15


class Reference:
    """What the original wrote; all others must write the same."""

    def __init__(self, folder, seconds):
        self.folder, self.seconds = Path(folder), seconds

    @property
    def timeout(self):
        return HANG_FACTOR * self.seconds + HANG_SECONDS


class Runner:
    """Runs programs of one case below `folder`."""

    def __init__(self, folder, tolerance, monitor, output_files=(), check_command=None):
        self.folder = Path(folder).absolute()
        self.tolerance, self.monitor = tolerance, monitor
        self.output_files, self.check_command = output_files, check_command

    def run(self, command, name, *, cwd=None, timeout, timer=None, reference=None, right=True):
        """Runs `command` with its output below `name`, and returns what is to
        be noted. Raises Failure where it ends badly or does not write what
        the reference did. One that need not be right may say so by exit code
        1, and write what it likes."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        cwd = Path(cwd or folder)
        kernels = folder / "kernels"
        for file in self.output_files:  # a stale one would pass the check
            if (cwd / file).is_file():
                os.unlink(cwd / file)
        begin = time.monotonic()
        outcome = process.run(
            command, cwd=cwd, timeout=timeout, stdout=folder / "stdout", stderr=folder / "stderr",
            env=timer.environment(kernels) if timer else None,
        )  # fmt: skip
        gpu = self.monitor.during(begin, time.monotonic()) if self.monitor else {}
        if not (outcome.good or (not right and outcome.ended_with(1))):
            said = process.tail(folder / "stderr", 300).strip()
            raise Failure(outcome.why_bad() + (f": {said}" if said else ""))
        for file in self.output_files:
            if not (cwd / file).is_file():
                raise Failure(f"the program did not write '{file}'")
            shutil.copyfile(cwd / file, folder / self._copy_of(file))
        if right:
            self._check(folder, cwd, timeout, reference)
        facts = {"wall_seconds": outcome.seconds}
        if not right:
            facts["right"] = outcome.good
        if gpu:
            facts["gpu"] = gpu
        if timer:
            facts.update(timer.times(outcome, folder / "stdout", kernels))
            if "ms" not in facts:
                raise Failure(f"the run gave no time ({timer.source})")
        return facts

    @staticmethod
    def _copy_of(file):
        return "file-" + file.replace("/", "_")

    def _check(self, folder, cwd, timeout, reference):
        if self.check_command:
            outcome = process.run(
                self.check_command, cwd=cwd, timeout=timeout,
                stdout=folder / "check-stdout", stderr=folder / "check-stderr",
            )  # fmt: skip
            if not outcome.good:
                raise Failure(f"the check says: {outcome.why_bad()}")
            return
        if not reference or reference.folder == folder:
            return
        for name in ["stdout", *map(self._copy_of, self.output_files)]:
            tolerance = self.tolerance
            found = check.difference(reference.folder / name, folder / name, tolerance)
            if found:
                raise Failure(found if name == "stdout" else f"{name[5:]}: {found}")
