// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that a loop makes by what it calls.

#include "matchers/host/HiddenLaunches.h"
#include "HostSnippet.h"
#include "clang/AST/ExprCXX.h"

using namespace barricade;
using namespace barricade::host;

namespace {

const std::string Device = R"(
__global__ void k(int *);
void launch() { k<<<1, 1>>>(nullptr); }
void quiet() {}
)";

/// The library's, of what the tests need.
const std::string Library = R"(
namespace std {
template <typename F> class function;
template <typename R, typename... A> class function<R(A...)> {
public:
  template <typename F> function(F) {}
  function() {}
  template <typename F> function &operator=(F) { return *this; }
  R operator()(A...) const { return R(); }
};
template <typename T> struct vector {
  template <typename... A> void emplace_back(A &&...) {}
  void push_back(const T &) {}
  T &operator[](int);
};
template <typename I, typename F> void for_each(I a, I b, F f) {
  for (; a != b; ++a)
    f(*a);
}
template <typename F> void invoke(F f) { f(); }
struct thread { template <typename F> explicit thread(F) {} };
}
)";

struct Asked {
  explicit Asked(const std::string &Body, const std::string &Before = "")
      : Code("#include \"/toolkit/c++/functional\"\n" + Device + Before +
                 "\nvoid f(int n, int *p, bool b) {\n" + Body + "\n}\n",
             {{"c++/functional", Library}}),
        Hidden(Code.context()) {}

  /// The callees against which there is something, in the first loop.
  std::string calls() {
    std::string Found;
    (void)holds(&Code.loop(), [&](const clang::Stmt &S) {
      const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
      if (const auto Why = Call ? Hidden.launchBy(*Call) : std::nullopt)
        Found += (Found.empty() ? "" : " ") + nameOf(*Call) +
                 (*Why == HiddenLaunch::ByRuntime ? "!" : "");
      return false;
    });
    return Found;
  }
  bool isHeld() { return Hidden.isHeldBy(Code.loop()); }

  static std::string nameOf(const clang::CallExpr &Call) {
    const auto *Callee =
        llvm::dyn_cast_or_null<clang::NamedDecl>(Call.getCalleeDecl());
    return Callee ? Callee->getNameAsString() : "value";
  }

  test::HostSnippet Code;
  HiddenLaunches Hidden;
};

std::string callsIn(const std::string &Body, const std::string &Before = "") {
  Asked A("while (n--) { " + Body + " }", Before);
  const std::string Calls = A.calls();
  if (!Calls.empty())
    EXPECT_TRUE(A.isHeld()) << Body;
  return Calls;
}
/// What stands before the loop that calls `go`.
std::string callsGo(const std::string &First, const std::string &Before = "") {
  return Asked(First + " while (n--) go();", Before).calls();
}
bool isHeld(const std::string &Body, const std::string &Before = "") {
  return Asked("while (n--) { " + Body + " }", Before).isHeld();
}

TEST(HiddenLaunches, SeesLaunchesOfFunctions) {
  EXPECT_EQ(callsIn("launch();"), "launch");
  EXPECT_EQ(callsIn("quiet();"), "");
  EXPECT_EQ(callsIn("outer();", "void outer() { if (true) launch(); }"),
            "outer");
  EXPECT_EQ(callsIn("two<1>(); two<0>();", "template <int N> void two() "
                                           "{ if constexpr (N) launch(); }"),
            "two");
  EXPECT_EQ(callsIn("take();", "void take(int n = (launch(), 1)) {}"),
            "launch");
  EXPECT_EQ(callsIn("STEP();", "#define STEP() launch()"), "launch");
}

// A launch of the loop's own is none that hides.
TEST(HiddenLaunches, LeavesTheLoopsOwn) {
  EXPECT_EQ(callsIn("k<<<1, 1>>>(p);"), "");
  EXPECT_FALSE(isHeld("k<<<1, 1>>>(p);"));
  EXPECT_EQ(callsIn("cudaDeviceSynchronize();"), "");
}

TEST(HiddenLaunches, SeesTheRuntimesLaunches) {
  EXPECT_EQ(callsIn("cudaLaunchKernel((const void *)k, 1, 1, nullptr, 0, 0);"),
            "cudaLaunchKernel!");
}

TEST(HiddenLaunches, EndsAtRecursion) {
  const std::string Both = "void pong(int n); "
                           "void ping(int n) { if (n) pong(n - 1); }\n"
                           "void pong(int n) { if (n) ping(n - 1); END }\n";
  const auto With = [&](const char *End) {
    return std::string("#define END ") + End + "\n" + Both;
  };
  EXPECT_EQ(callsIn("ping(n);", With("launch();")), "ping");
  EXPECT_EQ(callsIn("pong(n); ping(n);", With("launch();")), "pong ping");
  EXPECT_EQ(callsIn("ping(n); pong(n);", With("quiet();")), "");
}

