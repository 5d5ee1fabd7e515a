// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Constants.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::facts {

std::optional<llvm::APSInt> integerOf(const Expr &E,
                                      const ASTContext &Context) {
  Expr::EvalResult Value;
  if (E.isValueDependent() || !E.EvaluateAsInt(Value, Context))
    return std::nullopt;
  return Value.Val.getInt();
}

std::optional<llvm::APFloat> floatOf(const Expr &E, const ASTContext &Context) {
  Expr::EvalResult Value;
  if (E.isValueDependent() || !E.EvaluateAsRValue(Value, Context) ||
      !Value.Val.isFloat())
    return std::nullopt;
  return Value.Val.getFloat();
}

} // namespace barricade::facts
