// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of which anybody may make copies, by their bytes.

#include "matchers/facts/Copies.h"
#include "Snippet.h"

using namespace barricade;

namespace {

struct Asked {
  /// Of the type `T` that the code declares.
  explicit Asked(const std::string &Code) : Parsed(Code) {
    clang::ASTContext &Context = Parsed.context();
    for (const clang::NamedDecl *D :
         Context.getTranslationUnitDecl()->lookup(&Context.Idents.get("T")))
      Type = Context.getTypeDeclType(llvm::cast<clang::TypeDecl>(D));
  }

  bool byAnyone() { return facts::isCopiedByAnyone(Type, Parsed.context()); }
  bool anywhere() { return facts::isCopiedAnywhere(Type, Parsed.context()); }
  bool hasAssignmentTemplate() {
    return facts::hasAssignmentTemplate(*Type->getAsCXXRecordDecl());
  }

  test::Snippet Parsed;
  clang::QualType Type;
};

/// "anywhere", "by anyone", "where it is not const" or "by few".
std::string copied(const std::string &Code) {
  Asked A(Code);
  return A.anywhere()   ? A.byAnyone() ? "anywhere" : "where it is not const"
         : A.byAnyone() ? "by anyone"
                        : "by few";
}

TEST(Copies, BytesAre) {
  for (const char *Code :
       {"using T = int;", "using T = const float;", "using T = int *;",
        "enum T { A };", "struct T { int x; float y[3]; };",
        "struct T { const int x; };", "struct T { int &r; };",
        "struct B { int x; }; struct T : B { int y; };",
        "class T { int hidden; };", "union T { int x; float y; };",
        "template <class V> struct P { V v; }; template struct P<int>; "
        "using T = P<int>;",
        "struct S { int x; }; using T = S[3];",
        "struct T { T(const T &) = default; int x; };",
        "struct T { T(int); ~T() = default; int x; };"})
    EXPECT_EQ(copied(Code), "anywhere") << Code;
}

TEST(Copies, WhatRunsCodeIsNot) {
  for (const char *Code :
       {"struct T { T(const T &) {} };", "struct T { T(T &&) {} };",
        "struct T { ~T() {} };", "struct T { virtual void f(); };",
        "struct B { B(const B &) {} }; struct T { B b; };",
        "struct B { ~B() {} }; struct T : B {};",
        "struct B { B(const B &) {} }; using T = B[2];",
        "struct B {}; struct T : virtual B {};"})
    EXPECT_EQ(copied(Code), "by few") << Code;
}

TEST(Copies, WhatNeedsAFriendIsNot) {
  for (const char *Code :
       {"class T { T(const T &) = default; };",
        "class T { T(T &&) = default; };",
        "struct T { protected: T(const T &) = default; };",
        "class T { ~T() = default; };",
        "struct T { protected: ~T() = default; };",
        "struct T { T(const T &) = delete; };", "struct T { ~T() = delete; };",
        "struct T { explicit T(const T &) = default; };"})
    EXPECT_EQ(copied(Code), "by few") << Code;
}

// Whoever has one may have it as const.
TEST(Copies, SomeAreNotCopiedFromConst) {
  for (const char *Code : {"struct T { T(T &) = default; };",
                           "struct M { M(M &) = default; }; using T = M[2];"})
    EXPECT_EQ(copied(Code), "where it is not const") << Code;
  for (const char *Holder : {"struct T { M m; };", "struct T : M {};"})
    EXPECT_EQ(copied("struct M { M(M &) = default; }; " + std::string(Holder)),
              "by few")
        << Holder;
  EXPECT_EQ(copied("struct T { T(T &) = default; T(const T &) = default; };"),
            "anywhere");
}

// Nobody wrote how they are copied.
TEST(Copies, WhatTheLanguageDoesNotCopyIsNot) {
  for (const char *Code :
       {"struct T { T(T &&) = default; };",
        "struct T { T &operator=(T &&) = default; };",
        "struct M { M(M &&) = default; }; struct T { M m; };",
        "struct M { M(const M &) = delete; }; struct T : M {};",
        "class M { M(const M &) = default; }; struct T { M m; };",
        "struct T { int &&r; };",
        "struct M { M(M &&) = default; }; using T = M[2];"})
    EXPECT_EQ(copied(Code), "by few") << Code;
}

// A template is chosen for what is not const, and nothing shows which.
TEST(Copies, TemplatesMayMakeThemWhereTheOriginalStands) {
  for (const char *Template :
       {"template <class U> T(U &&);", "template <class U> T(U &);",
        "template <class U> T(U &&, int = 0);",
        "template <class... U> T(U &&...);",
        "template <class U = int> T(T &, U = 0);",
        "template <class U> explicit T(U &&);"})
    EXPECT_EQ(copied("struct T { T(); " + std::string(Template) + " };"),
              "by anyone")
        << Template;
  for (const char *Template :
       {"template <class U> T(const U &);", "template <class U> T(U);",
        "template <class U> T(U &&, int);", "template <class U> T(U *);",
        "template <class U> void take(U &&);",
        "template <class U> T &operator=(U &&);"})
    EXPECT_EQ(copied("struct T { T(); " + std::string(Template) + " };"),
              "anywhere")
        << Template;
  EXPECT_EQ(copied("struct B { B(); template <class U> B(U &&); };"
                   "using T = B[2];"),
            "by anyone");
}

TEST(Copies, KnowsAssignmentTemplates) {
  const auto Has = [](const char *Members) {
    return Asked("struct B { template <class U> B &operator=(U &&); };\n"
                 "struct T : B { " +
                 std::string(Members) + " };")
        .hasAssignmentTemplate();
  };
  EXPECT_TRUE(Has("template <class U> T &operator=(U &&);"));
  EXPECT_TRUE(Has("template <class U> T &operator=(const U &) = delete;"));
  EXPECT_TRUE(Has("using B::operator=;"));
  EXPECT_FALSE(Has(""));
  EXPECT_FALSE(Has("T &operator=(const T &) = default; T &operator=(int);"));
  EXPECT_FALSE(Has("template <class U> bool operator==(U &&);"));
}

} // namespace
