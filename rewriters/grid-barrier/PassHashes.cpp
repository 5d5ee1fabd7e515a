// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/PassHashes.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Specialisations.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ODRHash.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// Hashes code with what its names and its sizes stand for.
class CodeHasher {
public:
  explicit CodeHasher(const ASTContext &Context) : Context(Context) {}

  void add(const Stmt &S) {
    Hash.AddStmt(&S);
    addMeaning(S);
  }
  unsigned result() {
    return unsigned(
        llvm::hash_combine(Hash.CalculateHash(), Meaning.ComputeHash()));
  }

private:
  void addMeaning(const Stmt &S) {
    // Implicit conversions follow from these, and are others where each pass
    // has its own overloads of the C library's functions.
    if (isa<ExplicitCastExpr, CXXConstructExpr, CXXScalarValueInitExpr,
            CompoundLiteralExpr, CXXNewExpr>(S))
      addType(cast<Expr>(S).getType());
    if (const auto *E = dyn_cast<Expr>(&S); E && addIfConstant(*E))
      return;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      addNamed(*Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(&S))
      addNamed(*Member->getMemberDecl());
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          addType(Var->getType());
    for (const Stmt *Child : S.children())
      if (Child)
        addMeaning(*Child);
  }

  /// What it is, and which of the user's instances or overloads.
  void addNamed(const ValueDecl &D) {
    addType(D.getType());
    if (const auto *Var = dyn_cast<VarDecl>(&D))
      addVariable(*Var);
    const FunctionDecl *Function = D.getAsFunction();
    if ((!Function && !isa<VarTemplateSpecializationDecl>(D)) ||
        facts::isLibraryCode(D))
      return;
    std::string Name;
    llvm::raw_string_ostream Stream(Name);
    D.getNameForDiagnostic(Stream, Context.getPrintingPolicy(),
                           /*Qualified=*/true);
    Meaning.AddString(Name);
    if (!Function)
      return;
    addType(Function->getReturnType());
    for (const ParmVarDecl *Parameter : Function->parameters())
      addType(Parameter->getType());
  }

  /// Whatever typedefs lead to it.
  void addType(QualType Type) {
    if (Type.isNull())
      return;
    Type = Type.getCanonicalType();
    QualType Last = Type;
    while (Last->isReferenceType() || Last->isPointerType())
      Last = Last->getPointeeType();
    // Functions are told by their names and parameters: what they may throw is
    // written otherwise for the passes in headers.
    if (Last->isFunctionType() || Last->isPlaceholderType())
      return;
    Meaning.AddString(Type.getAsString(Context.getPrintingPolicy()));
    if (const auto *Enum = Last->getAsEnumDecl();
        Enum && !Enum->getIntegerType().isNull())
      addType(Enum->getIntegerType());
    addLayout(Last);
  }

