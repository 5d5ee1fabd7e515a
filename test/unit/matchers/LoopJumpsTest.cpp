// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which jumps in a loop concern it, and which one within.

#include "matchers/artificial-barrier/LoopJumps.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"

using namespace barricade;
using namespace barricade::artificial_barrier;

namespace {

/// Of the jumps: `b`, `c`, `r` and `g`, each as often as it is there.
std::string text(const LoopJumps &Jumps) {
  return std::string(Jumps.Breaks.size(), 'b') +
         std::string(Jumps.Continues.size(), 'c') +
         std::string(Jumps.Returns.size(), 'r') +
         std::string(Jumps.Gotos.size(), 'g');
}
std::string codeWith(const std::string &Body) {
  return "__device__ void f(int n, int m, int *a) {\n" + Body + "\n}\n";
}
/// Of the first loop, whose body it is given.
std::string jumpsIn(const std::string &Body) {
  std::string Text;
  for (const char *Head : {"for (;;)", "while (n)", "for (int &x : xs)"}) {
    test::Snippet S(
        codeWith("int xs[2] = {}; " + std::string(Head) + " { " + Body + " }"));
    const std::string Now = text(jumpsOf(S.loop()));
    EXPECT_TRUE(Text.empty() || Text == Now) << Head << Body;
    Text = Now;
  }
  return Text;
}

TEST(LoopJumps, FindsItsOwn) {
  EXPECT_EQ(jumpsIn("++m;"), "");
  EXPECT_EQ(jumpsIn("if (m) break;"), "b");
  EXPECT_EQ(jumpsIn("if (m) continue; break;"), "bc");
  EXPECT_EQ(jumpsIn("if (m) break; else { if (n) break; }"), "bb");
  EXPECT_EQ(jumpsIn("if (m) return;"), "r");
  EXPECT_EQ(jumpsIn("{ { continue; } }"), "c");

  test::Snippet S("#define LEAVE break\n" +
                  codeWith("while (n) { if (m) LEAVE; }"));
  EXPECT_EQ(text(jumpsOf(S.loop())), "b");
}

TEST(LoopJumps, LeavesThoseOfLoopsWithin) {
  for (const char *Head : {"for (;;)", "while (m)", "for (int y : xs2)"})
    EXPECT_EQ(jumpsIn("int xs2[2] = {}; " + std::string(Head) +
                      " { if (m) break; if (n) continue; }"),
              "")
        << Head;
  EXPECT_EQ(jumpsIn("do { break; } while (m);"), "");
  EXPECT_EQ(jumpsIn("for (;;) { break; } break;"), "b");
  EXPECT_EQ(jumpsIn("for (;;) { for (;;) continue; }"), "");
  // These leave it as well.
  EXPECT_EQ(jumpsIn("for (;;) { if (m) return; }"), "r");
  EXPECT_EQ(jumpsIn("for (;;) { switch (m) { default: return; } }"), "r");
}

TEST(LoopJumps, KnowsSwitches) {
  EXPECT_EQ(jumpsIn("switch (m) { case 1: break; default: ; }"), "");
  EXPECT_EQ(jumpsIn("switch (m) { case 1: continue; default: ; }"), "c");
  EXPECT_EQ(jumpsIn("switch (m) { case 1: if (n) { break; } } break;"), "b");
  EXPECT_EQ(jumpsIn("switch (m) { case 1: for (;;) continue; }"), "");
}

TEST(LoopJumps, FindsGotosAndLabels) {
  test::Snippet S(codeWith("while (n) { if (m) goto out; } out:;"));
  EXPECT_EQ(text(jumpsOf(S.loop())), "g");
  test::Snippet In(codeWith("while (n) { for (;;) goto next; next:; }"));
  EXPECT_EQ(text(jumpsOf(In.loop())), "gg");
  test::Snippet Into(codeWith("goto in; while (n) { in: ++m; }"));
  EXPECT_EQ(text(jumpsOf(Into.loop())), "g");
}

TEST(LoopJumps, LeavesLambdas) {
  EXPECT_EQ(jumpsIn("auto l = [&] { for (;;) { break; } return; }; l();"), "");
  EXPECT_EQ(jumpsIn("auto l = [&] { return; }; return;"), "r");
}

// Of a statement, what leads out of it.
TEST(LoopJumps, LooksOutOfStatements) {
  const auto Out = [](const std::string &Statement) {
    test::Snippet S(codeWith("while (n) " + Statement));
    return text(jumpsOutOf(*bodyOf(S.loop())));
  };
  EXPECT_EQ(Out("break;"), "b");
  EXPECT_EQ(Out("for (;;) break;"), "");
  EXPECT_EQ(Out("switch (m) { case 1: break; }"), "");
  EXPECT_EQ(Out("switch (m) { case 1: continue; }"), "c");
  EXPECT_EQ(Out("if (m) return; else continue;"), "cr");
}

} // namespace
