// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Products.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/MemoryRoot.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace clang;

namespace barricade::facts {
namespace {

/// Calls within calls.
constexpr unsigned MostDepth = 12;

/// A number that may be rounded, or an object that holds one; of a pointer,
/// what it leads to.
bool isRounded(QualType Type) {
  Type = Type.getNonReferenceType().getCanonicalType();
  if (const auto *Pointer = Type->getAs<PointerType>())
    return isRounded(Pointer->getPointeeType());
  if (const auto *Vector = Type->getAs<VectorType>())
    return isRounded(Vector->getElementType());
  Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return Type->isRealFloatingType() || Type->isAnyComplexType() ||
           Type->isDependentType() || Record;
  // The toolkit's half has bits alone.
  return (isLibraryCode(*Record) && Record->getName().starts_with("__")) ||
         llvm::any_of(Record->bases(),
                      [](const CXXBaseSpecifier &Base) {
                        return isRounded(Base.getType());
                      }) ||
         llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
           return !Field->getType()->isPointerType() &&
                  isRounded(Field->getType());
         });
}

/// Functions of libraries that make no product.
bool makesNoProduct(const FunctionDecl &Callee) {
  if (!Callee.getDeclName().isIdentifier())
    return isa<CXXConstructorDecl, CXXConversionDecl>(Callee);
  const llvm::StringRef Name = Callee.getName();
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>(
                          {"__shfl", "atomic", "make_", "__ldg", "__ldc",
                           "__ldl", "__stc", "__stw"}),
                      [&](llvm::StringRef Prefix) {
                        return Name.starts_with(Prefix);
                      }) ||
         llvm::StringSwitch<bool>(Name.ltrim('_'))
             .Cases({"fabs", "fabsf", "abs", "fmin", "fminf", "fmax", "fmaxf"},
                    true)
             .Cases({"min", "max", "swap", "move", "forward", "floor"}, true)
             .Cases({"floorf", "ceil", "ceilf", "trunc", "truncf"}, true)
             .Cases({"rint", "rintf", "round", "roundf", "copysign"}, true)
             .Cases({"copysignf", "isnan", "isinf", "isfinite"}, true)
             .Cases({"float_as_int", "float_as_uint", "int_as_float"}, true)
             .Cases({"uint_as_float", "double_as_longlong"}, true)
             .Cases({"longlong_as_double", "syncthreads_count"}, true)
             .Default(false);
}

/// The values that a call is given, its object first if it has one.
llvm::SmallVector<const Expr *, 4> valuesGiven(const CallExpr &Call) {
  llvm::SmallVector<const Expr *, 4> Values;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    Values.push_back(Member->getImplicitObjectArgument());
  Values.append(Call.arg_begin(), Call.arg_end());
  return Values;
}

/// What is given to a function, as it sees that.
struct Given {
  Varies Object = Varies::Never;
  std::vector<Varies> Parameters;
  bool operator<(const Given &Other) const {
    return std::tie(Object, Parameters) <
           std::tie(Other.Object, Other.Parameters);
  }
};

class Reading;

/// Reads one function for what it is given.
class FunctionReading {
public:
  FunctionReading(const FunctionDecl &Function, Given To, Reading &Whole,
                  FunctionReading *Outer)
      : Function(Function), To(std::move(To)), Whole(Whole), Outer(Outer),
        Context(Function.getASTContext()), Roots(Function), Facts(Function) {}

  void readAll() {
    for (const Stmt *Part : codeOf(Function))
      readIn(Part);
  }

  Varies strongestOf(const Stmt *S);

private:
  void readIn(const Stmt *S);
  void read(const Stmt &S);
  void readCall(const FunctionDecl &Callee, llvm::ArrayRef<const Expr *> Values,
                const Expr &Call);
  void add(const Expr &Product, Varies By);
  Varies strongestPart(const Stmt &S);
  Varies ofVariable(const VarDecl &Var);
  Varies ofCall(const CallExpr &Call);
  Varies ofMemory(const Expr &Read);
  Varies asGiven(const Expr &E);
  Varies strongestGiven(llvm::ArrayRef<const Expr *> Values);
  Varies givenFor(const ParmVarDecl &Parameter) const;
  Varies definitionsOf(const VarDecl &Var);
  Varies ofUse(const VariableUse &Use);
  Varies ofControl(const Stmt &S);
  std::optional<Varies> beginningOf(const VarDecl &Var);
  bool isKnown(const Expr &E) const {
    return !E.isValueDependent() &&
           E.isEvaluatable(Context, Expr::SE_NoSideEffects);
  }

