// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-overlap/ConstantEscapes.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/host/UnitUses.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/LeftOutCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::launch_overlap {
namespace {

Place placeOf(const VarDecl &Var) {
  return barricade::placeOf(Var.getCanonicalDecl()->getLocation(),
                            Var.getASTContext().getSourceManager());
}

/// The name of the library's function that \p Call calls, or, in a template,
/// may call.
std::string calleeName(const CallExpr &Call) {
  const Expr *Callee = Call.getCallee()->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee))
    return facts::isLibraryCode(*Ref->getDecl())
               ? Ref->getDecl()->getNameAsString()
               : "";
  const auto *Open = dyn_cast<OverloadExpr>(Callee);
  return Open ? Open->getName().getAsString() : "";
}

class EscapeFinder : public ConstDynamicRecursiveASTVisitor {
public:
  std::set<Place> Escaping;
  bool AsksByName = false;

  bool TraverseDecl(const Decl *D) override {
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    return (Function && !mayRunOnHost(*Function)) ||
           ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true; // Nothing is evaluated.
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const int Symbol = llvm::StringSwitch<int>(calleeName(*Call))
                           .StartsWith("cudaMemcpyToSymbol", 0)
                           .StartsWith("cudaMemcpyFromSymbol", 1)
                           .Case("cudaGetSymbolSize", 1)
                           .Default(-1);
    if (Symbol >= 0 && unsigned(Symbol) < Call->getNumArgs())
      Copied.insert(symbolIn(*Call->getArg(unsigned(Symbol))));
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    name(*Ref->getDecl(), *Ref);
    look(Ref->getDecl()->getDeclName());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *E) override {
    name(*E->getMemberDecl(), *E);
    return true;
  }
  bool VisitOverloadExpr(const OverloadExpr *E) override {
    look(E->getName());
    return true;
  }

private:
  /// `table`, `&table` or `(const void *)table`.
  static const Expr *symbolIn(const Expr &Argument) {
    const Expr *E = Argument.IgnoreParenCasts();
    if (const auto *Address = dyn_cast<UnaryOperator>(E);
        Address && Address->getOpcode() == UO_AddrOf)
      E = Address->getSubExpr()->IgnoreParenCasts();
    return E;
  }
  /// \p E names \p D.
  void name(const ValueDecl &D, const Expr &E) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (Var && Var->hasAttr<CUDAConstantAttr>() && !Copied.contains(&E))
      Escaping.insert(placeOf(*Var));
  }
  void look(DeclarationName Name) {
    const std::string Text = Name.getAsString();
    AsksByName |= llvm::StringRef(Text).contains("ModuleGetGlobal") ||
                  llvm::StringRef(Text).contains("LibraryGetGlobal");
  }

  llvm::SmallPtrSet<const Expr *, 8> Copied;
};

} // namespace

ConstantEscapes::ConstantEscapes(const Program &Whole) : Whole(Whole) {
  EscapeFinder Finder;
  for (const Decl *D : userDeclarations(*Whole.host()->Context))
    Finder.TraverseDecl(D);
  AsksByName = Finder.AsksByName;
  Escaping = std::move(Finder.Escaping);
}

bool ConstantEscapes::mayBeWrittenByDevice() const {
  if (!DeviceWrites)
    DeviceWrites = llvm::any_of(Whole.Passes, [](const PassView &Pass) {
      return host::UnitUses(*Pass.Context).mayWriteConstants();
    });
  return *DeviceWrites;
}

bool ConstantEscapes::mayBeWritten(const VarDecl &Constant) const {
  return AsksByName ||
         (Whole.RelocatableDeviceCode && Constant.isExternallyVisible()) ||
         Escaping.count(placeOf(Constant)) || mayBeWrittenByDevice() ||
         leftOutNames(Whole).Words.contains(Constant.getName());
}

} // namespace barricade::launch_overlap
