# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose thread-dependence is known by construction.

A kernel is a tree of statements, so that a failing one can be made smaller. It
ends whatever its inputs are, has no race and no undefined behaviour: counters
are bounded, sums are unsigned, each thread writes to its own elements.

What a value or a place in the code depends on is a *label*: a set of causes.
The cause THREAD is the thread's index; MAYBE marks what once depended on it and
was overwritten since; a Loop stands for "how often the threads run this loop",
and a function has causes for what its callers decide. A loop is divergent where
its label leads to THREAD, and uniform where it leads to neither.
"""
import dataclasses
import random
import re

THREAD, MAYBE = "thread", "maybe"
UNIFORM = frozenset()
DIVERGENT = frozenset([THREAD])
UNCLEAR = frozenset([MAYBE])


class Cause:
    """Something that may come to depend on the thread after it was used."""

    def __init__(self, label=UNIFORM):
        self.label = frozenset(label)

    def add(self, label):
        self.label |= label


def leads_to(label, roots, seen=None):
    seen = set() if seen is None else seen
    for cause in label - seen:
        seen.add(cause)
        if cause in roots or (isinstance(cause, Cause) and leads_to(cause.label, roots, seen)):
            return True
    return False


def depends_on_thread(label):
    """It may, as far as the generator knows."""
    return leads_to(label, (THREAD, MAYBE))


class Loop(Cause):
    """A loop of the text, marked there by its number."""

    def __init__(self, number, label):
        super().__init__(label)
        self.number = number
        self.has_barrier = False
        self.may_continue = True

    def truth(self):
        """Whether each thread of a block runs the loop equally often."""
        if leads_to(self.label, (THREAD,)):
            return "divergent"
        return "unclear" if depends_on_thread(self.label) else "uniform"


class Block:
    """Statements in braces, one per line or all in one; or a single one without."""

    def __init__(self, statements, layout="lines"):
        self.statements = statements
        self.layout = layout


class Statement:
    def __init__(self, *pieces, declares=False, plain=True):
        self.pieces = list(pieces)
        self.declares = declares  # may not stand without braces
        self.plain = plain  # may be the whole body of something

    def blocks(self):
        return [piece for piece in self.pieces if isinstance(piece, Block)]


def render(block, indent=1):
    """The block's inside as text."""
    return "".join("  " * indent + text_of(s, indent) + "\n" for s in block.statements)


def text_of(statement, indent):
    return "".join(p if isinstance(p, str) else body_text(p, indent) for p in statement.pieces)


def body_text(block, indent):
    single = len(block.statements) == 1 and block.statements[0]
    if block.layout == "bare" and single and single.plain and not single.declares:
        return "\n" + "  " * (indent + 1) + text_of(single, indent + 1)
    if block.layout == "one-line":
        inside = " ".join(text_of(s, 0).replace("\n", " ") for s in block.statements)
        return "{ " + inside + " }"
    opening = "\n" + "  " * indent if block.layout == "next-line" else ""
    return opening + "{\n" + render(block, indent + 1) + "  " * indent + "}"


class Variable:
    def __init__(self, name, label, writable=True, read=None):
        self.name, self.label, self.writable = name, label, writable
        self.read = read or name  # an expression of its value


class Function:
    """A device function: its text, and what its callers decide."""

    def __init__(self, name, place):
        self.name, self.place = name, place
        self.called = Cause()  # which threads call it
        self.limit = Cause()  # its parameter `limit`
        self.sizes = Cause()  # its parameters `n` and `m`
        self.qualifier, self.element, self.body = "", "int", None

    def text(self, linkage=""):
        limit = "" if self.place.keeps_limit else "int limit, "
        qualifier = self.qualifier
        if self.place.opening.startswith("struct"):
            qualifier = self.place.member.format(qualifier.replace("static ", ""))
        elif "static" not in qualifier:
            qualifier = linkage + qualifier
        return (self.place.opening.format(o=f"{self.name}_in") +
                f"{qualifier} unsigned {self.place.declared.format(f=self.name)}(const "
                f"{self.element} *a, unsigned x, {limit}int n, int m){self.place.const} "
                f"{{\n{render(self.body)}}}\n" + self.place.closing)

    def call(self, way, x, limit):
        """What has to stand before a call, and the call."""
        first, callee = (part.format(f=self.name, o=f"{self.name}_in", limit=limit)
                         for part in way)
        limit = "" if self.place.keeps_limit else f"{limit}, "
        return first, f"{callee}(a, {x}, {limit}n, m)"


@dataclasses.dataclass
class Place:
    """Where a device function is declared, and the ways to call it from
    elsewhere: a declaration that may be needed, and the callee."""
    ways: list
    opening: str = ""
    closing: str = ""
    member: str = "{}"
    declared: str = "{f}"
    const: str = ""
    keeps_limit: bool = False  # in the object


FREE = Place([("", "{f}")])
PLACES = [
    (FREE, 4),
    (Place([("", "{o}::{f}"), ("using {o}::{f};", "{f}"), ("using namespace {o};", "{f}"),
            ("namespace {f}_as = {o};", "{f}_as::{f}")], "namespace {o} {{\n", "} // namespace\n"), 3),
    (Place([("", "{o}::{f}"), ("", "{o}().{f}"), ("using {f}_as = {o};", "{f}_as::{f}")],
           "struct {o} {{\n", "};\n", "static {}"), 1),
    (Place([("", "{o}()"), ("{o} {f};", "{f}"), ("const auto {f} = {o}();", "{f}.operator()")],
           "struct {o} {{\n", "};\n", declared="operator()", const=" const"), 1),
    (Place([("", "{o}{{{limit}}}.{f}"), ("{o} {f}{{{limit}}};", "{f}.{f}"),
            ("const {o} {f}{{{limit}}}; const {o} &{f}_as = {f};", "{f}_as.{f}")],
           "struct {o} {{\nint limit;\n", "};\n", const=" const", keeps_limit=True), 1)]


def loop_mark(number):
    """Stands before a loop's keyword until the text is laid out."""
    return f"\x01{number}\x02"


OWN = "\x03"  # before a name: the kernel's own meaning of it


def mentions(text, name):
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)


# Names that collide with those that barricade makes up, and with each other.
NAMES = ["i", "j", "k", "t", "x", "active", "leader", "inside", "staying", "outside", "round", "q"]
# Global names that a kernel may hide by its own; then it qualifies the global ones.
HIDEABLE = ["threadIdx", "threadIdx", "blockIdx", "blockDim", "gridDim", "table", "steps", "laneId",
            "twice", "overload", "size_t", "int64_t", "Fixed", "Counted", "scope", "min"]
COUNTERS = ["int", "unsigned", "long long", "short", "unsigned char", "size_t", "int64_t"]


