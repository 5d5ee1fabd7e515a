# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in folders of other people's: which there are, how nvcc is called for
their sources, how they are built and run.

A program is found in a folder, `root`, and built in copies of that folder,
`tree`. Where the folder is one of the corpora that test/corpus/programs.py
describes, that says how; elsewhere each folder below that has a Makefile or
CMakeLists.txt is a program, which is built by that, and run as its target `run`
says.
"""

import json
import os
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path

import programs as listed
from sources import Sources

from . import process
from .build import RUNTIME

RECORDER = Path(__file__).parent / "recorder"
CUDA12 = Path(listed.__file__).with_name("cuda12.h")
BUILD_SECONDS = 900
# Larger than the corpora's own, which have to be small enough for memcheck.
SIZES = {name: 512 for name in ("NI", "NJ", "NK", "NL", "NM", "N", "M")}
SIZES |= {"NX": 2048, "NY": 2048, "NQ": 128, "NR": 128, "NP": 128, "TSTEPS": 100, "TMAX": 100}
SIZES_OF = {
    "2DCONV": {"NI": 2048, "NJ": 2048},
    "3DCONV": {"NI": 192, "NJ": 192, "NK": 192},
    "ADI": {"N": 1024, "TSTEPS": 10},
    "FDTD-2D": {"NX": 1024, "NY": 1024},
    "GEMVER": {"N": 2048},
    "GESUMMV": {"N": 2048},
    "JACOBI1D": {"N": 65536, "TSTEPS": 1000},
    "JACOBI2D": {"N": 1024},
    "LU": {"N": 1024},
    "MVT": {"N": 2048},
}
ARGUMENTS = {
    "rodinia/backprop": "65536",
    "rodinia/gaussian": "-s 1024",
    "rodinia/lavaMD": "-boxes1d 10",
    "rodinia/lud/cuda": "-s 1024 -v",
    "rodinia/nw": "2048 10",
    "rodinia/particlefilter/float": "-x 128 -y 128 -z 10 -np 4000",
    "rodinia/particlefilter/naive": "-x 128 -y 128 -z 10 -np 4000",
    "rodinia/pathfinder": "100000 100 20",
    "rodinia/srad/srad_v1": "100 0.5 502 458",
    "rodinia/srad/srad_v2": "512 512 0 127 0 127 0.5 100",
    "rodinia/hotspot": "128 2 1000 temperature.txt power.txt output.txt",
    "rodinia/hotspot3D": "64 8 100 power.txt temperature.txt output.txt",
}


class BuildFailure(Exception):
    """A program's own build did not come to its end."""


@dataclass(frozen=True)
class Toolkit:
    nvcc: str
    arch: str

    @property
    def flags(self):
        return [f"-arch={self.arch}", "-w", f"-I{RUNTIME}"]

    @property
    def system(self):
        """Folders in which headers are found without being named."""
        return [Path(self.nvcc).resolve().parents[1] / "include", Path("/usr/include")]

    def environment(self, record=None):
        """For a build that calls nvcc by its name."""
        found = {
            "PATH": f"{RECORDER}:{os.environ['PATH']}",
            "RECORDER_NVCC": self.nvcc,
            "RECORDER_FLAGS": shlex.join(self.flags),
            "RECORDER_CUDA": shlex.join(["-include", str(CUDA12)]),
        }
        return found | ({"RECORDER_OUT": str(record)} if record else {})


def call(command, folder, environment=None):
    """All that the command prints."""
    with tempfile.NamedTemporaryFile() as output:
        done = process.run(command, cwd=folder, timeout=BUILD_SECONDS, stdout=output.name, env=environment)
        text = Path(output.name).read_text(errors="replace")
    if not done.good:
        raise BuildFailure(f"{done.why_bad()}: {text[-1500:].strip()}")
    return text


@dataclass(frozen=True)
class How:
    """How a built program is run, in its folder."""

    binary: Path
    arguments: tuple = ()
    check: str = ""  # what it must print
    needs: tuple = ()  # folders that have to be there
    note: str = ""


