# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files of a folder of CUDA programs are compiled, and with what flags.

Such folders come with make files of many kinds, most for older toolkits. What
a compile needs is found from the sources instead: headers by the names under
which they are included, and from the build files those few flags that change
what the language accepts.
"""

import functools
import os
import pathlib
import re
import shutil

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
BUILD_FILES = ("CMakeLists.txt", "Makefile", "makefile", "*.mk")
COPIED_AT_MOST = 2 << 20  # bytes of a data file: what is larger is no small input
SOURCE_SUFFIXES = {".cu", ".cuh", ".h", ".hpp", ".hh", ".inl", ".c", ".cpp"}

RENAMED_IN_CUDA_13 = {
    b"cudaThreadSynchronize": b"cudaDeviceSynchronize",
    b"cudaThreadExit": b"cudaDeviceReset",
}

# What in a build file asks for which flag of nvcc.
FLAGS = {
    r"-{1,2}(expt-)?extended-lambda": "--extended-lambda",
    r"--expt-relaxed-constexpr": "--expt-relaxed-constexpr",
    r"-rdc=true|-dc\b|CUDA_SEPARABLE_COMPILATION ON": "-rdc=true",
}


def normal(path):
    """The path without `.` and, where it can be, without `..`."""
    return pathlib.Path(os.path.normpath(path))


def port(file, copy):
    """Writes the copy with the names that CUDA 13 has, and says whether there
    was anything to replace."""
    if not is_source(pathlib.Path(file)):
        return False
    text = ported = pathlib.Path(file).read_bytes()
    for old, new in RENAMED_IN_CUDA_13.items():
        ported = ported.replace(old, new)
    if ported != text:
        pathlib.Path(copy).write_bytes(ported)
    return ported != text


def copy_files(root, into, wanted):
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts and wanted(path):
            copy = into / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not port(path, copy):
                shutil.copy(path, copy)


def is_source(path):
    return path.suffix in SOURCE_SUFFIXES or any(map(path.match, BUILD_FILES))


def is_small_data(path):
    return not is_source(path) and path.stat().st_size <= COPIED_AT_MOST


class Sources:
    """The sources below a root; all paths are relative to it.

    `system` are the folders in which compilers look by themselves.
    """

    def __init__(self, root, system=()):
        self.root = pathlib.Path(root)
        self.system = [pathlib.Path(folder) for folder in system]
        self.files = sorted(
            path.relative_to(self.root)
            for path in self.root.rglob("*")
            if path.suffix in SOURCE_SUFFIXES and path.is_file()
        )
        self.by_name = {}
        for file in self.files:
            self.by_name.setdefault(file.name, []).append(file)

    @functools.cache
    def includes(self, file):
        """The names in the file's #include lines, each with its first bracket."""
        text = (self.root / file).read_bytes().decode(errors="replace")
        return [(name, bracket) for bracket, name in INCLUDE.findall(text)]

    def resolve(self, name, includer):
        """The file that `name` most likely means in `includer`: of those whose
        path ends so the one that shares the longest way down from the root."""
        tail = normal(name).parts
        namesakes = self.by_name.get(tail[-1], [])
        beside = normal(includer.parent / name)
        if beside in namesakes:
            return beside
        if any((folder / name).exists() for folder in self.system):
            return None
        found = [file for file in namesakes if file.parts[-len(tail) :] == tail]
        near = lambda file: len(os.path.commonprefix([file.parts, includer.parts]))
        return max(found, key=near, default=None)

    def translation_units(self):
        """The .cu files that no other file includes."""
        included = {
            self.resolve(name, file)
            for file in self.files
            for name, _ in self.includes(file)
            if name.endswith(".cu")
        }
        return [f for f in self.files if f.suffix == ".cu" and f not in included]

    def include_folders(self, unit):
        """The folders that make every include of the unit resolve, in order."""
        folders, seen, waiting = [], {unit}, [unit]
        while waiting:
            file = waiting.pop()
            for name, bracket in self.includes(file):
                header = self.resolve(name, file)
                if header is None:
                    continue
                if header not in seen:
                    seen.add(header)
                    waiting.append(header)
                if bracket == '"' and header == normal(file.parent / name):
                    continue  # found beside the includer
                folder = pathlib.Path(*header.parts[: -len(normal(name).parts)])
                if folder not in folders:
                    folders.append(folder)
        return folders

    def build_flags(self, unit):
        """Flags that the nearest folder with a build file asks for."""
        for folder in unit.parents:
            texts = [
                path.read_text(errors="replace")
                for pattern in BUILD_FILES
                for path in sorted((self.root / folder).glob(pattern))
            ]
            if not texts:
                continue
            text = "\n".join(texts)
            return [flag for sign, flag in FLAGS.items() if re.search(sign, text)]
        return []

    def flags(self, unit):
        """nvcc's flags for the unit, to be used in the root."""
        folders = [f"-I{folder}" for folder in self.include_folders(unit)]
        return folders + self.build_flags(unit)