# Declarations of a variable {n} of the value {v}, what reads it, and their weights.
DECLARATIONS = [((form, read), weight) for form, weight, read in [
    ("unsigned {n} = {v};", 4, "{n}"), ("int {n} = int({v} % 100u);", 4, "{n}"),
    ("const int {n} = int({v} % 9u);", 2, "{n}"), ("auto {n} = {v};", 1, "{n}"),
    ("unsigned {n}; {n} = {v};", 1, "{n}"), ("long long {n}{{{v}}};", 1, "{n}"),
    ("unsigned {n}_[2] = {{{v}, 3u}}; unsigned {n} = {n}_[0];", 1, "{n}"),
    ("volatile unsigned {n} = {v};", 0.3, "{n}"),
    ("unsigned {n}(1), {n}_2 = {v}; {n} += {n}_2;", 1, "{n}"),
    ("using {n}_t = unsigned; {n}_t {n} = {v};", 0.5, "{n}"),
    ("struct {n}_t {{ int p; unsigned q; }} {n}_s = {{1, {v}}}; unsigned {n} = {n}_s.q;", 0.5, "{n}"),
    ("const unsigned {n} = {v}; s += overload({n});", 0.7, "{n}"),
    ("Fixed {n} = {v};", 0.5, "{n}"), ("const unsigned &{n} = {v};", 0.5, "{n}"),
    ("unsigned {n}_of = {v}; unsigned &{n} = {n}_of;", 0.7, "{n}"),
    ("unsigned {n}_of = {v}; Bound<unsigned> {n}_to{{{n}_of}}; unsigned {n} = {n}_to.at;", 0.5, "{n}"),
    ("Counted {n}_count(&s); unsigned {n} = {v};", 0.7, "{n}"),
    ("unsigned {n}(Number{{{v}}});", 0.5, "{n}"), ("unsigned {n} = Number{{{v}}};", 0.3, "{n}"),
    ("auto {n}_by = [&](unsigned q) {{ return q + s; }}; unsigned {n} = {n}_by({v});", 0.5, "{n}"),
    ("unsigned {n} = scope::twice({v}) + unsigned(::twice(4));", 0.5, "{n}"),
    ("unsigned {n} = {v}; ADD({n} * FACTOR);", 0.5, "{n}"),
    # Names that mean something else elsewhere: members, parameters, using, inner blocks.
    ("const uint3 {n} = {{{v}, 1u, 2u}};", 1, "{n}.x"),
    ("scope::Index {n}{{{v}}};", 0.7, "{n}.x"), ("scope::Index {n}{{{v}}};", 0.3, "{n}()"),
    ("const uint2 {n}_p = {{{v}, 3u}}; const auto [{n}, {n}_q] = {n}_p;", 0.4, "({n} + {n}_q)"),
    ("struct {n}_t {{ unsigned \x03a, \x03s, \x03threadIdx; }} {n} = {{1u, {v}, 2u}};", 0.5,
     "({n}.\x03s + {n}.\x03threadIdx)"),
    ("struct {n}_t {{ unsigned s, n; __host__ __device__ unsigned \x03min() const {{ return s + n; }} }}; "
     "unsigned {n} = {n}_t{{{v}, 2u}}.\x03min();", 0.5, "{n}"),
    ("unsigned {n} = [](unsigned \x03threadIdx) {{ return \x03threadIdx * 2u; }}({v});", 0.5, "{n}"),
    ("unsigned {n}_of = {v}; {{ using scope::laneId; {n}_of += \x03laneId(); }} unsigned {n} = {n}_of;", 0.5, "{n}"),
    ("unsigned {n} = {v}; {{ using namespace scope; {n} = fresh({n}); }}", 0.5, "{n}"),
    ("namespace {n}_in = ::scope; unsigned {n} = {n}_in::twice({v});", 0.4, "{n}"),
    ("unsigned {n} = {v}; {{ unsigned {n} = threadIdx.x; s += {n}; }}", 0.5, "{n}"),
    ("unsigned {n} = {v}; {{ auto &{n}_is = {n}; unsigned {n} = 3u; s += {n}_is++ + {n}; }}", 0.5, "{n}"),
    ("enum {{ {n}_e = 3 }}; unsigned {n} = {v} + {n}_e;", 0.3, "{n}")]]


@dataclasses.dataclass
class Shared:
    """What several kernels of a program have in common."""
    loops: list = dataclasses.field(default_factory=list)
    macros: list = dataclasses.field(default_factory=list)
    functions: list = dataclasses.field(default_factory=list)
    hidden: set = dataclasses.field(default_factory=set)  # global names, by some other meaning

    def functions_text(self, linkage=""):
        return self.qualified("".join(self.macros + [f.text(linkage) for f in self.functions]))

    def qualified(self, text):
        """Whatever is hidden somewhere and not meant to be is named in full."""
        for name in sorted(self.hidden):
            text = re.sub(rf"(?<![\w{OWN}:.]){name}\b", f"::{name}", text)
        return text.replace(OWN, "")


class Generated:
    """What the campaign asks of a generator of programs, but for `texts`,
    `comparisons`, `roots`, `truth` and `is_wrong`."""

    FILES = ("batch.cu",)
    AGAIN = []  # more options of a second run
    ENVIRONMENT = {}  # of the executor
    TAKEOVER_AT = 1  # the iteration in which a persistent kernel takes a loop over
    DEFINITIONS = MAIN_END = ""  # of the last source

    @classmethod
    def prelude(cls, _):
        """How a file begins."""
        return cls.PRELUDE

    def references(self):
        """What it should compute, as `texts`."""
        return self.texts()

    def is_right(self, _):
        """Whether it has one result, with the rewrites of these numbers."""
        return True

    def is_settled(self, _):
        """Whether barricade finds no more to do after these rewrites."""
        return True


class Kernel(Generated):
    """One random kernel with its device functions; `seed` decides everything."""

    OPTIONS = ["--rules=artificial-barrier", "--min-instructions=0", "--min-memory-ratio=0"]
    WRONG = "a bare barrier where threads diverge"
    PRELUDE = """\
#include <climits>
#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>

__constant__ int table[4] = {3, 1, 4, 1};
__device__ inline unsigned laneId() { return threadIdx.x % 32; }
__host__ __device__ inline int twice(int x) { return 2 * x; }
template <typename T> __device__ void change(T &x, unsigned to) { x = to; }

// What programs do in unusual ways.
#define FACTOR 3u
#define ADD(value) s += (value)
namespace scope {
struct Index {
  unsigned x;
  __host__ __device__ unsigned operator()() const { return x + 1; }
};
__host__ __device__ inline unsigned twice(unsigned x) { return x * FACTOR; }
__host__ __device__ inline unsigned fresh(unsigned x) { return x ^ 5u; }
__device__ inline unsigned laneId() { return blockIdx.x + 1; }
} // namespace scope
__constant__ unsigned steps[4] = {1, 0, 2, 3};
using Fixed = const unsigned;
template <typename T> struct Bound { T &at; };
template <typename T> __host__ __device__ T &same(T &x) { return x; }
template <typename T> __host__ __device__ void both(T &x, T &y, unsigned to) {
  x = to;
  y = x + 1;
}
__host__ __device__ inline unsigned overload(unsigned &x) { return x + 1; }
__host__ __device__ inline unsigned overload(const unsigned &x) { return x + 2; }
struct Counted {
  unsigned *at;
  __host__ __device__ explicit Counted(unsigned *p) : at(p) { *at += 5; }
  __host__ __device__ ~Counted() { *at = *at * 3u + 1u; }
};
struct Number {
  unsigned value;
  __host__ __device__ explicit operator unsigned() const { return value; }
  __host__ __device__ operator short() const { return 7; }
};
"""
    # Runs every original and its rewrite on the same data.
    HARNESS = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

