// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what barricade counts in every loop of a file's device code, one JSON
// object a line, for the comparison with nvcc's PTX.

#include "frontend/CommandSource.h"
#include "frontend/Parse.h"
#include "frontend/Toolkit.h"
#include "matchers/cost/LoopFacts.h"
#include "test/unit/matchers/CostReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace barricade;

namespace {

class LoopPrinter : public clang::RecursiveASTVisitor<LoopPrinter> {
public:
  explicit LoopPrinter(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  bool TraverseFunctionDecl(clang::FunctionDecl *F) {
    const clang::FunctionDecl *Outer = Function;
    Function = F;
    if (!F->isDependentContext() &&
        !Ctx.getSourceManager().isInSystemHeader(F->getLocation()))
      RecursiveASTVisitor::TraverseFunctionDecl(F);
    Function = Outer;
    return true;
  }
  bool VisitForStmt(clang::ForStmt *S) { return print(*S); }
  bool VisitWhileStmt(clang::WhileStmt *S) { return print(*S); }
  bool VisitDoStmt(clang::DoStmt *S) { return print(*S); }

private:
  bool print(const clang::Stmt &Loop) {
    if (!Function || !(Function->hasAttr<clang::CUDAGlobalAttr>() ||
                       Function->hasAttr<clang::CUDADeviceAttr>()))
      return true;
    // Where -lineinfo has a loop's back edge: at its condition.
    const auto *Do = llvm::dyn_cast<clang::DoStmt>(&Loop);
    clang::SourceLocation Where = Do ? Do->getWhileLoc() : Loop.getBeginLoc();
    LoopFacts Facts =
        test::CostReader::of(collectLoopFacts(Loop, *Function, Ctx));
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"function", Function->getNameAsString()},
                        {"line",
                         Ctx.getSourceManager().getExpansionLineNumber(Where)},
                        {"instructions", int64_t(Facts.Instructions)},
                        {"memory", int64_t(Facts.MemoryOperations)},
                        {"trips", int64_t(Facts.TripCount.value_or(1))},
                    })
                 << "\n";
    return true;
  }

  clang::ASTContext &Ctx;
  const clang::FunctionDecl *Function = nullptr;
};

} // namespace

int main(int Argc, char **Argv) {
  llvm::ExitOnError Check("loop-facts: ");
  CommandSource::Options Options;
  Options.HasFixedFlags = true;
  Options.FixedFlags = {"nvcc", "-arch=sm_90", "-std=c++17"};
  CommandSource Source = Check(CommandSource::create(Options));
  TranslateOptions Translating;
  Translating.Env = processEnvironment();
  for (int I = 1; I < Argc; ++I)
    for (const auto &Command : Check(Source.commandsFor(Argv[I])).Commands) {
      Translation T = Check(translateCommand(Command, Translating));
      TranslationUnit Unit = parseTranslationUnit(
          std::move(std::get<TranslatedCommand>(T)), nullptr);
      llvm::errs() << Unit.Diagnostics;
      if (!Unit.parsed())
        return 1;
      clang::ASTContext &Ctx = Unit.Passes.back()->context();
      LoopPrinter(Ctx).TraverseDecl(Ctx.getTranslationUnitDecl());
    }
  return 0;
}