TEST(HiddenLaunches, SeesLambdas) {
  EXPECT_NE(callsGo("auto go = [] { launch(); };"), "");
  EXPECT_NE(callsGo("auto go = [=] { k<<<1, 1>>>(p); };"), "");
  EXPECT_NE(callsGo("auto inner = [] { launch(); }; "
                    "auto go = [&] { inner(); };"),
            "");
  EXPECT_NE(callsGo("auto inner = [](auto) { launch(); }; "
                    "auto go = [&] { inner(n); };"),
            "");
  EXPECT_EQ(callsGo("auto go = [] { quiet(); };"), "");
  // Made there: taken for called.
  EXPECT_TRUE(isHeld("auto l = [] { launch(); }; quiet();"));
}

TEST(HiddenLaunches, SeesFunctionsHandedOn) {
  const std::string Call = "template <typename F> void call(F f) { f(); }\n"
                           "void callPointer(void (*f)()) { f(); }\n";
  EXPECT_NE(callsIn("call([] { launch(); });", Call), "");
  EXPECT_EQ(callsIn("call([] { quiet(); });", Call), "");
  EXPECT_NE(callsIn("callPointer(launch);", Call), "");
  EXPECT_EQ(callsIn("callPointer(quiet);", Call), "");
  EXPECT_NE(callsIn("std::invoke(launch);"), "");
  EXPECT_EQ(callsIn("std::invoke(quiet);"), "");
}

TEST(HiddenLaunches, SeesPointersToFunctions) {
  EXPECT_NE(callsGo("void (*go)() = launch;"), "");
  EXPECT_NE(callsGo("void (*go)() = quiet; if (b) go = launch;"), "");
  EXPECT_NE(callsGo("auto &go = b ? launch : quiet;"), "");
  EXPECT_NE(callsGo("void (*go)() = [] { launch(); };"), "");
  EXPECT_EQ(callsGo("void (*go)() = quiet;"), "");
  EXPECT_EQ(callsGo("void (*go)() = quiet; if (b) go = nullptr;"), "");
  // Another type cannot be it.
  EXPECT_EQ(callsIn("q(n);", "void (*q)(int); void (*r)() = launch;"), "");
}

TEST(HiddenLaunches, SeesPointersSetElsewhere) {
  EXPECT_NE(callsIn("q();", "void (*q)(); void set() { q = launch; }"), "");
  EXPECT_NE(
      callsIn("t.q();",
              "struct T { void (*q)(); } t; void set() { t.q = launch; }"),
      "");
  EXPECT_NE(callsIn("qs[n & 1]();", "void (*qs[2])() = {quiet, launch};"), "");
  EXPECT_NE(callsIn("(t.*q)();", "struct T { void go() { launch(); } } t; "
                                 "void (T::*q)() = &T::go;"),
            "");
  EXPECT_EQ(callsIn("q();", "void (*q)(); void set() { q = quiet; }"), "");
}

// A function that throws nothing goes where any may.
TEST(HiddenLaunches, ExceptionsMakeNoOtherType) {
  const std::string Silent = "void silent() noexcept { launch(); }\n";
  EXPECT_NE(callsIn("q();", Silent + "void (*q)(); void set() { q = silent; }"),
            "");
  EXPECT_NE(callsIn("q();", "void (*q)(); void set() "
                            "{ q = []() noexcept { launch(); }; }"),
            "");
  EXPECT_NE(callsIn("(t.*q)();",
                    "struct T { void go() noexcept { launch(); } } t; "
                    "void (T::*q)(); void set() { q = &T::go; }"),
            "");
}

TEST(HiddenLaunches, SeesVirtualMethods) {
  const std::string Classes =
      "struct A { virtual void go() {} virtual void rest() {} };\n"
      "struct B : A { void go() override { launch(); } };\n"
      "struct C : B { void rest() override {} };\nA *a; B bb; A aa;\n";
  EXPECT_EQ(callsIn("a->go();", Classes), "go");
  EXPECT_EQ(callsIn("a->rest();", Classes), "");
  EXPECT_EQ(callsIn("a->A::go();", Classes), "");
  EXPECT_EQ(callsIn("bb.go();", Classes), "go");
  EXPECT_EQ(callsIn("a->go();", "struct A { virtual void go() = 0; }; A *a;\n"
                                "struct B : A { void go() override {} };\n"
                                "struct C : B { void go() override "
                                "{ launch(); } };\n"),
            "go");
}

TEST(HiddenLaunches, SeesFunctionObjectsOfTheLibrary) {
  EXPECT_NE(callsGo("std::function<void()> go = launch;"), "");
  EXPECT_NE(callsGo("std::function<void()> go; go = [] { launch(); };"), "");
  EXPECT_EQ(callsGo("std::function<void()> go = quiet;"), "");
  EXPECT_NE(callsIn("all[n]();", "std::vector<std::function<void()>> all; "
                                 "void add() { all.emplace_back(launch); }"),
            "");
  EXPECT_EQ(callsIn("all[n]();", "std::vector<std::function<void()>> all; "
                                 "void add() { all.emplace_back(quiet); }"),
            "");
}

