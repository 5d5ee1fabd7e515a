// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/AssemblyNames.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SymbolNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace clang;

namespace barricade::facts {
namespace {

using Visitor = llvm::function_ref<void(llvm::StringRef, bool, SourceLocation)>;

class AssemblyVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit AssemblyVisitor(Visitor Visit) : Visit(Visit) {
    ShouldVisitTemplateInstantiations = true;
  }

  /// What the host alone runs is another assembler's.
  bool TraverseDecl(const Decl *D) override {
    const auto *Function = dyn_cast_if_present<FunctionDecl>(D);
    const bool IsHosts = Function && !Function->hasAttr<CUDAGlobalAttr>() &&
                         !Function->hasAttr<CUDADeviceAttr>();
    const bool Outer = InHost;
    if (Function)
      InHost = IsHosts;
    const bool Continue = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    InHost = Outer;
    return Continue;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    if (!InHost && !Asm->getAsmStringExpr()->isInstantiationDependent())
      add(Asm->getAsmString(), Asm->getBeginLoc());
    return true;
  }
  bool VisitFileScopeAsmDecl(const FileScopeAsmDecl *Asm) override {
    add(Asm->getAsmString(), Asm->getLocation());
    return true;
  }

private:
  void add(const std::string &Text, SourceLocation Where) {
    forEachSymbolIn(Text, [&](llvm::StringRef Word, bool GoesOn) {
      Visit(Word, GoesOn, Where);
    });
  }

  Visitor Visit;
  bool InHost = false;
};

struct NameInAssembly {
  std::string Word;
  bool GoesOn;
  SourceLocation Where;
};

} // namespace

void forEachNameInAssembly(ASTContext &Context, Visitor Visit) {
  AssemblyVisitor Assembly(Visit);
  for (const Decl *D : declarationsOutsideLibraries(Context))
    Assembly.TraverseDecl(D);
}

SourceLocation placeInAssembly(const FunctionDecl &Function) {
  ASTContext &Context = Function.getASTContext();
  auto &Known =
      *onePerContext<std::optional<std::vector<NameInAssembly>>>(Context);
  if (!Known) {
    Known.emplace();
    forEachNameInAssembly(
        Context, [&](llvm::StringRef Word, bool GoesOn, SourceLocation Where) {
          Known->push_back({Word.str(), GoesOn, Where});
        });
  }
  for (const NameInAssembly &Each : *Known)
    if (mayBeSymbolOf(Function, Each.Word, Each.GoesOn))
      return Each.Where;
  return {};
}

} // namespace barricade::facts
