// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a snippet's kernels to which artificial-barrier may give a
// barrier, and reasons as short texts.

#ifndef BARRICADE_TEST_UNIT_MATCHERS_CANDIDATESNIPPET_H
#define BARRICADE_TEST_UNIT_MATCHERS_CANDIDATESNIPPET_H

#include "Snippet.h"
#include "matchers/artificial-barrier/GuardPlan.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "matchers/source/Statements.h"
#include "clang/Lex/Lexer.h"
#include <memory>

namespace barricade::test {

/// A text that stands in no way.
inline artificial_barrier::TextQuestions plainText() {
  return {[](const clang::DeclStmt &) { return true; },
          [](const clang::IfStmt &) { return false; }};
}

class CandidateSnippet {
public:
  using Candidate = artificial_barrier::LoopCandidate;

  explicit CandidateSnippet(const std::string &Code) : Parsed(Code) {
    const PassView Pass{&Parsed.context(), &Parsed.preprocessor(), true, 90};
    Whole.Passes = {Pass};
    Whole.TargetSms = {90};
    Search = std::make_unique<artificial_barrier::LoopSearch>(Pass, Whole);
  }

  clang::ASTContext &context() { return Parsed.context(); }

  /// The first innermost loop, and those that change together with it.
  std::vector<const Candidate *> members() const {
    std::vector<const Candidate *> Result;
    for (const Candidate &C : Search->candidates())
      if (isInnermost(C) && (Result.empty() || mustChangeWith(C, *Result[0])))
        Result.push_back(&C);
    return Result;
  }

  /// `guard-shape at goto`, for each blocker: what stands there.
  std::string text(llvm::ArrayRef<Blocker> Blockers) {
    std::string Result;
    for (const Blocker &B : Blockers)
      Result += (Result.empty() ? "" : ", ") + B.Why.Id.str() + " at " +
                clang::Lexer::getSourceText(
                    clang::CharSourceRange::getTokenRange(B.Where),
                    context().getSourceManager(), context().getLangOpts())
                    .str();
    return Result;
  }

private:
  static bool mustChangeWith(const Candidate &C, const Candidate &First) {
    return C.outermost() && C.outermost() == First.outermost();
  }

  bool isInnermost(const Candidate &C) const {
    return llvm::none_of(Search->candidates(), [&](const Candidate &Other) {
      return holds(bodyOf(*C.Loop),
                   [&](const clang::Stmt &S) { return &S == Other.Loop; });
    });
  }

  Snippet Parsed;
  Program Whole;
  std::unique_ptr<artificial_barrier::LoopSearch> Search;
};

} // namespace barricade::test

#endif