// Nobody names these calls.
TEST(HiddenLaunches, SeesObjectsThatLaunch) {
  const std::string Classes = "struct Begins { Begins() { launch(); } };\n"
                              "struct Ends { ~Ends() { launch(); } };\n"
                              "struct Silent { Silent() {} ~Silent() {} };\n"
                              "struct Holds { Ends e; };\n"
                              "struct Op { void operator+(int) { launch(); } "
                              "operator int() { launch(); return 1; } };\n";
  EXPECT_TRUE(isHeld("Begins x;", Classes));
  EXPECT_TRUE(isHeld("Ends x;", Classes));
  EXPECT_TRUE(isHeld("Holds x;", Classes));
  EXPECT_TRUE(isHeld("Ends();", Classes));
  EXPECT_TRUE(isHeld("delete new Ends;", Classes));
  EXPECT_TRUE(isHeld("Op o; o + 1;", Classes));
  EXPECT_TRUE(isHeld("Op o; n -= o;", Classes));
  EXPECT_TRUE(isHeld("std::thread t([] { launch(); });", Classes));
  EXPECT_FALSE(isHeld("Silent x;", Classes));
  EXPECT_FALSE(isHeld("Ends *x = nullptr;", Classes));
  EXPECT_FALSE(isHeld("Ends &r = all;", Classes + "extern Ends all;\n"));
  EXPECT_FALSE(isHeld("std::thread t([] { quiet(); });", Classes));
}

bool isRepeated(const std::string &Body) {
  Asked A("while (n--) { " + Body + " }");
  bool Repeated = false;
  (void)holds(&A.Code.loop(), [&](const clang::Stmt &S) {
    const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
    Repeated |= Call && A.Hidden.areRepeatedBy(*Call);
    return false;
  });
  return Repeated;
}

TEST(HiddenLaunches, KnowsWhatTheLibraryRepeats) {
  EXPECT_TRUE(isRepeated("std::for_each(p, p + n, [](int) { launch(); });"));
  EXPECT_FALSE(isRepeated("std::for_each(p, p + n, [](int) { quiet(); });"));
  EXPECT_FALSE(isRepeated("std::invoke([] { launch(); });"));
  EXPECT_FALSE(isRepeated("launch();"));
}

bool isRepeatedForArray(const std::string &Body) {
  Asked A("while (n--) { " + Body + " }",
          "struct Begins { Begins() { launch(); } Begins(int) {} };\n"
          "struct Ends { ~Ends() { launch(); } };\n");
  return holds(&A.Code.loop(), [&](const clang::Stmt &S) {
    return A.Hidden.isRepeatedForArray(S);
  });
}

TEST(HiddenLaunches, KnowsArraysOfObjects) {
  EXPECT_TRUE(isRepeatedForArray("Begins xs[4];"));
  EXPECT_TRUE(isRepeatedForArray("Ends xs[4];"));
  EXPECT_TRUE(isRepeatedForArray("Begins xs[4] = {1};"));
  EXPECT_TRUE(isRepeatedForArray("new Begins[n];"));
  EXPECT_TRUE(isRepeatedForArray("Ends *e = nullptr; delete[] e;"));
  EXPECT_FALSE(isRepeatedForArray("Begins x;"));
  EXPECT_FALSE(isRepeatedForArray("new Begins;"));
  EXPECT_FALSE(isRepeatedForArray("Begins xs[2] = {1, 2};"));
  EXPECT_FALSE(isRepeatedForArray("int xs[4] = {n};"));
}

/// Some call in the function is known to be one of a lambda.
bool knowsLambda(const std::string &Body) {
  Asked A(Body);
  const clang::FunctionDecl *Behind = nullptr;
  (void)holds(A.Code.function().getBody(), [&](const clang::Stmt &S) {
    if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S))
      if (const auto *Found = A.Hidden.lambdaBehind(*Call))
        Behind = Found;
    return false;
  });
  return Behind != nullptr;
}

TEST(HiddenLaunches, NamesTheLambdaThatIsCalled) {
  EXPECT_TRUE(knowsLambda("auto go = [] {}; go();"));
  EXPECT_TRUE(knowsLambda("const auto go = [] {}; go();"));
  EXPECT_TRUE(knowsLambda("std::function<void()> go = [] {}; go();"));
  EXPECT_TRUE(knowsLambda("auto go = [] {}; auto out = [&] { go(); }; out();"));
  EXPECT_FALSE(knowsLambda("std::function<void()> go = [] {}; "
                           "go = quiet; go();"));
  EXPECT_FALSE(knowsLambda("std::function<void()> go = [] {}; "
                           "auto &same = go; same = quiet; go();"));
  EXPECT_FALSE(knowsLambda("std::function<void()> go = [] {}; "
                           "[&] { go = quiet; }(); go();"));
  EXPECT_FALSE(knowsLambda("void (*go)() = quiet; go();"));
}

} // namespace
