// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of variables.

#include "matchers/dumps/Dumps.h"
#include "matchers/facts/Copies.h"
#include "matchers/facts/Definitions.h"
#include "matchers/facts/LocalValues.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace barricade::dumps {

void uses(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    const facts::VariableFacts Facts(Function);
    for (const auto &[Var, Uses] : Facts)
      for (const facts::VariableUse &U : Uses)
        Tell(U.Name->getBeginLoc(), quoted(Var) + ": " + describe(U));
  });
}

static std::string describe(const Definition &Each, const ASTContext &Context) {
  static constexpr const char *Kinds[] = {"is set", "is stepped",
                                          "may get any value by this"};
  return Kinds[Each.Kind] +
         (Each.At.Scope ? " in " + loopAt(*Each.At.Scope->Loop, Context) : "") +
         (Each.Conditional ? ", not in every iteration" : "");
}

void definitions(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    const Definitions All(Function.getBody(), *Pass.Context);
    forEachLocal(Function, [&](const VarDecl &Var) {
      for (const Definition &Each : All.of(&Var))
        Tell(Each.Where->getBeginLoc(),
             quoted(&Var) + " " + describe(Each, *Pass.Context));
    });
  });
}

void localValues(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    const LocalValues Values(Function);
    forEachLocal(Function, [&](const VarDecl &Var) {
      Tell(Var.getLocation(),
           quoted(&Var) + (Values.isConstant(Var) ? " keeps its first value"
                           : Values.onlyStep(Var) ? " only grows, at one place"
                                                  : " may change"));
    });
  });
}

void copies(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    forEachLocal(Function, [&](const VarDecl &Var) {
      const CXXRecordDecl *Class = classOf(Var.getType());
      if (!Class || !Class->hasDefinition())
        return;
      const QualType Type = Var.getType();
      Tell(Var.getLocation(),
           quoted(&Var) +
               (facts::isCopiedAnywhere(Type, *Pass.Context)
                    ? " may be copied by any code"
                : facts::isCopiedByAnyone(Type, *Pass.Context)
                    ? " may be copied where it is as const as here"
                    : " may not be copied elsewhere") +
               (facts::hasAssignmentTemplate(*Class)
                    ? ", and a template may assign it"
                    : ""));
    });
  });
}

} // namespace barricade::dumps
