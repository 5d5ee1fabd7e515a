// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel calls, writes and synchronises by, and who may write what it
// reads.

#include "matchers/facts/KernelEffects.h"
#include "Snippet.h"
#include "clang/AST/Attr.h"
#include <gmock/gmock.h>

using namespace barricade;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

const std::string Library = R"(# 1 "library.h" 1 3
namespace cuda {
template <typename T> struct atomic_ref {
  T *p;
  __device__ atomic_ref(T &r) : p(&r) {}
  __device__ T fetch_add(const T &v) const;
  __device__ T load() const;
  __device__ T operator+=(const T &v) const;
};
}
__device__ void __nv_atomic_load(int *from, int *result, int order);
__device__ float modff(float x, float *whole);
__device__ int __match_all_sync(unsigned mask, int value, int *pred);
__device__ void __stcg(int *to, int value);
__device__ void cudaGridDependencySynchronize();
__device__ void *operator new(size_t, void *) noexcept;
# 1 "snippet.cu" 2
)";

/// The first kernel of a piece of code.
struct Collected {
  explicit Collected(const std::string &Code, bool RestrictParams = false)
      : Source(Library + Code) {
    for (const clang::Decl *D :
         Source.context().getTranslationUnitDecl()->decls()) {
      const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
      if (!F || !F->doesThisDeclarationHaveABody())
        continue;
      Named[F->getNameAsString()] = F;
      if (F->hasAttr<clang::CUDAGlobalAttr>() && !Effects.Kernel)
        Effects = collectKernelEffects(*F, RestrictParams);
    }
  }

  /// What stands there, up to the end of the statement.
  std::string textAt(clang::SourceLocation Where) {
    if (Where.isInvalid())
      return "nobody";
    const clang::SourceManager &SM = Source.context().getSourceManager();
    const char *Text = SM.getCharacterData(SM.getExpansionLoc(Where));
    return std::string(Text, strcspn(Text, ";\n"));
  }

  static std::string nameOf(const MemoryRoot &Root) {
    return barricade::nameOf(Root.Space).str() +
           (Root ? " " + Root.Object->getNameAsString() : "") +
           (Root.Field ? "." + Root.Field->getNameAsString() : "");
  }

  /// `global a: = 1`, for each kind of target.
  std::vector<std::string> stores() {
    std::vector<std::string> Result;
    for (const KernelEffects::Store &S : Effects.Stores)
      Result.push_back(nameOf(S.Target.Root) + ": " + textAt(S.Where));
    return Result;
  }

  std::vector<std::string> functions() const {
    std::vector<std::string> Result;
    for (const clang::FunctionDecl *F : Effects.Functions)
      Result.push_back(F->getNameAsString());
    return Result;
  }

  /// Where what `value` is bound to, in the function of the name, may be
  /// written.
  std::string writerOf(const std::string &Function = "k") {
    const clang::Expr &E = Source.initializer("value");
    return textAt(Effects.mayWrite(E, E.getType(), *Named.at(Function)));
  }
  ForeignWrites foreign(const std::string &Function = "k") {
    return Effects.foreignWrites(Source.initializer("value"),
                                 *Named.at(Function));
  }
  bool isHosts(const std::string &Function = "k") {
    return Effects.isWithinReachOfHost(Source.initializer("value"),
                                       *Named.at(Function));
  }

  test::Snippet Source;
  KernelEffects Effects;
  std::map<std::string, const clang::FunctionDecl *> Named;
};

const std::string Declarations = R"(
struct S { int *p, *q; int a[4]; };
union U { int i; float f; float fs[2]; struct { int x; } part; };
__constant__ int table[4];
__device__ int counts[4];
__device__ void other();
)";

/// A kernel with the body.
std::string kernel(const std::string &Body) {
  return Declarations +
         "__global__ void k(int *a, int *b, const int *__restrict__ c, "
         "float *x, S s, U *u, U *v, int n) {\n__shared__ int tile[4], "
         "tail[4]; int own[4]; int i = threadIdx.x;\n" +
         Body + "\n}\n";
}

/// Who may write \p Value in a kernel with the body.
std::string writerOf(const std::string &Value, const std::string &Body,
                     bool RestrictParams = false) {
  return Collected(kernel(Body + "\nauto &&value = " + Value + ";"),
                   RestrictParams)
      .writerOf();
}

