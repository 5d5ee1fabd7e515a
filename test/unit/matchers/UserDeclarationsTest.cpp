// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a unit is the user's, and which names it has.

#include "matchers/source/UserDeclarations.h"
#include "HostSnippet.h"
#include "clang/Basic/IdentifierTable.h"

using namespace barricade;

namespace {

std::string declaredIn(const std::string &Text) {
  test::HostSnippet Code(
      Text, {{"/system/lib.h", "int ofSystem;\n#define MAKE(name) int name;\n"
                               "namespace both { int first; }\n"}});
  std::string Names;
  for (const clang::Decl *D : userDeclarations(Code.context())) {
    const auto *Named = llvm::dyn_cast<clang::NamedDecl>(D);
    Names += (Names.empty() ? "" : " ") +
             (Named ? Named->getNameAsString() : std::string("-"));
  }
  return Names;
}

TEST(UserDeclarations, FindsTheUsers) {
  const std::string Include = "#include \"/system/lib.h\"\n";
  EXPECT_EQ(declaredIn(""), "");
  EXPECT_EQ(declaredIn("int a; void f(); struct S { int in; };"), "a f S");
  EXPECT_EQ(declaredIn("namespace n { int in; } int a;"), "n a");
  EXPECT_EQ(declaredIn("template <class T> void f(T) {}"), "f");
  EXPECT_EQ(declaredIn("int a; void g() { int in; } int b;"), "a g b");
  EXPECT_EQ(declaredIn(Include + "int a;"), "a");
  // Made by a macro of the system's, where the user says so.
  EXPECT_EQ(declaredIn(Include + "MAKE(made)"), "made");
  EXPECT_EQ(declaredIn(Include + "namespace both { int second; }"), "both");
  EXPECT_EQ(declaredIn(Include + "extern int ofSystem;"), "ofSystem");
  // A part of the user's that says it is the system's is none.
  EXPECT_EQ(declaredIn("int a;\n# 1 \"other.h\" 1 3\nint hidden;\n"
                       "# 3 \"snippet.cu\" 2\nint b;"),
            "a b");
}

TEST(UserDeclarations, KnowsNames) {
  test::HostSnippet Code(
      "#define MACRO(parameter) 1\n#define GONE\n#undef GONE\n"
      "#ifdef ASKED\nint leftOut; // remarked\n#endif\n// commented\n"
      "const char *text = \"quoted\";\n"
      "namespace n { struct S { int member; void method(); }; }\n"
      "void f() { int local; label:; }\n#pragma noted\n");
  for (const char *Name :
       {"MACRO", "parameter", "GONE", "ASKED", "text", "n", "S", "member",
        "method", "f", "local", "label", "cudaMalloc", "printf", "leftOut"})
    EXPECT_TRUE(isNameTaken(Name, Code.context())) << Name;
  for (const char *Name : {"commented", "quoted", "leftOu", "remarked", "memb",
                           "members", "macro", "cudaMallo"})
    EXPECT_FALSE(isNameTaken(Name, Code.context())) << Name;
}

// Who asks for a name does not take it.
TEST(UserDeclarations, MakesNoNames) {
  test::HostSnippet Code("int taken;\n");
  const clang::IdentifierTable &All = Code.context().Idents;
  for (int Time : {1, 2}) {
    EXPECT_EQ(knownIdentifier("asked", All), nullptr) << Time;
    EXPECT_FALSE(isNameTaken("asked", Code.context())) << Time;
  }
  ASSERT_NE(knownIdentifier("taken", All), nullptr);
  EXPECT_EQ(knownIdentifier("taken", All)->getName(), "taken");
}

} // namespace
