// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What prints by the library's streams.

#include "matchers/host/Printing.h"
#include "HostSnippet.h"
#include "clang/AST/Expr.h"

using namespace barricade;
using namespace barricade::host;

namespace {
constexpr const char *Streams = R"(
namespace std {
template <typename C> struct basic_string { basic_string(const C *); };
template <typename C> struct basic_ostream {
  basic_ostream &operator<<(int);
  basic_ostream &operator<<(basic_ostream &(*)(basic_ostream &));
};
template <typename C>
basic_ostream<C> &operator<<(basic_ostream<C> &, const C *);
template <typename C>
basic_ostream<C> &operator<<(basic_ostream<C> &, const basic_string<C> &);
template <typename C> basic_ostream<C> &endl(basic_ostream<C> &);
struct Width { int width; };
Width setw(int);
template <typename C> basic_ostream<C> &operator<<(basic_ostream<C> &, Width);
extern basic_ostream<char> cout;
namespace chrono {
struct time_point { long count() const; };
struct steady_clock { static time_point now(); };
long operator-(time_point, time_point);
template <typename R> struct duration { R count() const; };
template <typename R> duration<R> operator-(duration<R>, duration<R>);
template <typename C, typename R>
basic_ostream<C> &operator<<(basic_ostream<C> &, duration<R>);
}
namespace this_thread { void sleep(int); }
}
)";

/// The statement's outermost call.
template <typename Answer>
bool answerFor(const std::string &Statement, Answer Ask) {
  test::HostSnippet Code(
      "#include \"/toolkit/streams\"\n#include \"/other/streams\"\n"
      "struct Own {}; struct OwnStream { OwnStream &operator<<(int); };\n"
      "std::basic_ostream<char> &operator<<(std::basic_ostream<char> &, Own);\n"
      "std::basic_ostream<char> &twice(std::basic_ostream<char> &);\n"
      "void f(int n, std::basic_ostream<char> &out, OwnStream own, Own o,\n"
      "       std::chrono::time_point t, std::chrono::duration<Own> mine,\n"
      "       std::chrono::duration<long> d) {\n" +
          Statement + ";\n}\n",
      {{"streams", Streams},
       {"/other/streams",
        "struct Log { Log &operator<<(int); }; extern Log log;"
        " Log &setw(int);"
        "struct FILE; extern \"C\" { extern FILE *stderr, *log_file;"
        " int fprintf(FILE *, const char *, ...); }"
        "namespace own { extern FILE *stdout; }"}});
  const clang::CallExpr *First = nullptr;
  (void)holds(Code.function().getBody(), [&](const clang::Stmt &S) {
    First = First ? First : llvm::dyn_cast<clang::CallExpr>(&S);
    return false;
  });
  return Ask(*First);
}

TEST(Printing, KnowsTheLibrarysStreams) {
  for (const char *Statement :
       {"std::cout << n", "std::cout << \"text\" << n << std::endl",
        "std::cout << std::setw(3) << n", "std::setw(3)",
        "std::cout << std::basic_string<char>(\"text\")",
        "fprintf(stderr, \"text\")"})
    EXPECT_TRUE(answerFor(Statement, isPrinting)) << Statement;
  for (const char *Statement :
       {"log << n", "setw(3)", "out << n", "own << n", "std::cout << o",
        "std::cout << twice", "std::cout << o << n",
        "fprintf(log_file, \"text\")", "fprintf(own::stdout, \"text\")",
        "n << std::chrono::steady_clock::now().count()"})
    EXPECT_FALSE(answerFor(Statement, isPrinting)) << Statement;
}

TEST(Printing, KnowsTheLibrarysClocks) {
  const auto IsOfClocks = [](const clang::CallExpr &Call) {
    return isOfClocks(*Call.getDirectCallee());
  };
  for (const char *Statement :
       {"std::chrono::steady_clock::now()", "t - t", "t.count()"})
    EXPECT_TRUE(answerFor(Statement, IsOfClocks)) << Statement;
  EXPECT_TRUE(answerFor("(d - d).count()", IsOfClocks));
  for (const char *Statement : {"std::this_thread::sleep(1)", "mine - mine",
                                "mine.count()", "std::cout << d"})
    EXPECT_FALSE(answerFor(Statement, IsOfClocks)) << Statement;
}

} // namespace
