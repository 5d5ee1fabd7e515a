// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether an atomic changes what it finds. Who repeats one that does takes
// something each time; who repeats one that does not just looks, until somebody
// else has changed it:
//
//   while (atomicCAS(flag, 0, 0) == 0)
//     ;
//
// Sums have an operand that changes nothing, 0; minima, maxima and bits change
// nothing once they have been done (CUDA C++ Programming Guide, "Atomic
// Functions").

#include "matchers/facts/Constants.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::waiting {
namespace {

enum class Operation { Load, Compare, Exchange, Sum, Wrap, Join, Other };

/// By the name of a function of CUDA's or the compiler's, or of libcu++'s
/// fetch_add and the like.
Operation operationOf(llvm::StringRef Name) {
  const auto Has = [&](std::initializer_list<llvm::StringRef> Parts) {
    return llvm::any_of(Parts, [&](llvm::StringRef Part) {
      return Name.contains_insensitive(Part);
    });
  };
  if (Has({"cas", "compare"}))
    return Operation::Compare;
  if (Has({"exch"}))
    return Operation::Exchange;
  if (Has({"load"}))
    return Operation::Load;
  if (Has({"store", "test_and_set"}))
    return Operation::Other;
  // `fetch_and_add` is none of bits.
  if (Has({"add", "sub", "xor"}))
    return Operation::Sum;
  if (Has({"inc", "dec"}))
    return Operation::Wrap;
  return Has({"and", "or", "min", "max"}) ? Operation::Join : Operation::Other;
}

Operation operationOf(OverloadedOperatorKind Operator) {
  switch (Operator) {
  case OO_PlusEqual:
  case OO_MinusEqual:
  case OO_CaretEqual:
    return Operation::Sum;
  case OO_PipeEqual:
  case OO_AmpEqual:
    return Operation::Join;
  default:
    return Operation::Other;
  }
}

class Looks {
public:
  explicit Looks(const FunctionDecl &Function)
      : Function(Function), Context(Function.getASTContext()) {}

  std::optional<AtomicLook> of(const Stmt &S) const {
    if (const auto *E = dyn_cast<AtomicExpr>(&S))
      return ofBuiltin(*E);
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee)
      return std::nullopt;
    const llvm::StringRef Name = facts::nameOf(Callee);
    const bool IsLibrarys = Name.starts_with("atomic_");
    if (!IsLibrarys && Call->getNumArgs() > 1 &&
        (Name.starts_with("atomic") || Name.starts_with("__nv_atomic") ||
         Name.starts_with("__sync_")))
      return ofFunction(*Call, Name);
    if (!facts::isLibraryCode(*Callee))
      return std::nullopt;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee))
      return ofMethod(*Call, *Method, Name);
    return IsLibrarys && Call->getNumArgs() > 0
               ? ofLibrary(*Call, Name, *Call->getArg(0), 1)
               : std::nullopt;
  }

