// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/HiddenLaunches.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/Launch.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::host {
namespace {

/// The methods of \p Record by which it is called: of a generic lambda those of
/// each instance, besides.
llvm::SmallVector<const CXXMethodDecl *, 2>
callOperatorsOf(const CXXRecordDecl &Record) {
  llvm::SmallVector<const CXXMethodDecl *, 2> All;
  const DeclarationName Name =
      Record.getASTContext().DeclarationNames.getCXXOperatorName(OO_Call);
  for (const NamedDecl *D : Record.lookup(Name)) {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(D))
      All.push_back(Method);
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D)) {
      All.push_back(cast<CXXMethodDecl>(Template->getTemplatedDecl()));
      for (const FunctionDecl *Instance : Template->specializations())
        All.push_back(cast<CXXMethodDecl>(Instance));
    }
  }
  return All;
}

const CXXRecordDecl *completeRecord(QualType Type) {
  const CXXRecordDecl *Record =
      Type.isNull() ? nullptr
                    : Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() ? Record->getDefinition() : nullptr;
}

/// Of a function, of a pointer or a reference to one: without `noexcept`, as
/// such functions go where any may.
QualType functionType(QualType Type, const ASTContext &Context) {
  if (Type.isNull())
    return {};
  Type = Type.getNonReferenceType();
  if (const auto *Member = Type->getAs<MemberPointerType>())
    Type = Member->getPointeeType();
  else if (Type->isPointerType())
    Type = Type->getPointeeType();
  if (!Type->isFunctionType())
    return {};
  return Context.getFunctionTypeWithExceptionSpec(Type, EST_None)
      .getCanonicalType()
      .getUnqualifiedType();
}

bool isNamedInStd(const NamedDecl *D,
                  std::initializer_list<llvm::StringRef> Names) {
  return D && D->isInStdNamespace() && D->getIdentifier() &&
         llvm::is_contained(Names, D->getName());
}

/// Its construction from a function has another thread of the host call that.
bool isThread(QualType Type) {
  return isNamedInStd(completeRecord(Type), {"thread", "jthread"});
}

/// What is called where no function is named: a pointer, or an object of the
/// library's that holds a function.
const Expr *calledValue(const CallExpr &Call) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (Operator && Operator->getOperator() == OO_Call)
    return Operator->getArg(0);
  return Call.getDirectCallee() ? nullptr : Call.getCallee();
}

using TypeTest = llvm::function_ref<bool(QualType)>;
bool anyTypeArgument(const Decl &D, TypeTest Test);

/// What \p Call is given may be called out of sight, as by `atexit`, by another
/// thread, as by `std::async` or `threads.emplace_back(...)`, or by way of a
/// table, as by `std::visit`.
bool callsArgument(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXRecordDecl *Object =
      Member ? completeRecord(Member->getObjectType()) : nullptr;
  const FunctionDecl *Callee = Call.getDirectCallee();
  return (Callee && !Callee->getDefinition()) ||
         isNamedInStd(Callee, {"async", "visit"}) ||
         (Object && anyTypeArgument(*Object, isThread));
}

/// The C library's, which call what they are given for many elements.
bool repeatsArgument(const FunctionDecl &Callee) {
  return Callee.isExternC() && Callee.getIdentifier() &&
         llvm::is_contained({"qsort", "qsort_r", "bsearch", "lfind", "lsearch",
                             "twalk", "ftw", "nftw", "scandir"},
                            Callee.getName());
}

bool anyType(llvm::ArrayRef<TemplateArgument> Arguments, TypeTest Test) {
  return llvm::any_of(Arguments, [&](const TemplateArgument &Arg) {
    return (Arg.getKind() == TemplateArgument::Type && Test(Arg.getAsType())) ||
           (Arg.getKind() == TemplateArgument::Pack &&
            anyType(Arg.pack_elements(), Test));
  });
}

/// A type that \p D or a class around it is made for passes \p Test.
bool anyTypeArgument(const Decl &D, TypeTest Test) {
  const auto *Function = dyn_cast<FunctionDecl>(&D);
  const auto *Args =
      Function ? Function->getTemplateSpecializationArgs() : nullptr;
  const auto *Record = dyn_cast<ClassTemplateSpecializationDecl>(&D);
  const auto *Around = dyn_cast_or_null<CXXRecordDecl>(D.getDeclContext());
  return (Args && anyType(Args->asArray(), Test)) ||
         (Record && anyType(Record->getTemplateArgs().asArray(), Test)) ||
         (Around && anyTypeArgument(*Around, Test));
}

