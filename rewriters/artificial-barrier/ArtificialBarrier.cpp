// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule artificial-barrier: from loop candidates to findings.

#include "rewriters/artificial-barrier/ArtificialBarrier.h"
#include "matchers/SourcePlaces.h"
#include "matchers/Statements.h"
#include "matchers/UserDeclarations.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade {
namespace {

using namespace artificial_barrier;

constexpr llvm::StringLiteral RuleId = "artificial-barrier";

/// Names for what a rewriting adds, that nothing in the translation unit has
/// yet, macros included. Two loops of one function get different ones, as they
/// may share a scope.
class FreshNames {
public:
  FreshNames(const Stmt &Loop, const FunctionDecl &Function,
             ASTContext &Context)
      : Context(Context), Source(Context), Where(Loop.getBeginLoc()) {
    unsigned Seen = 0;
    count(Function.getBody(), Loop, Seen);
  }

  std::string get(const std::string &Base) const {
    for (unsigned N = Index;; ++N) {
      std::string Name = N == 1 ? Base : Base + std::to_string(N);
      if (!isNameTaken(Name, Context) && Source.isUnusedName(Name, Where))
        return Name;
    }
  }

private:
  void count(const Stmt *S, const Stmt &Loop, unsigned &Seen) {
    if (!S)
      return;
    Seen += isLoop(*S);
    if (S == &Loop)
      Index = Seen;
    for (const Stmt *Child : S->children())
      count(Child, Loop, Seen);
  }

  const ASTContext &Context;
  SourceText Source;
  SourceLocation Where;
  unsigned Index = 1;
};

/// Turns the candidates of one pass into findings.
class FindingWriter {
public:
  FindingWriter(const PassView &Pass, const RuleOptions &Options)
      : Context(*Pass.Context), SM(Context.getSourceManager()),
        Options(Options) {}

  Finding write(const LoopCandidate &C) {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(C.Loop->getBeginLoc(), SM);
    F.End = placeAfterToken(C.Loop->getEndLoc(), SM, Context.getLangOpts());
    F.Function = C.Function->getQualifiedNameAsString();
    F.Subject = loopNoun(*C.Loop).str();
    F.Facts = C.Facts.facts();
    F.Facts.push_back({"in-kernel", C.Function->hasAttr<CUDAGlobalAttr>(), ""});
    if (C.BlockThreads)
      F.Facts.push_back({"block-size", int64_t(*C.BlockThreads), "threads"});
    F.Accesses = C.Facts.accessFacts();
    decide(C, F);
    return F;
  }

private:
  void decide(const LoopCandidate &C, Finding &F) {
    for (const Hindrance &H : C.Hindrances)
      addReason(H, SM, F);
    for (const Hindrance &H : C.Divergences)
      addReason(H, SM, F);
    if (F.Reasons.empty())
      rewrite(C, F);
    if (!F.Reasons.empty()) {
      F.Outcome = Verdict::Refused;
      F.Form.clear();
      F.Edits.clear();
      F.Message = F.Subject + " cannot take an artificial barrier: " +
                  F.Reasons.front().Text;
      return;
    }
    judgeProfit(C, F);
  }

  void rewrite(const LoopCandidate &C, Finding &F) {
    bool Bare = !C.NeedsVote && C.Guards.empty();
    F.Form = !C.Guards.empty() ? "guarded" : C.NeedsVote ? "vote" : "uniform";
    if (!C.EarlyExits.empty())
      F.Facts.push_back({"early-exits", int64_t(C.EarlyExits.size()), ""});
    if (Options.BarrierInterval > 1)
      F.Facts.push_back(
          {"barrier-interval", int64_t(Options.BarrierInterval), "iterations"});
    if (Bare && Options.BarrierInterval == 1) {
      if (!Options.WithoutBarrier) // else the loop stays as it is
        take(appendBarrier(*C.Loop, Context), F);
      return;
    }
    FreshNames Names(*C.Loop, *C.Function, Context);
    if (C.Strided && rewriteAsRounds(C, Names, F))
      return;
    ActiveForm Form;
    Form.Interval = Options.BarrierInterval;
    Form.Vote = !Bare;
    Form.Barrier = !Options.WithoutBarrier;
    Form.Flag = Names.get("active");
    if (Options.BarrierInterval > 1)
      Form.Round = Names.get("round");
    std::vector<std::string> GuardNames;
    for (unsigned I = 0; I < C.Guards.size(); ++I)
      GuardNames.push_back(
          Names.get(I ? "inside_" + std::to_string(I + 1) : "inside"));
    if (!GuardNames.empty()) {
      Form.Start = GuardNames.back();
      take(moveGuards(C.Guards, GuardNames, *C.Loop, *C.Function, Context), F);
    }
    take(keepAllThreads(*C.Loop, Form, Context), F);
  }

