# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops of steps some of which stay within their blocks, and of steps that look
like them, for the barriers of the rule grid-barrier. What a launch computes does not
depend on the order of its threads; the executor reports steps of two blocks that touch
one element, with only barriers of a block between."""
import loops
from kernels import Block, Statement

OWN = "blockIdx.x * blockDim.x + threadIdx.x"
MIRRORED = "blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x)"
# The pair (i, j) is one thread's: that of the lower number.
# With what is declared for it.
PARTNERS = [("i ^ k", ""), ("k ^ i", ""), ("unsigned(i ^ (int)k)", ""), ("i ^ (k / 2u)", ""),
            ("i ^ (k & 31u)", ""), ("(i ^ k) ^ 1u", ""), ("i ^ far", "const unsigned far = k * 2u;"),
            ("i ^ copy", "const long copy = k;"), ("i ^ byte", "const unsigned char byte = k;"),
            ("i ^ word", "const short word = k;")]
PAIRS = ["const unsigned x = out[i], y = out[j];\nout[i] = x < y ? x : y;\nout[j] = x < y ? y : x;",
         "out[i] += 3u * out[j];\nout[j] ^= out[i];", "if (out[j] % 3u == 0u)\n  out[i] = out[j]++;"]
VALUES = ["out[i] * 5u + k", "(out[i] + i) ^ k", "out[i] + blockIdx.x * k", "out[i] + gridDim.x"]
FROM = ["in[i] + k", "in[i] * 3u + out[i]", "in[i] - i"]
AFAR = ["in[(i + 1u) % n]", "in[i > 0 ? i - 1 : 0]", "in[unsigned(i + k) % n]", "in[n - 1 - i]",
        "in[i + 1 < n && threadIdx.x + 1 < blockDim.x ? i + 1 : i]", "in[i ^ 1u < n ? i : 0] + in[n / 2]"]
SCALARS = ["k", "{t}", "1u << ({t} % 8)", "k % 70u", "{t} * 3", "-{t}", "k & 15u", "32u", "64 - {t}",
           "{t} + 30", "(unsigned short)({t} + 65530)"]


class Kernel(loops.Kernel):
    """A kernel; in `place` it touches one array only, else `in` and `out` must be apart."""

    near = False

    def __init__(self, chosen, seed, number, place):
        self.random = chosen
        self.name = f"k{number}_{seed}"
        self.takes_two = False
        kinds = [self.pairs, self.pairs, self.pairs, self.own, self.mirrored, self.inner, self.adds]
        if not place:
            kinds += [self.handed_on, self.from_afar, self.sums]
        self.two_dimensions = False
        body = chosen.choice(kinds)()
        head = (f"__global__ void {self.name}(const unsigned *in, unsigned *out, unsigned *flag, "
                f"int n, {chosen.choice(['unsigned', 'int', 'long', 'short'])} k) ")
        self.body = Block(body)
        self.statement = Statement(head, self.body)

    def index(self, work, index=OWN):
        """The work for the thread's number, or in a loop over the grid's stride."""
        kind = self.random.choice(["unsigned", "int", "unsigned"])
        if index == OWN and self.random.random() < 0.25:
            head = f"for ({kind} i = {OWN}; i < n; i += gridDim.x * blockDim.x) "
            return [Statement(head, Block(work))]
        return [Statement(f"{kind} i = {index};", declares=True), Statement("if (i < n) ", Block(work))]

    def pairs(self):
        partner, declared = self.random.choice(PARTNERS)
        pair = Block([Statement(self.random.choice(PAIRS), plain=False)])
        return ([Statement(declared, declares=True)] if declared else []) + self.index(
            [Statement(f"const unsigned j = {partner};", declares=True),
             Statement("if (j < n && i < j) ", pair)])

    def own(self):
        return self.index([Statement(f"out[i] = {self.random.choice(VALUES)};")])

    def mirrored(self):
        return self.index([Statement(f"out[i] = {self.random.choice(VALUES)};")], MIRRORED)

    def inner(self):
        offset = self.random.choice([1, 1, 2])
        return self.index([Statement(f"if (i + {offset} < n)\n  out[i + {offset}] = out[i + {offset}] * 3u + k;")])

    def adds(self):
        self.two_dimensions = self.random.random() < 0.5
        return self.index([Statement("atomicAdd(&out[i], k + blockIdx.y);")])

    def handed_on(self):
        self.takes_two = True
        return self.index([Statement(f"out[i] = {self.random.choice(FROM)};")])

    def from_afar(self):
        self.takes_two = True
        return self.index([Statement(f"out[i] = {self.random.choice(AFAR)};")])

    def sums(self):
        self.takes_two = True
        if self.random.random() < 0.5:
            return self.index([Statement("out[i] += in[blockIdx.x];")])
        return [Statement(f"unsigned i = {OWN};", declares=True),
                Statement("if (threadIdx.x == 0 && i < n)\n  out[blockIdx.x] = in[i] + k;")]


class Program(loops.Program):
    THREADS = [16, 32, 32, 64, 24]
    ENVIRONMENT = {**loops.Program.ENVIRONMENT, "BARRICADE_EMU_SAME_VALUE_WRITES": "1"}

    def __init__(self, seed):
        chosen = loops.random.Random(f"scopes {seed}")
        self.overlap = chosen.choice([0, 0, 1, 16, 33])
        kernels = [Kernel(chosen, seed, i, place=self.overlap > 0)
                   for i in range(chosen.randint(1, 3))]
        super().__init__(seed, kernels=kernels)

    def make_body(self):
        self.toggles = self.varies = False
        body = super().make_body()
        if self.overlap:
            body.statements.insert(0, Statement(f"b = a + {self.overlap};"))
        return body

    def launch(self, t):
        called = self.pick(self.kernels)
        ways = self.pick(["a, b", "b, a"] if called.takes_two else ["a, a", "b, b", "a, b", "b, a"])
        grid = "dim3(blocks, 2)" if called.two_dimensions else "blocks"
        more = f", 0, {self.stream}" if self.stream else ""
        scalar = self.pick(SCALARS).format(t=t)
        return Statement(f"{called.name}<<<{grid}, {self.threads}{more}>>>({ways}, flag, n, {scalar});")

    def copies(self):
        """Both sides of a copy may not overlap."""
        return super().copies()[:1 if self.overlap else None]

    def step(self, t):
        kind = self.random.choices(["launch", "swap", "scalar", "any", "loop"],
                                   [8, 2, 3, 1, 2 if self.depth < 2 else 0])[0]
        if kind == "launch":
            return [self.launch(t)]
        if kind == "swap":
            return self.pick([[Statement("std::swap(a, b);")],
                              [Statement("{ unsigned *old = a; a = b; b = old; }")]])
        if kind == "scalar":
            return [Statement(self.pick([f"k = k * 3u + {t};", "k = k > 50u ? k / 2u : k + 9u;", "--k;"]))]
        return self.loop() if kind == "loop" else super().step(t)


class Stretches(Program):
    """The same loops, where launches stay launches and may be steps of one."""

    OPTIONS = ["--rules=grid-barrier,launch-replay"]
    AGAIN = ["--rules=grid-barrier"]
    TAKEOVER_AT = 1 << 30

    def is_wrong(self, finding, truth):
        return finding["form"] == "persistent" and super().is_wrong(finding, truth)