  const FunctionDecl &Function;
  const Given To;
  Reading &Whole;
  FunctionReading *Outer; ///< Of the caller, whose lambda this may be.
  ASTContext &Context;
  const MemoryRoots Roots;
  const VariableFacts Facts;
  std::map<const VarDecl *, Varies> Found;
  const VarDecl *Ignored = nullptr; ///< Others say what it is.
};

/// Goes through a kernel and what it calls.
class Reading {
public:
  Products Result;
  unsigned Depth = 0;
  std::set<std::pair<const FunctionDecl *, Given>> Done;
  const FunctionDecl *Kernel = nullptr;
};

void FunctionReading::add(const Expr &Product, Varies By) {
  if (By == Varies::Known)
    return;
  Products &Result = Whole.Result;
  if (!Result.Any || By < Result.Least)
    Result.Where = Product.getExprLoc();
  Result.Least = Result.Any ? std::min(Result.Least, By) : By;
  Result.Any = true;
}

/// Lambdas are read where they are called.
void FunctionReading::readIn(const Stmt *S) {
  if (!S || isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(S))
    return;
  read(*S);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
    readIn(Default->getExpr());
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(S))
    readIn(Default->getExpr());
  for (const Stmt *Child : S->children())
    readIn(Child);
}

void FunctionReading::read(const Stmt &S) {
  if (const auto *Op = dyn_cast<BinaryOperator>(&S);
      Op && (Op->getOpcode() == BO_Mul || Op->getOpcode() == BO_MulAssign)) {
    const auto *Assignment = dyn_cast<CompoundAssignOperator>(Op);
    const QualType Type =
        Assignment ? Assignment->getComputationLHSType() : Op->getType();
    if (isRounded(Type) && !isKnown(*Op))
      add(*Op, std::max(strongestOf(Op->getLHS()), strongestOf(Op->getRHS())));
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const llvm::SmallVector<const Expr *, 4> Values = valuesGiven(*Call);
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      readCall(*Callee, Values, *Call);
  } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S)) {
    readCall(*Construct->getConstructor(),
             llvm::ArrayRef(Construct->getArgs(), Construct->getNumArgs()),
             *Construct);
  }
}

/// \p Values: with the object of a method, not of a constructor.
void FunctionReading::readCall(const FunctionDecl &Callee,
                               llvm::ArrayRef<const Expr *> Values,
                               const Expr &Call) {
  const FunctionDecl *Body = linkedBody(Callee);
  if (!Body || isLibraryCode(*Body)) {
    const bool MayRound =
        isRounded(Call.getType()) || llvm::any_of(Values, [](const Expr *E) {
          const CXXRecordDecl *Record = E->getType()->getAsCXXRecordDecl();
          return isRounded(E->getType()) || (Record && Record->isLambda());
        });
    if (MayRound && !makesNoProduct(Callee) && !isKnown(Call) &&
        !llvm::all_of(Values, [&](const Expr *E) { return isKnown(*E); }))
      add(Call, strongestGiven(Values));
    return;
  }
  Given Own;
  const auto *Method = dyn_cast<CXXMethodDecl>(Body);
  const bool HasObject = Method && Method->isInstance() &&
                         !isa<CXXConstructorDecl>(Method) && !Values.empty();
  if (HasObject)
    Own.Object = strongestOf(Values.front());
  for (const Expr *E : Values.drop_front(HasObject))
    Own.Parameters.push_back(asGiven(*E));
  if (Whole.Depth >= MostDepth)
    return add(Call, Varies::Never);
  if (!Whole.Done.insert({Body, Own}).second)
    return;
  ++Whole.Depth;
  FunctionReading(*Body, std::move(Own), Whole, this).readAll();
  --Whole.Depth;
}

