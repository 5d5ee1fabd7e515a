// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Completion.h"
#include "Snippet.h"

using namespace barricade;
using namespace barricade::test;

namespace {

/// Whether the loop, or what it is a part of, may complete: by values, as
/// written.
std::string completes(const std::string &Code) {
  Snippet Parsed("enum class E { A }; int f(int n, E e) { { " + Code + " } }");
  const auto *Body =
      llvm::cast<clang::CompoundStmt>(Parsed.function().getBody());
  const clang::Stmt *S = Body->body_front();
  const auto Ask = [&](facts::Judged How) {
    return facts::completesNormally(S, Parsed.context(), How) ? "yes" : "no";
  };
  return std::string(Ask(facts::Judged::ByValues)) + " " +
         Ask(facts::Judged::AsWritten);
}

TEST(Completion, OfLoops) {
  EXPECT_EQ(completes("for (int i = 0; i < n; ++i) ;"), "yes yes");
  EXPECT_EQ(completes("for (;;) ++n;"), "no no");
  EXPECT_EQ(completes("while (true) if (n) break;"), "yes yes");
  EXPECT_EQ(completes("while (true) while (n) break;"), "no no");
  EXPECT_EQ(completes("while (1) switch (n) { case 1: break; }"), "no no");
  EXPECT_EQ(completes("do return 1; while (n);"), "no yes");
  EXPECT_EQ(completes("do { if (n > 3) continue; return 1; } while (n);"),
            "yes yes");
}

TEST(Completion, OfBranches) {
  EXPECT_EQ(completes("if (n) return 1;"), "yes yes");
  EXPECT_EQ(completes("if (n) return 1; else return 2;"), "no no");
  EXPECT_EQ(completes("if (true) return 1;"), "no yes");
  EXPECT_EQ(completes("if constexpr (true) return 1;"), "no no");
  EXPECT_EQ(completes("if constexpr (false) return 1;"), "yes yes");
  EXPECT_EQ(completes("return 1; n = 2;"), "no yes");
  EXPECT_EQ(completes("goto on; return 1; on: n = 2;"), "yes yes");
}

TEST(Completion, OfSwitches) {
  EXPECT_EQ(completes("switch (n) { default: return 1; }"), "no no");
  EXPECT_EQ(completes("switch (n) { default: return 1; case 2: break; }"),
            "yes yes");
  // Not every value has a name.
  EXPECT_EQ(completes("switch (e) { case E::A: return 1; }"), "yes yes");
}

TEST(Completion, OfWhatIsSaidToLeave) {
  Snippet Parsed("int f(int n) { { if (n > 3) ++n; else { --n; } } }");
  const clang::Stmt *S =
      llvm::cast<clang::CompoundStmt>(Parsed.function().getBody())
          ->body_front();
  const auto Completes =
      [&](llvm::function_ref<bool(const clang::Stmt &)> Leaves) {
        return facts::completesNormally(S, Parsed.context(),
                                        facts::Judged::ByValues, Leaves);
      };
  const auto IsStep = [](const clang::Stmt &Part) {
    return llvm::isa<clang::UnaryOperator>(Part);
  };
  const auto IsIncrement = [](const clang::Stmt &Part) {
    const auto *Op = llvm::dyn_cast<clang::UnaryOperator>(&Part);
    return Op && Op->isIncrementOp();
  };
  EXPECT_FALSE(Completes(IsStep));
  EXPECT_TRUE(Completes(IsIncrement));
}

} // namespace