std::vector<std::string> storesIn(const std::string &Body) {
  return Collected(kernel(Body)).stores();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(KernelEffects, ReachesCallersBeforeCallees) {
  Collected C(R"(__device__ int low() { return 1; }
    __device__ int high() { return low(); }
    __device__ int never() { return low(); }
    __global__ void k(int *a) { a[0] = low() + high(); })");
  EXPECT_THAT(C.functions(), ElementsAre("k", "high", "low"));
  EXPECT_FALSE(C.Effects.Recursive);
  EXPECT_EQ(C.Effects.callsOf(*C.Named.at("low")).size(), 2u);
  EXPECT_EQ(C.Effects.callsOf(*C.Named.at("high")).size(), 1u);
  EXPECT_THAT(C.Effects.callsOf(*C.Named.at("never")), IsEmpty());
}

TEST(KernelEffects, KnowsRecursion) {
  EXPECT_TRUE(Collected("__device__ int f(int n) { return n ? f(n - 1) : 0; }"
                        "__global__ void k(int *a) { *a = f(3); }")
                  .Effects.Recursive);
  EXPECT_TRUE(Collected("__device__ int g(int n);"
                        "__device__ int f(int n) { return g(n); }"
                        "__device__ int g(int n) { return n ? f(n - 1) : 0; }"
                        "__global__ void k(int *a) { *a = f(3); }")
                  .Effects.Recursive);
  // Another instance is another function.
  EXPECT_FALSE(Collected("template <int N> __device__ int f() {"
                         "  if constexpr (N > 0) return f<N - 1>();"
                         "  return 0; }"
                         "__global__ void k(int *a) { *a = f<3>(); }")
                   .Effects.Recursive);
}

// They are in no call's syntax: arguments and members left out, and what runs
// at births and ends.
TEST(KernelEffects, FindsCallsThatNobodyWrites) {
  Collected C(R"(__device__ int *spare;
    __device__ int put() { spare[0] = 1; return 1; }
    __device__ int take(int v = put()) { return v; }
    struct Member { int v = put(); };
    struct Guard { int *p; __device__ ~Guard() { p[0] = 2; } };
    __global__ void k(int *a) {
      take();
      Member m{};
      { Guard g{a}; }
    })");
  EXPECT_THAT(C.functions(),
              UnorderedElementsAre("k", "take", "put", "~Guard"));
  ASSERT_EQ(C.Effects.SilentSites.size(), 1u);
  EXPECT_EQ(C.Effects.SilentSites[0].Callee->getNameAsString(), "~Guard");
  // What calls it is not all seen.
  EXPECT_THAT(C.Effects.callsOf(*C.Effects.SilentSites[0].Callee), IsEmpty());
  std::set<const clang::CallExpr *> Calls;
  for (const KernelEffects::Site &Site : C.Effects.callsOf(*C.Named.at("put")))
    Calls.insert(Site.Call);
  EXPECT_EQ(Calls.size(), 2u);
  EXPECT_TRUE(C.Effects.OpaqueStore.isInvalid());
}

TEST(KernelEffects, ListsWhatSynchronises) {
  Collected C(kernel("__syncthreads(); if (n) __threadfence(); "
                     "atomicAdd(a, 1); i = sqrtf(i); other();"));
  std::vector<CallKind> Kinds;
  for (const KernelEffects::Sync &S : C.Effects.Syncs)
    Kinds.push_back(S.Kind);
  EXPECT_THAT(Kinds, ElementsAre(CallKind::BlockBarrier, CallKind::Fence,
                                 CallKind::Atomic, CallKind::Unknown));
  EXPECT_EQ(C.textAt(C.Effects.Syncs[1].At->getBeginLoc()), "__threadfence()");
}

TEST(KernelEffects, KnowsWhatMayWriteAnything) {
  for (const auto &[Body, Place] : std::map<std::string, std::string>{
           {"a[0] = 1; other();", "other()"},
           {"void (*f)() = nullptr; f();", "f()"},
           {"asm(\"\");", "asm(\"\")"},
           {"float w; modff(i, &w);", "modff(i, &w)"},
           {"delete a;", "delete a"},
           {"new (a) int(3);", "new (a) int(3)"},
           {"__builtin_memcpy(a, b, 4);", "__builtin_memcpy(a, b, 4)"}}) {
    Collected C(kernel(Body));
    EXPECT_EQ(C.textAt(C.Effects.OpaqueStore), Place) << Body;
  }
  for (const char *Body : {"a[0] = sqrtf(i);", "__syncthreads();",
                           "auto f = [=] { a[0] = 1; };", "atomicAdd(a, 1);"})
    EXPECT_TRUE(Collected(kernel(Body)).Effects.OpaqueStore.isInvalid())
        << Body;
  EXPECT_TRUE(Collected(kernel("auto f = [=] { a[0] = 1; }; f();"))
                  .Effects.OpaqueStore.isValid());
  EXPECT_TRUE(Collected("struct B { __device__ virtual void f() {} };"
                        "__global__ void k(B *b) { b->f(); }")
                  .Effects.OpaqueStore.isValid());
}

// Before it a kernel has not looked at memory; later it may change.
TEST(KernelEffects, TheFirstWaitForTheGridBeforeIsNone) {
  const std::string Wait = "cudaGridDependencySynchronize();";
  const auto Opaque = [](const std::string &Body) {
    return Collected("__global__ void k(int *a) {" + Body + "}")
        .Effects.OpaqueStore.isValid();
  };
  EXPECT_FALSE(Opaque(Wait + "a[0] = 1;"));
  EXPECT_TRUE(Opaque("a[0] = 1;" + Wait));
  EXPECT_TRUE(Opaque(Wait + Wait));
  EXPECT_TRUE(Opaque("{" + Wait + "}"));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

TEST(KernelEffects, TellsStoresByTheirRoots) {
  EXPECT_THAT(
      storesIn("a[i] = 1; *(b + i) = 2; tile[i] = 3;"),
      ElementsAre("global a: = 1", "global b: = 2", "shared tile: = 3"));
  EXPECT_THAT(
      storesIn("counts[i]++; s.p[i] += 1; own[0] = 3;"),
      ElementsAre("global counts: ++", "global s.p: += 1", "local own: = 3"));
  EXPECT_THAT(storesIn("a[0] = 1; a[1] = 2; if (n) ++a[2];"),
              ElementsAre("global a: = 1"));
  // Of variables that are no memory.
  EXPECT_THAT(storesIn("i = 1; n += i; S t; t = s; (i) = 4; a = b;"),
              IsEmpty());
}

TEST(KernelEffects, FollowsStoresBehindOtherNames) {
  EXPECT_THAT(storesIn("int &r = a[3]; r = 1;"), ElementsAre("global a: = 1"));
  EXPECT_THAT(storesIn("for (int &e : tile) e = 1;"),
              ElementsAre("shared tile: = 1"));
  EXPECT_THAT(storesIn("int *p = a; p = b; *p = 1;"),
              ElementsAre("unknown: = 1"));
  EXPECT_THAT(storesIn("(n ? a : b)[0] = 1;"), ElementsAre("unknown: = 1"));
  EXPECT_THAT(storesIn("struct P { int l, r; }; P *p = (P *)a; "
                       "auto &[l, r] = *p; r = 1;"),
              ElementsAre("unknown: = 1"));
  EXPECT_THAT(storesIn("int S::*m = nullptr; (void)m; auto t = &S::p; "
                       "(s.*t)[0] = 1;"),
              ElementsAre("unknown: = 1"));
  EXPECT_THAT(storesIn("*[](int *p) { return p; }(a) = 1;"),
              ElementsAre("unknown: = 1"));
}

TEST(KernelEffects, SeesStoresOfLibraryCalls) {
  EXPECT_THAT(storesIn("atomicAdd(a + i, 1);"),
              ElementsAre("global a: atomicAdd(a + i, 1)"));
  EXPECT_THAT(storesIn("__stcg(b, 1);"), ElementsAre("global b: __stcg(b, 1)"));
  EXPECT_THAT(storesIn("__match_all_sync(~0u, n, tile);"),
              ElementsAre("shared tile: __match_all_sync(~0u, n, tile)"));
  EXPECT_THAT(storesIn("__ldg(a);"), IsEmpty());
  EXPECT_THAT(storesIn("S *t = nullptr; *t = s;"), ElementsAre("unknown: = s"));
}

//===----------------------------------------------------------------------===//
// Who may write what is read
//===----------------------------------------------------------------------===//

TEST(KernelEffects, TellsMemoryApart) {
  EXPECT_EQ(writerOf("a[1]", "b[0] = 1;"), "= 1");
  EXPECT_EQ(writerOf("c[1]", "b[0] = 1;"), "nobody");
  EXPECT_EQ(writerOf("a[1]", "b[0] = 1;", /*RestrictParams=*/true), "nobody");
  EXPECT_EQ(writerOf("a[1]", "tile[0] = 1;"), "nobody");
  EXPECT_EQ(writerOf("a[1]", "own[0] = 1;"), "nobody");
  EXPECT_EQ(writerOf("tail[1]", "tile[0] = 1;"), "nobody");
  EXPECT_EQ(writerOf("tile[1]", "tile[0] = 1;"), "= 1");
  EXPECT_EQ(writerOf("a[1]", "counts[0] = 1;"), "= 1");
  EXPECT_EQ(writerOf("s.p[1]", "s.q[0] = 1;"), "= 1");
  EXPECT_EQ(writerOf("s.a[1]", "s.q[0] = 1;"), "nobody");
}

TEST(KernelEffects, GoesByTypes) {
  EXPECT_EQ(writerOf("a[1]", "x[0] = 1;"), "nobody");
  EXPECT_EQ(writerOf("a[1]", "x[0] = 1; float y = *(float *)b;"), "= 1");
  EXPECT_EQ(writerOf("a[1]", "x[0] = 1; float y = (float &)i;"), "= 1");
  EXPECT_EQ(writerOf("a[1]", "x[0] = 1; "
                             "float y = reinterpret_cast<float &&>(i);"),
            "= 1");
  EXPECT_EQ(writerOf("a[1]", "x[0] = (float)i; const int *p = "
                             "static_cast<int *>(a);"),
            "nobody");
}

// Whoever writes one member may be about to read another.
TEST(KernelEffects, UnionsHaveNoTypes) {
  EXPECT_EQ(writerOf("u->i", "v->f = 1;"), "= 1");
  EXPECT_EQ(writerOf("u->part.x", "v->f = 1;"), "= 1");
  EXPECT_EQ(writerOf("u->i", "v->fs[1] = 1;"), "= 1");
  EXPECT_EQ(writerOf("(u->part).x", "(v->fs)[i] = 1;"), "= 1");
  EXPECT_EQ(writerOf("u->i", "x[0] = 1;"), "= 1");
}

TEST(KernelEffects, ConstantsAreNobodysUnlessTheirAddressGoesElsewhere) {
  EXPECT_EQ(writerOf("table[1]", "a[0] = 1;"), "nobody");
  EXPECT_EQ(writerOf("table[1]", "a[0] = 1; asm(\"\");"), "nobody");
  EXPECT_EQ(writerOf("table[1]", "int *p = table; p[i] = 1;"), "= 1");
  EXPECT_EQ(writerOf("table[1]", "int *p = &table[0]; p = a; p[i] = 1;"),
            "= 1");
  EXPECT_THAT(Collected(kernel("const int *p = table; i = p[i];"))
                  .Effects.ExposedConstants,
              testing::SizeIs(1));
  EXPECT_THAT(Collected(kernel("i = table[i];")).Effects.ExposedConstants,
              IsEmpty());
}

TEST(KernelEffects, FollowsParametersToWhatCallersPass) {
  const std::string Read = "__device__ int get(int *p) {"
                           "  auto &&value = p[0]; return value; }\n";
  const std::string Put = "__device__ void put(int *p, int v) { p[0] = v; }\n";
  const auto Writer = [&](const std::string &Body) {
    return Collected(Declarations + Read + Put +
                     "__global__ void k(int *__restrict__ a, int *__restrict__ "
                     "b, S s, int n) { __shared__ int tile[4];" +
                     Body + "}")
        .writerOf("get");
  };
  EXPECT_EQ(Writer("get(a); put(b, 1);"), "nobody");
  EXPECT_EQ(Writer("get(a); put(b, 1); put(a + n, 1);"), "= v");
  EXPECT_EQ(Writer("get(a); get(tile); put(tile, 1);"), "= v");
  EXPECT_EQ(Writer("get(n ? a : b); put(tile, 1);"), "= v");
  EXPECT_EQ(Writer("get(a); put(n ? b : tile, 1);"), "= v");
  // None is called.
  EXPECT_EQ(Writer("put(b, 1);"), "= v");
}

TEST(KernelEffects, FollowsNoParameterThatBecomesAnother) {
  const auto Writer = [&](const std::string &Put) {
    return Collected("__device__ void put(int *p, int *q) {" + Put +
                     "}\n__global__ void k(int *__restrict__ a, int *b) {"
                     "put(b, a); auto &&value = a[0]; }")
        .writerOf();
  };
  EXPECT_EQ(Writer("p[0] = 1;"), "nobody");
  EXPECT_EQ(Writer("++p; p[0] = 1;"), "nobody");
  EXPECT_EQ(Writer("p = q; p[0] = 1;"), "= 1");
  EXPECT_EQ(Writer("int *&r = p; r = q; p[0] = 1;"), "= 1");
  EXPECT_EQ(Writer("*(q - 1) = 1;"), "= 1");
}

TEST(KernelEffects, ObjectsOfMethodsAreNoArguments) {
  const auto Writer = [](const std::string &Call) {
    return Collected("struct Put { __device__ void operator()(int *p, int *q) "
                     "const { *p = 1; } __device__ void at(int *p, int *q) "
                     "{ *p = 1; } };\n"
                     "__global__ void k(int *__restrict__ a, int "
                     "*__restrict__ b, Put put) {" +
                     Call + "auto &&value = a[0]; }")
        .writerOf();
  };
  EXPECT_EQ(Writer("put(b, a);"), "nobody");
  EXPECT_EQ(Writer("put(a, b);"), "= 1");
  EXPECT_EQ(Writer("put.at(b, a);"), "nobody");
  EXPECT_EQ(Writer("put.at(a, b);"), "= 1");
}

// What libcu++'s methods write is behind the object, and not the argument.
TEST(KernelEffects, MethodsOfAtomicsWriteWhatTheyAreOf) {
  for (const char *Operand : {"1", "n", "own[0]", "tile[0]"})
    EXPECT_EQ(writerOf("a[1]", std::string("cuda::atomic_ref<int> r(a[0]); "
                                           "r.fetch_add(") +
                                   Operand + ");"),
              std::string("r.fetch_add(") + Operand + ")")
        << Operand;
  EXPECT_NE(writerOf("a[1]", "cuda::atomic_ref<int> r(a[0]); r += n;"),
            "nobody");
}

TEST(KernelEffects, AtomicsThatGiveResultsWriteThem) {
  EXPECT_EQ(writerOf("tile[1]", "__nv_atomic_load(a, tile, 0);"),
            "__nv_atomic_load(a, tile, 0)");
  EXPECT_EQ(writerOf("tile[1]", "__atomic_load(a, tile, 0);"),
            "__atomic_load(a, tile, 0)");
  EXPECT_EQ(writerOf("tail[1]", "__nv_atomic_load(a, tile, 0);"), "nobody");
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

TEST(KernelEffects, GradesForeignWrites) {
  const auto Foreign = [](const std::string &Value, const std::string &Body) {
    return Collected(kernel(Body + "auto &&value = " + Value + ";")).foreign();
  };
  EXPECT_EQ(Foreign("a[1]", ""), ForeignWrites::None);
  EXPECT_EQ(Foreign("a[1]", "b[0] = 1;"), ForeignWrites::ByAlias);
  EXPECT_EQ(Foreign("a[1]", "b[0] = 1; a[i] = 2;"), ForeignWrites::Seen);
  EXPECT_EQ(Foreign("a[1]", "int *p = a; p = b; p[0] = 1;"),
            ForeignWrites::Seen);
  EXPECT_EQ(Foreign("s.p[1]", "s.q[0] = 1;"), ForeignWrites::ByAlias);
  EXPECT_EQ(Foreign("a[1]", "other();"), ForeignWrites::Seen);
  // Its own memory no other thread reaches.
  EXPECT_EQ(Foreign("own[1]", "own[i] = 1; other();"), ForeignWrites::None);
}

TEST(KernelEffects, KnowsWhatIsWithinReachOfTheHost) {
  const auto IsHosts = [](const std::string &Value) {
    return Collected(
               kernel("int *p = a; p = tile; auto &&value = " + Value + ";"))
        .isHosts();
  };
  for (const char *Value : {"a[0]", "s.p[0]", "counts[0]", "p[0]"})
    EXPECT_TRUE(IsHosts(Value)) << Value;
  for (const char *Value : {"tile[0]", "own[0]", "s.a[0]", "table[0]"})
    EXPECT_FALSE(IsHosts(Value)) << Value;
  const std::string Get = "__device__ int get(int *p) { auto &&value = *p; "
                          "return value; }\n__global__ void k(int *a) { "
                          "__shared__ int tile[4]; get(tile); ";
  EXPECT_FALSE(Collected(Get + "}").isHosts("get"));
  EXPECT_TRUE(Collected(Get + "get(a); }").isHosts("get"));
}

} // namespace