  /// False where the text does not allow it.
  bool rewriteAsRounds(const LoopCandidate &C, const FreshNames &Names,
                       Finding &F) {
    RoundsForm Form{Names.get("leader"), Names.get("round"),
                    Options.BarrierInterval, !Options.WithoutBarrier};
    auto Result =
        writeRounds(*C.Loop, *C.Strided, Form, *C.Function, Context);
    if (!Result)
      return false;
    F.Form = "rounds";
    take(std::move(*Result), F);
    return true;
  }

  void take(RewriteResult R, Finding &F) {
    for (const Hindrance &H : R.Hindrances)
      addReason(H, SM, F);
    llvm::append_range(F.Edits, R.Edits);
  }

  void judgeProfit(const LoopCandidate &C, Finding &F) {
    ReasonId Id;
    if (C.Facts.Instructions < Options.MinInstructions)
      Id = ReasonId::FewInstructions;
    else if (C.Facts.memoryRatio() < Options.MinMemoryRatio)
      Id = ReasonId::FewMemoryOperations;
    else {
      F.Outcome = Verdict::Rewrite;
      F.Message = "memory-bound " + F.Subject +
                  " can take an artificial barrier at the end of its body";
      return;
    }
    F.Outcome = Verdict::NotProfitable;
    addReason(hindrance(Id, C.Loop->getBeginLoc()), SM, F);
    F.Message = F.Subject + " could take an artificial barrier, but " +
                F.Reasons.front().Text;
  }

  ASTContext &Context;
  const SourceManager &SM;
  const RuleOptions &Options;
};

bool encloses(const Finding &Outer, const Finding &Inner) {
  return Outer.Where.File == Inner.Where.File &&
         Outer.Where.Offset < Inner.Where.Offset &&
         Inner.End.Offset <= Outer.End.Offset;
}

/// Of nested loops that could each take a barrier, the innermost gets it.
void preferInnermost(std::vector<Finding> &Findings) {
  for (Finding &Outer : Findings) {
    if (Outer.Rule != RuleId || Outer.Outcome != Verdict::Rewrite)
      continue;
    for (const Finding &Inner : Findings)
      if (Inner.Rule == Outer.Rule && Inner.Outcome == Verdict::Rewrite &&
          encloses(Outer, Inner)) {
        Outer.Outcome = Verdict::NotProfitable;
        const ReasonInfo &Why = ReasonTable[unsigned(ReasonId::InnerLoop)];
        Outer.Reasons.push_back(
            {Why.Id.str(), Inner.Where, Why.Summary.str(), {}});
        Outer.Message = Outer.Subject +
                        " could take an artificial barrier, but " +
                        Outer.Reasons.back().Text;
        break;
      }
  }
}

class ArtificialBarrier : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "a __syncthreads() in a memory-bound loop keeps a block's accesses "
           "in phase";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    std::vector<Finding> Found;
    for (const PassView &Pass : P.Passes)
      if (Pass.IsDevice)
        searchPass(Pass, P, Options, Found);
    addHostOnly(P, Found);
    llvm::append_range(Findings, Found);
  }

  void choose(std::vector<Finding> &Findings) const override {
    preferInnermost(Findings);
  }

  std::vector<Setting> settings(const RuleOptions &Options) const override {
    std::vector<Setting> Result;
    for (unsigned Interval : Options.VariantIntervals) {
      Setting S{"k" + std::to_string(Interval), Options, {}};
      S.Options.BarrierInterval = Interval;
      Setting Control{S.Name + "-control", S.Options, S.Name};
      Control.Options.WithoutBarrier = true;
      Result.push_back(std::move(S));
      Result.push_back(std::move(Control));
    }
    return Result;
  }

private:
  static void searchPass(const PassView &Pass, const Program &P,
                         const RuleOptions &Options,
                         std::vector<Finding> &Found) {
    LoopSearch Search(Pass, P);
    FindingWriter Writer(Pass, Options);
    for (const LoopCandidate &C : Search.candidates())
      Found.push_back(Writer.write(C));
  }

  /// Kernels under `#ifndef __CUDA_ARCH__` are seen, but no GPU runs them.
  static void addHostOnly(const Program &P, std::vector<Finding> &Findings) {
    const PassView *Host = P.host();
    if (!Host)
      return;
    LoopSearch Search(*Host, P);
    const RuleOptions Defaults;
    FindingWriter Writer(*Host, Defaults);
    for (LoopCandidate C : Search.candidates()) {
      C.Divergences.clear();
      C.Hindrances = {
          hindrance(ReasonId::HostPassOnly, C.Loop->getBeginLoc())};
      Finding F = Writer.write(C);
      if (llvm::none_of(Findings, [&](const Finding &Other) {
            return Other.key() == F.key();
          }))
        Findings.push_back(std::move(F));
    }
  }
};

} // namespace

std::unique_ptr<Rule> createArtificialBarrierRule() {
  return std::make_unique<ArtificialBarrier>();
}

} // namespace barricade
