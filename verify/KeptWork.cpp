// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/KeptWork.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <utility>

using namespace clang;

namespace barricade {
namespace {

std::string usrOf(const FunctionDecl &F) {
  llvm::SmallString<128> Usr;
  index::generateUSRForDecl(spelledFunction(F).getCanonicalDecl(), Usr);
  return std::string(Usr);
}

/// \p Target is a local variable, or an element or field of one.
bool isLocal(const Expr &Target) {
  const Expr *E = Target.IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return !Member->isArrow() && isa<FieldDecl>(Member->getMemberDecl()) &&
           !Member->getMemberDecl()->getType()->isReferenceType() &&
           isLocal(*Member->getBase());
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = Subscript->getBase()->IgnoreParenImpCasts();
    return Base->getType()->isArrayType() && isLocal(*Base);
  }
  const VarDecl *Var = variableNamedBy(*E);
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType();
}

/// Reads a function's body: its sites, and what it calls.
class BodyReader : public ConstDynamicRecursiveASTVisitor {
public:
  explicit BodyReader(const SourceManager &SM) : SM(SM) {
    ShouldVisitImplicitCode = true;
  }
  std::set<UnitWork::Site> Sites;
  std::vector<const FunctionDecl *> Callees;

  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp() && !isLocal(*Op->getLHS()))
      add(Op->getOperatorLoc());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp() && !isLocal(*Op->getSubExpr()))
      add(Op->getOperatorLoc());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
    if (Body && !SM.isInSystemHeader(Body->getLocation()))
      Callees.push_back(Body);
    else if (!Callee || startsWith(*Callee, "atomic"))
      add(Call->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    if (const FunctionDecl *Body = E->getConstructor()->getDefinition())
      Callees.push_back(Body);
    return true;
  }

private:
  static bool startsWith(const FunctionDecl &F, llvm::StringRef Prefix) {
    return F.getDeclName().isIdentifier() && F.getName().starts_with(Prefix);
  }
  void add(SourceLocation Where) {
    Place P = placeOf(Where, SM);
    Sites.insert({std::move(P.File), P.Offset});
  }

  const SourceManager &SM;
};

std::set<UnitWork::Site> sitesOf(const FunctionDecl &Kernel,
                                 const SourceManager &SM) {
  std::set<UnitWork::Site> Result;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
  llvm::SmallVector<const FunctionDecl *, 16> Work = {&Kernel};
  while (!Work.empty()) {
    const FunctionDecl *F = Work.pop_back_val();
    if (!F->hasBody() || !Seen.insert(F).second)
      continue;
    BodyReader Reader(SM);
    Reader.TraverseStmt(F->getBody());
    Result.merge(Reader.Sites);
    llvm::append_range(Work, Reader.Callees);
  }
  return Result;
}

/// Finds what may come before launches that a barricade::ReplayedLaunches holds
/// back: what reaches the device otherwise, in statements from where that is
/// declared to its flush(). And what may come behind iterations of a loop that
/// the device has gone around already: the same, in the loop.
class OvertakingFinder : public ConstDynamicRecursiveASTVisitor {
public:
  OvertakingFinder(const SourceManager &SM, std::vector<Place> &Into)
      : SM(SM), Into(Into) {
    ShouldVisitImplicitCode = true;
  }

  void search(const CompoundStmt &Block) {
    (void)follow(Block, /*IsHeld=*/false, declaresReplay);
  }

  /// Behind a flush() nothing is held back until there is a launch again.
  bool TraverseCompoundStmt(const CompoundStmt *Block) override {
    return follow(*Block, /*IsHeld=*/!std::exchange(IsMade, false),
                  [](const Stmt &S) { return holds(&S, usesReplay); });
  }

  /// Before a kernel takes the loop over, all is made.
  bool TraverseIfStmt(const IfStmt *If) override {
    if (!holds(If->getCond(), asksForTakeover))
      return ConstDynamicRecursiveASTVisitor::TraverseIfStmt(If);
    if (!TraverseStmt(If->getCond()))
      return false;
    IsMade = isa<CompoundStmt>(If->getThen());
    return TraverseStmt(If->getThen()) && TraverseStmt(If->getElse());
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    // What a template calls is seen in its instances.
    if (!Callee && Call->isTypeDependent() && !isa<CUDAKernelCallExpr>(Call))
      return true;
    if (!Callee || isa<CUDAKernelCallExpr>(Call))
      return add(*Call), true;
    // It ends the program, as on an error, behind which nothing is held back.
    if (Callee->isNoReturn())
      return true;
    const FunctionDecl *Body = Callee->getDefinition();
    if (Callee->getDeclName().isIdentifier() &&
        Callee->getName().starts_with("cuda") && !isQuestion(*Callee))
      add(*Call);
    else if (isOfUser(*Callee) && isUnseen(*Callee))
      add(*Call);
    else if (Body && isOfUser(*Body) && Seen.insert(Body).second) {
      const llvm::SaveAndRestore Within(IsCalled, true);
      TraverseStmt(Body->getBody());
    }
    return true;
  }