/// A function, a class of the user's or one of the library's that is made for
/// such: the library calls what that has.
bool isOfUser(QualType Type) {
  if (Type.isNull())
    return false;
  Type = Type.getNonReferenceType();
  while (Type->isPointerType() || Type->isArrayType())
    Type = QualType(Type->getPointeeOrArrayElementType(), 0);
  const CXXRecordDecl *Record = completeRecord(Type);
  return Type->isFunctionType() ||
         (Record && (!facts::isLibraryCode(*Record) ||
                     anyTypeArgument(*Record, isOfUser)));
}

/// Nothing is done to \p Var, a variable of a function, but calling it, by
/// lambdas that capture it, too.
bool isOnlyCalled(const VarDecl &Var) {
  const auto *Function = dyn_cast<FunctionDecl>(Var.getDeclContext());
  if (!Var.isLocalVarDecl() || !Function || Var.getType()->isReferenceType())
    return false;
  if (Var.getType().isConstQualified())
    return true;
  llvm::SmallPtrSet<const Stmt *, 4> Called;
  return !holds(Function->getBody(), [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (const Expr *Value = Call ? calledValue(*Call) : nullptr)
      Called.insert(Value->IgnoreParenImpCasts());
    // What a lambda does to its captures is seen where it names them.
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
      for (const Expr *Capture : Lambda->capture_inits())
        (void)holds(Capture, [&](const Stmt &Part) {
          Called.insert(&Part);
          return false;
        });
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    return Ref && Ref->getDecl() == &Var && !Called.contains(Ref);
  });
}

/// The variable that \p Value is, if what it begins with is all it ever is.
const VarDecl *fixedVariable(const Expr *Value) {
  const auto *Ref =
      Value ? dyn_cast<DeclRefExpr>(Value->IgnoreParenImpCasts()) : nullptr;
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->getInit() && isOnlyCalled(*Var) ? Var : nullptr;
}

} // namespace

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

/// Looks through all that the user wrote, instances of templates included.
class HiddenLaunches::KeptFinder : public ConstDynamicRecursiveASTVisitor {
public:
  KeptFinder(HiddenLaunches &Hidden, KeptLaunchers &Kept)
      : Hidden(Hidden), Kept(Kept) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const auto *Conversion = dyn_cast_or_null<CXXConversionDecl>(
        Member ? Member->getMethodDecl() : nullptr);
    if (Conversion && Hidden.isLauncher(Member->getObjectType()))
      keepFunction(Conversion->getConversionType());
    // `callbacks.emplace_back(lambda)`, `callback = lambda`.
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
    const CXXRecordDecl *Object =
        Member ? completeRecord(Member->getObjectType())
        : Operator && Operator->getOperator() == OO_Equal
            ? completeRecord(Operator->getArg(0)->getType())
            : nullptr;
    if (Object && llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
          return Hidden.namesLauncher(*Arg);
        })) {
      keepIn(*Object);
      anyTypeArgument(*Object, [&](QualType Type) {
        if (const CXXRecordDecl *Element = completeRecord(Type))
          keepIn(*Element);
        return false;
      });
    }
    return true;
  }

  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    const CXXRecordDecl *Record = completeRecord(Construct->getType());
    if (Record && llvm::any_of(Construct->arguments(), [&](const Expr *Arg) {
          return Hidden.namesLauncher(*Arg);
        }))
      keepIn(*Record);
    return true;
  }

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && !Callees.contains(Ref) && Hidden.launches(Function))
      keepFunction(Function->getType());
    return true;
  }

  bool VisitCXXMethodDecl(const CXXMethodDecl *Method) override {
    for (const CXXMethodDecl *Overridden : Method->overridden_methods()) {
      auto &All = Kept.Overriders[Overridden->getCanonicalDecl()];
      if (!llvm::is_contained(All, Method->getCanonicalDecl())) {
        All.push_back(Method->getCanonicalDecl());
        Grown = true;
      }
    }
    return true;
  }

  bool Grown = false;

