// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace barricade {

/// Of `atomic<T, Scope>`, `barrier<Scope>`: no more than a block's threads meet
/// there.
static bool isOfBlock(const CXXRecordDecl &Class) {
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  constexpr int OfBlock = 2; // cuda::thread_scope_block; one thread's is more
  return Instance &&
         llvm::any_of(Instance->getTemplateArgs().asArray(),
                      [](const TemplateArgument &Argument) {
                        return Argument.getKind() ==
                                   TemplateArgument::Integral &&
                               Argument.getIntegralType()->isEnumeralType() &&
                               Argument.getAsIntegral() >= OfBlock;
                      });
}

bool isMeetingPlace(const CXXRecordDecl &Class) {
  const llvm::StringRef Name = Class.getIdentifier() ? Class.getName() : "";
  return (Name.contains("atomic") || Name.contains("semaphore") ||
          Name.contains("latch") || Name.contains("barrier")) &&
         !isOfBlock(Class);
}
namespace waiting {
namespace {

/// Finds reads that see each time anew what somebody else has written.
class PollFinder : public ConstDynamicRecursiveASTVisitor {
public:
  /// \p IsRepeated: \p Function may be run again and again by somebody else.
  PollFinder(const FunctionDecl &Function, const KernelEffects &Effects,
             bool IsRepeated)
      : Function(Function), Context(Function.getASTContext()), Effects(Effects),
        IsRepeated(IsRepeated) {
    ShouldVisitImplicitCode = true;
  }

  SourceLocation Found;

  /// What a kernel does outside of loops a thread does once, which is no
  /// waiting. The lambdas there are asked by themselves.
  void look() {
    if (!Function.hasAttr<CUDAGlobalAttr>() || IsRepeated ||
        codeHolds(Function, isGoto)) {
      TraverseDecl(&Function); // with a constructor's initialisers
      return;
    }
    codeHolds(Function, [&](const Stmt &S) {
      if (isLoop(S))
        TraverseStmt(&S);
      return Found.isValid();
    });
  }

  bool VisitStmt(const Stmt *S) override {
    Discarded.noteWithin(*S);
    return true;
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (const Expr *Init = Var->getInit();
        Init && isFirstGuess(*Var, Function, Effects, IsRepeated))
      Guesses.insert(Init->IgnoreParenImpCasts());
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    return Cast->getCastKind() != CK_LValueToRValue ||
           lookAt(*Cast->getSubExpr());
  }
  /// What changes volatile memory by itself reads it first.
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    return !Op->isIncrementDecrementOp() || lookAt(*Op->getSubExpr());
  }
  bool VisitCompoundAssignOperator(const CompoundAssignOperator *Op) override {
    return lookAt(*Op->getLHS());
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    return note(waitsBy(*E), E->getBeginLoc());
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    return note(!facts::isPlainAsm(*Asm) || readsAnew(*Asm), Asm->getAsmLoc());
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return note(Callee && (loadsAnew(*Callee) ||
                           isKnown(facts::nameOf(Callee)) || waitsBy(*Call) ||
                           (facts::isLibraryCode(*Callee) &&
                            looksByLibrary(*Call, *Callee))),
                Call->getBeginLoc());
  }

private:
  bool note(bool IsPoll, SourceLocation Where) {
    if (IsPoll)
      Found = Where;
    return Found.isInvalid();
  }

  static bool isGoto(const Stmt &S) {
    const auto *Asm = dyn_cast<GCCAsmStmt>(&S);
    return isa<GotoStmt, IndirectGotoStmt>(S) || loopsByItself(S) ||
           (Asm && Asm->isAsmGoto());
  }

  bool lookAt(const Expr &Read) {
    return note(Read.getType().isVolatileQualified() &&
                    Effects.isWithinReachOfHost(Read, Function),
                Read.getBeginLoc());
  }

  /// What sleeps, and what orders memory for the host.
  static bool isKnown(llvm::StringRef Name) {
    return Name == "__nanosleep" || Name == "__threadfence_system" ||
           (Name.starts_with("atomic") && Name.ends_with("_system"));
  }

