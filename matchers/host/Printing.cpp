// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/Printing.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/host/HostCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::host {

bool isText(const CXXRecordDecl &Class) {
  return facts::isLibraryCode(Class) && Class.getIdentifier() &&
         llvm::StringSwitch<bool>(Class.getName())
             .Cases({"basic_string", "basic_string_view"}, true)
             .Default(false);
}

/// `std::setw(6)`
static bool isManipulator(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && facts::isLibraryCode(*Callee) &&
         llvm::StringSwitch<bool>(facts::nameOf(Callee))
             .Cases({"setw", "setprecision", "setfill", "setbase"}, true)
             .Default(false);
}

static bool isPrintable(const Expr &Value) {
  const Expr *Plain = Value.IgnoreParenImpCasts();
  if (const auto *Made = dyn_cast<MaterializeTemporaryExpr>(Plain))
    Plain = Made->getSubExpr()->IgnoreParenImpCasts();
  const auto *Function = dyn_cast<DeclRefExpr>(Plain);
  if (Function && isa<FunctionDecl>(Function->getDecl()))
    return facts::isLibraryCode(*Function->getDecl());
  const QualType Type = Plain->getType();
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  return !Type->isFunctionType() && !Type->isFunctionPointerType() &&
         (!Class || isText(*Class) || isManipulator(*Plain));
}

static bool writes(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || Callee->getOverloadedOperator() != OO_LessLess ||
      !facts::isLibraryCode(*Callee) || Call.getNumArgs() != 2)
    return false;
  const Expr *Stream = Call.getArg(0)->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Stream);
  const auto *Inner = dyn_cast<CallExpr>(Stream);
  return (Ref ? facts::isLibraryCode(*Ref->getDecl())
              : Inner && writes(*Inner)) &&
         isPrintable(*Call.getArg(1));
}

/// `fprintf(stderr, ...)`, `fflush(stdout)`
static bool writesToFile(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !isSystemFunction(*Callee))
    return false;
  const auto Position = llvm::StringSwitch<int>(facts::nameOf(Callee))
                            .Cases({"fprintf", "fflush"}, 0)
                            .Cases({"fputs", "fputc"}, 1)
                            .Default(-1);
  if (Position < 0 || Call.getNumArgs() <= unsigned(Position))
    return false;
  const auto *Ref =
      dyn_cast<DeclRefExpr>(Call.getArg(Position)->IgnoreParenImpCasts());
  const auto *File = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return File && isSystemVariable(*File) &&
         llvm::StringSwitch<bool>(File->getName())
             .Cases({"stdout", "stderr"}, true)
             .Default(false);
}

bool isPrinting(const CallExpr &Call) {
  return writes(Call) || writesToFile(Call) || isManipulator(Call);
}

/// Nothing that \p T is made of has code of the user's.
static bool isOfLibrary(QualType T) {
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class)
    return true;
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Class);
  return facts::isLibraryCode(*Class) &&
         (!Instance || llvm::all_of(Instance->getTemplateArgs().asArray(),
                                    [](const TemplateArgument &Each) {
                                      return Each.getKind() !=
                                                 TemplateArgument::Type ||
                                             isOfLibrary(Each.getAsType());
                                    }));
}

static bool isInChrono(const Decl &D) {
  for (const DeclContext *Around = D.getDeclContext(); Around;
       Around = Around->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Around);
        Space && Space->getName() == "chrono" && Space->isInStdNamespace())
      return true;
  return false;
}

bool isOfClocks(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const auto IsOfStream = [](const ParmVarDecl *P) {
    const CXXRecordDecl *Class =
        P->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return Class && Class->getIdentifier() &&
           Class->getName().ends_with("stream");
  };
  return isInChrono(F) && facts::isLibraryCode(F) &&
         isOfLibrary(F.getReturnType()) &&
         llvm::all_of(
             F.parameters(),
             [](const ParmVarDecl *P) { return isOfLibrary(P->getType()); }) &&
         llvm::none_of(F.parameters(), IsOfStream) &&
         (!Method || isOfLibrary(F.getASTContext().getCanonicalTagType(
                         Method->getParent())));
}

} // namespace barricade::host
