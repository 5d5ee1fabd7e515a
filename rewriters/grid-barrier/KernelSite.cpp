// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {

KernelSite siteBefore(const FunctionDecl &Function, const SourceText &Source) {
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  SourceLocation Start = SM.getExpansionLoc(Function.getOuterLocStart());
  if (const auto *Linkage =
          dyn_cast<LinkageSpecDecl>(Function.getLexicalDeclContext());
      Linkage && !Linkage->hasBraces())
    Start = Linkage->getBeginLoc();
  const SourceLocation Begin = SM.getExpansionLoc(Function.getBeginLoc());
  KernelSite Site;
  Site.Place = Source.beforeComments(Start);
  Site.NewLine = Source.lineEnding(Start);
  Site.Margin = Source.indentation(Begin).str();
  const auto *Body = dyn_cast<CompoundStmt>(Function.getBody());
  const std::string Deep =
      Body && !Body->body_empty()
          ? Source.deeper(Begin,
                          SM.getExpansionLoc(Body->body_front()->getBeginLoc()))
          : Site.Margin + "  ";
  Site.Unit = Deep.substr(Site.Margin.size());
  return Site;
}

bool isUndirected(SourceLocation Begin, SourceLocation End,
                  const KernelSite &Site, const SourceText &Source) {
  return !Source.hasDirectiveBetween(Begin, End) &&
         !Source.followsPragma(Begin) &&
         Source.haveSameConditions(Site.Place, Begin);
}

std::optional<Edit> runtimeInclusion(const KernelSite &Site,
                                     const SourceText &Source) {
  return Source.inclusion("barricade/gpu_sync.cuh", Site.Place);
}

std::string qualifierFor(const FunctionDecl &Kernel, const FunctionDecl &Host) {
  const DeclContext *Space = Kernel.getEnclosingNamespaceContext();
  while (Space->isInlineNamespace() ||
         (isa<NamespaceDecl>(Space) &&
          cast<NamespaceDecl>(Space)->isAnonymousNamespace()))
    Space = Space->getParent();
  if (Space->Encloses(Host.getEnclosingNamespaceContext()))
    return "";
  PrintingPolicy Policy = Kernel.getASTContext().getPrintingPolicy();
  Policy.SuppressUnwrittenScope = true;
  std::string Spaces = "::";
  llvm::raw_string_ostream Stream(Spaces);
  Kernel.printNestedNameSpecifier(Stream, Policy);
  return Spaces;
}

static std::string callStatement(llvm::StringRef Margin, const StepCall &Call,
                                 llvm::StringRef NewLine) {
  return wrapList(Margin, Call.Head + "(", Call.Arguments, ");", NewLine);
}

std::string stepStatement(const StepText &Step, llvm::StringRef Qualifier,
                          llvm::ArrayRef<std::string> Arguments,
                          llvm::StringRef TemplateArguments,
                          llvm::StringRef Grid, llvm::StringRef Block,
                          llvm::StringRef Margin, const KernelSite &Site) {
  if (Grid.empty())
    return callStatement(
        Margin,
        Step.call(StepIndices(), Arguments, TemplateArguments, Qualifier),
        Site.NewLine);
  StepIndices Indices;
  Indices.Block = Block;
  Indices.Grid = Grid;
  const std::string Line = (Site.NewLine + Margin).str();
  const std::string Deeper = Margin.str() + Site.Unit;
  const std::string Body =
      Line + Site.Unit +
      callStatement(Deeper,
                    Step.call(Indices, Arguments, TemplateArguments, Qualifier),
                    Site.NewLine);
  const std::string Loop =
      ("for (uint3 " + Block + " : barricade::logical_blocks(" + Grid + "))")
          .str();
  // The next logical block may write what a slower thread still reads.
  return Step.SharesMemory ? Loop + " {" + Body + Line + Site.Unit +
                                 "__syncthreads();" + Line + "}"
                           : Loop + Body;
}

} // namespace barricade::grid_barrier