  /// Whether \p E is a number that the compiler knows. The passes may differ in
  /// it: by `__CUDA_ARCH__`, or by sizes of types.
  bool addIfConstant(const Expr &E) {
    Expr::EvalResult Known;
    if (E.isValueDependent() || !E.isPRValue() ||
        !E.getType()->isArithmeticType() || callsAtRunTime(E) ||
        !E.EvaluateAsRValue(Known, Context) || Known.HasSideEffects)
      return false;
    addValue(Known.Val);
    (void)holds(&E, [&](const Stmt &S) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
        addType(Ref->getType());
      return false;
    });
    return true;
  }

  /// Clang computes some of the C library's functions of constants,
  /// `fabs(-1.0)`, but not in all passes.
  static bool callsAtRunTime(const Expr &E) {
    return holds(&E, [](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      return Callee && !Callee->isConstexpr();
    });
  }

  void addVariable(const VarDecl &Var) {
    if (const Expr *Init = Var.hasGlobalStorage() ? Var.getInit() : nullptr) {
      Hash.AddStmt(Init);
      if (callsAtRunTime(*Init)) {
        if (Followed.insert(&Var).second)
          addMeaning(*Init);
      } else if (const APValue *Value =
                     Init->isValueDependent() ? nullptr : Var.evaluateValue()) {
        addValue(*Value);
      }
    }
    addLayout(Var.getType().getNonReferenceType());
  }

  /// The numbers that \p Value consists of.
  void addValue(const APValue &Value) {
    if (Value.isInt())
      Value.getInt().Profile(Meaning);
    else if (Value.isFloat())
      Value.getFloat().Profile(Meaning);
    else if (Value.isArray())
      for (unsigned I = 0; I < Value.getArrayInitializedElts(); ++I)
        addValue(Value.getArrayInitializedElt(I));
    else if (Value.isStruct())
      for (unsigned I = 0; I < Value.getStructNumFields(); ++I)
        addValue(Value.getStructField(I));
  }

  /// How the parts of what is passed by value lie in memory.
  void addLayout(QualType Type) {
    Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
    const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
    if (!Record || Record->isDependentType() || Record->isInvalidDecl() ||
        !Record->isCompleteDefinition() || !LaidOut.insert(Record).second)
      return;
    const ASTRecordLayout &Layout = Context.getASTRecordLayout(Record);
    Meaning.AddInteger(Layout.getSize().getQuantity());
    for (const FieldDecl *Field : Record->fields()) {
      Meaning.AddInteger(Layout.getFieldOffset(Field->getFieldIndex()));
      Meaning.AddBoolean(Field->isBitField());
      if (Field->isBitField())
        Meaning.AddInteger(Field->getBitWidthValue());
      // Of other objects only that they are led to.
      Meaning.AddString(Field->getType().getCanonicalType().getAsString(
          Context.getPrintingPolicy()));
      addLayout(Field->getType());
    }
    for (const CXXBaseSpecifier &Base : Record->bases())
      addLayout(Base.getType());
  }

  const ASTContext &Context;
  ODRHash Hash;                                   ///< Of the text.
  llvm::FoldingSetNodeID Meaning;                 ///< Of what it stands for.
  llvm::SmallPtrSet<const VarDecl *, 4> Followed; ///< To what they begin with.
  llvm::SmallPtrSet<const RecordDecl *, 4> LaidOut; ///< Once is enough.
};

unsigned hashOf(llvm::ArrayRef<const Stmt *> Code, const ASTContext &Context) {
  CodeHasher Hasher(Context);
  for (const Stmt *S : Code)
    Hasher.add(*S);
  return Hasher.result();
}

Place placeOf(llvm::ArrayRef<const Stmt *> Code, const SourceManager &SM) {
  return barricade::placeOf(Code.front()->getBeginLoc(), SM);
}

} // namespace

PassHashes::PassHashes(
    const Program &P,
    llvm::function_ref<void(const PassView &Pass, AddCode Add)> FindCode)
    : Host(*P.host()->Context) {
  for (const PassView &Pass : P.Passes) {
    if (!Pass.IsDevice)
      continue;
    auto &Hashes = OfPasses.emplace_back();
    FindCode(Pass, [&](llvm::ArrayRef<const Stmt *> Code) {
      Hashes.emplace(placeOf(Code, Pass.Context->getSourceManager()),
                     hashOf(Code, *Pass.Context));
    });
  }
}

bool PassHashes::agreeOn(llvm::ArrayRef<const Stmt *> Code,
                         const SourceManager &SM) const {
  const std::pair Sought(placeOf(Code, SM), hashOf(Code, Host));
  return llvm::all_of(
      OfPasses, [&](const auto &Hashes) { return Hashes.count(Sought) != 0; });
}

bool PassHashes::agreeOnEach(llvm::ArrayRef<const Stmt *> Launches,
                             const SourceManager &SM) const {
  return llvm::all_of(Launches,
                      [&](const Stmt *L) { return agreeOn({L}, SM); });
}

void PassHashes::addLaunches(const PassView &Pass, AddCode Add) {
  const auto AddIfLaunch = [&](const Stmt &S) {
    if (isa<CUDAKernelCallExpr>(S))
      Add({&S});
    return false;
  };
  forEachHostCode(*Pass.Context, [&](const HostCode &Code) {
    for (const Stmt *Part : Code.Parts)
      (void)holds(Part, AddIfLaunch);
    if (const auto *Template =
            Code.Function ? Code.Function->getDescribedFunctionTemplate()
                          : nullptr)
      for (const FunctionDecl *Instance : instancesOf(*Template))
        (void)codeHolds(*Instance, AddIfLaunch);
  });
}

} // namespace barricade::grid_barrier
