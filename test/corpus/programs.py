# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of three corpora that can tell whether they computed right.

How each is built and run, and its input where a small one can be made: the
corpora's repositories hold no data. Programs are compared with themselves,
original and rewritten, besides what check they have built in.
"""

import dataclasses
import math
import pathlib
import random
import re
import struct
from collections.abc import Callable

from sources import Sources, normal

# What a program includes tells what it is linked with ...
LIBRARIES = {
    r"\bomp\.h": ("-Xcompiler", "-fopenmp"),
    r"\bcuda\.h|helper_cuda_drvapi\.h|nvrtc_helper\.h": ("-lcuda",),
    r"\bcurand[\w]*\.h": ("-lcurand",),
    r"\bcufft(Xt)?\.h": ("-lcufft",),
    r"\bcusparse[\w]*\.h": ("-lcusparse",),
    r"\bcublas[\w]*\.h": ("-lcublas",),
}
# ... and whether it needs more than a GPU, a C++ compiler and the toolkit.
ABSENT = re.compile(
    r"GL/|GLES|EGL/|d3d\d|vulkan|nvrtc|nvscibuf|\bmpi\.h|FreeImage|X11/|windows\.h>\s*$", re.M
)


@dataclasses.dataclass(frozen=True)
class Program:
    """One program: `folder` below its corpus, compiled and run there."""

    name: str
    folder: pathlib.Path
    sources: tuple[pathlib.Path, ...]  # relative to the corpus, as is the folder
    arguments: tuple[str, ...] = ()
    check: str = ""  # what stdout must match; exit status 0 is asked in any case
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    prelude: str = ""  # C++ put before every CUDA source
    make_input: Callable[[pathlib.Path], None] | None = None  # given the folder

    @property
    def units(self):
        return [source for source in self.sources if source.suffix == ".cu"]


def nvcc_flags(program, sources, arch):
    """What its sources need to compile in the corpus' folder."""
    flags = ["-std=c++17", f"-arch={arch}"]
    flags += [flag for flag in program.flags if not flag.startswith("-I")]
    flags += [f"-I{normal(program.folder / flag[2:])}" for flag in program.flags if flag.startswith("-I")]
    for source in program.sources:
        flags += [flag for flag in sources.flags(source) if flag not in flags]
    return flags


def nvcc_commands(nvcc, sources, flags, libraries, prelude, objects, binary):
    """The commands that make the program, each source's and then the linker's."""
    made = []
    for number, source in enumerate(map(str, sources)):
        own = flags
        if source.endswith(".cu"):
            own = [*flags, "-include", str(prelude)]
        elif source.endswith(".c"):
            own = [flag for flag in flags if not flag.startswith("-std")]
        made.append(f"{objects}/{number}.o")
        yield [*nvcc, *own, "-c", "-o", made[-1], source]
    relocatable = [flag for flag in flags if flag.startswith(("-arch", "-rdc"))]
    yield [*nvcc, *relocatable, "-o", str(binary), *made, *libraries, "-lm"]


