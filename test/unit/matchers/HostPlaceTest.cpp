// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In what kind of function host code stands.

#include "matchers/host/HostPlace.h"
#include "HostSnippet.h"
#include "matchers/source/HostCode.h"

using namespace barricade;
using namespace barricade::host;

namespace {

/// What is said of the place of each function's first statement.
std::string placesIn(const std::string &Text) {
  test::HostSnippet Code(
      "namespace barricade { struct Takeover { bool is_due(); }; }\n" + Text);
  std::string Found;
  forEachHostCode(Code.context(), [&](const HostCode &Each) {
    const HostPlace Place =
        placeOf(**Each.Function->getBody()->child_begin(), *Each.Function);
    Found += Found.empty() ? "" : " ";
    const std::pair<bool, const char *> Marks[] = {
        {Place.IsTemplate, "T"},  {Place.IsOfDevice, "D"},
        {Place.IsMember, "M"},    {Place.IsInClass, "C"},
        {Place.IsOutOfLine, "O"}, {!Place.MayNameKernels, "N"},
        {Place.IsFallback, "F"},
    };
    std::string Told;
    for (const auto &[Holds, Mark] : Marks)
      Told += Holds ? Mark : "";
    Found += Told.empty() ? "-" : Told;
  });
  return Found;
}

TEST(HostPlace, OfFunctions) {
  EXPECT_EQ(placesIn("void f() { ; }"), "-");
  EXPECT_EQ(placesIn("namespace n { void f() { ; } }"), "-");
  EXPECT_EQ(placesIn("extern \"C\" { void f() { ; } }"), "-");
  EXPECT_EQ(placesIn("namespace n { inline namespace m { void f() { ; } } }"),
            "-");
  EXPECT_EQ(placesIn("namespace n { void f(); } void n::f() { ; }"), "O");
  EXPECT_EQ(placesIn("template <typename T> void f() { ; }"), "T");
  EXPECT_EQ(placesIn("__attribute__((host, device)) void f() { ; }"), "D");
  EXPECT_EQ(placesIn("void \u00fcber() { ; }"), "N");
}

TEST(HostPlace, OfClasses) {
  EXPECT_EQ(placesIn("struct S { void f() { ; } };"), "MC");
  EXPECT_EQ(placesIn("struct S { static void f() { ; } };"), "MC");
  EXPECT_EQ(placesIn("struct S { void f(); }; void S::f() { ; }"), "M");
  EXPECT_EQ(placesIn("namespace n { struct S { void f(); }; } "
                     "void n::S::f() { ; }"),
            "MO");
  EXPECT_EQ(placesIn("struct S { friend void f(S) { ; } };"), "C");
}

TEST(HostPlace, OfWhatRewritesLeave) {
  EXPECT_EQ(placesIn("void f(barricade::Takeover t) "
                     "{ for (;;) { if (t.is_due()) break; } }"),
            "F");
  EXPECT_EQ(placesIn("void f(barricade::Takeover t) { for (;;) t.is_due(); }"),
            "-");
}

} // namespace