  /// A function that is called makes launches by an object of its own.
  bool VisitVarDecl(const VarDecl *Var) override {
    const CXXRecordDecl *Class = Var->getType()->getAsCXXRecordDecl();
    if (IsCalled && (isReplay(Class) || is(Class, "LoopedLaunches") ||
                     is(Class, "OverlappedLaunches")))
      Into.push_back(placeOf(Var->getLocation(), SM));
    return true;
  }

private:
  /// \p Begins: something is held back from such a statement on.
  bool follow(const CompoundStmt &Block, bool IsHeld,
              llvm::function_ref<bool(const Stmt &)> Begins) {
    // The loop behind such an object, and what may take it over.
    bool IsLooped = false;
    // Until the block's end nothing is held back, whoever launches.
    bool IsPaused = false;
    for (const Stmt *S : Block.body()) {
      IsPaused |= declares(*S, "ReplayPause");
      IsHeld = !IsPaused && !flushes(*S) && (IsHeld || Begins(*S));
      if ((IsHeld || IsLooped) && !TraverseStmt(S))
        return false;
      IsLooped = declares(*S, "LoopedLaunches") ||
                 (IsLooped && declares(*S, "Takeover"));
    }
    return true;
  }

  static bool is(const CXXRecordDecl *Class, llvm::StringRef Name) {
    return Class &&
           Class->getQualifiedNameAsString() == "barricade::" + Name.str();
  }
  static bool isReplay(const CXXRecordDecl *Class) {
    return is(Class, "ReplayedLaunches");
  }
  /// An object of that class of the runtime's.
  static bool declares(const Stmt &S, llvm::StringRef Class) {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration &&
           llvm::any_of(Declaration->decls(), [&](const Decl *D) {
             const auto *Var = dyn_cast<VarDecl>(D);
             return Var && is(Var->getType()->getAsCXXRecordDecl(), Class);
           });
  }
  static bool declaresReplay(const Stmt &S) {
    return declares(S, "ReplayedLaunches");
  }
  static bool usesReplay(const Stmt &S) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    return Call && isReplay(Call->getRecordDecl()) &&
           Call->getMethodDecl()->getName() != "flush_error"; // Does nothing.
  }
  static bool asksForTakeover(const Stmt &S) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
    return Call && is(Call->getRecordDecl(), "Takeover") &&
           Call->getMethodDecl()->getName() == "is_due";
  }
  static bool isFlush(const Stmt &S) {
    return usesReplay(S) &&
           cast<CXXMemberCallExpr>(S).getMethodDecl()->getName() == "flush";
  }
  static bool isOtherUse(const Stmt &S) { return usesReplay(S) && !isFlush(S); }
  static bool isCall(const Stmt &S) {
    return isa<CallExpr, CXXConstructExpr>(S);
  }
  /// \p S begins with that, and holds nothing back: `CHECK(replay.flush())`.
  static bool flushes(const Stmt &S) {
    if (holds(&S, isOtherUse))
      return false;
    if (const auto *Do = dyn_cast<DoStmt>(&S))
      return flushes(*Do->getBody());
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return alwaysEvaluates(If->getInit(), isFlush) ||
             alwaysEvaluates(If->getConditionVariableDeclStmt(), isFlush) ||
             alwaysEvaluates(If->getCond(), isFlush);
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    if (!Block)
      return alwaysEvaluates(&S, isFlush);
    // Variables may come first.
    const auto First = llvm::find_if(Block->body(), [](const Stmt *Each) {
      return !isa<DeclStmt>(Each) || holds(Each, isCall);
    });
    return First != Block->body_end() && flushes(**First);
  }
  static bool isQuestion(const FunctionDecl &F) {
    return llvm::StringSwitch<bool>(F.getName())
        .StartsWith("cudaGet", true)
        .Case("cudaPeekAtLastError", true)
        // Between `<<<` and `>>>`.
        .Case("cudaConfigureCall", true)
        .Default(false);
  }
  bool isOfUser(const FunctionDecl &F) const {
    return !SM.isInSystemHeader(F.getCanonicalDecl()->getLocation()) &&
           F.getCanonicalDecl()->getLocation().isValid() &&
           !llvm::StringRef(F.getQualifiedNameAsString())
                .starts_with("barricade::");
  }
  /// Nobody sees here what a call of it does.
  static bool isUnseen(const FunctionDecl &F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&F);
    if (Method && Method->isVirtual())
      return true;
    return !F.getDefinition() && !F.isDefaulted();
  }
  void add(const Expr &E) { Into.push_back(placeOf(E.getExprLoc(), SM)); }

  const SourceManager &SM;
  std::vector<Place> &Into;
  bool IsMade = false;   ///< Before the block that comes next.
  bool IsCalled = false; ///< By what the region calls.
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
};