def random_lines(path, count, low, high):
    numbers = random.Random(1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{numbers.uniform(low, high):.6f}\n" for _ in range(count)))


def graph(folder):
    """A random graph for bfs: nodes with their first edge and number of edges,
    the source, then edges with their costs."""
    numbers, nodes, edges = random.Random(1), 4096, []
    lines = [str(nodes)]
    for _ in range(nodes):
        degree = numbers.randrange(7)
        lines.append(f"{len(edges)} {degree}")
        edges += [f"{numbers.randrange(nodes)} 1" for _ in range(degree)]
    (folder / "input.txt").write_text("\n".join([*lines, "0", str(len(edges)), *edges]) + "\n")


def mesh(folder):
    """A flat mesh for cfd: each element's area, and four neighbours (from 1; 0
    for a wing, negative for the far field), each with the normal of their face."""
    side = 48
    faces = ((-1, 0), (1, 0), (0, -1), (0, 1))

    def neighbour(x, y):
        if 0 <= x < side and 0 <= y < side:
            return y * side + x + 1
        return -2 if x < 0 or x >= side else 0

    rows = [str(side * side)]
    for y in range(side):
        for x in range(side):
            area = 1 + 0.1 * math.sin(x) * math.cos(y)
            fields = [f"{area:.5f}"]
            fields += [f"{neighbour(x + dx, y + dy)} {dx} {dy} 0" for dx, dy in faces]
            rows.append(" ".join(fields))
    (folder / "input.txt").write_text("\n".join(rows) + "\n")


def layers(folder):
    random_lines(folder / "power.txt", 64 * 64 * 8, 0, 1e-3)
    random_lines(folder / "temperature.txt", 64 * 64 * 8, 320, 340)


def plate(folder):
    random_lines(folder / "power.txt", 128 * 128, 0, 1e-3)
    random_lines(folder / "temperature.txt", 128 * 128, 320, 340)


def chunk(tag, data):
    return tag + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def video(folder):
    """An uncompressed grey AVI of 609 rows and 590 columns, as heartwall's."""
    rows, columns, frames = 609, 590, 3
    header = b"vidsDIB " + struct.pack("<10I2H2I", 0, 0, 0, 1, 25, 0, frames, 0, 0, 0, 0, 0, 0, 0)
    shape = struct.pack("<3I2H6I", 40, columns, rows, 1, 8, 0, rows * columns, 0, 0, 0, 0)
    stream = b"LIST" + struct.pack("<I", 0) + b"strl" + chunk(b"strh", header) + chunk(b"strf", shape)
    numbers = random.Random(1)
    picture = bytearray(numbers.randbytes(rows * columns))
    movie = b"movi"
    for _ in range(frames):
        movie += chunk(b"00db", bytes(picture))
        picture = picture[3 * columns + 2 :] + picture[: 3 * columns + 2]
    body = chunk(b"LIST", b"hdrl" + chunk(b"avih", bytes(56)) + stream) + chunk(b"LIST", movie)
    (folder / "input.avi").write_bytes(chunk(b"RIFF", b"AVI " + body))


def skewed_bytes(folder):
    """Bytes of unequal frequency, for huffman."""
    numbers = random.Random(1)
    data = bytes(min(255, int(numbers.expovariate(0.05))) for _ in range(1 << 18))
    (folder / "input.bin").write_bytes(data)


def image(folder):
    """The image that srad_v1 reads from where Rodinia keeps its data."""
    path = folder / "../../../data/srad/image.pgm"
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = random.Random(1)
    pixels = "\n".join(str(numbers.randrange(1, 256)) for _ in range(502 * 458))
    path.write_text(f"P2\n502 458\n255\n{pixels}\n")


# That header takes the macro away when it is read first.
FIXED_SEED = "#include <ctime>\n#define time(where) 1L\n"
PARTICLES = ("-x", "64", "-y", "64", "-z", "4", "-np", "500")
DOMAIN = {"arguments": ("input.txt",), "make_input": mesh}

# folder of Rodinia -> what is compiled there, and how it is run
RODINIA = {
    "backprop": {"arguments": ("8192",)},
    "bfs": {"sources": ("bfs.cu",), "arguments": ("input.txt",), "make_input": graph},
    "cfd euler3d": {"sources": ("euler3d.cu",), **DOMAIN},
    "cfd euler3d_double": {"sources": ("euler3d_double.cu",), **DOMAIN},
    "cfd pre_euler3d": {"sources": ("pre_euler3d.cu",), **DOMAIN},
    "cfd pre_euler3d_double": {"sources": ("pre_euler3d_double.cu",), **DOMAIN},
    "gaussian": {"arguments": ("-s", "256")},
    "heartwall": {
        "sources": ("main.cu", "AVI/avilib.c", "AVI/avimod.c"),
        "arguments": ("input.avi", "3"),
        "flags": ("-DOUTPUT", "-IAVI"),
        "make_input": video,
    },
    "hotspot": {
        "arguments": ("128", "2", "20", "temperature.txt", "power.txt", "output.txt"),
        "make_input": plate,
    },
    "hotspot3D": {
        "sources": ("3D.cu",),
        "arguments": ("64", "8", "20", "power.txt", "temperature.txt", "output.txt"),
        "check": r"Accuracy: \d\.\d+e-0[4-9]",
        "make_input": layers,
    },
    "huffman": {
        "sources": ("main_test_cu.cu", "stats_logger.cpp", "cpuencode.cpp"),
        "arguments": ("input.bin",),
        "flags": ("-DTESTING",),
        "check": r"PASS! vectors are matching!",
        "make_input": skewed_bytes,
    },
    "lavaMD": {
        "sources": (
            "main.c",
            "kernel/kernel_gpu_cuda_wrapper.cu",
            "util/num/num.c",
            "util/timer/timer.c",
            "util/device/device.cu",
        ),
        "arguments": ("-boxes1d", "4"),
        "flags": ("-DOUTPUT",),
    },
    "lud/cuda": {
        "sources": ("lud.cu", "lud_kernel.cu", "../common/common.c"),
        "arguments": ("-s", "256", "-v"),
        "flags": ("-I../common",),
    },
    "nw": {"sources": ("needle.cu",), "arguments": ("512", "10"), "flags": ("-DTRACEBACK",)},
    "particlefilter float": {
        "sources": ("ex_particle_CUDA_float_seq.cu",),
        "arguments": PARTICLES,
        "prelude": FIXED_SEED,
    },
    "particlefilter naive": {
        "sources": ("ex_particle_CUDA_naive_seq.cu",),
        "arguments": PARTICLES,
        "prelude": FIXED_SEED,
    },
    "pathfinder": {"sources": ("pathfinder.cu",), "arguments": ("8192", "100", "20")},
    "srad/srad_v1": {
        "sources": ("main.cu",),
        "arguments": ("10", "0.5", "502", "458"),
        "make_input": image,
    },
    "srad/srad_v2": {
        "sources": ("srad.cu",),
        "arguments": ("256", "256", "0", "31", "0", "31", "0.5", "2"),
        "flags": ("-DOUTPUT",),
    },
}


def rodinia(root):
    for name, how in RODINIA.items():
        folder = pathlib.Path("cuda", name.split()[0])
        if not (root / folder).is_dir():
            continue
        names = how.get("sources") or [
            path.name for path in sorted((root / folder).iterdir()) if path.suffix in {".cu", ".c"}
        ]
        names = [n for n in names if not n.endswith("_kernel.cu") or "sources" in how]
        rest = {key: value for key, value in how.items() if key != "sources"}
        sources = tuple(folder / name for name in names)
        yield Program("rodinia/" + name.replace(" ", "/"), folder, sources, **rest)


# Small enough for the check on the CPU, and for memcheck.
SIZES = {"NI": 256, "NJ": 256, "NK": 256, "NL": 256, "NM": 256, "N": 256, "M": 256}
SIZES |= {"NX": 256, "NY": 256, "NQ": 64, "NR": 64, "NP": 64, "TSTEPS": 20, "TMAX": 20}
SIZES_OF = {"3DCONV": {"NI": 64, "NJ": 64, "NK": 64}, "JACOBI1D": {"N": 4096}}
MATCHING = r"Non-Matching CPU-GPU Outputs.*: 0\s"
SYSTEM_HEADERS = "cuda.h stdarg.h stdio.h stdlib.h string.h math.h sys/time.h unistd.h"


def polybench(root, sizes=SIZES, sizes_of=SIZES_OF):
    for folder in sorted(path for path in (root / "CUDA").iterdir() if path.is_dir()):
        sources = tuple(path.relative_to(root) for path in sorted(folder.glob("*.cu")))
        text = "".join((root / source).read_text(errors="replace") for source in sources)
        chosen = sizes | sizes_of.get(folder.name, {})
        lines = [f"#include <{header}>" for header in SYSTEM_HEADERS.split()]
        lines += [f"#define {name} {size}" for name, size in chosen.items()]
        yield Program(
            f"polybench/{folder.name}",
            folder.relative_to(root),
            sources,
            check=MATCHING if "Non-Matching" in text else "",
            prelude="\n".join(lines) + "\n",
        )


def samples(root):
    """Every sample that needs nothing that may be absent. They end with a
    status other than 0 where their check fails."""
    every = Sources(root)
    units = every.translation_units()
    for folder in sorted((root / "Samples").glob("*/*")):
        place = folder.relative_to(root)
        inside = [u for u in every.files if u.is_relative_to(place)]
        text = "".join((root / file).read_text(errors="replace") for file in inside)
        sources = [f for f in inside if f in units or f.suffix in {".c", ".cpp"}]
        if not sources or ABSENT.search(text) or not re.search(r"\bmain\s*\(", text):
            continue
        if "helper_multiprocess.h" in text:
            sources.append(pathlib.Path("Common/helper_multiprocess.cpp"))
        libraries = [flag for sign, flags in LIBRARIES.items() if re.search(sign, text) for flag in flags]
        yield Program(
            f"samples/{folder.name}", place, tuple(sources), libraries=tuple(libraries)
        )


CORPORA = {"rodinia": rodinia, "polybench": polybench, "samples": samples}
