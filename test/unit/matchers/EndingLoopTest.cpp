// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/EndingLoop.h"
#include "Snippet.h"

using namespace barricade;
using namespace barricade::test;

namespace {

constexpr const char *Before =
    "enum E { A, B }; void called(int); struct V { int at; };";

/// \p IsShared: of every variable.
bool isSeenToEnd(const std::string &Loop, bool IsShared = false) {
  Snippet Parsed(Before +
                 std::string("int known; void f(int n, unsigned u, "
                             "long m, const int c, float x, int *p, "
                             "int *q, short h, unsigned char b, "
                             "unsigned long w, volatile int v, V s, "
                             "int &r, bool y, unsigned _BitInt(20) t, "
                             "_BitInt(20) g, _BitInt(40) k) {") +
                 Loop + "}");
  return facts::isSeenToEnd(Parsed.loop(), Parsed.context(),
                            [=](const clang::VarDecl &) { return IsShared; });
}

bool isAssumedToEnd(const std::string &Loop) {
  Snippet Parsed(Before + std::string("void f(int n, int *p) {") + Loop + "}");
  return facts::isAssumedToEnd(Parsed.loop(), Parsed.context());
}

TEST(EndingLoop, SeesCountersMeetTheirLimits) {
  for (const char *Loop :
       {"for (int i = 0; i < n; ++i) ;", "for (int i = n; i >= 0; i--) ;",
        "for (int i = 0; i <= n; i += 3) ;", "for (; n != c; --n) ;",
        "while (n--) ;", "while (n-- > 0) called(n);", "do ++n; while (n < c);",
        "for (int i = 0; i < n && c; i++) ;", "while (c && 0 < n) { n -= 2; }",
        "for (; p != q; ++p) ;", "for (unsigned i = 0; i < u; ++i) ;",
        "for (unsigned i = 0; i != u; ++i) ;",
        "for (unsigned i = 0; i < 100; i += 7) ;",
        "for (int i = 0; i < n; ++i) { if (i == c) break; }",
        "for (int i = 0; i < n; ++i) { if (c) continue; called(i); }",
        "for (unsigned i = 0; i < n; ++i) ;", "for (; h < 100; ++h) ;",
        "while (u) --u;", "for (short i = 0; i < h; ++i) ;",
        "for (int i = 0; i < m; i += 1) ;",
        "for (unsigned i = 0; i < y; ++i) ;",
        "for (unsigned _BitInt(20) i = 0; i < t; ++i) ;",
        "for (unsigned _BitInt(20) i = 0; i < 1048575; ++i) ;",
        "for (_BitInt(20) i = 0; i < g; ++i) ;",
        "for (_BitInt(40) i = 0; i < m; ++i) ;", "for (; k < m; k += 3) ;",
        "for (int i = 0; i < n;) { ++i; if (c) continue; called(i); }",
        // Nearer to zero each time.
        "for (int i = n; i > 0; i >>= 1) ;", "for (int i = n; i > 4; i /= 2) ;",
        "for (unsigned i = u; i; i >>= 1) ;",
        "for (int i = n; i != 0; i /= 3) ;",
        "while (n >= 1) { called(n); n /= 2; }"})
    EXPECT_TRUE(isSeenToEnd(Loop)) << Loop;
}

TEST(EndingLoop, FearsWhatMayGoOn) {
  for (const char *Loop :
       {// Steps that are none, lead away, or are left out.
        "for (int i = 0; i < n; i += c) ;", "for (int i = 0; i < n; i += 0) ;",
        "for (int i = 0; i < n; --i) ;", "for (int i = 0; i < n;) ;",
        "for (int i = 0; i < n; ++i) i = c;",
        "for (int i = 0; i < n; ++i) --i;",
        "for (int i = 0; i < n;) if (c) ++i;",
        "for (int i = 0; i < n;) { if (c) continue; ++i; }",
        "for (int i = 0; i < n; i *= 2) ;",
        "for (int i = 1; i < n; i = i + 1) ;", "while (c && n < 9 || c) ++n;",
        "while (c ? n++ < 9 : true) ;", "while (c || n++ < 9) ;",
        "for (; n != c; n += 2) ;",
        // What is shifted comes to -1, what is divided to 0 and stays there.
        "for (int i = n; i != 0; i >>= 1) ;",
        "for (int i = n; i > c; i /= 2) ;", "for (int i = n; i > -1; i /= 2) ;",
        "for (int i = n; i >= 0; i /= 2) ;", "for (int i = n; i < 9; i /= 2) ;",
        "for (int i = n; i != 1; i /= 2) ;", "for (int i = n; i > 0; i /= 1) ;",
        "for (int i = n; i > 0; i /= -2) ;",
        "for (int i = n; i != 0; i /= 2u) ;",
        "for (int i = n; i >= 4u; i >>= 1) ;",
        "for (int i = n; i >= 4u; i /= 2) ;",
        "for (int i = n; i > 4u; i -= 4) ;",
        "for (int i = n; i > 0; i >>= c) ;",
        // Unsigned counters wrap around, narrow ones are made to fit.
        "for (unsigned i = 0; i <= u; ++i) ;",
        "for (unsigned i = 0; i < u; i += 2) ;",
        "for (unsigned i = 0; i < w; ++i) ;",
        "for (unsigned i = u; i >= 0; --i) ;",
        "for (unsigned i = 0; i <= 4294967295u; ++i) ;",
        "for (unsigned i = 0; i < 4294967295u; i += 2) ;",
        "for (; b < 256; ++b) ;", "for (; h < n; ++h) ;",
        "for (unsigned i = 0; i != u; ++i) --u;",
        "for (int i = 0; i < m; i += 1L) ;",
        "for (int i = 0; i < n; i += 1L << 32) ;",
        // As wide as they say, whatever they take in memory.
        "for (unsigned _BitInt(20) i = 0; i < n; ++i) ;",
        "for (unsigned _BitInt(20) i = 0; i < 1048576; ++i) ;",
        "for (unsigned _BitInt(20) i = 0; i < u; ++i) ;",
        "for (_BitInt(20) i = 0; i < n; ++i) ;",
        "for (_BitInt(20) i = 0; i < n; i += 1) ;",
        "for (_BitInt(40) i = 0; i < m; i += 1L) ;",
        // From true on nothing is added.
        "for (y = 0; y < 2; y += 1) ;", "for (; y != false; y += 1) ;",
        // Others may change the counter.
        "while (v-- > 0) ;", "while (known-- > 0) ;", "while (r-- > 0) ;",
        "while (s.at-- > 0) ;", "for (; x < n; ++x) ;", "while (int k = n--) ;",
        "for (;;) ++n;"})
    EXPECT_FALSE(isSeenToEnd(Loop)) << Loop;
  EXPECT_FALSE(isSeenToEnd("while (n-- > 0) ;", /*IsShared=*/true));
}

TEST(EndingLoop, AssumesThatLoopsWithoutCallsEnd) {
  EXPECT_TRUE(isAssumedToEnd("for (int i = 1; i < n; i *= 2) ;"));
  EXPECT_TRUE(isAssumedToEnd("while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2;"));
  EXPECT_TRUE(isAssumedToEnd("do *p = n; while (n);"));
  // Others may end the program, or wait for the device.
  EXPECT_FALSE(isAssumedToEnd("while (n) called(n);"));
  // Loops for ever are meant.
  EXPECT_FALSE(isAssumedToEnd("while (true) ++n;"));
  EXPECT_FALSE(isAssumedToEnd("for (;;) ++n;"));
}

} // namespace