/// Finds what host code launches.
class LaunchFinder : public ConstDynamicRecursiveASTVisitor {
public:
  LaunchFinder(const SourceManager &SM, UnitWork &Into) : SM(SM), Into(Into) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitCompoundStmt(const CompoundStmt *Block) override {
    const Stmt *Last = nullptr;
    for (const Stmt *S : Block->body()) {
      S = withoutCleanups(S);
      if (Last)
        Following[Last] = S;
      Last = S;
    }
    OvertakingFinder(SM, Into.Overtaking).search(*Block);
    return true;
  }
  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *Call) override {
    const FunctionDecl *Kernel = Call->getDirectCallee();
    if (!Kernel)
      return true;
    Called.insert(
        dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()));
    Into.Launches.push_back(
        {usrOf(*Kernel), nextLaunch(*Call), placeOf(Call->getBeginLoc(), SM)});
    return true;
  }
  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *Call) override {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (Method && isOverlappedLaunch(*Method))
      if (const FunctionDecl *Kernel = namedIn(Call->getArg(0)))
        Into.Overlapped.try_emplace(usrOf(*Kernel),
                                    placeOf(Call->getBeginLoc(), SM));
    return true;
  }
  /// Nobody calls what stands there.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, bool) override { return true; }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && Function->hasAttr<CUDAGlobalAttr>() &&
        !Called.contains(Ref))
      Into.NamedElsewhere.insert(usrOf(*Function));
    return true;
  }

private:
  static const FunctionDecl *namedIn(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
  }

  /// A launch has some where its configuration is copied, before C++17 always.
  static const Stmt *withoutCleanups(const Stmt *S) {
    const auto *Cleanups = dyn_cast<ExprWithCleanups>(S);
    return Cleanups ? Cleanups->getSubExpr() : S;
  }

  std::string nextLaunch(const Stmt &Launch) const {
    const auto *Call =
        dyn_cast_or_null<CUDAKernelCallExpr>(Following.lookup(&Launch));
    const FunctionDecl *Kernel = Call ? Call->getDirectCallee() : nullptr;
    return Kernel ? usrOf(*Kernel) : "";
  }

  const SourceManager &SM;
  UnitWork &Into;
  llvm::DenseMap<const Stmt *, const Stmt *> Following;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> Called;
};

/// The first statement of \p Kernel waits for the grid before. What assembly
/// waits is looked at in the IR (verify/EarlyAccesses).
bool waitsFirst(const FunctionDecl &Kernel) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Kernel.getBody());
  if (!Body || Body->body_empty())
    return false;
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(Body->body_front()))
    return llvm::StringRef(Asm->getAsmString())
        .starts_with("griddepcontrol.wait");
  const auto *Call = dyn_cast<CallExpr>(Body->body_front());
  return Call && waitsForPreviousGrid(*Call);
}

} // namespace

UnitWork workOf(const Program &P) {
  UnitWork Result;
  for (const PassView &Pass : P.Passes) {
    const SourceManager &SM = Pass.Context->getSourceManager();
    if (Pass.IsDevice) {
      for (const FunctionDecl *Kernel :
           collectUserCode(*Pass.Context).Kernels) {
        const std::string Usr = usrOf(*Kernel);
        const std::set<UnitWork::Site> &Sites =
            Result.Instances[Usr].emplace_back(sitesOf(*Kernel, SM));
        Result.Kernels[Usr].insert(Sites.begin(), Sites.end());
        bool &Waits = Result.Waiting.try_emplace(Usr, true).first->second;
        Waits &= waitsFirst(*Kernel);
        Result.Names.try_emplace(Usr, Kernel->getQualifiedNameAsString(),
                                 placeOf(spelledLocation(*Kernel), SM));
      }
      continue;
    }
    LaunchFinder Launches(SM, Result);
    for (const Decl *D : userDeclarations(*Pass.Context))
      Launches.TraverseDecl(D);
  }
  return Result;
}