private:
  void keepFunction(QualType Type) {
    Type = functionType(Type, Hidden.Context);
    Grown |= !Type.isNull() && Kept.Functions.insert(Type).second;
  }

  /// Only the library's classes hide what they call.
  void keepIn(const CXXRecordDecl &Record) {
    Grown |= facts::isLibraryCode(Record) && !callOperatorsOf(Record).empty() &&
             Kept.Holders.insert(Record.getCanonicalDecl()).second;
  }

  HiddenLaunches &Hidden;
  KeptLaunchers &Kept;
  llvm::SmallPtrSet<const Stmt *, 32> Callees;
};

const HiddenLaunches::KeptLaunchers &HiddenLaunches::kept() {
  if (Kept)
    return *Kept;
  Kept.emplace();
  const SaveAndRestore Unfinished(Depth, 0u);
  const SaveAndRestore Outer(Asked, {});
  for (bool Grown = true; Grown;) {
    // What was kept from a launch by what is kept may launch now.
    llvm::DenseMap<const FunctionDecl *, bool> Before;
    std::swap(Known, Before);
    KeptFinder Finder(*this, *Kept);
    for (const Decl *D : userDeclarations(Context))
      Finder.TraverseDecl(D);
    Grown = Finder.Grown;
    for (const auto &[Function, Launches] : Before)
      if (Launches)
        Known[Function] = true;
  }
  return *Kept;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::optional<HiddenLaunch> HiddenLaunches::launchBy(const CallExpr &Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return std::nullopt;
  if (classifyHostCall(Call, Context.getSourceManager()) ==
      HostCallKind::Launch)
    return HiddenLaunch::ByRuntime;
  return launches(Call.getDirectCallee()) || mayCallLauncher(Call) ||
                 (callsArgument(Call) && isGivenLauncher(Call.arguments()))
             ? std::optional(HiddenLaunch::InCallee)
             : std::nullopt;
}

bool HiddenLaunches::isHeldBy(const Stmt &S) {
  return holds(&S, [&](const Stmt &Part) {
    if (const auto *Call = dyn_cast<CallExpr>(&Part))
      return launchBy(*Call).has_value();
    const auto *New = dyn_cast<CXXConstructExpr>(&Part);
    return anyLaunches(silentCallsOf(Part)) ||
           (New && isThread(New->getType()) &&
            isGivenLauncher(New->arguments()));
  });
}

bool HiddenLaunches::anyLaunches(const SilentCalls &Calls) {
  return llvm::any_of(Calls.Callees, [&](const FunctionDecl *Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    return launches(Callee) ||
           (Calls.AreSeveral && Method && overriderLaunches(*Method));
  });
}

bool HiddenLaunches::mayCallLauncher(const CallExpr &Call) {
  const Expr *Value = calledValue(Call);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
      Member && Member->getMethodDecl()) {
    const auto *Named = dyn_cast<MemberExpr>(Call.getCallee()->IgnoreParens());
    return Member->getMethodDecl()->isVirtual() && Named &&
           Named->performsVirtualDispatch(Context.getLangOpts()) &&
           overriderLaunches(*Member->getMethodDecl());
  }
  if (!Value)
    return false;
  if (const VarDecl *Var = fixedVariable(Value))
    return namesLauncher(*Var->getInit());
  if (namesLauncher(*Value))
    return true;
  if (const CXXRecordDecl *Holder = completeRecord(Value->getType()))
    return facts::isLibraryCode(*Holder) &&
           kept().Holders.contains(Holder->getCanonicalDecl());
  const auto *OfMember = dyn_cast<BinaryOperator>(Value->IgnoreParens());
  const QualType Type = functionType(OfMember && OfMember->isPtrMemOp()
                                         ? OfMember->getRHS()->getType()
                                         : Value->getType(),
                                     Context);
  return !Type.isNull() && kept().Functions.contains(Type);
}

bool HiddenLaunches::isGivenLauncher(
    llvm::iterator_range<CallExpr::const_arg_iterator> Arguments) {
  return llvm::any_of(Arguments,
                      [&](const Expr *Arg) { return namesLauncher(*Arg); });
}

bool HiddenLaunches::overriderLaunches(const CXXMethodDecl &Method) {
  const auto Found = kept().Overriders.find(Method.getCanonicalDecl());
  if (Found == Kept->Overriders.end())
    return false;
  const auto Overriders = Found->second; // Looking may find more.
  return llvm::any_of(Overriders, [&](const CXXMethodDecl *Overrider) {
    return launches(Overrider) || overriderLaunches(*Overrider);
  });
}