private:
  AtomicLook ofBuiltin(const AtomicExpr &E) const {
    const Operation What = operationOf(E.getOpAsString());
    const bool HasValue = E.getNumSubExprs() > 2 && What != Operation::Load;
    return {effectOf(What, HasValue ? E.getVal1() : nullptr, nullptr),
            E.getPtr(), HasValue ? E.getVal1() : nullptr,
            What == Operation::Compare ||
                (What == Operation::Load && E.getType()->isVoidType())};
  }

  AtomicLook ofFunction(const CallExpr &Call, llvm::StringRef Name) const {
    const Operation What = operationOf(Name);
    const Expr *Value = Call.getArg(1);
    const Expr *New = Call.getNumArgs() > 2 ? Call.getArg(2) : nullptr;
    const bool TellsByPointer =
        Value->getType()->isPointerType() &&
        (What == Operation::Compare || Call.getType()->isVoidType());
    return {effectOf(What, Value, New), Call.getArg(0), Value,
            TellsByPointer && What != Operation::Other};
  }

  std::optional<AtomicLook> ofMethod(const CallExpr &Call,
                                     const CXXMethodDecl &Method,
                                     llvm::StringRef Name) const {
    if (!isMeetingPlace(*Method.getParent()) || isa<CXXConstructorDecl>(Method))
      return std::nullopt;
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    if (Member && isa<CXXConversionDecl>(Method))
      return AtomicLook{AtomicEffect::Keeps,
                        Member->getImplicitObjectArgument()};
    if (Member)
      return ofLibrary(Call, Name, *Member->getImplicitObjectArgument(), 0);
    const Expr *Value = Call.getNumArgs() > 1 ? Call.getArg(1) : nullptr;
    return AtomicLook{
        effectOf(operationOf(Method.getOverloadedOperator()), Value, nullptr),
        Call.getArg(0), Value};
  }

  /// A function of libcu++, whose argument \p First is its first value.
  std::optional<AtomicLook> ofLibrary(const CallExpr &Call,
                                      llvm::StringRef Name, const Expr &Place,
                                      unsigned First) const {
    if (Name.contains("store") || Name.contains("fence") || Name == "arrive" ||
        Name == "atomic_init")
      return std::nullopt;
    const Expr *Value =
        Call.getNumArgs() > First ? Call.getArg(First) : nullptr;
    if (Name.contains("compare_exchange"))
      return AtomicLook{renewingEffect(Call, First), &Place, Value,
                        /*TellsByArgument=*/true};
    if (Name.contains("fetch_"))
      return AtomicLook{effectOf(operationOf(Name), Value, nullptr), &Place,
                        Value};
    const bool OnlyLooks = Name.contains("load") || Name.contains("_wait") ||
                           Name == "test" ||
                           Name.starts_with("atomic_flag_test");
    return AtomicLook{OnlyLooks && !Name.contains("test_and_set")
                          ? AtomicEffect::Keeps
                          : AtomicEffect::Unknown,
                      &Place};
  }

  /// Of `place.compare_exchange_weak(expected, desired)`.
  AtomicEffect renewingEffect(const CallExpr &Call, unsigned First) const {
    return First == 0 && Call.getNumArgs() > 1 &&
                   !Call.getArg(1)->getType()->isPointerType() &&
                   exchangeTakes(*Call.getArg(0), *Call.getArg(1), Function,
                                 Expected::Renewed)
               ? AtomicEffect::Changes
               : AtomicEffect::Keeps;
  }

  /// \p New: of an exchange that compares with \p By.
  AtomicEffect effectOf(Operation What, const Expr *By, const Expr *New) const {
    if (What == Operation::Load || !By)
      return AtomicEffect::Keeps;
    switch (What) {
    case Operation::Compare:
      return New && !By->getType()->isPointerType() &&
                     exchangeTakes(*By, *New, Function)
                 ? AtomicEffect::Changes
                 : AtomicEffect::Keeps;
    case Operation::Exchange:
      return AtomicEffect::Changes;
    case Operation::Sum:
      if (mayBeZero(*By))
        return AtomicEffect::Keeps;
      return isNeverZero(*By) ? AtomicEffect::Changes : AtomicEffect::Unknown;
    // They come back to 0 behind the operand.
    case Operation::Wrap:
      return mayBeZero(*By) ? AtomicEffect::Keeps : AtomicEffect::Changes;
    case Operation::Join:
      return AtomicEffect::KeepsOnceDone;
    default:
      return AtomicEffect::Unknown;
    }
  }

  /// 0 is, as far as can be seen, one of the values of \p E; or it is of a
  /// class, whose values are not known.
  bool mayBeZero(const Expr &E) const {
    return E.getType()->isRecordType() ||
           llvm::any_of(valuesOf(E, Function),
                        [&](const Expr *Value) { return isZero(*Value); });
  }

  bool isZero(const Expr &E) const {
    const auto Number = facts::integerOf(E, Context);
    const auto Float = facts::floatOf(E, Context);
    return (Number && Number->isZero()) || (Float && Float->isZero());
  }

  /// Numbers, and the grid's extents.
  bool isNeverZero(const Expr &E) const {
    const auto Number = facts::integerOf(E, Context);
    const auto Float = facts::floatOf(E, Context);
    return Number  ? !Number->isZero()
           : Float ? !Float->isZero()
                   : isPositive(E, Function);
  }

  const FunctionDecl &Function;
  const ASTContext &Context;
};

} // namespace

std::optional<AtomicLook> atomicLook(const Stmt &S,
                                     const FunctionDecl &Function) {
  return Looks(Function).of(S);
}

} // namespace barricade::waiting
