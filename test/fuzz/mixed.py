# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs for all rules at once: kernels with loops, host loops that
launch them, launches in a row, fences.

A fence is either one that a thread's own accesses need no more than, or stands
for a barrier of the grid. Such a kernel has no result of its own: what it should
compute is what its halves do, launched one after the other.
"""
import random
import re

import kernels
import loops
from kernels import Loop, Statement, loop_mark, render

SIGNATURE = "const unsigned *{r} a, unsigned *{r} out, unsigned *{r} w, int n, unsigned sel"
FENCES = ["__threadfence();", "__threadfence_block();",
          "out[gid] = s; __threadfence(); s += out[gid];",
          "w[gid * 4u] = s % 9u; __threadfence_system(); s ^= w[gid * 4u];"]
# Halves of kernels that take a fence for a barrier.
FIRST = ["out[i] = a[i] * 3u + sel;", "const unsigned v = a[i] ^ 5u;\n  out[i] = v + sel;"]
SECOND = ["if (i + 1 < n)\n    w[i] = out[i + 1];", "if (i + 70 < n)\n    w[i] ^= out[i + 70];",
          "unsigned t = 0;\n  for (int k = 0; k < 5; ++k)\n    t += a[(i * 3u + k) % 96u];\n"
          "  if (i + 1 < n)\n    w[i] += t * out[i + 1];"]


class Work(kernels.Kernel):
    """A kernel with loops that host loops may launch."""

    ELEMENTS = ["unsigned"]
    near = False  # no step

    def make_kernel_body(self):
        self.plane = False
        body = super().make_kernel_body()
        body.statements.insert(0, Statement("const int m = int(sel % 6u);", declares=True))
        return body

    def statement(self):
        if self.budget > 0 and self.chance(0.05):
            return [Statement(FENCES[0] if self.function else self.pick(FENCES), plain=False)]
        return super().statement()

    def roots(self):
        return [self.body]

    def text(self, linkage=""):
        restrict = " __restrict__" if self.restrict else ""
        head = "template <int N> " if self.pattern else linkage
        return self.shared.qualified(f"{head}__global__ void {self.name}({SIGNATURE.format(r=restrict)}) "
                              f"{{\n{render(self.body)}}}\n")

    reference = text

    def callee(self, chosen):
        return chosen.choice(self.instances()), "flag + 8"


class Cut:
    """A kernel with a fence that it takes for a barrier of the grid."""

    near = False

    def __init__(self, name, marks, chosen):
        self.name = name
        self.number = len(marks)
        marks.append("fence")
        self.halves = [chosen.choice(FIRST), chosen.choice(SECOND)]

    def roots(self):
        return []

    def kernel(self, name, *statements):
        start = ["int i = blockIdx.x * blockDim.x + threadIdx.x;", "if (i >= n)\n    return;"]
        body = "".join(f"  {s}\n" for s in [*start, *statements])
        return f"static __global__ void {name}({SIGNATURE.format(r='')}) {{\n{body}}}\n"

    def text(self, _=""):
        first, second = self.halves
        return self.kernel(loop_mark(self.number) + self.name, first, "__threadfence();", second)

    def reference(self, _=""):
        first, second = self.halves
        return self.kernel(self.name, first) + self.kernel(f"{self.name}_then", second)

    def callee(self, _):
        return self.name, "flag + 8"

    def launched_apart(self, text):
        return re.sub(rf"\b{self.name}(<<<.*?>>>\(.*?\);)",
                      rf"{self.name}\1 {self.name}_then\1", text)


class Host(loops.Program):
    """A function with loops and rows of launches."""

    THREADS = [32, 64, 64]  # more than one warp, for artificial barriers

    def loop(self):
        made = super().loop()
        return made if self.depth else self.row() + made + self.row()

    def row(self):
        """Launches that may be one."""
        near = self.near
        row = [self.launch("steps") for _ in range(self.random.choice([0, 0, 2, 2, 3]))]
        self.near = near
        self.runs_always |= bool(row)
        if row and self.chance(0.2):
            row.insert(1, Statement("k = k * 3u + 1u;"))
        return row


class Program(kernels.Generated):
    """Kernels and a function in one file."""

    OPTIONS = ["--rules=*", "--min-instructions=0", "--min-memory-ratio=0"]
    # What gave way to other rules may be replayed then.
    AGAIN = ["--rules=*,-launch-replay"]
    WRONG = "a form that is wrong for its loop"
    ENVIRONMENT = loops.Program.ENVIRONMENT
    PRELUDE = loops.Program.PRELUDE + kernels.Kernel.PRELUDE
    HARNESS = loops.Program.HARNESS
    DEFINITIONS = loops.Program.DEFINITIONS
    MAIN_END = loops.Program.MAIN_END
    LINKAGE = ""  # of device functions

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.shared = kernels.Shared()
        self.marks = self.shared.loops  # what is known of each mark
        number = self.random.randint(2, 4)
        self.kernels = [self.make_kernel(i) for i in range(number)]
        self.linkage = {k: self.random.choice(["", "static "]) for k in self.kernels}
        self.place()

    def make_kernel(self, number):
        name = f"k{number}_{self.seed}"
        kind = self.random.choices(["work", "plain", "cut"], [5, 3, 1])[0]
        if kind == "plain":
            return loops.Kernel(self.random, self.seed, number)
        if kind == "cut":
            return Cut(name, self.marks, self.random)
        return Work(self.seed, name, self.shared)

    def place(self):
        """Says in which file each kernel is, and makes the hosts."""
        self.places = {"batch.cu": self.kernels}
        self.hosts = {"batch.cu": self.host("loop", self.kernels)}

    def host(self, name, launched):
        return Host(self.seed, f"{name}{self.seed}", launched, self.marks)

    def texts(self):
        return self.written(lambda kernel: kernel.text, lambda text: text)

    def references(self):
        def apart(text):
            for cut in self.cuts():
                text = cut.launched_apart(text)
            return text

        return self.written(lambda kernel: kernel.reference, apart)

    def written(self, kernel, host):
        """Each file's part, of which these say what is in kernels and hosts."""
        result = {}
        for name, held in self.places.items():
            text = "".join(kernel(k)(self.linkage[k]) for k in held)
            if name == self.FILES[0]:
                text = (loops.HELPERS.replace("@", str(self.seed)) +
                        self.shared.functions_text(self.LINKAGE) + text)
            if name in self.hosts:
                text += host(self.hosts[name].function())
            result[name] = text
        return result

    def cuts(self):
        return [k for k in self.kernels if isinstance(k, Cut)]

    def is_right(self, applied):
        return all(cut.number in applied for cut in self.cuts())

    def is_settled(self, applied):
        # The halves may be fused then, with a barrier.
        return not any(cut.number in applied for cut in self.cuts())

    def roots(self):
        return [root for k in self.kernels for root in k.roots()] + [
            f.body for f in self.shared.functions] + [h.body for h in self.hosts.values()]

    def truth(self, number):
        known = self.marks[number]
        if isinstance(known, Loop):
            return known.truth()
        return known if isinstance(known, str) else "near miss" if known else "plain"

    def is_wrong(self, finding, truth):
        # Whatever kernels do, and how they are called, they may be replayed.
        return (finding["form"] == "uniform" and truth == "divergent" or
                finding["verdict"] == "rewrite" and truth == "near miss" and
                finding["rule"] not in ("launch-overlap", "launch-replay"))

    def comparisons(self, at, name):
        return self.hosts[name].comparisons(at, name) if name in self.hosts else []


class Units(Program):
    """The same in two sources with a header, whose kernels and functions both have."""

    FILES = ("shared.cuh", "one.cu", "two.cu")
    OPTIONS = [*Program.OPTIONS, "--edit-headers=*"]
    LINKAGE = "inline "

    @classmethod
    def prelude(cls, name):
        if name != cls.FILES[0]:
            return f'#include "{cls.FILES[0]}"\n'
        return "#pragma once\n" + cls.PRELUDE.replace("__constant__", "static __constant__")

    def place(self):
        header, *units = self.FILES
        self.places = {name: [] for name in self.FILES}
        for kernel in self.kernels:
            self.places[self.random.choice([header, header, *units])].append(kernel)
        self.hosts = {}
        for name in units:
            if not self.places[header] + self.places[name]:
                self.places[name].append(self.make_kernel(len(self.linkage)))
                self.kernels.append(self.places[name][-1])
            self.linkage.update(dict.fromkeys(self.places[name], self.random.choice(["", "static "])))
            self.hosts[name] = self.host(name.removesuffix(".cu"),
                                         self.places[header] + self.places[name])
        self.linkage.update(dict.fromkeys(self.places[header], "static "))
