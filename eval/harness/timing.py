# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long one run of a program took, by the best source there is.

json     the program's own report: the median of its `times_ms`
kernels  its kernels by CUPTI's activity records, without changing the program
wall     the process, from start to end
"""

import hashlib
import json
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from . import MALFORMED, stats

SOURCE = Path(__file__).parent / "cupti" / "kernel_times.cpp"


@dataclass(frozen=True)
class Kernels:
    """Kernels of one run, milliseconds: how long they ran in sum, and from the
    first one's start to the last one's end."""

    busy_ms: float
    span_ms: float
    count: int


def own_times(stdout):
    """What the program reports: {"ms": median of its times}, and where it names
    it the time of a sequential program, {"sequential_ms": ...}. Empty where it
    reports no times."""
    try:
        with open(stdout, "rb") as stream:
            report = json.load(stream)
        found = {"ms": stats.median([float(t) for t in report["times_ms"]])}
        if "sequential_ms" in (report.get("facts") or {}):
            found["sequential_ms"] = float(report["facts"]["sequential_ms"])
        return found
    except (OSError, IndexError, *MALFORMED):
        return {}


def read_kernels(file):
    """What kernel_times.cpp wrote; None where it is not whole, or no kernel ran."""
    try:
        lines = Path(file).read_text(errors="replace").splitlines()
    except OSError:
        return None
    if not lines or lines[-1] != "end 0":
        return None
    spans = [tuple(map(int, line.split(" ", 2)[:2])) for line in lines[:-1]]
    if not spans:
        return None
    busy = sum(end - start for start, end in spans)
    span = max(end for _, end in spans) - min(start for start, _ in spans)
    return Kernels(busy / 1e6, span / 1e6, len(spans))


def toolkit_folders(nvcc):
    """Folders that may hold CUPTI's header and library: the toolkit of `nvcc`,
    then Python's NVIDIA packages."""
    found = shutil.which(nvcc)
    if found:
        toolkit = Path(found).resolve().parents[1]
        yield from (toolkit / "extras" / "CUPTI", toolkit, toolkit / "targets" / "x86_64-linux")
    for site in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        yield from sorted(Path(site).glob("nvidia/*"))


def first_with(folders, patterns):
    for folder in folders:
        for pattern in patterns:
            for file in sorted(folder.glob(pattern)):
                return file
    return None


def injected_library(cache, nvcc="nvcc", compiler="g++"):
    """(path of our library, "") or (None, why there is none)."""
    folders = list(toolkit_folders(nvcc))
    header = first_with(folders, ["include/cupti.h"])
    library = first_with(folders, ["lib64/libcupti.so*", "lib/libcupti.so*"])
    if not header or not library:
        return None, "CUPTI is not installed"
    if not shutil.which(compiler):
        return None, f"{compiler} is not installed"
    facts = SOURCE.read_bytes() + f"{header}{library}".encode()
    target = Path(cache).absolute() / f"kernel_times-{hashlib.sha256(facts).hexdigest()[:16]}.so"
    if target.exists():
        return target, ""
    includes = [header.parent]
    cuda = first_with(folders, ["include/cuda.h"])
    if cuda:
        includes.append(cuda.parent)
    partial = target.with_suffix(f".{os.getpid()}")
    command = [
        compiler, "-std=c++17", "-O2", "-shared", "-fPIC",
        *(f"-I{folder}" for folder in includes), str(SOURCE), "-o", str(partial),
        str(library), f"-Wl,-rpath,{library.parent}",
    ]  # fmt: skip
    target.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, f"CUPTI's header and library do not build: {done.stderr.strip()[-500:]}"
    partial.rename(target)
    return target, ""


class Timer:
    """Takes times of one kind; all variants of a case are timed by the same."""

    def __init__(self, source, library=None, whole_span=False):
        self.source, self.library, self.whole_span = source, library, whole_span

    def environment(self, file):
        """What a run needs so that its time can be taken from `file`."""
        if self.source != "kernels":
            return {}
        return {"CUDA_INJECTION64_PATH": str(self.library), "BARRICADE_KERNEL_TIMES": str(file)}

    def times(self, outcome, stdout, kernels):
        """{"ms": ...}, and what else is to be noted; empty where the source has
        no time for this run."""
        if self.source == "json":
            return own_times(stdout)
        if self.source == "wall":
            return {"ms": outcome.seconds * 1e3}
        found = read_kernels(kernels)
        if not found:
            return {}
        return {"ms": found.span_ms if self.whole_span else found.busy_ms}