bool HiddenLaunches::namesLauncher(const Expr &E) {
  return isLauncher(E.getType()) || holds(&E, [&](const Stmt &Part) {
           if (const auto *Inner = dyn_cast<Expr>(&Part);
               Inner && isLauncher(Inner->getType()))
             return true;
           const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
           if (!Ref)
             return false;
           if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl()))
             return launches(Function);
           const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
           if (!Var || !Var->getInit() || !Following.insert(Var).second)
             return false;
           const bool Names = namesLauncher(*Var->getInit());
           Following.erase(Var);
           return Names;
         });
}

bool HiddenLaunches::isLauncher(QualType Type) {
  const CXXRecordDecl *Record = completeRecord(Type);
  return Record && !Record->isDependentContext() &&
         !facts::isLibraryCode(*Record) &&
         llvm::any_of(callOperatorsOf(*Record),
                      [&](const CXXMethodDecl *M) { return launches(M); });
}

const FunctionDecl *HiddenLaunches::lambdaBehind(const CallExpr &Call) const {
  const VarDecl *Var = fixedVariable(calledValue(Call));
  const LambdaExpr *Lambda = nullptr;
  if (Var)
    (void)holds(Var->getInit(), [&](const Stmt &Part) {
      return (Lambda = dyn_cast<LambdaExpr>(&Part)) != nullptr;
    });
  return Lambda ? Lambda->getCallOperator() : nullptr;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool HiddenLaunches::launches(const FunctionDecl *Callee) {
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  return Definition && launches(*Definition);
}

/// Functions of the library are of interest for what they are given to call.
bool HiddenLaunches::looksInto(const FunctionDecl &Callee) const {
  return !facts::isLibraryCode(Callee) || anyTypeArgument(Callee, isOfUser);
}

bool HiddenLaunches::launches(const FunctionDecl &Callee) {
  // A function that calls itself launches what it launches besides.
  const auto [It, New] = Known.try_emplace(&Callee, false);
  if (!New)
    return It->second;
  if (Callee.hasAttr<CUDAGlobalAttr>() || !looksInto(Callee))
    return false;
  Asked.push_back(&Callee);
  bool Launches;
  {
    const SaveAndRestore Deeper(Depth, Depth + 1);
    Launches = llvm::any_of(codeOf(Callee),
                            [&](const Stmt *Part) {
                              return holdsLaunch(*Part) || isHeldBy(*Part);
                            }) ||
               anyLaunches(silentCallsOf(Callee));
  }
  Known[&Callee] = Launches;
  if (Depth > 0)
    return Launches;
  // Others may have been asked before what they call was known.
  if (Launches)
    for (const FunctionDecl *Other : Asked)
      if (!Known[Other])
        Known.erase(Other);
  Asked.clear();
  return Launches;
}

bool HiddenLaunches::areRepeatedBy(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  return (Definition && facts::isLibraryCode(*Definition) &&
          repeatsLaunches(*Definition)) ||
         (Callee && repeatsArgument(*Callee) &&
          isGivenLauncher(Call.arguments()));
}

bool HiddenLaunches::isRepeatedForArray(const Stmt &S) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
    return Construct->getType()->isArrayType() && anyLaunches(silentCallsOf(S));
  if (const auto *List = dyn_cast<InitListExpr>(&S))
    return List->getArrayFiller() && isHeldBy(*List->getArrayFiller());
  if (const auto *New = dyn_cast<CXXNewExpr>(&S))
    return New->isArray() && New->getInitializer() &&
           isHeldBy(*New->getInitializer());
  if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&S))
    return Delete->isArrayForm() && anyLaunches(silentCallsOf(S));
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  return Declaration &&
         llvm::any_of(Declaration->decls(),
                      [](const Decl *D) {
                        const auto *Var = dyn_cast<VarDecl>(D);
                        return Var && Var->getType()->isArrayType();
                      }) &&
         anyLaunches(silentCallsOf(S));
}

bool HiddenLaunches::repeatsLaunches(const FunctionDecl &OfLibrary) {
  const auto [It, New] = Repeating.try_emplace(&OfLibrary, false);
  if (!New || !launches(OfLibrary))
    return It->second;
  const bool Repeats = codeHolds(OfLibrary, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    return (isLoop(S) && !isOnceLoop(S, Context) && isHeldBy(S)) ||
           (Call && areRepeatedBy(*Call));
  });
  return Repeating[&OfLibrary] = Repeats;
}

} // namespace barricade::host
