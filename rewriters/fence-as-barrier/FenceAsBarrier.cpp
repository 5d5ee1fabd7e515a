// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule fence-as-barrier: from races over fences to findings. The fault is
// one; where the kernel can be cut in two at the fence, the cut is another.

#include "rewriters/fence-as-barrier/FenceAsBarrier.h"
#include "matchers/cost/FunctionValues.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/fence-as-barrier/FenceRaces.h"
#include "matchers/fence-as-barrier/SplitAtFence.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Waiting.h"
#include "rewriters/GiveWay.h"
#include "rewriters/fence-as-barrier/SplitText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace clang;

namespace barricade {

/// What people are shown of indices, in the words of the kernel.
struct fence_as_barrier::ShownIndices {
  static std::unique_ptr<FunctionValues> in(const FunctionDecl &Function,
                                            ASTContext &Context) {
    return std::make_unique<FunctionValues>(Function, Context, ForCostOnly());
  }
};

namespace {

using namespace fence_as_barrier;

constexpr llvm::StringLiteral RuleId = "fence-as-barrier";
constexpr ReasonInfo ReasonTable[] = {
    {"needs-grid-barrier",
     "threads of different blocks meet at a place in memory, and nothing makes "
     "one wait for the other"},
    {"kernel-step",
     "the kernel becomes a step of another one, which would run its first half "
     "only"},
};

/// Turns the races of one pass into findings.
class FindingWriter {
public:
  explicit FindingWriter(ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {}

  /// One finding for each fence.
  void write(llvm::ArrayRef<FenceRace> Races, std::vector<Finding> &Findings) {
    for (const FenceRace &Race : Races) {
      if (Findings.empty() ||
          !(Findings.back().Where == placeOf(Race.Fence->getBeginLoc(), SM)))
        Findings.push_back(begin(Race));
      add(Race, Findings.back());
    }
  }

private:
  Finding begin(const FenceRace &Race) const {
    Finding F;
    F.Rule = RuleId.str();
    F.Outcome = Verdict::Fault;
    F.Where = placeOf(Race.Fence->getBeginLoc(), SM);
    F.End = placeAfterToken(Race.Fence->getEndLoc(), SM, Context.getLangOpts());
    F.Function = Race.Function->getQualifiedNameAsString();
    F.Subject = "memory fence";
    F.Message = "memory fence is used as a grid barrier, but makes no thread "
                "wait for another block";
    F.Facts.push_back({"kernel", Race.Kernel->getQualifiedNameAsString(), ""});
    F.Facts.push_back({"example", exampleText(Race.Example), ""});
    return F;
  }

  void add(const FenceRace &Race, Finding &F) {
    addAccess(Race.Before, F);
    addAccess(Race.After, F);
    Place Where = placeOf(Race.After.Access->getExprLoc(), SM);
    // One reason for each later access; what it collides with are its notes.
    Reason *Known = F.Reasons.empty() ? nullptr : &F.Reasons.back();
    if (!Known || !(Known->Where == Where)) {
      F.Reasons.push_back({"needs-grid-barrier", Where, meetingText(Race), {}});
      Known = &F.Reasons.back();
    }
    Note N{placeOf(Race.Before.Access->getExprLoc(), SM),
           llvm::formatv("{0} here before the fence: element {1}",
                         Race.Before.IsStore ? "written" : "read",
                         indexText(Race.Before))};
    if (!llvm::is_contained(Known->Notes, N))
      Known->Notes.push_back(std::move(N));
  }

  void addAccess(const RacingAccess &A, Finding &F) {
    AccessFact Fact;
    Fact.Where = placeOf(A.Access->getExprLoc(), SM);
    Fact.Kind = A.IsStore ? "store" : "load";
    Fact.Space = "global";
    Fact.Base = textOf(*A.Access, Context);
    Fact.WidthBytes = widthOf(A);
    Fact.Index = indexText(A);
    if (!llvm::is_contained(F.Accesses, Fact))
      F.Accesses.push_back(std::move(Fact));
  }

  /// "thread i reads 'b[i - 1]', which thread i - 1 writes before its own
  /// fence, in another block where threadIdx.x is 0"
  std::string meetingText(const FenceRace &Race) {
    llvm::StringRef Late = Race.After.IsStore ? "writes" : "reads";
    llvm::StringRef Early = Race.Before.IsStore ? "writes" : "reads";
    auto [Other, When] = partner(Race);
    if (!Other.empty())
      return llvm::formatv("thread i {0} '{1}', which thread {2} {3} before "
                           "its own fence{4}",
                           Late, textOf(*Race.After.Access, Context), Other,
                           Early, When);
    const FenceRace::Meeting &M = Race.Example;
    return llvm::formatv(
        "block {0} {1} '{2}' (thread {3}), which block {4} "
        "{5} before its own fence (thread {6}), with {7}",
        M.BlockAfter, Late, textOf(*Race.After.Access, Context), M.ThreadAfter,
        M.BlockBefore, Early, M.ThreadBefore, conditionsText(M));
  }

  /// The other thread in terms of thread i, and when it is of another block.
  std::pair<std::string, std::string> partner(const FenceRace &Race) {
    if (Race.Distance) {
      int64_t D = *Race.Distance;
      std::string When = ", in another block";
      if (D == -1)
        When += " where threadIdx.x is 0";
      else if (D == 1)
        When += " where threadIdx.x is blockDim.x - 1";
      else if (D < 0)
        When += llvm::formatv(" where threadIdx.x < {0}", -D);
      else
        When += llvm::formatv(" where threadIdx.x >= blockDim.x - {0}", D);
      return {llvm::formatv("i {0} {1}", D < 0 ? '-' : '+', D < 0 ? -D : D),
              When};
    }
    AffineForm D = symbolicDistance(Race);
    if (D.isZero())
      return {};
    bool Negative = llvm::all_of(
        D.terms(), [](const auto &Term) { return Term.second < 0; });
    std::string Text = (Negative ? AffineForm(0) - D : D).str();
    if (D.terms().size() > 1)
      Text = "(" + Text + ")";
    return {llvm::formatv("i {0} {1}", Negative ? '-' : '+', Text),
            ", for many i in another block"};
  }

  /// How far the thread before the fence is from the one after it, as the
  /// difference of their indices; zero where that does not say.
  AffineForm symbolicDistance(const FenceRace &Race) {
    if (!Race.Example.Shape.isOneDimensional() ||
        Race.Before.Function != Race.After.Function)
      return 0;
    auto Early = indexOf(Race.Before), Late = indexOf(Race.After);
    if (!Early || !Late || !Early->isKnown() || !Late->isKnown() ||
        !(Early->coefficient(builtinSymbol(Symbol::ThreadIdx, 0)) ==
          AffineForm(1)))
      return 0;
    AffineForm D = *Late - *Early;
    bool Varies = D.any([](const Symbol &S) {
      return S.ThreadDependent || S.Kind == Symbol::BlockIdx ||
             S.Kind == Symbol::Induction || S.Kind == Symbol::Pointer;
    });
    return Varies ? AffineForm(0) : D;
  }

  static std::string conditionsText(const FenceRace::Meeting &M) {
    std::string Text = llvm::formatv("{0} blocks of {1} threads",
                                     M.Shape.blocks(), M.Shape.threads());
    for (const auto &[Name, Value] : M.Scalars)
      Text += llvm::formatv(", {0} = {1}", Name, Value);
    return Text;
  }

  static std::string exampleText(const FenceRace::Meeting &M) {
    return llvm::formatv(
        "element {0} by thread {1} of block {2} and thread {3} of block {4}, "
        "with {5}",
        M.Element, M.ThreadBefore, M.BlockBefore, M.ThreadAfter, M.BlockAfter,
        conditionsText(M));
  }

  /// The place of the access; for a call such as `__ldg(p)`, what p points at.
  static const Expr *pointerOf(const RacingAccess &A) {
    const auto *Call = dyn_cast<CallExpr>(A.Access);
    return Call && !Call->isGLValue() ? Call->getArg(0) : nullptr;
  }

  unsigned widthOf(const RacingAccess &A) const {
    QualType T = A.Access->getType();
    if (const Expr *Pointer = pointerOf(A))
      T = Pointer->getType()->getPointeeType();
    return Context.getTypeSizeInChars(T).getQuantity();
  }

  /// The index as an affine form in elements; nothing where it is none.
  std::optional<AffineForm> indexOf(const RacingAccess &A) {
    auto &Values = ValuesOf[A.Function];
    if (!Values)
      Values = ShownIndices::in(*A.Function, Context);
    const Expr *Pointer = pointerOf(A);
    AffineForm Bytes =
        Pointer ? Values->evaluate(*Pointer) : Values->addressOf(*A.Access);
    return Bytes
        .without([](const Symbol &S) { return S.Kind == Symbol::Pointer; })
        .dividedBy(widthOf(A));
  }

  std::string indexText(const RacingAccess &A) {
    auto Index = indexOf(A);
    return Index ? Index->str() : "?";
  }

  ASTContext &Context;
  const SourceManager &SM;
  std::map<const FunctionDecl *, std::unique_ptr<FunctionValues>> ValuesOf;
};

/// The finding that cuts the kernel in two at the fence of \p Fault, or
/// nothing; then \p Fault tells why.
std::optional<Finding> cutAt(const FenceRace &Race,
                             const KernelEffects &Effects, const Program &Whole,
                             Finding &Fault) {
  const FunctionDecl &Kernel = *Race.Kernel;
  const ASTContext &Context = Kernel.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  const auto Give = [&](llvm::StringRef WhyNot) {
    Fault.Facts.push_back({"no-fix", WhyNot.str(), ""});
    return std::nullopt;
  };
  for (const auto &[Asm, Function] : Effects.Asm)
    if (Asm != Race.Fence && !facts::isPlainAsm(*cast<AsmStmt>(Asm)))
      return Give("assembly may end a thread, or synchronise");
  const FenceSplit Split = splitAtFence(Effects, *Race.Fence);
  if (!Split.WhyNot.empty())
    return Give(Split.WhyNot);
  SplitText Text = writeSplit(Split, Effects, Whole);
  if (!Text.WhyNot.empty())
    return Give(Text.WhyNot);
  Finding F;
  F.Rule = RuleId.str();
  F.Outcome = Verdict::Rewrite;
  F.Where = placeOf(Kernel.getLocation(), SM);
  F.End = placeAfterToken(Kernel.getLocation(), SM, Context.getLangOpts());
  F.Function = Kernel.getQualifiedNameAsString();
  F.Subject = "kernel";
  F.Form = "split";
  F.Message =
      "kernel can be cut in two at its fence: a second launch waits for "
      "all threads of the first";
  F.Edits = std::move(Text.Edits);
  F.Changes.push_back({FunctionChange::Kind::Cut, functionId(Kernel)});
  return F;
}

/// A cut gives way to whatever makes a step of the kernel.
void settleCuts(std::vector<Finding> &Findings) {
  using Kind = FunctionChange::Kind;
  const ReasonInfo &Why = ReasonTable[1];
  for (Finding &Cut : Findings)
    for (const Finding &Other : Findings)
      if (Cut.applies() && Other.applies() &&
          Cut.meets(Kind::Cut, Other, {Kind::Step, Kind::LogicalThreads}))
        leave(Cut, "be changed", Why, Other.Where);
}

class FenceAsBarrier : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "a memory fence makes no thread wait: diagnoses its use as a grid "
           "barrier";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }
  bool findsFaults() const override { return true; }

  void run(const Program &P, const RuleOptions &,
           std::vector<Finding> &Findings) const override {
    for (const PassView &Pass : P.Passes) {
      if (!Pass.IsDevice)
        continue;
      UserCode Code = collectUserCode(*Pass.Context);
      for (const FunctionDecl *Kernel : Code.Kernels) {
        KernelEffects Effects =
            collectKernelEffects(*Kernel, P.RestrictKernelPointers);
        std::vector<Finding> Found;
        const std::vector<FenceRace> Races = findFenceRaces(Effects, Code);
        FindingWriter(*Pass.Context).write(Races, Found);
        // Of several fences the first; the others are found again.
        if (!Found.empty() && P.host())
          if (auto Cut = cutAt(Races.front(), Effects, P, Found.front()))
            Found.push_back(std::move(*Cut));
        llvm::append_range(Findings, Found);
      }
    }
  }

  void choose(std::vector<Finding> &Findings) const override {
    settleCuts(Findings);
  }
};

} // namespace

std::unique_ptr<Rule> createFenceAsBarrierRule() {
  return std::make_unique<FenceAsBarrier>();
}

} // namespace barricade
