// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/PlaceDependence.h"
#include "Snippet.h"
#include "clang/AST/ASTContext.h"

using namespace barricade;
using namespace barricade::test;

namespace {

bool valueDepends(const std::string &Value) {
  Snippet Parsed("#define HERE __LINE__\n#define NEXT(x) (x + __COUNTER__)\n"
                 "#define FOUR 4\n"
                 "template <int N> struct Sized { static const int n = N; };"
                 "int at(int x, int line = __builtin_LINE());"
                 "int plain(int x, int y = 3); const int line = __LINE__;"
                 "template <int N> int of(int x);"
                 "void f(int n, int *p) { auto value = " +
                 Value + "; }");
  return facts::dependsOnPlace(Parsed.initializer("value"),
                               Parsed.context().getSourceManager());
}

TEST(PlaceDependence, IsSeenInValues) {
  for (const char *Value :
       {"__LINE__", "n + HERE", "NEXT(n)", "p[__COUNTER__]", "at(n)",
        "sizeof(char[__LINE__])", "of<__LINE__>(n)", "Sized<HERE>::n",
        "sizeof(__func__)", "int(sizeof(__PRETTY_FUNCTION__))",
        "__builtin_LINE()", "static_cast<decltype(__LINE__)>(n)",
        "n ? __LINE__ : 2", "[] { return 1; }()"})
    EXPECT_TRUE(valueDepends(Value)) << Value;
}

TEST(PlaceDependence, IsNotSeenElsewhere) {
  for (const char *Value :
       {"n + 4", "p[FOUR]", "plain(n)", "of<3>(FOUR)", "line",
        "sizeof(char[FOUR])", "Sized<3>::n", "sizeof(__FILE__)"})
    EXPECT_FALSE(valueDepends(Value)) << Value;
}

bool asksForName(const std::string &Value) {
  Snippet Parsed("int at(const char *name = __builtin_FUNCTION());"
                 "int on(int line = __builtin_LINE());"
                 "struct Named { const char *name = __builtin_FUNCTION(); };"
                 "void f(int n) { auto value = " +
                 Value + "; }");
  return facts::findOwnName(Parsed.initializer("value"),
                            Parsed.context().getSourceManager())
      .isValid();
}

TEST(PlaceDependence, KnowsNamesOfFunctions) {
  for (const char *Value :
       {"__func__", "sizeof(__FUNCTION__)", "n + __PRETTY_FUNCTION__[0]",
        "sizeof(char[sizeof(__func__)])", "__builtin_FUNCTION()",
        "__builtin_FUNCSIG()", "at()", "n + at()", "Named{}"})
    EXPECT_TRUE(asksForName(Value)) << Value;
  for (const char *Value :
       {"__LINE__", "__builtin_LINE()", "__builtin_FILE()", "on()", "at(\"\")",
        "Named{\"\"}", "sizeof(__FILE__)"})
    EXPECT_FALSE(asksForName(Value)) << Value;
}

TEST(PlaceDependence, IsSeenInDeclarations) {
  Snippet Parsed("template <class T, int M = __COUNTER__> void f(T x) {"
                 " }");
  const clang::SourceManager &SM = Parsed.context().getSourceManager();
  const auto *Template = Parsed.function().getDescribedFunctionTemplate();
  const auto &Parameters = *Template->getTemplateParameters();
  EXPECT_FALSE(facts::dependsOnPlace(*Parameters.getParam(0), SM));
  EXPECT_TRUE(facts::dependsOnPlace(*Parameters.getParam(1), SM));
}

} // namespace
