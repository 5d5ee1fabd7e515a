# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What nvidia-smi says of the GPU, before and while programs run on it."""

import shutil
import subprocess
import threading
import time
from dataclasses import dataclass

FACTS = ("name", "uuid", "driver_version", "clocks.max.sm", "clocks.max.mem", "memory.total")
SAMPLED = ("clocks.sm", "clocks.mem", "temperature.gpu", "power.draw", "clocks_event_reasons.active")
INTERVAL_MS = 100
# Bits of clocks_event_reasons.active that mean the GPU was held back: power
# cap, hardware slowdown, sync boost, software thermal, hardware thermal and
# power brake (NVML's nvmlClocksEventReason*).
HELD_BACK = 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80


def query():
    """Facts of the first visible GPU; None where there is none to be seen."""
    if not shutil.which("nvidia-smi"):
        return None
    command = ["nvidia-smi", f"--query-gpu={','.join(FACTS)}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return None
    return dict(zip(FACTS, (word.strip() for word in lines[0].split(","))))


@dataclass
class Sample:
    at: float  # time.monotonic()
    sm_mhz: float
    mem_mhz: float
    celsius: float
    watt: float
    reasons: int

    @property
    def held_back(self):
        return bool(self.reasons & HELD_BACK)


def parse_sample(line, at):
    """One line of nvidia-smi; None if it is not one."""
    words = [word.strip() for word in line.split(",")]
    if len(words) != len(SAMPLED):
        return None
    try:
        reasons = int(words[4], 16) if words[4].startswith("0x") else 0
        return Sample(at, *(number(word) for word in words[:4]), reasons)
    except ValueError:
        return None


def number(word):
    """`[N/A]` is what the GPU does not tell."""
    return float("nan") if word.startswith("[") else float(word)


class Monitor:
    """Samples the GPU while it is open."""

    def __init__(self):
        self.samples = []
        self.process = None

    def __enter__(self):
        if shutil.which("nvidia-smi"):
            self.process = subprocess.Popen(
                ["nvidia-smi", f"--query-gpu={','.join(SAMPLED)}",
                 "--format=csv,noheader,nounits", "-lms", str(INTERVAL_MS)],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            self.reader = threading.Thread(target=self._read, daemon=True)
            self.reader.start()
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.reader.join()
            self.process.stdout.close()

    def _read(self):
        for line in self.process.stdout:
            if sample := parse_sample(line, time.monotonic()):
                self.samples.append(sample)

    def during(self, begin, end):
        """What was seen between two times: highest clocks and temperature, and
        whether the GPU was held back. Empty where no sample fell between."""
        seen = [s for s in self.samples if begin <= s.at <= end]
        if not seen:
            return {}
        return {
            "sm_mhz": max(s.sm_mhz for s in seen),
            "mem_mhz": max(s.mem_mhz for s in seen),
            "celsius": max(s.celsius for s in seen),
            "held_back": any(s.held_back for s in seen),
        }