  /// It runs each time, and loads, or has the compiler load again.
  bool readsAnew(const AsmStmt &Asm) const {
    return (Asm.isVolatile() || Asm.getNumOutputs() == 0) &&
           (llvm::StringRef(Asm.generateAsmString(Context)).contains("ld") ||
            llvm::any_of(llvm::seq(Asm.getNumClobbers()), [&](unsigned I) {
              return Asm.getClobber(I) == "memory";
            }));
  }

  /// An atomic that does not change what it finds, as far as can be told, and
  /// is called for that.
  bool waitsBy(const Expr &E) const {
    const std::optional<AtomicLook> Look = atomicLook(E, Function);
    const auto *Call = dyn_cast<CallExpr>(&E);
    return Look && Look->Effect != AtomicEffect::Changes &&
           (Look->TellsByArgument || !Discarded.contains(E)) &&
           !Guesses.contains(&E) &&
           !(Call && isa<DeclRefExpr>(Call->getCallee()->IgnoreImpCasts()) &&
             followsLinks(*Call, Function));
  }

  /// By a fence for the host, or a load of CUB's.
  bool looksByLibrary(const CallExpr &Call, const FunctionDecl &Callee) const {
    const llvm::StringRef Name = facts::nameOf(&Callee);
    return Name == "ThreadLoad" ||
           (Name == "atomic_thread_fence" && !isBelowSystem(Call));
  }

  /// Of a fence, that it says so: the narrower scopes come behind the device's.
  bool isBelowSystem(const CallExpr &Fence) const {
    constexpr int OfDevice = 1; // cuda::thread_scope_device
    const auto Scope = Fence.getNumArgs() > 1
                           ? facts::integerOf(*Fence.getArg(1), Context)
                           : std::nullopt;
    return Scope && *Scope >= OfDevice;
  }

  const FunctionDecl &Function;
  const ASTContext &Context;
  const KernelEffects &Effects;
  const bool IsRepeated;
  DiscardedValues Discarded;
  llvm::SmallPtrSet<const Expr *, 4> Guesses;
};

/// A call, through a pointer or of a virtual function, that does not say what
/// it calls: what makes it, say.
bool callsUnnamed(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  if (!Call || Call->isTypeDependent() ||
      isa<CXXPseudoDestructorExpr>(Call->getCallee()))
    return false;
  const FunctionDecl *Callee = Call->getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  return !Callee || (Method && Method->isVirtual());
}

/// Of a kernel, by the device: of itself, say, whose grid begins once this one
/// is over.
bool launches(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const llvm::StringRef Name = Call ? facts::calleeName(*Call) : "";
  return Call && (isa<CUDAKernelCallExpr>(Call) ||
                  Name.starts_with("cudaLaunch") || Name == "cudaGraphLaunch");
}

/// \p Function may go on for as long as somebody else wants it to.
bool mayRunOn(const FunctionDecl &Function, const SourceManager &SM) {
  return backwardGoto(Function, SM).isValid() ||
         codeHolds(Function, [&](const Stmt &S) {
           return callsUnnamed(S) ||
                  (isLoop(S) && !isOfPattern(S) && !onlyCounts(S, Function) &&
                   !isBounded(S, Function) && !isRetriedExchange(S, Function));
         });
}

/// A plain read by which a loop of \p Function waits, between barriers or
/// fences, until what the kernel does not write is another: it looks at the
/// same place each time.
SourceLocation plainPoll(const FunctionDecl &Function, const SourceManager &SM,
                         const KernelEffects &Effects) {
  return findInLoops(Function, [&](const Stmt &Loop) {
    return waitForHost(Loop, Function, SM, Effects,
                       [&](const Expr &Read, const FunctionDecl &In) {
                         return &In != &Function ||
                                readsSamePlace(Read, Loop, Function);
                       });
  });
}

/// The user's functions that a kernel reaches, with the lambdas in them, whose
/// calls nobody follows.
llvm::SmallVector<const FunctionDecl *, 8>
usersCode(const KernelEffects &Effects, const SourceManager &SM) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    llvm::SmallVector<const FunctionDecl *, 8> Found;
    bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
      if (const auto *Template = Lambda->getDependentCallOperator())
        llvm::append_range(Found, Template->specializations());
      else
        Found.push_back(Lambda->getCallOperator());
      return true;
    }
  } Find;
  for (const FunctionDecl *F : Effects.Functions)
    // The runtime's barriers wait for the same grid.
    if (!isInRuntimeHeader(F->getLocation(), SM) && !facts::isLibraryCode(*F)) {
      Find.Found.push_back(F);
      Find.TraverseDecl(F);
    }
  return std::move(Find.Found);
}

