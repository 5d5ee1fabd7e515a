// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/divergence/Escapes.h"
#include "matchers/divergence/LocalParts.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::divergence {

using facts::UseKind;
using facts::VariableFacts;
using facts::VariableUse;

namespace {

/// Local variables that something other than what the analysis follows may read
/// or write: all uses escape but for those listed here.
class EscapeFinder {
public:
  explicit EscapeFinder(const VariableFacts &Facts) : Facts(Facts) {
    for (const auto &[Var, Uses] : Facts)
      if (Var->hasLocalStorage())
        for (const VariableUse &U : Uses)
          if (escapes(U))
            add(*Var, U);
    // Who has a reference has the variable.
    for (bool More = true; More;) {
      More = false;
      for (const auto &[Var, Uses] : Facts)
        for (const VariableUse &U : Uses)
          if (U.Kind == UseKind::Bind && U.To && !Escaped.contains(Var) &&
              Var->hasLocalStorage() && Escaped.contains(U.To)) {
            add(*Var, U);
            More = true;
          }
    }
  }

  llvm::DenseMap<const VarDecl *, SourceLocation> Escaped;

private:
  void add(const VarDecl &Var, const VariableUse &U) {
    Escaped.try_emplace(&Var, U.Name->getBeginLoc());
  }

  bool escapes(const VariableUse &U) const {
    if (!Facts.mayChange(U))
      return false;
    if (U.In)
      return true;
    switch (U.Kind) {
    case UseKind::Read:
    case UseKind::Assign:
    case UseKind::Step:
    case UseKind::AsmOutput:
      return false;
    case UseKind::Bind:
      return !isFollowed(U);
    case UseKind::Address:
    case UseKind::Unknown:
      return true;
    }
    llvm_unreachable("unknown kind of use");
  }

  /// The reference is another name for the variable, or call summaries follow
  /// it.
  bool isFollowed(const VariableUse &U) const {
    if (!U.To || isa<DecompositionDecl>(U.To))
      return false;
    if (const auto *Param = dyn_cast<ParmVarDecl>(U.To))
      return isArgument(U) && Facts.staysInCall(*Param);
    return U.To->hasLocalStorage() && U.To->getInit() &&
           isName(*U.To->getInit());
  }

  static bool isArgument(const VariableUse &U) {
    const auto *Call = dyn_cast_or_null<CallExpr>(U.By);
    return Call && llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
             return Arg->isLValue() && isName(*Arg) && contains(Arg, U.Name);
           });
  }

  const VariableFacts &Facts;
};

} // namespace

llvm::DenseMap<const VarDecl *, SourceLocation>
escapesOf(const VariableFacts &Facts) {
  return EscapeFinder(Facts).Escaped;
}

} // namespace barricade::divergence