namespace {

/// Compares one unit before and after.
class Comparison {
public:
  Comparison(const UnitWork &Before, const UnitWork &After)
      : Before(Before), After(After) {}

  std::vector<LostWork> run() {
    for (const auto &[Kernel, Sites] : Before.Kernels) {
      auto Now = After.Kernels.find(Kernel);
      if (Now == After.Kernels.end())
        lose("lacks the kernel " + nameOf(Kernel));
      else if (Now->second.size() < Sites.size())
        checkCut(Kernel, Sites.size());
    }
    for (const auto &[Kernel, Sites] : After.Kernels)
      if (!Before.Kernels.count(Kernel))
        checkNew(Kernel, Sites);
    for (const auto &[Kernel, Where] : After.Overlapped)
      if (auto It = After.Waiting.find(Kernel);
          It == After.Waiting.end() || !It->second)
        lose("starts " + nameOf(Kernel) +
                 ", which does not wait, before the grid before has ended",
             Where);
    if (After.Overtaking.size() > Before.Overtaking.size())
      for (const Place &Where : After.Overtaking)
        lose("reaches the device before launches that are held back", Where);
    return std::move(Lost);
  }

private:
  std::string nameOf(const std::string &Kernel) const {
    for (const UnitWork *Each : {&Before, &After})
      if (auto It = Each->Names.find(Kernel); It != Each->Names.end())
        return "'" + It->second.first + "'";
    return "of another name";
  }

  void lose(std::string Text, Place Where = {}) {
    Lost.push_back({std::move(Text), std::move(Where)});
  }

  bool isCut(const std::string &Kernel) const {
    auto Then = Before.Kernels.find(Kernel), Now = After.Kernels.find(Kernel);
    return Then != Before.Kernels.end() && Now != After.Kernels.end() &&
           Now->second.size() < Then->second.size();
  }

  /// A kernel that has lost some of its work: whoever launches it must launch
  /// the rest as well.
  void checkCut(const std::string &Kernel, size_t Whole) {
    if (After.NamedElsewhere.count(Kernel))
      lose("lets the address of " + nameOf(Kernel) +
           ", which has only a part of its work, be taken");
    for (const UnitWork::Launch &L : After.Launches) {
      if (L.Kernel != Kernel)
        continue;
      auto Rest = After.Kernels.find(L.Next);
      if (Before.Kernels.count(L.Next) || Rest == After.Kernels.end() ||
          After.Kernels.at(Kernel).size() + Rest->second.size() < Whole)
        lose("launches " + nameOf(Kernel) + " without the rest of its work",
             L.Where);
    }
  }

  /// A kernel that is new runs old ones, or instances of them, as a whole.
  void checkNew(const std::string &New, const std::set<UnitWork::Site> &Sites) {
    for (const auto &[Kernel, Work] : Before.Kernels) {
      const std::set<UnitWork::Site> Own = ownSites(Kernel);
      const std::set<UnitWork::Site> Common =
          llvm::set_intersection(Own, Sites);
      if (!Common.empty() && (isCut(Kernel) || !isWhole(Common, Kernel, Own)))
        lose("has only a part of the work of " + nameOf(Kernel) + " in " +
                 nameOf(New),
             After.Names.at(New).second);
    }
  }

  /// \p Part of the work that is \p Kernel's \p Own is all that some of its
  /// instances do.
  bool isWhole(const std::set<UnitWork::Site> &Part, const std::string &Kernel,
               const std::set<UnitWork::Site> &Own) const {
    std::set<UnitWork::Site> Done;
    for (const std::set<UnitWork::Site> &Instance : After.Instances.at(Kernel))
      if (std::set<UnitWork::Site> Its = llvm::set_intersection(Instance, Own);
          llvm::set_is_subset(Its, Part))
        Done.merge(Its);
    return Done == Part;
  }

  /// Those of the rewritten \p Kernel that no other old kernel shares.
  std::set<UnitWork::Site> ownSites(const std::string &Kernel) const {
    auto It = After.Kernels.find(Kernel);
    if (It == After.Kernels.end())
      return {};
    std::set<UnitWork::Site> Result = It->second;
    for (const auto &[Other, Sites] : After.Kernels)
      if (Other != Kernel && Before.Kernels.count(Other))
        for (const UnitWork::Site &S : Sites)
          Result.erase(S);
    return Result;
  }

  const UnitWork &Before;
  const UnitWork &After;
  std::vector<LostWork> Lost;
};

} // namespace

std::vector<LostWork> findLostWork(const UnitWork &Before,
                                   const UnitWork &After) {
  return Comparison(Before, After).run();
}

} // namespace barricade