/// Adds the user's classes that \p Type is made of: a functor, an iterator that
/// has one.
void addUsersClasses(QualType Type,
                     llvm::SmallSetVector<const CXXRecordDecl *, 4> &Found) {
  const CXXRecordDecl *Class = classOf(Type.getNonReferenceType());
  if (!Class)
    return;
  if (!facts::isLibraryCode(*Class)) {
    Found.insert(Class);
    return;
  }
  if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Class))
    for (const TemplateArgument &Argument :
         Instance->getTemplateArgs().asArray())
      if (Argument.getKind() == TemplateArgument::Type)
        addUsersClasses(Argument.getAsType(), Found);
}

/// What a library is given to call in \p Function: functions, and the methods
/// of objects. It may do so as often as it likes.
llvm::SmallSetVector<const FunctionDecl *, 4>
callbacksOf(const FunctionDecl &Function) {
  llvm::SmallSetVector<const FunctionDecl *, 4> Found;
  const auto Add = [&](const Expr &Given) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Given.IgnoreParenImpCasts());
    const auto *Named = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
    if (const FunctionDecl *Body = Named ? Named->getDefinition() : nullptr)
      Found.insert(Body);
    llvm::SmallSetVector<const CXXRecordDecl *, 4> Classes;
    addUsersClasses(Given.getType(), Classes);
    for (const CXXRecordDecl *Class : Classes)
      for (const CXXMethodDecl *Method : Class->methods())
        if (const FunctionDecl *Body = Method->getDefinition();
            Body && !Body->isDependentContext() &&
            !isa<CXXConstructorDecl, CXXDestructorDecl>(Body))
          Found.insert(Body);
  };
  codeHolds(Function, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (Callee && facts::isLibraryCode(*Callee))
      for (const Expr *Given : Call->arguments())
        Add(*Given);
    return false;
  });
  return Found;
}

SourceLocation pollByCallbacks(llvm::ArrayRef<const FunctionDecl *> Functions,
                               const SourceManager &SM) {
  for (const FunctionDecl *Function : Functions)
    for (const FunctionDecl *Callback : callbacksOf(*Function)) {
      const KernelEffects Effects =
          collectKernelEffects(*Callback, /*RestrictParams=*/false);
      for (const FunctionDecl *F : Effects.Functions) {
        PollFinder Finder(*F, Effects, /*IsRepeated=*/true);
        if (!isInRuntimeHeader(F->getLocation(), SM) &&
            !facts::isLibraryCode(*F))
          Finder.look();
        if (Finder.Found.isValid())
          return Finder.Found;
      }
    }
  return {};
}

} // namespace
} // namespace waiting

SourceLocation findPoll(const KernelEffects &Effects, const SourceManager &SM,
                        bool MayBeRepeated) {
  const auto Functions = waiting::usersCode(Effects, SM);
  for (const FunctionDecl *F : Functions)
    if (const SourceLocation Read = waiting::findBoundedWait(*F, SM, Effects);
        Read.isValid())
      return Read;
  const bool IsRepeated = MayBeRepeated || Effects.Recursive ||
                          llvm::any_of(Effects.Functions, [](const auto *F) {
                            return codeHolds(*F, waiting::launches);
                          });
  if (!IsRepeated && llvm::none_of(Functions, [&](const auto *F) {
        return waiting::mayRunOn(*F, SM);
      }))
    return waiting::pollByCallbacks(Functions, SM);
  for (const FunctionDecl *F : Functions) {
    waiting::PollFinder Finder(*F, Effects, IsRepeated);
    Finder.look();
    if (Finder.Found.isValid())
      return Finder.Found;
    if (const SourceLocation Read = waiting::plainPoll(*F, SM, Effects);
        Read.isValid())
      return Read;
    if (Effects.Recursive)
      if (const SourceLocation Read = waiting::waitByRecursion(*F, SM, Effects);
          Read.isValid())
        return Read;
  }
  return waiting::pollByCallbacks(Functions, SM);
}

} // namespace barricade
