// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule launch-replay: from regions of launches to findings. Of
//
//   for (int step = 0; step < steps; ++step) {
//     relax<<<grid, block>>>(to, from, n);
//     std::swap(to, from);
//   }
//   cudaMemcpy(...);
//
// it makes
//
//   barricade::ReplayedLaunches replay(steps);
//   for (int step = 0; step < steps; ++step) {
//     replay.launch(relax, grid, block, 0, nullptr, to, from, n);
//     std::swap(to, from);
//   }
//   replay.flush();
//   cudaMemcpy(...);
//
// Some launches are made later than they were, all in their order. That nobody
// can tell is what a region says (matchers/launch-region); kernels may be any.

#include "rewriters/launch-replay/LaunchReplay.h"
#include "matchers/SourcePlaces.h"
#include "matchers/Statements.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/launch-fusion/HostExpressions.h"
#include "matchers/launch-replay/Reasons.h"
#include "rewriters/GiveWay.h"
#include "rewriters/SourceText.h"
#include "rewriters/UnitNames.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace barricade {
namespace {

using namespace launch_replay;
using launch_region::LaunchCalls;
using launch_region::LaunchRegion;
using launch_region::RegionLaunch;

constexpr llvm::StringLiteral RuleId = "launch-replay";

/// Leaves \p S before its condition says so.
bool endsEarly(const Stmt &S) {
  return holds(&S, [](const Stmt &Part) {
    return isa<BreakStmt, ReturnStmt, GotoStmt>(Part);
  });
}

class Search {
public:
  Search(const Program &P, const RuleOptions &Options)
      : Host(*P.host()), Context(*Host.Context), SM(Context.getSourceManager()),
        Source(Context), Options(Options), Calls(P) {}

  void run(const LaunchRegion &R, std::vector<Finding> &Findings) {
    if (!llvm::any_of(R.Launches,
                      [](const RegionLaunch &L) { return L.IsInLoop; }))
      return;
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(R.First->getBeginLoc(), SM);
    F.End = placeAfterToken(R.Last->getEndLoc(), SM, Context.getLangOpts());
    F.Function = R.Function->getQualifiedNameAsString();
    F.Subject = "launches";
    Calls.checkPlace(R, F);
    // What is launched in between would come before what is held back.
    if (F.Reasons.empty())
      for (const RegionLaunch &L : R.Launches)
        Calls.checkLaunch(L, F);
    if (F.Reasons.empty())
      write(R, F);
    if (!F.Reasons.empty())
      refuse(F);
    Findings.push_back(std::move(F));
  }

private:
  static void refuse(Finding &F) {
    F.Edits.clear();
    F.Outcome = Verdict::Refused;
    F.Message =
        F.Subject + " cannot be replayed by a graph: " + F.Reasons.front().Text;
  }

  void write(const LaunchRegion &R, Finding &F) {
    const SourceLocation Begin = R.First->getBeginLoc();
    const SourceLocation End =
        Source.afterTrailingComment(Source.afterStatement(*R.Last));
    const std::string Object =
        Names.try_emplace(R.Function, Context).first->second.fresh("replay");
    const std::string NewLine =
        Source.lineEnding(Begin).str() + Source.indentation(Begin).str();
    Calls.include({R.Function}, Options.Header, F);
    F.Edits.push_back(Source.insertion(Begin, "barricade::ReplayedLaunches " +
                                                  Object + expected(R, F) +
                                                  ";" + NewLine));
    for (const RegionLaunch &L : R.Launches) {
      F.Parts.push_back(placeOf(L.Call->getBeginLoc(), SM));
      Calls.writeLaunch(L, Object, F);
    }
    F.Edits.push_back(Source.insertion(End, NewLine + Object + ".flush();"));
    if (grid_barrier::meetsMacros(F.Edits, *Host.PP))
      addReason(
          launch_region::hindrance(launch_region::ReasonId::RuntimeName, Begin),
          SM, F);
    F.Outcome = Verdict::Rewrite;
    F.Form = "replayed";
    F.Facts.push_back({"launches", int64_t(R.Launches.size()), ""});
    F.Message = F.Subject + " in a loop can be made many at a time by a graph";
  }

  //===--- How many launches there will be
  //---------------------------------===//