Varies FunctionReading::strongestPart(const Stmt &S) {
  Varies Most = Varies::Known;
  for (const Stmt *Child : S.children())
    Most = std::max(Most, strongestOf(Child));
  return Most;
}

Varies FunctionReading::strongestOf(const Stmt *S) {
  if (!S || isa<UnaryExprOrTypeTraitExpr, LambdaExpr>(S))
    return Varies::Known;
  char Dimension;
  const auto *E = dyn_cast<Expr>(S);
  if (const llvm::StringRef Index =
          E ? builtinIndexVariable(*E, Dimension) : llvm::StringRef();
      !Index.empty())
    return Index == "blockIdx" && &Function == Whole.Kernel ? Varies::ByArgument
                                                            : Varies::Never;
  if (const auto *Cast = dyn_cast<CastExpr>(S);
      Cast && Cast->getCastKind() == CK_LValueToRValue)
    return ofMemory(*Cast->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var ? ofVariable(*Var) : Varies::Known;
  }
  if (isa<CXXThisExpr>(S))
    return To.Object;
  if (const auto *Call = dyn_cast<CallExpr>(S))
    return ofCall(*Call);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
    return strongestOf(Default->getExpr());
  // Objects are copied by constructors, as a whole.
  if (E && E->isLValue() &&
      isa<ArraySubscriptExpr, MemberExpr, UnaryOperator>(E))
    return ofMemory(*E);
  return strongestPart(*S);
}

/// A function of the user's may look at more than it is given, one of a
/// library's that is given nothing as well. `__ldg` reads what nobody writes.
Varies FunctionReading::ofCall(const CallExpr &Call) {
  const llvm::SmallVector<const Expr *, 4> Values = valuesGiven(Call);
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || Values.empty())
    return Varies::Never;
  if (nameOf(Callee).starts_with("__ldg"))
    return std::max(Varies::Never, strongestPart(Call));
  const Varies Given = strongestGiven(Values);
  return isLibraryCode(*Callee) ? Given : std::max(Varies::Never, Given);
}

/// The object whose member \p Read is, maybe of a member, is that of the
/// method.
static bool isOfThis(const Expr &Read) {
  const Expr *E = Read.IgnoreParenImpCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(E))
    E = Member->getBase()->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    E = Op->getSubExpr()->IgnoreParenImpCasts();
  return isa<CXXThisExpr>(E);
}

/// What is read from the lvalue \p Read, or behind the pointer.
Varies FunctionReading::ofMemory(const Expr &Read) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Read.IgnoreParens());
      Ref && !Ref->getType()->isPointerType())
    return strongestOf(Ref);
  if (isOfThis(Read))
    return To.Object;
  const MemoryRoot Root = Roots.of(Read);
  const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Root.Object);
  if (Parameter && Parameter->getDeclContext() == &Function &&
      &Function != Whole.Kernel)
    return givenFor(*Parameter);
  switch (Root.Space) {
  case MemorySpace::Local:
    return std::max(Root.Object ? ofVariable(*Root.Object) : Varies::Never,
                    strongestPart(Read));
  case MemorySpace::Constant: // Which element it is.
    return strongestPart(Read);
  case MemorySpace::Global:
  case MemorySpace::Shared:
  case MemorySpace::Unknown:
    return Root.Object && !Root.Object->hasLocalStorage() &&
                   Root.Object->getType().isConstQualified()
               ? strongestPart(Read)
               : Varies::ByMemory;
  }
  llvm_unreachable("unknown space");
}

/// What a function that is given \p E sees: of a pointer, what it leads to.
Varies FunctionReading::asGiven(const Expr &E) {
  return E.getType()->isPointerType() ? ofMemory(E) : strongestOf(&E);
}

Varies FunctionReading::strongestGiven(llvm::ArrayRef<const Expr *> Values) {
  Varies Most = Varies::Known;
  for (const Expr *E : Values)
    Most = std::max(Most, asGiven(*E));
  return Most;
}

