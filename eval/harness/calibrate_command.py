# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command eval/calibrate."""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from . import UsageError, gpu, program_name
from .build import RUNTIME
from .options import guarded

SOURCE = Path(__file__).parent / "calibrate.cu"
# 0: the GPU cannot, or nothing was to be seen beside the noise.
OPTIONAL = ("persistent-launch-us", "first-use-us", "overlap-saved-us")
FIRST_USES = 15
CONSTANTS = ("clock-mhz", "bandwidth-gb-per-s", "launch-us", "launch-and-sync-us", "graph-node-us",
             "grid-barrier-us", "ns-per-instruction")  # fmt: skip
STEP_KEYS = {"blocks", "threads", "launch-us", "graph-node-us", "grid-barrier-us"}
LOOP_KEYS = {"locality", "block-threads", "blocks-per-multiprocessor", "form", "interval", "gain", "ns-per-access"}


def main(argv=None):
    p = argparse.ArgumentParser(
        prog=program_name("calibrate"),
        description="Measures what pays on this machine's GPU, in about half a minute, and writes it "
        "to a profile, by which barricade decides from then on what it proposes for such a GPU.",
        epilog="exit code: 0 done, 1 the measurement failed, 2 usage or no GPU",
    )
    p.add_argument("file", nargs="?", type=Path, help="for barricade --calibration=FILE (default: sm_NN.json in the folder where barricade finds it)")
    p.add_argument("--nvcc", default="nvcc")
    p.add_argument("--arch", default="native", help="of the GPU, as nvcc's -arch")
    options = p.parse_args(argv)
    return guarded("calibrate", lambda: calibrate(options))


def calibrate(options):
    facts = gpu.query()
    if not facts:
        raise UsageError("there is no GPU here: nvidia-smi shows none")
    if not shutil.which(options.nvcc):
        raise UsageError(f"'{options.nvcc}' is not on the PATH: where is nvcc? (--nvcc)")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "calibrate"
        build = [options.nvcc, "-std=c++17", "-O3", f"-arch={options.arch}", "-I", str(RUNTIME),
                 "-o", str(program), str(SOURCE)]  # fmt: skip
        try:
            output_of(build)
            data = json.loads(output_of([str(program)]))
            # Each in a process of its own.
            data["first-use-us"] = statistics.median(
                float(output_of([str(program), "first-use"])) for _ in range(FIRST_USES))
        except subprocess.CalledProcessError as error:
            print(f"{program_name('calibrate')}: {error.stderr.strip()}", file=sys.stderr)
            return 1
    check(data)
    data["driver"] = facts["driver_version"]
    file = options.file or profile_folder() / f"{data['architecture']}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(file.name + f".{os.getpid()}")
    partial.write_text(json.dumps(data, indent=1) + "\n")
    partial.rename(file)
    for name in CONSTANTS + OPTIONAL:
        print(f"{name:20} {data[name]:g}")
    use = f"barricade --calibration={file}" if options.file else "barricade finds it there"
    print(f"{file} is written: {use}")
    return 0


def profile_folder():
    """Where barricade looks for the user's own (tool/knowledge/Profiles.h)."""
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():
        data = Path.home() / ".local" / "share"
    return data / "barricade" / "profiles"


def output_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check(data):
    """Fails unless every number is one that a model can use."""
    for name in CONSTANTS + OPTIONAL:
        if not (math.isfinite(data[name]) and (data[name] > 0 or name in OPTIONAL and data[name] == 0)):
            raise ValueError(f"{name} is {data[name]}")
    for loop in data["loops"]:
        if loop.keys() != LOOP_KEYS or not loop["ns-per-access"] > 0:
            raise ValueError(f"a loop is {loop}")
    for step in data.get("grid-steps", ()):
        if step.keys() != STEP_KEYS or not all(value > 0 for value in step.values()):
            raise ValueError(f"a grid's step is {step}")
