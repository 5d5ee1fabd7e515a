# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random host loops that launch kernels, for the rule grid-barrier.

Nobody knows beforehand which of them may be rewritten: what the original
computes is what the rewrite has to. So a program has one right result, whatever
the order of threads: a kernel writes its own elements and reads those of the
other buffer, and sums of several threads are atomic. It ends: every loop has a
counter. Some statements are near misses, which a kernel cannot run as the host
does; a loop that holds one must stay as it is.
"""
import random
import re

from kernels import Block, Generated, Statement, loop_mark, render

# Kernels that take part in a loop, with `@` for the program's number. The
# value goes into the thread's own element.
HELPERS = """\
__device__ inline unsigned mix@(unsigned x, unsigned y) { return (x ^ y) * 2654435761u >> 3; }
__device__ inline unsigned place@() { return blockIdx.x * 3u + gridDim.x; }
"""
VALUES = ["in[i] + k", "in[(i + k) % n] * 3u + i", "in[n - 1 - i] ^ k", "mix@(in[i], k)",
          "in[i / 2] + out[i]", "out[i] + k * i", "mix@(out[i], in[(i * 7u + 1u) % n])",
          "in[i] + blockIdx.x", "in[i] + gridDim.x", "in[i] + blockDim.x * k"]
NEAR_VALUES = ["in[i] + place@()", "in[i] + unsigned(clock() * 0)"]
FLAGS = ["", "", "if (v % 5u == 1u) atomicAdd(flag, 1u);", "atomicMax(flag + 1, v % 64u);",
         "if (v % 3u == 0u) *flag = 1;", "atomicAdd(flag, v % 2u);"]
# Two elements of an array of buffers, never the same, and what changes their indices. The array
# is not there if there are no steps.
ELEMENTS = ["buf[src], buf[dst]", "buf[dst], buf[src]", "buf[odd], buf[!odd]", "buf[at], buf[1 - at]",
            "buf[at ^ 1], buf[at]", "buf[(at + 1) % 2], buf[at % 2]", "buf[@ & 1], buf[~@ & 1]",
            "buf[@ % 2], buf[(@ + 1) % 2]", "buf[1 - @ % 2], buf[@ % 2]"]
TOGGLES = ["std::swap(src, dst);", "{ int old = src; src = dst; dst = old; }", "odd = !odd;",
           "at = 1 - at;", "at ^= 1;", "at = (at + 1) % 2;", "at = @ & 1;", "odd = @ % 2 == 1;",
           "at = k % 2u;", "at = src;", "at = (at + 3) % 2;", "if (k % 3u == 1u)\n    odd = true;"]
# Variables of the host, and names for them that mean something else in a kernel or a rewrite.
RENAMED = ["k", "h", "t", "zero", "pair", "blocks", "error"]
NAMES = ["bar", "blockIdx", "threadIdx", "gridDim", "min", "swap", "round", "active",
         "uint3", "Grid", "Block", "result", "in"]
# Statements that the host alone can run, or only between two launches.
NEAR_MISSES = ["note(%s);", "note(k);", "notes[k %% 4u] += 1;", "if (k %% 7u == 5u)\n    return k;",
               "cudaMemcpy(pair, a, sizeof pair, cudaMemcpyDeviceToHost);\n  k += pair[1] + %s;"]


class Kernel:
    """A kernel that writes its own elements and reads those of the other buffer."""

    def __init__(self, chosen, seed, number):
        self.random = chosen
        self.name = f"k{number}_{seed}"
        value = chosen.choice(VALUES)
        self.near = chosen.random() < 0.04
        if self.near:
            value = chosen.choice(NEAR_VALUES)
        restrict = " __restrict__" if chosen.random() < 0.4 and "out" not in value else ""
        head = (f"__global__ void {self.name}(const unsigned *{restrict} in, unsigned *"
                f"{restrict} out, unsigned *flag, int n, unsigned k) ")
        self.body = Block(self.kernel_body(value.replace("@", str(seed))))
        self.statement = Statement(head, self.body)

    def roots(self):
        return [self.body]

    def text(self, linkage=""):
        return linkage + render(Block([self.statement]), 0)

    reference = text

    def callee(self, _):
        """How it is called, and with what third argument."""
        return self.name, "flag"

    def kernel_body(self, value):
        index = Statement("unsigned i = blockIdx.x * blockDim.x + threadIdx.x;")
        work = [Statement(f"const unsigned v = {value};"), Statement("out[i] = v;")]
        flag = self.random.choice(FLAGS)
        work += [Statement(flag)] if flag else []
        shape = self.random.random()
        if shape < 0.35:
            return [index, Statement("if (i >= n)\n    return;"), *work]
        if shape < 0.6:
            return [index, Statement("if (i < n) ", Block(work))]
        if shape < 0.8:
            head = ("for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; "
                    "i += gridDim.x * blockDim.x) ")
            return [Statement(head, Block(work))]
        shared = ["__shared__ unsigned s[64];", "s[threadIdx.x] = i < n ? in[i] : k;",
                  "__syncthreads();"]
        mirrored = Statement(f"out[i] = s[blockDim.x - 1 - threadIdx.x] + ({value});")
        return [index, *map(Statement, shared), Statement("if (i < n) ", Block([mirrored]))]


class Program(Generated):
    """One random function with its kernels; `seed` decides everything."""

    OPTIONS = ["--rules=grid-barrier", "--barrier-scope=auto"]
    THREADS = [32, 32, 64]
    WRONG = "a loop rewritten that the device cannot run"
    ENVIRONMENT = {"BARRICADE_EMU_SMS": "16"}
    PRELUDE = """\