class Listed:
    """A program that test/corpus/programs.py describes."""

    def __init__(self, program, toolkit):
        self.program, self.toolkit = program, toolkit
        self.name, self.folder = program.name, program.folder

    def commands(self, tree, objects):
        prelude = objects / "prelude.h"
        prelude.write_text(f'#include "{CUDA12}"\n{self.program.prelude}')
        flags = listed.nvcc_flags(self.program, Sources(tree, self.toolkit.system), self.toolkit.arch)
        nvcc = [self.toolkit.nvcc, "-O3", *self.toolkit.flags[1:]]
        return listed.nvcc_commands(
            nvcc, self.program.sources, flags, self.program.libraries, prelude, objects, objects / "program"
        )

    def database(self, tree, scratch):
        return [
            {"directory": str(tree), "file": command[-1], "arguments": command}
            for command in self.commands(tree, scratch)
            if command[-1].endswith(".cu")
        ]

    def build(self, tree, objects):
        for command in self.commands(tree, objects):
            call(command, tree)
        arguments = tuple(shlex.split(ARGUMENTS.get(self.name, ""))) or self.program.arguments
        return How(objects / "program", arguments, self.program.check)

    def make_input(self, folder):
        if self.program.make_input:
            self.program.make_input(folder)


class Made:
    """A program with a Makefile."""

    def __init__(self, name, folder, toolkit):
        self.name, self.folder, self.toolkit = name, folder, toolkit

    def database(self, tree, scratch):
        record = scratch / "commands"
        folder = tree / self.folder
        before = set(folder.rglob("*"))
        try:
            call(["make", "-B", "-k"], folder, self.toolkit.environment(record))
        except BuildFailure:
            if not record.exists():
                raise
            # What only links may well fail: there are no objects.
        finally:
            remove_files(set(folder.rglob("*")) - before)
        lines = record.read_text().splitlines() if record.exists() else []
        return list({entry["file"]: entry for entry in map(json.loads, lines)}.values())

    def build(self, tree, objects):
        folder = tree / self.folder
        call(["make"], folder, self.toolkit.environment())
        recipe = call(["make", "-n", "run", "LAUNCHER="], folder, self.toolkit.environment())
        return from_recipe(recipe, folder)

    def make_input(self, folder):
        pass


class Configured(Made):
    """A program with a CMakeLists.txt and no Makefile."""

    def configure(self, tree, build):
        command = ["cmake", "-S", str(tree / self.folder), "-B", str(build), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
        command += ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CUDA_COMPILER={self.toolkit.nvcc}"]
        command += [f"-DCMAKE_CUDA_ARCHITECTURES={self.toolkit.arch.removeprefix('sm_')}"]
        call([*command, f"-DCMAKE_CUDA_FLAGS={shlex.join([*self.toolkit.flags[1:], '-include', str(CUDA12)])}"], tree)

    def database(self, tree, scratch):
        self.configure(tree, scratch)
        entries = json.loads((scratch / "compile_commands.json").read_text())
        return [entry for entry in entries if entry["file"].endswith(".cu")]

    def build(self, tree, objects):
        self.configure(tree, objects)
        call(["cmake", "--build", str(objects)], tree)
        found = [p for p in sorted(objects.glob("*")) if p.is_file() and os.access(p, os.X_OK)]
        if not found:
            raise BuildFailure("the build makes no program")
        return How(found[0])


def remove_files(paths):
    for path in paths:
        if path.is_file():
            path.unlink()


def from_recipe(recipe, folder):
    """How the first program that a recipe starts is run."""
    lines = [line.replace(";", " ").split() for line in recipe.replace("\\\n", " ").splitlines()]
    runs = [words for words in lines if words and words[0].startswith("./")]
    if not runs:
        raise BuildFailure("its target 'run' starts no program")
    needs = [words[-1] for words in lines if words[:1] == ["mkdir"]]
    note = f"the first of {len(runs)} runs" if len(runs) > 1 else ""
    return How(folder / runs[0][0], tuple(runs[0][1:]), needs=tuple(needs), note=note)


def with_make(name, root, toolkit):
    """Every folder with a build file, but for those inside of another."""
    kinds = {"Makefile": Made, "makefile": Made, "CMakeLists.txt": Configured}
    found = []
    for folder in sorted(path for path in root.rglob("*") if path.is_dir()):
        kind = next((kind for file, kind in kinds.items() if (folder / file).is_file()), None)
        if kind and any(folder.rglob("*.cu")) and not set(folder.parents) & set(found):
            found.append(folder)
            yield kind(f"{name}/{folder.relative_to(root)}", folder.relative_to(root), toolkit)


def find(name, root, toolkit):
    """The programs of a folder that has this name."""
    root = Path(root).resolve()
    if name == "polybench":
        found = listed.polybench(root, SIZES, SIZES_OF)
    elif name in listed.CORPORA:
        found = listed.CORPORA[name](root)
    else:
        return list(with_make(name, root, toolkit))
    return [Listed(program, toolkit) for program in found if program.units]