template <typename E>
using Kernel = void (*)(const E *, unsigned *, unsigned *, int, int);

template <typename E>
static std::vector<unsigned> run(Kernel<E> kernel, int grid, dim3 block, int n, int m) {
  size_t threads = size_t(grid) * block.x * block.y;
  std::vector<E> input(256);
  unsigned state = 12345 + n;
  for (E &v : input)
    v = (state = state * 1664525u + 1013904223u) >> 20;
  std::vector<unsigned> result(threads * 5 + grid);
  for (size_t i = 0; i < threads * 5; ++i)
    result[i] = i * 2654435761u >> 7;
  E *a;
  unsigned *out;
  cudaMalloc(&a, input.size() * sizeof(E));
  cudaMalloc(&out, result.size() * sizeof(unsigned));
  cudaMemcpy(a, input.data(), input.size() * sizeof(E), cudaMemcpyHostToDevice);
  cudaMemcpy(out, result.data(), result.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  kernel<<<grid, block>>>(a, out, out + threads, n, m);
  cudaMemcpy(result.data(), out, result.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(out);
  return result;
}

template <typename E>
static void compare(int program, Kernel<E> original, Kernel<E> rewritten, int grid, dim3 block,
                    int n, int m) {
  std::printf("original %d\\n", program);
  std::fflush(stdout);
  auto expected = run(original, grid, block, n, m);
  std::printf("rewrite %d\\n", program);
  std::fflush(stdout);
  if (run(rewritten, grid, block, n, m) != expected)
    std::printf("different %d\\n", program);
}

"""
    ELEMENTS = ["int", "int", "short", "float"]

    def __init__(self, seed, name=None, shared=None):
        self.seed = seed
        self.name = name or f"kernel{seed}"
        self.random = random.Random(f"{seed} {self.name}")
        self.shared = shared or Shared()
        self.loops, self.macros = self.shared.loops, self.shared.macros
        self.functions, self.hidden = self.shared.functions, self.shared.hidden
        self.scopes = []
        self.enclosing = []  # loops
        self.control = UNIFORM
        self.function = None
        self.has_exits = False
        self.full_warps = False
        self.in_lambda = False
        self.labels = 0
        self.names = 0
        self.waits = False
        self.jumped = UNIFORM  # which threads jumped on in this iteration
        self.budget = self.random.randint(4, 13)
        self.plane = self.chance(0.15)  # blocks of two dimensions
        self.pattern = self.chance(0.1)  # a template
        self.restrict = self.chance(0.6)
        self.element = self.pick(self.ELEMENTS)
        if self.chance(0.25):
            self.hidden |= {self.pick(HIDEABLE), self.pick(HIDEABLE)}
        if not self.functions and self.chance(0.3):
            for _ in range(self.random.randint(1, 2)):
                self.make_function()
        self.body = self.make_kernel_body()

    # --- chance ---

    def chance(self, p):
        return self.random.random() < p

    def pick(self, options):
        return self.random.choice(options)

    def weighted(self, table):
        return self.random.choices([o for o, _ in table], [w for _, w in table])[0]

    # --- the whole text ---

    def parameters(self):
        restrict = " __restrict__" if self.restrict else ""
        return (f"const {self.element} *{restrict} a, unsigned *{restrict} out, "
                f"unsigned *{restrict} w, int n, int m")

    def texts(self):
        """The program's part of each file, with marks for its loops."""
        return {"batch.cu": self.text()}

    def text(self):
        template = "template <int N>\n" if self.pattern else ""
        parts = [f"{template}__global__ void {self.name}({self.parameters()}) {{\n"
                 f"{render(self.body)}}}\n"]
        if self.pattern:
            for size in (2, 5):
                parts.append(f"template __global__ void {self.name}<{size}>"
                             f"({self.parameters()});\n")
        return self.shared.functions_text() + self.shared.qualified("".join(parts))

    def instances(self):
        return [f"{self.name}<{size}>" for size in (2, 5)] if self.pattern else [self.name]

    def roots(self):
        return [f.body for f in self.functions] + [self.body]

    def truth(self, number):
        return self.loops[number].truth()

    def is_wrong(self, finding, truth):
        return finding["form"] == "uniform" and truth == "divergent"

    def comparisons(self, at, _):
        """Calls of HARNESS's compare() in a file, as program number `at`."""
        return [f"compare<{self.element}>({at}, original::{kernel}, rewritten::{kernel}, "
                f"{grid}, {block}, {n}, {m});"
                for kernel in self.instances() for grid, block, n, m in self.launches()]

    def launches(self):
        """Grid, block, n, m of each launch."""
        if self.plane:
            blocks = ["dim3(8, 4)", "dim3(3, 3)", "dim3(16, 4)"]
        elif self.full_warps:
            blocks = ["32", "64", "64"]
        else:
            blocks = ["1", "5", "33", "64", "64"]
        chosen = [self.pick(blocks), blocks[-1], blocks[-1]]
        return [(self.pick([1, 2, 3]), block, self.pick([0, 1, 7, 31, 40, 64, 90]),
                 self.pick([0, 1, 2, 3, 5])) for block in chosen]

    # --- names ---

    def visible(self):
        seen = {}
        for scope in self.scopes:
            seen.update(scope)
        return seen

    def fresh_name(self):
        own = [OWN + name for name in sorted(self.hidden)]
        names = own if own and self.chance(0.5) else NAMES
        names = [name for name in names if name not in self.scopes[-1]]
        if names and self.chance(0.5):
            return self.pick(names)
        self.names += 1
        return f"v{self.names}"

    def declare(self, name, label, writable=True, read=None):
        self.scopes[-1][name] = Variable(name, label, writable, read)

    def variables(self, uniform):
        return [v for v in self.visible().values()
                if v.name not in ("a", "out", "w", "gid") and
                depends_on_thread(v.label) != uniform]

    # --- expressions: text of an unsigned value, and its label ---

    def leaf(self, uniform):
        if uniform:
            known = self.variables(True)
            if known and self.chance(0.5):
                variable = self.pick(known)
                return f"unsigned({variable.read})", variable.label
            options = [f"{self.random.randint(0, 9)}u", "blockIdx.x", "blockDim.x", "gridDim.x",
                       f"unsigned(a[{self.random.randint(0, 63)}])", "unsigned(table[2])"]
            if self.pattern and not self.function:
                options.append("unsigned(N)")
            return self.pick(options), UNIFORM
        known = self.variables(False)
        if known and self.chance(0.5):
            variable = self.pick(known)
            return f"unsigned({variable.read})", variable.label
        if self.chance(0.1):
            return "s", UNCLEAR
        if self.function:
            parameter = self.visible()["x"]  # or what hides it
            return self.pick([(parameter.read, parameter.label), ("threadIdx.x", DIVERGENT), ("laneId()", DIVERGENT)])
        return self.weighted([
            ("threadIdx.x", 4), ("gid", 3), ("laneId()", 1), ("unsigned(a[gid % 96u])", 3),
            ("w[gid * 4u]", 2), ("atomicAdd(&w[gid * 4u + 1u], 1u)", 1),
            ("unsigned(threadIdx.x / 32)", 1)]), DIVERGENT

    def value(self, uniform, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.leaf(uniform)
        kind = self.random.random()
        left, label = self.value(uniform or self.chance(0.5), depth - 1)
        if kind < 0.5:
            right, other = self.value(uniform, depth - 1)
            operator = self.pick(["+", "-", "*", "^", "&", "|"])
            return f"({left} {operator} {right})", label | other
        if kind < 0.6:
            return f"unsigned(a[({left}) % 96u])", label
        if kind < 0.7:
            return f"unsigned(twice(int({left} % 50u)))", label
        if kind < 0.8:
            condition, third = self.condition(uniform, depth - 1)
            right, other = self.value(uniform, depth - 1)
            return f"({condition} ? {left} : {right})", label | other | third
        if uniform:
            return f"({left} >> 1)", label
        right, other = self.leaf(False)
        return f"({left} + {right})", label | other

    def condition(self, uniform, depth=1):
        if uniform:
            if self.chance(0.4):
                return self.pick(["n > 3", "m != 0", "n % 2 == 0", "blockIdx.x == 0",
                                  "m < n"]), self.label_of("n", "m")
            # Not a constant: code that is never reached may be changed at will.
            text, label = self.value(True, depth)
            return f"(({text} + unsigned(m)) % 5u < 3u)", label | self.label_of("m")
        if self.chance(0.5):
            options = ["threadIdx.x < 17", "threadIdx.x != 0", "(threadIdx.x & 1)",
                       "threadIdx.x % 3 == 1", "laneId() < 9", "threadIdx.x + 5 < blockDim.x",
                       "threadIdx.x == 0", "threadIdx.x / 32 == 0"]
            if not self.function:
                options += ["int(gid) < n", "a[gid % 96u] > 1500"]
            return self.pick(options), DIVERGENT | self.label_of("n")
        text, label = self.value(False, depth)
        if self.chance(0.2):
            other, more = self.condition(self.chance(0.5), 0)
            return f"({text} % 4u != 1u {self.pick(['&&', '||'])} {other})", label | more
        return f"({text} % 3u == 1u)", label

    def label_of(self, *names):
        """n and m may be hidden by a variable of the kernel's own."""
        seen = self.visible()
        given = frozenset([self.function.sizes]) if self.function else UNIFORM
        return frozenset().union(*(seen[n].label if n in seen else given for n in names))

    def limit(self, uniform):
        """How often a loop runs at most: an int from 0 to 9, and its label."""
        if uniform:
            options = [(f"{self.random.randint(0, 6)}", UNIFORM),
                       ("int(unsigned(n) % 7u)", self.label_of("n")),
                       ("int(unsigned(m) % 5u)", self.label_of("m"))]
            if self.pattern and not self.function:
                options.append(("N", UNIFORM))
            if self.function:
                options.append(("limit", self.label_of("limit")))
            if self.chance(0.4):
                return self.pick(options)
        text, label = self.value(uniform, 1)
        return f"int({text} % 6u)", label

    # --- statements ---

    def block(self, count, make=None, layout=None, names=()):
        """`make` gives the last statements; `names` are declared already."""
        self.scopes.append(dict(names))
        statements = []
        for _ in range(count):
            statements += self.statement()
        if make:
            statements += make()
        if not statements:
            statements = [self.sum_up()]
        self.scopes.pop()
        layout = layout or self.weighted([("lines", 6), ("next-line", 1), ("one-line", 1),
                                          ("bare", 3)])
        return Block(statements, layout)

    def under(self, label, count, layout=None, make=None):
        """A block that only threads come to which `label` lets pass."""
        before, self.control = self.control, self.control | label
        result = self.block(count, make, layout)
        # A divergent jump in there leaves its mark on what follows.
        self.control = before | self.jumped
        return result

    def statement(self):
        if self.budget <= 0:
            return [self.sum_up()]
        self.budget -= 1
        return self.weighted([
            (self.make_sum, 8), (self.make_loop, 7), (self.make_if, 4), (self.make_declaration, 3),
            (self.make_hiding, 0.7), (self.make_assignment, 2), (self.make_store, 2), (self.make_jump, 2),
            (self.make_call, 2), (self.make_barrier, 1), (self.make_switch, 1),
            (self.make_alias, 1), (self.make_exit, 1), (self.make_skip, 0.5),
            (self.make_lambda, 0.4), (self.make_shared, 0.7), (self.make_shuffle, 0.4),
            (self.make_wait, 0.2), (self.make_duff, 0.2)])()

    def sum_up(self):
        """Reads global memory."""
        index, _ = self.value(self.chance(0.5), 1)
        tail = self.pick(["", "", "", " /* sum */", " // sum"])
        text = self.pick([f"s = s * 31u + unsigned(a[({index}) % 96u]);",
                          f"s += unsigned(a[({index}) % 96u]);",
                          f"s ^= unsigned(a[({index}) % 96u]) + 7u;"])
        return Statement(text + (tail if "//" not in tail else ""))

    def make_sum(self):
        return [self.sum_up()]

    def make_store(self):
        if self.function:
            return [self.sum_up()]
        text, _ = self.value(False, 1)
        return [Statement(self.pick([f"w[gid * 4u + ({text}) % 4u] += s;",
                                     "out[gid] = out[gid] * 7u + s;",
                                     f"w[gid * 4u] = {text} % 9u;"]))]

    def make_declaration(self):
        uniform = self.chance(0.5)
        name = self.fresh_name()
        text, label = self.value(uniform)
        form, read = self.weighted(DECLARATIONS)
        # In the initialiser the new name would mean itself.
        if mentions(text, name) or name in self.scopes[-1]:
            name = f"{name}{len(self.scopes)}_{self.budget}"
        writable = read == "{n}" and not form.startswith(("const", "Fixed"))
        self.declare(name, label | self.control, writable, read.format(n=name))
        return [Statement(form.format(n=name, v=text), declares=True)]

    def make_hiding(self):
        """A local variable with the name of what all statements use."""
        name = self.pick(["n", "m", "s", "s"])
        text, label = self.value(self.chance(0.5))
        # The outermost block is the parameters' own.
        if len(self.scopes) < 3 or name in self.scopes[-1] or mentions(text, name):
            return self.make_declaration()
        form = {"n": self.pick(["int n = int({v} % 50u);", "const auto n = int({v} % 40u);"]),
                "m": self.pick(["int m = int({v} % 6u);", "const int m({v} % 4u);"]),
                "s": self.pick(["unsigned s = {v};", "auto s = {v};"])}[name]
        self.declare(name, UNCLEAR if name == "s" else label | self.control, writable=False)
        return [Statement(form.format(v=text), declares=True)]

    def may_taint(self, variable, label):
        """A loop that runs already must not find its values changed."""
        return not self.enclosing or (label | variable.label) <= variable.label

    def make_assignment(self):
        uniform = self.chance(0.5)
        text, label = self.value(uniform)
        label |= self.control
        known = [v for v in self.visible().values()
                 if v.writable and v.name not in ("n", "m", "s") and self.may_taint(v, label)]
        if not known:
            return [self.sum_up()]
        variable = self.pick(known)
        variable.label = label | (UNCLEAR if depends_on_thread(variable.label) else UNIFORM)
        return [Statement(f"{variable.name} = {text} % 50u;")]

    def make_alias(self):
        """A change of a variable through something else."""
        known = [v for v in self.visible().values()
                 if v.writable and v.name not in ("n", "m", "s") and
                 self.may_taint(v, DIVERGENT)]
        if not known:
            return self.make_declaration()
        variable = self.pick(known)
        variable.label |= DIVERGENT
        name = f"r{self.budget}_{len(self.scopes)}"
        form = self.pick(["auto &{r} = {v}; {r} = threadIdx.x % 5u;",
                          "auto *{r} = &{v}; *{r} = threadIdx.x % 4u;",
                          "change({v}, threadIdx.x % 3u);",
                          "std::remove_reference_t<decltype({v})> *{r}[1] = {{&{v}}}; {r}[0][0] = threadIdx.x % 7u;",
                          "(blockIdx.x == 0 ? {v} : {v}) = threadIdx.x % 5u;",
                          "Bound<decltype({v})> {r}{{{v}}}; {r}.at = threadIdx.x % 4u;",
                          "same({v}) = threadIdx.x % 6u;", "both({v}, {v}, threadIdx.x % 3u);",
                          "auto &{r} = {v}; auto &{r}_2 = {r}; {r}_2 = threadIdx.x % 3u;",
                          "const auto &{r} = {v}; const_cast<decltype({v}) &>({r}) = threadIdx.x % 3u;",
                          "auto {r} = [&] {{ {v} = threadIdx.x % 3u; }}; {r}();"])
        return [Statement(form.format(r=name, v=variable.name), declares=True)]

    def make_if(self):
        uniform = self.chance(0.45)
        text, label = self.condition(uniform)
        has_else = self.chance(0.35)
        layout = self.pick(["lines", "next-line", "one-line"]) if has_else else None
        first, control = self.jumped, self.control
        then = self.under(label, self.random.randint(1, 3), layout)
        pieces = [self.guard(text), then]
        if has_else:
            # Whoever jumps in the one branch would not have come to the other.
            behind, self.jumped, self.control = self.jumped, first, control
            pieces += [" else ", self.under(label, self.random.randint(1, 2),
                                            self.pick(["lines", "one-line"]))]
            self.jumped |= behind
            self.control |= behind
        return [Statement(*pieces, plain=has_else)]

    def guard(self, condition):
        name = f"u{self.budget}_{len(self.scopes)}"
        return self.weighted([
            (f"if ({condition}) ", 9), (f"if (const bool {name} = {condition}; {name}) ", 0.4),
            (f"if (const bool {name} = {condition}) ", 0.4)])

    def make_switch(self):
        uniform = self.chance(0.5)
        # Not a constant: code that is never reached may be changed at will.
        text, label = self.value(uniform, 1)
        text, label = f"({text} + unsigned(m))", label | self.label_of("m")
        before, self.enclosing = self.enclosing, self.enclosing + [None]
        first = self.under(label, 2, "lines")
        second = self.under(label, 1, "lines")
        self.enclosing = before
        end = self.pick(["break;", ""])
        return [Statement(f"switch ({text} % 3u) {{ case 0: ", first, f" {end} case 1: ",
                          second, " break; default: s += 3u; }")]

    def make_jump(self):
        """Out of a loop, or to its next iteration."""
        loops = [loop for loop in self.enclosing]
        if not loops or not loops[-1]:
            return [self.sum_up()]
        loop = loops[-1]
        uniform = self.chance(0.5)
        text, label = self.condition(uniform)
        label |= self.control
        if loop.has_barrier and depends_on_thread(label):
            return [self.sum_up()]
        word = self.pick(["break", "continue"])
        if word == "continue" and not loop.may_continue:
            word = "break"
        if self.chance(0.05) and self.may_return() and not loop.has_barrier:
            # The threads that stay go on together.
            self.has_exits = True
            return [Statement(f"if ({text}) return;", plain=False)]
        if word == "break":
            loop.add(label)
        self.jumped |= label
        self.control |= label
        form = self.pick(["if ({c}) {w};", "if ({c}) {{ s += 3u; {w}; }}",
                          "if ({c})\n      {w};", "if (!({c})) s += 5u; else {w};"])
        return [Statement(form.format(c=text, w=word), plain=False)]

    def may_return(self):
        return not self.in_lambda and not self.full_warps and not self.function

    def make_exit(self):
        """A return of some threads, or from a device function."""
        if self.in_lambda or self.enclosing or self.full_warps:
            return [self.sum_up()]
        text, label = self.condition(self.chance(0.3))
        if self.function:
            self.jumped |= label
            self.control |= label
            return [Statement(f"if ({text}) return s;", plain=False)]
        self.has_exits = True
        store = self.pick(["", "out[gid] = s; "])
        return [Statement(f"if ({text}) {{ {store}return; }}")]

    def make_skip(self):
        """A goto over a block."""
        text, label = self.condition(self.chance(0.4))
        self.labels += 1
        target = f"skip{self.labels}"
        inside = self.under(label, 2, "lines")
        return [Statement("{ " + f"if ({text}) goto {target}; ", inside, f" {target}:; }}")]

    def make_lambda(self):
        outer = self.enclosing, self.jumped, self.in_lambda
        self.enclosing, self.in_lambda = [], True
        inside = self.under(DIVERGENT, 2, "lines")
        self.enclosing, self.jumped, self.in_lambda = outer
        return [Statement("[&] ", inside, "();")]

    # --- what synchronises ---

    def may_synchronise(self):
        """All threads come here, and none may be kept away later."""
        return not self.in_lambda and not self.function and not depends_on_thread(
            self.control) and all(
            loop and not depends_on_thread(loop.label) for loop in self.enclosing)

    def synchronises(self):
        for loop in self.enclosing:
            loop.has_barrier = True

    def make_barrier(self):
        if not self.may_synchronise():
            return [self.sum_up()]
        self.synchronises()
        return [Statement("__syncthreads();")]

    def make_shared(self):
        """Each thread publishes a value and reads another's."""
        if not self.may_synchronise() or self.has_exits:
            return [self.sum_up()]
        self.synchronises()
        text, _ = self.value(False, 1)
        return [Statement(f"shared[local] = s + {text};"), Statement("__syncthreads();"),
                Statement(f"s += shared[({text} + 1u) % (blockDim.x * blockDim.y)];"),
                Statement("__syncthreads();")]

    def make_shuffle(self):
        if not self.may_synchronise() or self.has_exits or self.plane:
            return [self.sum_up()]
        self.synchronises()
        self.full_warps = True
        return [Statement(self.pick([
            "s += __shfl_xor_sync(~0u, s, 1);", "s += __any_sync(~0u, s % 3u == 0);",
            "for (int k = 0; k < int(threadIdx.x / 32) + 2; ++k) "
            "s += __shfl_xor_sync(~0u, s, 1) + unsigned(a[k]);"]))]

    def make_wait(self):
        """The other threads wait until the first one is behind the loop."""
        if not self.may_synchronise() or self.has_exits or self.full_warps or self.plane:
            return [self.sum_up()]
        if self.enclosing or self.waits:  # the flag serves once
            return [self.sum_up()]
        self.waits = True
        flag = "w[gridDim.x * blockDim.x * 4u + blockIdx.x]"
        number, mark = self.new_loop(UNIFORM)
        self.loops[number].add(DIVERGENT)
        return [Statement(f"{mark}for (int k = 0; k < 3; ++k) {{ if (threadIdx.x != 0) "
                          f"while (atomicAdd(&{flag}, 0u) == 0u) ; s += unsigned(a[k + gid % 8u]); }} "
                          f"if (threadIdx.x == 0) atomicExch(&{flag}, 1u);", declares=True)]

    def make_duff(self):
        """A switch into a loop."""
        text, label = self.value(self.chance(0.5), 1)
        name = f"d{self.budget}_{len(self.scopes)}"
        number, mark = self.new_loop(label)
        return [Statement(f"int {name} = 0; switch ({text} % 2u) {{ case 0: {mark}for ({name} = 0; "
                          f"{name} < 5; ++{name}) {{ case 1: s += unsigned(a[{name} + 3]); }} }}",
                          declares=True)]

    # --- device functions ---

    def make_function(self):
        f = Function(f"callee{self.seed}_{len(self.functions)}", self.weighted(PLACES))
        limit = Variable("limit", frozenset([f.limit]), writable=False)
        self.function = f
        hidden = {name: Variable(name, UNCLEAR, False) for name in ("x", "s")}
        self.scopes = [{"limit": limit}]
        self.control = frozenset([f.called])
        self.jumped = UNIFORM
        budget, self.budget = self.budget, 4
        f.body = self.block(2, lambda: self.make_loop(), "lines", hidden)
        f.body.statements.insert(0, Statement("unsigned s = x;", declares=True))
        f.body.statements.append(Statement("return s;"))
        qualifier = self.pick(["__device__", "__device__", "static __device__ __forceinline__",
                               "__host__ __device__"])
        uses_device = any(word in render(f.body) for word in ("laneId", "Idx.", "Dim.", "fence"))
        if uses_device:
            qualifier = qualifier.replace("__host__ ", "")
        f.qualifier, f.element = qualifier, self.element
        self.budget = budget
        self.function, self.scopes, self.control, self.jumped = None, [], UNIFORM, UNIFORM
        self.functions.append(f)

    def make_call(self):
        if self.function or not self.functions:
            return [self.sum_up()]
        f = self.pick(self.functions)
        limit, label = self.limit(self.chance(0.6))
        form = self.pick(["s += {f};", "s ^= {f};", "if ({f} % 2u) s += 9u;",
                          "s += {c} ? {f} : 4u;", "s += ({c} && {f} > 100u);"])
        control, condition = self.control, ""
        if "{c}" in form:
            condition, more = self.condition(self.chance(0.5))
            control |= more
        f.called.add(control)
        f.limit.add(label)
        f.sizes.add(self.label_of("n", "m"))
        first, call = f.call(self.pick(f.place.ways), "s + gid", limit)
        text = form.format(f=call, c=condition)
        return [Statement(f"{{ {first} {text} }}" if first else text, plain="if" not in form)]

    # --- loops ---

    def new_loop(self, label):
        loop = Loop(len(self.loops), label | self.control |
                    frozenset(l for l in self.enclosing if l))
        self.loops.append(loop)
        return loop.number, loop_mark(loop.number)

    def make_loop(self):
        if len([l for l in self.enclosing if l]) >= 3 or self.budget < 0:
            return [self.sum_up()]
        make = self.weighted([
            (self.counted_loop, 8), (self.strided_loop, 6), (self.while_loop, 4),
            (self.chain_loop, 2), (self.edge_loop, 1), (self.range_loop, 1),
            (self.pointer_loop, 1.5), (self.macro_loop, 1), (self.rows_loop, 4),
            (self.kept_loop, 1.5), (self.protected_loop, 1.5)])
        return make()

    def protected_loop(self):
        """A condition keeps from the loop what its header could not stand."""
        label = self.label_of("m")
        step = self.pick(["steps[unsigned(m) % 4u]", "(unsigned(m) % 3u)"])
        name = f"p{len(self.loops)}"
        needs, head = self.pick([
            (step, f"for (unsigned {name} = 0; {name} < 5u; {name} += {step}) "),
            (step, f"for (unsigned {name} = 0; {name} < 6u / {step}; ++{name}) "),
            (f"{step} > 1u", f"for (unsigned {name} = 1; {name} < 9u; {name} *= {step}) "),
            (f"{step} < 3u", f"for (unsigned {name} = {step}; {name} != 3u; ++{name}) ")])
        condition, more = self.condition(self.chance(0.4))
        before, self.control = self.control, self.control | label | more
        mark, body = self.loop_body(label, counter=name)
        self.control = before | self.jumped
        return [Statement(f"if ({needs} && {condition}) {mark}{head}", body, plain=False)]

    def loop_body(self, label, before=(), after=(), count=None, counter=None, layout=None,
                  may_continue=True, make=None):
        """The loop's mark and its body, which ends with what `make` gives. What
        threads do in there depends on how often they do it."""
        number, mark = self.new_loop(label)
        loop = self.loops[number]
        loop.may_continue = may_continue
        names = {}
        if counter:
            names[counter] = Variable(counter, frozenset([loop]) | label, writable=False)
        control, jumped = self.control, self.jumped
        enclosing, self.enclosing = self.enclosing, self.enclosing + [loop]
        self.jumped = UNIFORM
        self.control |= frozenset([loop])
        count = count or self.random.randint(1, 3)
        make = make or (lambda: [self.sum_up()] if self.chance(0.7) else [])
        body = self.block(count, make, layout, names)
        body.statements[:0] = before
        body.statements += after
        if not any("a[" in text_of(s, 0) for s in body.statements):
            body.statements.insert(len(before), self.sum_up())
        self.enclosing, self.control, self.jumped = enclosing, control, jumped
        return mark, body

    def use_after(self, name):
        return [Statement(f"s += unsigned({name});")] if self.chance(0.4) else []

    def counted_loop(self):
        uniform = self.chance(0.5)
        limit, label = self.limit(uniform)
        name = self.fresh_name()
        if name in limit or name in self.scopes[-1]:
            name = f"c{len(self.loops)}"
        kind = self.pick(["up", "up", "up", "down", "before", "outside", "forever", "pair"])
        tail = []
        declares = False
        if kind == "up":
            start = self.pick(["0", "0", "1"])
            kind_of_counter = self.pick(COUNTERS)
            test = self.pick([f"{name} < {limit}", f"{limit} > {name}", f"{name} <= {limit}",
                              f"!({name} >= {limit})"])
            if kind_of_counter in ("unsigned", "size_t"):
                test = f"{name} < unsigned({limit})"
            step = self.pick([f"++{name}", f"{name}++", f"{name} += 1", f"{name} = {name} + 1",
                              f"{name} += 2"])
            head = f"for ({kind_of_counter} {name} = {start}; {test}; {step}) "
        elif kind == "down":
            head = self.pick([f"for (int {name} = {limit}; {name} > 0; --{name}) ",
                              f"for (int {name} = {limit} - 1; {name} >= 0; {name}--) ",
                              f"for (int {name} = {limit}; {name} != 0; {name} -= 1) "])
        elif kind == "before":
            head = f"for (unsigned {name} = unsigned({limit}); {name}-- > 0;) "
        elif kind == "outside":
            self.declare(name, label | self.control, writable=False)
            declares = True
            tail = self.use_after(name)
            head = f"for ({name} = 0; {name} < {limit}; {name}++) "
        elif kind == "forever":
            head = f"for (int {name} = 0;; ++{name}) "
            leave = Statement(f"if ({name} >= {limit}) break;", plain=False)
            before, after = ([leave], ()) if self.chance(0.5) else ([self.sum_up()], [leave])
            mark, body = self.loop_body(label, before, after, counter=name, layout="lines",
                                        may_continue=not after)
            return [Statement(mark + head, body)]
        else:
            head = f"for (int {name} = 0, {name}_e = {limit}; {name} < {name}_e; ++{name}) "
        mark, body = self.loop_body(label, counter=name)
        pragma = "_Pragma(\"unroll\") " if self.chance(0.05) else ""
        result = [Statement(pragma + mark + head, body)]
        if declares:
            result.insert(0, Statement(f"int {name};", declares=True))
        return result + tail

    def while_loop(self):
        uniform = self.chance(0.4)
        limit, label = self.limit(uniform)
        name = f"h{len(self.loops)}_{self.budget}"
        kind = self.pick(["down", "up", "first", "do", "comma", "flag", "variable", "and", "memory"])
        first, head, before, after, tail, may = f"int {name} = 0;", "", [], [], ");", True
        step = Statement(f"{self.pick(['++' + name, name + '++', name + ' += 1'])};")
        do = None
        if kind == "down":
            first, head = f"int {name} = {limit};", f"while ({name}-- > 0) "
        elif kind == "up":
            head, after, may = f"while ({name} < {limit}) ", [step], False
        elif kind == "first":
            head, before = f"while ({name} < {limit}) ", [step]
        elif kind == "do":
            head, do = "do ", f" while (++{name} < {limit});"
        elif kind == "comma":
            head, before = f"while (++s, {name} < {limit}) ", [step]
        elif kind == "flag":
            first = f"bool {name} = false; int {name}_k = 0;"
            head = f"while (!{name}) "
            before = [Statement(f"{name} = ++{name}_k > {limit};")]
        elif kind == "variable":
            first = f"int {name} = {limit};"
            head = f"while (int {name}_left = {name}) "
            before = [Statement(f"{name} -= {name}_left > 0;")]
        elif kind == "and":
            label |= UNCLEAR
            head = f"while ({name} < {limit} && unsigned(a[(s + {name}) % 96u]) % 7u != 0) "
            before = [step]
        else:
            if self.function:
                head, before = f"while ({name} < {limit}) ", [step]
            else:
                label |= DIVERGENT
                head, before = f"while ({name} < int(w[gid * 4u + 2u] % 5u)) ", [step]
        layout = "lines" if before or after else None
        mark, body = self.loop_body(label, before, after, layout=layout, may_continue=may)
        statement = Statement(mark + head, body, do) if do else Statement(mark + head, body)
        return [Statement(first, declares=True), statement] + self.use_after(name)

    def strided_loop(self):
        """The threads share the iterations out; or it looks so."""
        name = f"i{len(self.loops)}_{self.budget}"
        index = self.pick(["threadIdx.x", "tid", "gid"]) if not self.function else "threadIdx.x"
        stride = self.pick(["blockDim.x", "blockDim.x", "64", "7", "stride", "gridDim.x * blockDim.x"]
                           if not self.function else ["blockDim.x", "16"])
        counter = self.pick(["int", "int", "int", "unsigned", "long long", "size_t", "short"])
        index, stride = index, stride
        end = self.pick(["n", "n", "m * 9 + 3", "40", "n - m"])
        bound = f"({counter})({end})" if counter in ("unsigned", "size_t") else end
        if end == "n - m" and counter in ("unsigned", "size_t"):
            bound = f"({counter})n"
        floor = 7 if stride == "7" else 5
        start = self.pick([index, index, f"{index} + 1", f"m + {index}", f"{index} * 2"])
        step = self.pick([f"{name} += {stride}", f"{name} = {name} + {stride}"])
        test = self.pick([f"{name} < {bound}", f"{bound} > {name}", f"{name} <= {bound}",
                          f"{name} < {bound} && m != 1"])
        pick = self.random.random()
        declared = self.label_of("n", "m") | DIVERGENT
        if pick < 0.6:
            head = f"for ({counter} {name} = {start}; {test}; {step}) "
            mark, body = self.loop_body(declared, counter=name)
            return [Statement(mark + head, body)]
        if pick < 0.75:
            head = f"for (int {name} = n - 1 - (int){index}; {name} >= 0; {name} -= {floor}) "
            mark, body = self.loop_body(declared, counter=name)
            return [Statement(mark + head, body)]
        if pick < 0.9:
            first = Statement(f"{counter} {name} = {start};", declares=True)
            after = [Statement(f"{name} += {stride};")]
            mark, body = self.loop_body(declared, (), after, layout="lines", may_continue=False)
            return [first, Statement(mark + f"while ({test}) ", body)] + self.use_after(name)
        head = f"for (int {name} = {index}, {name}_c = m; {name} < {end}; {name} += {floor}, {name}_c++) "
        mark, body = self.loop_body(declared, counter=name)
        return [Statement(mark + head, body)]

    def rows_loop(self):
        """Each thread has rows of its own, and a loop runs along each."""
        name = f"b{len(self.loops)}_{self.budget}"
        head = self.pick([f"for (int {name} = threadIdx.x; {name} < 70; {name} += 21) ",
                          f"for (unsigned {name} = threadIdx.x % 11u; {name} > 0; {name} /= 2u) ",
                          f"for (int {name} = 0; {name} < int(threadIdx.x) % 4; ++{name}) ",
                          f"for (short {name} = threadIdx.x % 5; {name}-- > 0;) "])

        def row():
            behind = self.make_jump() if self.chance(0.5) else [self.sum_up()]
            return self.make_loop() + behind

        mark, body = self.loop_body(DIVERGENT, counter=name, make=row,
                                    count=self.random.randint(0, 2))
        return [Statement(mark + head, body)]

    def kept_loop(self):
        """A counter that outlives the condition around its loop: threads that do
        not pass keep its value."""
        name = f"o{len(self.loops)}_{self.budget}"
        condition, label = self.condition(self.chance(0.3))
        limit, more = self.limit(self.chance(0.5))
        self.declare(name, label | more | self.control | UNCLEAR, writable=False)
        before, self.control = self.control, self.control | label
        mark, body = self.loop_body(more)
        self.control = before | self.jumped
        head = f"if ({condition}) {mark}for ({name} = 0; {name} < {limit}; ++{name}) "
        return [Statement(f"int {name} = 7;", declares=True), Statement(head, body, plain=False),
                Statement(f"s += unsigned({name}) * 3u;")]

    def chain_loop(self):
        """How often it runs, its own data decide."""
        value, label = self.value(False, 1)
        name = f"z{len(self.loops)}_{self.budget}"
        first = Statement(f"unsigned {name} = {value} % 30u + 1u, {name}_k = 0;", declares=True)
        before = [Statement(f"{name} = {name} % 2u ? 3u * {name} + 1u : {name} / 2u;")]
        head, do = self.pick([
            (f"while ({name} != 1u && {name}_k++ < 12u) ", None),
            (f"for (; {name} != 1u && {name}_k < 9u; ++{name}_k) ", None),
            ("do ", f" while ({name} != 1u && ++{name}_k < 8u);")])
        mark, body = self.loop_body(label, before, layout="lines")
        statement = Statement(mark + head, body, do) if do else Statement(mark + head, body)
        return [first, statement] + self.use_after(name)

    def edge_loop(self):
        """Counters at the ends of their types."""
        name = f"e{len(self.loops)}_{self.budget}"
        thread = "int(threadIdx.x)"
        label, head = self.pick([
            (DIVERGENT, f"for (int {name} = INT_MAX - 164 + {thread}; {name} < INT_MAX - 63; {name} += 64) "),
            (DIVERGENT, f"for (unsigned {name} = UINT_MAX - 164u + {thread}; {name} < UINT_MAX - 63u; {name} += 64u) "),
            (DIVERGENT, f"for (long long {name} = LLONG_MAX - 164 + {thread}; {name} <= LLONG_MAX - 64; {name} += 64) "),
            (DIVERGENT, f"for (unsigned char {name} = threadIdx.x * 5; {name} != 255; {name} += 3) "),
            (DIVERGENT, f"for (unsigned char {name} = 200 + threadIdx.x; {name} < 250; {name} += 7) "),
            (DIVERGENT, f"for (int {name} = INT_MIN + 163 - {thread}; {name} > INT_MIN + 63; {name} -= 64) "),
            (UNIFORM, f"for (int {name} = INT_MAX - 3; {name} < INT_MAX; ++{name}) "),
            (UNIFORM, f"for (unsigned {name} = UINT_MAX - 3u; {name} != 0; ++{name}) "),
            (UNIFORM, f"for (unsigned char {name} = 250; {name} > 9; ++{name}) "),
            (UNIFORM, f"for (unsigned long long {name} = ~0ull - 2; {name}; {name}++) ")])
        mark, body = self.loop_body(label, counter=name)
        return [Statement(mark + head, body)]

    def range_loop(self):
        name = f"g{len(self.loops)}_{self.budget}"
        text, label = self.value(self.chance(0.6), 1)
        first = Statement(f"unsigned {name}_r[3] = {{1u, {text}, 5u}};", declares=True)
        mark, body = self.loop_body(UNIFORM, counter=None)
        return [first, Statement(mark + f"for (unsigned {name} : {name}_r) ", body)]

    def pointer_loop(self):
        name = f"p{len(self.loops)}_{self.budget}"
        uniform = self.chance(0.5)
        limit, label = self.limit(uniform)
        head, label = self.pick([
            (f"for (const {self.element} *{name} = a; {name} < a + {limit}; ++{name}) ",
             label),
            (f"for (const {self.element} *{name} = a + threadIdx.x; {name} < a + 70; "
             f"{name} += blockDim.x) ", DIVERGENT),
            (f"for (const {self.element} *{name} = &a[threadIdx.x], *{name}_e = a + 66; "
             f"{name} != {name}_e && {name} < {name}_e; {name} += 9) ", DIVERGENT)])
        use = Statement(f"s += unsigned(*{name});")
        mark, body = self.loop_body(label, [use], layout="lines")
        return [Statement(mark + head, body)]

    def macro_loop(self):
        number = f"{self.seed}_{len(self.macros)}"
        name = f"y{len(self.loops)}_{self.budget}"
        uniform = self.chance(0.5)
        limit, label = self.limit(uniform)
        kind = self.pick(["head", "whole", "body", "once"])
        if kind == "head":
            self.macros.append(f"#define LOOP{number}(k, n) for (int k = 0; k < (n); ++k)\n")
            mark, body = self.loop_body(label, counter=name)
            return [Statement(mark + f"LOOP{number}({name}, {limit}) ", body)]
        if kind == "whole":
            self.macros.append(f"#define SUM{number}(n) for (int k = 0; k < (n); ++k) "
                               "s += unsigned(a[k])\n")
            return [Statement(f"SUM{number}({limit});", plain=False)]
        if kind == "once":
            mark, body = self.loop_body(label, layout="lines", counter=name)
            return [Statement(f"do {{ {mark}for (int {name} = 0; {name} < {limit}; ++{name}) ",
                              body, " } while (0);")]
        self.macros.append(f"#define ADD{number}(k) s += unsigned(a[k]);\n")
        mark, body = self.loop_body(label, [Statement(f"ADD{number}({name})")], counter=name)
        return [Statement(mark + f"for (int {name} = 0; {name} < {limit}; {name}++) ", body)]

    # --- the kernel ---

    def make_kernel_body(self):
        thread = "threadIdx.y * blockDim.x + threadIdx.x" if self.plane else "threadIdx.x"
        threads = "(blockDim.x * blockDim.y)" if self.plane else "blockDim.x"
        start = [Statement(f"const unsigned local = {thread};", declares=True),
                 Statement(f"const unsigned gid = blockIdx.x * {threads} + local;", declares=True),
                 Statement("int tid = threadIdx.x;", declares=True),
                 Statement("int stride = blockDim.x;", declares=True),
                 Statement("unsigned s = 1;", declares=True)]
        self.scopes = [{"n": Variable("n", UNIFORM, False), "m": Variable("m", UNIFORM, False),
                        "stride": Variable("stride", UNIFORM, False)}]
        body = self.block(self.random.randint(2, 5), lambda: self.make_loop(), "lines")
        if any("shared[" in text_of(s, 0) for s in body.statements):
            start.append(Statement("__shared__ unsigned shared[64];", declares=True))
        body.statements[:0] = start
        body.statements.append(Statement("out[gid] = out[gid] * 7u + s;"))
        return body