Varies FunctionReading::givenFor(const ParmVarDecl &Parameter) const {
  const unsigned Index = Parameter.getFunctionScopeIndex();
  return Index < To.Parameters.size() ? To.Parameters[Index] : Varies::Never;
}

/// Nothing: it has no value there.
std::optional<Varies> FunctionReading::beginningOf(const VarDecl &Var) {
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(&Var))
    return givenFor(*Parameter);
  return Var.getInit() ? std::optional(strongestOf(Var.getInit()))
                       : std::nullopt;
}

/// What \p Use, which may change a variable, gives it.
Varies FunctionReading::ofUse(const VariableUse &Use) {
  if (const auto *Op = dyn_cast_or_null<BinaryOperator>(Use.By);
      Op && Op->isAssignmentOp())
    return std::max(strongestOf(Op->getRHS()), strongestPart(*Op->getLHS()));
  if (const auto *Op = dyn_cast_or_null<UnaryOperator>(Use.By);
      Op && Op->isIncrementDecrementOp())
    return strongestPart(*Op->getSubExpr());
  const auto *Call = dyn_cast_or_null<CallExpr>(Use.By);
  return Call ? strongestGiven(valuesGiven(*Call)) : Varies::Never;
}

/// What decides whether \p S runs.
Varies FunctionReading::ofControl(const Stmt &S) {
  Varies Most = Varies::Known;
  for (const Stmt *Around = parentOf(S, Context); Around;
       Around = parentOf(*Around, Context)) {
    if (const auto *If = dyn_cast<IfStmt>(Around))
      Most = std::max(Most, strongestOf(If->getCond()));
    else if (const auto *Switch = dyn_cast<SwitchStmt>(Around))
      Most = std::max(Most, strongestOf(Switch->getCond()));
    else if (isLoop(*Around))
      Most = std::max(Most, strongestOf(conditionOf(*Around)));
  }
  return Most;
}

/// The weakest that sets it as a whole, but for numbers, or else all that
/// changes it. Which of several numbers it is, is decided by what stands
/// around.
Varies FunctionReading::definitionsOf(const VarDecl &Var) {
  const llvm::SaveAndRestore Own(Ignored, &Var);
  std::optional<Varies> Set = beginningOf(Var);
  if (Set == Varies::Known)
    Set.reset();
  Varies Changes = Varies::Known;
  for (const VariableUse &Use : Facts.of(Var)) {
    if (Use.Kind == UseKind::Read || !Facts.mayChange(Use))
      continue;
    const Varies By = ofUse(Use);
    if (Use.Kind == UseKind::Assign && !Use.IsPart && By != Varies::Known)
      Set = Set ? std::min(*Set, By) : By;
    else
      Changes = std::max({Changes, By, ofControl(*Use.Name)});
  }
  return Set ? *Set : Changes;
}

Varies FunctionReading::ofVariable(const VarDecl &Var) {
  if (Var.hasAttr<CUDASharedAttr>())
    return Varies::ByMemory;
  if (!Var.hasLocalStorage()) {
    if (Var.hasAttr<CUDADeviceAttr>() && !Var.getType().isConstQualified())
      return Varies::ByMemory;
    const Expr *Value = Var.getAnyInitializer();
    return Var.getType().isConstQualified() && Value && isKnown(*Value)
               ? Varies::Known
               : Varies::Never;
  }
  if (Var.getDeclContext() != &Function)
    return Outer ? Outer->ofVariable(Var) : Varies::Never;
  if (&Var == Ignored)
    return Varies::Known;
  const auto [Entry, IsNew] = Found.try_emplace(&Var, Varies::Never);
  if (!IsNew)
    return Entry->second;
  const Varies By = definitionsOf(Var);
  return Found[&Var] = By;
}

} // namespace

Products productsOf(const FunctionDecl &Kernel) {
  Reading Whole;
  Whole.Kernel = &Kernel;
  Given Arguments;
  for (const ParmVarDecl *P : Kernel.parameters())
    Arguments.Parameters.push_back(
        P->getType()->isPointerType() ? Varies::Never : Varies::ByArgument);
  FunctionReading(Kernel, std::move(Arguments), Whole, nullptr).readAll();
  return Whole.Result;
}

} // namespace barricade::facts