  /// The object's argument: how often the loop that the region is runs, where
  /// its head says so. Nothing depends on it but when a graph is made.
  std::string expected(const LaunchRegion &R, Finding &F) const {
    const auto *For = dyn_cast<ForStmt>(R.First);
    const auto Counted = For && R.First == R.Last && !endsEarly(*For)
                             ? facts::readCountedLoop(*For, Context)
                             : std::nullopt;
    if (!Counted || Counted->Step || !Counted->First || !beginsAlone(*For) ||
        !isKnownBefore(*Counted->First, *For) ||
        !isKnownBefore(*Counted->limit(), *For) ||
        !facts::haveOneType(*Counted->First, *Counted->limit(), Context))
      return "";
    const Expr &Most = *(Counted->CountsUp ? Counted->Most : Counted->First);
    const Expr &Least = *(Counted->CountsUp ? Counted->First : Counted->Least);
    Expr::EvalResult From, To;
    const bool HasFrom = Least.EvaluateAsInt(From, Context);
    if (HasFrom && Most.EvaluateAsInt(To, Context))
      F.Facts.push_back(
          {"iterations",
           To.Val.getInt().getExtValue() - From.Val.getInt().getExtValue(),
           ""});
    if (HasFrom && From.Val.getInt().isZero() &&
        isa<IntegerLiteral>(Least.IgnoreParenImpCasts()))
      return "(" + termOf(Most) + ")";
    // A loop that does not run may have any distance to go.
    const QualType Type = Counted->Counter->getType();
    if (Type->isUnsignedIntegerType())
      return "(" + termOf(Most) + " - " + termOf(Least) + ")";
    if (Context.getIntWidth(Type) >= Context.getIntWidth(Context.LongLongTy))
      return "";
    return "(static_cast<long long>(" + textOf(Most) + ") - " + termOf(Least) +
           ")";
  }

  /// Nothing but the counter gets a value when \p For begins.
  static bool beginsAlone(const ForStmt &For) {
    if (const auto *Declared = dyn_cast_or_null<DeclStmt>(For.getInit()))
      return Declared->isSingleDecl();
    const auto *E = dyn_cast_or_null<Expr>(For.getInit());
    const auto *Op = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
    return Op && Op->getOpcode() == BO_Assign;
  }

  /// \p E can be computed before \p For, and is the same there.
  bool isKnownBefore(const Expr &E, const ForStmt &For) const {
    const auto IsDeclaredHere = [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Declared = dyn_cast_or_null<DeclStmt>(For.getInit());
      return Ref && Declared &&
             llvm::is_contained(Declared->decls(), Ref->getDecl());
    };
    return launch_fusion::isPureValue(E, Context) && Source.fileRange(E) &&
           !holds(&E, IsDeclaredHere);
  }

  std::string textOf(const Expr &E) const {
    return Source.text(*Source.fileRange(E)).str();
  }
  std::string termOf(const Expr &E) const {
    return isa<DeclRefExpr, IntegerLiteral>(E.IgnoreImpCasts())
               ? textOf(E)
               : "(" + textOf(E) + ")";
  }

  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  const RuleOptions &Options;
  const LaunchCalls Calls;
  /// Of the objects in each function.
  std::map<const FunctionDecl *, UnitNames> Names;
};

/// Others take the launches away, or put some between them.
void yieldToOthers(std::vector<Finding> &Findings) {
  giveWay(Findings, RuleId, "be replayed by a graph",
          ReasonTable[unsigned(ReasonId::OtherRule)],
          [](const Finding &Own, const Finding &Other) {
            return llvm::any_of(Other.Edits, [&](const Edit &E) {
              return E.File == Own.Where.File && E.Offset < Own.End.Offset &&
                     E.Offset + E.Length > Own.Where.Offset;
            });
          });
}

class LaunchReplay : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "launches in a loop are made many at a time by a CUDA graph";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }
  bool isDefault() const override { return false; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (!P.host())
      return;
    const std::vector<LaunchRegion> Regions = launch_region::findLaunchRegions(
        *P.host(), launch_region::Between::NoWaits);
    if (Regions.empty())
      return;
    Search S(P, Options);
    for (const LaunchRegion &R : Regions)
      S.run(R, Findings);
  }

  void choose(std::vector<Finding> &Findings) const override {
    yieldToOthers(Findings);
  }
};

} // namespace

std::unique_ptr<Rule> createLaunchReplayRule() {
  return std::make_unique<LaunchReplay>();
}

} // namespace barricade