#include <barricade/gpu_sync.cuh>
#include <cstdint>
#include <cuda_runtime.h>
#include <utility>

#define CHECK(call) do { if ((call) != cudaSuccess) fail(); } while (0)
extern unsigned notes[4];
void note(unsigned);
[[noreturn]] void fail();

#ifdef BARRICADE_EMULATED
#include <counts.h> // In a folder that barricade's command does not name.
#endif
"""
    MAIN_END = """
  std::printf("count %u launches made as one\\ncount %u launches as one refused\\n",
              barricade::persistent, barricade::refused);
"""
    DEFINITIONS = """
unsigned notes[4];
void note(unsigned x) { notes[x % 4] = notes[x % 4] * 5 + x; }
void fail() { std::abort(); }
"""
    HARNESS = """
#include <cstdio>
#include <cstdlib>
#include <vector>

using Function = unsigned (*)(unsigned *, unsigned *, unsigned *, int, int, cudaStream_t);

static std::vector<unsigned> run(Function function, int n, int steps) {
  const int size = 512, scratch = 2048;
  std::vector<unsigned> result(2 * size + 8 + scratch);
  unsigned state = 12345 + n;
  for (unsigned &v : result)
    v = (state = state * 1664525u + 1013904223u) >> 20;
  for (int i = 0; i < 8; ++i)
    result[2 * size + i] = notes[i % 4] = 0;
  unsigned *data;
  cudaMalloc(&data, result.size() * sizeof(unsigned));
  cudaMemcpy(data, result.data(), result.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  unsigned last = function(data, data + size, data + 2 * size, n, steps, stream);
  cudaDeviceSynchronize();
  cudaMemcpy(result.data(), data, result.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(data);
  result.push_back(last);
  result.insert(result.end(), notes, notes + 4);
  return result;
}

static void compare(int program, Function original, Function rewritten, int n, int steps) {
  std::printf("original %d\\n", program);
  std::fflush(stdout);
  auto expected = run(original, n, steps);
  std::printf("rewrite %d\\n", program);
  std::fflush(stdout);
  if (run(rewritten, n, steps) != expected)
    std::printf("different %d\\n", program);
}

"""

    def __init__(self, seed, name=None, kernels=None, marks=None):
        """Launches `kernels`, or its own."""
        self.seed = seed
        self.name = name or f"loop{seed}"
        self.random = random.Random(f"{seed} {self.name}")
        self.marks = [] if marks is None else marks  # of each loop: whether it holds a near miss
        self.near = False  # in the loop that is being made
        self.renamed = dict(zip(self.random.sample(RENAMED, 2), self.random.sample(NAMES, 2)))
        if self.chance(0.75):
            self.renamed = {}
        self.depth = 0
        self.in_for = False
        self.runs_always = False  # a loop, even without steps
        self.threads = self.pick(self.THREADS)
        self.stream = self.pick(["", "", "", "0", "stream"])
        self.varies = self.chance(0.2)  # grids
        self.toggles = seed % 3 == 0  # picks buffers from an array
        self.kernels = kernels or [Kernel(self.random, seed, i)
                                   for i in range(self.random.randint(1, 3))]
        self.body = self.make_body()
        self.sizes = [(self.pick([1, 31, 33, 64, 100]), 1),
                      (self.pick([65, 200]), self.pick([0, 2, 3])), (130, 5)]

    def chance(self, p):
        return self.random.random() < p

    def pick(self, options):
        return self.random.choice(options)

    # --- the function ---

    def make_body(self):
        start = ["cudaError_t error = cudaErrorUnknown;", "unsigned k = steps + 1u, h = 0, zero = 0;", "unsigned pair[2] = {0, 0};",
                 "const int blocks = (n + %d) / %d;" % (self.threads - 1, self.threads)]
        loops = []
        for _ in range(self.random.randint(1, 2)):
            loops += self.loop()
        if self.toggles:
            buf = "both" if self.runs_always else "steps > 0 ? both : nullptr"
            start += ["unsigned *const both[2] = {a, b};", f"unsigned *const *buf = {buf};",
                      "int src = 1, dst = 0, at = 0;", "bool odd = false;"]
        statements = [Statement(s, declares=True) for s in start] + loops
        end = "return k * 31u + h * 7u + pair[0]" + self.pick(["", " + error"]) + ";"
        return Block([*statements, Statement(end)])

    def loop(self):
        outer = self.near
        self.near = False
        number = len(self.marks)
        self.marks.append(False)
        t = f"t{number}" if number else "t"
        self.depth += 1
        was_for, kind = self.in_for, self.pick(["for", "for", "for", "down", "while", "do", "flag"])
        self.in_for = kind in ("for", "down")
        self.runs_always |= kind not in ("for", "while")
        body = self.loop_body(t)
        self.in_for = was_for
        self.depth -= 1
        mark = loop_mark(number)
        first = Statement(f"int {t} = 0;", declares=True)
        if kind == "for":
            made = [Statement(f"{mark}for (int {t} = 0; {t} < steps; {self.pick([f'++{t}', f'{t}++', f'{t} += 2'])}) ", body)]
        elif kind == "down":
            made = [Statement(f"{mark}for (int {t} = n; {t} > 0; {t} /= 3) ", body)]
        elif kind == "while":
            made = [first, Statement(f"{mark}while ({t}++ < steps) ", body)]
        elif kind == "do":
            made = [first, Statement(f"{mark}do ", body, f" while (++{t} < steps);")]
        else:
            made = [first, Statement(f"{mark}while (h < 9u && {t}++ < 5) ", body)]
        self.marks[number] = self.near
        self.near |= outer
        return made

    def loop_body(self, t):
        statements = []
        for _ in range(self.random.randint(1, 4)):
            statements += self.step(t)
        if self.depth == 1 or self.chance(0.5):
            statements.insert(self.random.randint(0, len(statements)), self.launch(t))
        return Block(statements)

    def launch(self, t):
        called = self.pick(self.kernels)
        self.near |= called.near
        grid = self.pick(["blocks", f"(n + {self.threads - 1}) / {self.threads}", "dim3(blocks)"])
        if self.varies and self.chance(0.6):
            grid = self.pick([f"{t} % 3 + 1", f"blocks + {t} % 2", f"(n + {t}) / {self.threads} + 1"])
        more = f", 0, {self.stream}" if self.stream else ""
        ways = self.pick(["a, b", "a, b", "b, a"])
        if self.toggles and self.chance(0.8):
            ways = self.pick(ELEMENTS).replace("@", t)
        scalar = self.pick(["k", t, "k + 1u", "h", f"{t} * 2 + 1", "7"])
        kernel, flag = called.callee(self.random)
        call = f"({ways}, {flag}, n, {scalar});"
        if self.chance(0.1):
            return Statement(f"{{ const dim3 size({self.threads}), grid = {grid}; "
                             f"{kernel}<<<grid, size{more}>>>{call} }}")
        return Statement(f"{kernel}<<<{grid}, {self.threads}{more}>>>{call}")

    def step(self, t):
        """One thing that a loop does, as statements."""
        wait = self.stream or "0"
        if self.toggles and self.chance(0.4):
            return [Statement(self.pick(TOGGLES).replace("@", t))]
        kind = self.random.choices(
            ["launch", "swap", "scalar", "flag", "wait", "if", "leave", "loop", "copy", "near"],
            [6, 4, 4, 4, 2, 3, 1, 2 if self.depth < 2 else 0, 1, 0.6])[0]
        if kind == "launch":
            return [self.launch(t)]
        if kind == "swap":
            return self.pick([[Statement("std::swap(a, b);")],
                              [Statement("{ unsigned *old = a; a = b; b = old; }")]])
        if kind == "scalar":
            return [Statement(self.pick([f"k = k * 3u + {t};", f"k ^= {t};", "k += h;", "h += k % 3u;",
                                         "k = k > 50u ? k / 2u : k + 9u;", "--k;"]))]
        if kind == "flag":
            return self.pick([
                [Statement("cudaMemset(flag, 0, sizeof(unsigned));")],
                [Statement("cudaMemcpy(flag, &zero, sizeof zero, cudaMemcpyHostToDevice);")],
                [Statement("cudaMemcpy(&h, flag, sizeof h, cudaMemcpyDeviceToHost);")],
                [Statement("CHECK(cudaMemcpy(&h, flag + 1, sizeof(h), cudaMemcpyDeviceToHost));")]])
        if kind == "wait":
            return [Statement(self.pick(["cudaDeviceSynchronize();", f"cudaStreamSynchronize({wait});",
                                         "CHECK(cudaGetLastError());", "CHECK(cudaDeviceSynchronize());",
                                         "if (cudaGetLastError() != cudaSuccess)\n    fail();",
                                         "error = cudaGetLastError();\n  if (error != cudaSuccess)\n    fail();",
                                         "if ((error = cudaDeviceSynchronize()) != cudaSuccess)\n    fail();"]))]
        if kind == "if":
            condition = self.pick([f"{t} % 2 == 1", "k % 3u == 0u", "h > 3u", f"{t} > 1 && k > 4u"])
            pieces = [f"if ({condition}) ", Block(self.step(t) + self.step(t))]
            if self.chance(0.4):
                pieces += [" else ", Block(self.step(t))]
            return [Statement(*pieces)]
        if kind == "leave":
            leave = "continue" if self.in_for and self.chance(0.5) else "break"
            return [Statement(self.pick([f"if (h > 20u) {leave};", f"if (k % 11u == 3u) {leave};"]))]
        if kind == "loop":
            return self.loop()
        if kind == "copy":
            return [Statement(self.pick(self.copies()))]
        self.near = True
        text = self.pick(NEAR_MISSES)
        return [Statement(text % t if "%s" in text else text % (), plain=False)]

    def copies(self):
        return ["cudaMemset(b, 1, n * sizeof(unsigned));",
                "cudaMemcpy(b, a, n * sizeof(unsigned), cudaMemcpyDeviceToDevice);"]

    # --- what the campaign asks ---

    def roots(self):
        return [root for k in self.kernels for root in k.roots()] + [self.body]

    def texts(self):
        """The program's part of each file, with marks for its loops."""
        parts = [HELPERS.replace("@", str(self.seed))]
        parts += [k.text() for k in self.kernels]
        return {"batch.cu": "".join(parts) + self.function()}

    def function(self):
        head = (f"unsigned {self.name}(unsigned *a, unsigned *b, unsigned *flag, int n, int steps, "
                f"cudaStream_t stream) ")
        text = render(Block([Statement(head, self.body)]), 0)
        for name, other in self.renamed.items():
            text = re.sub(rf"\b{name}\b", other, text)
        return text

    def truth(self, number):
        return "near miss" if self.marks[number] else "plain"

    def is_wrong(self, finding, truth):
        return finding["verdict"] == "rewrite" and truth == "near miss"

    def comparisons(self, at, _):
        """Calls of HARNESS's compare() in a file, as program number `at`."""
        return [f"compare({at}, original::{self.name}, rewritten::{self.name}, {n}, {steps});"
                for n, steps in self.sizes]
