// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::grid_barrier {

KernelSite siteBefore(const FunctionDecl &Function, const SourceText &Source) {
  SourceLocation Start = Function.getOuterLocStart();
  if (const auto *Linkage =
          dyn_cast<LinkageSpecDecl>(Function.getLexicalDeclContext());
      Linkage && !Linkage->hasBraces())
    Start = Linkage->getBeginLoc();
  KernelSite Site;
  Site.Place = Source.beforeComments(Start);
  Site.NewLine = Source.lineEnding(Start);
  Site.Margin = Source.indentation(Function.getBeginLoc()).str();
  const auto *Body = dyn_cast<CompoundStmt>(Function.getBody());
  const std::string Deep =
      Body && !Body->body_empty()
          ? Source.deeper(Function.getBeginLoc(),
                          Body->body_front()->getBeginLoc())
          : Site.Margin + "  ";
  Site.Unit = Deep.substr(Site.Margin.size());
  return Site;
}

llvm::StringRef linkageBeside(const FunctionDecl &Function) {
  return Function.isExternallyVisible() && !Function.isInlined() ? ""
                                                                 : "static ";
}

std::optional<llvm::StringRef> qualifierOf(const DeclRefExpr &Callee,
                                           const SourceText &Source) {
  if (!Callee.hasQualifier())
    return "";
  const SourceLocation Begin = Callee.getQualifierLoc().getBeginLoc();
  if (!SourceText::isWritable(Begin) ||
      !SourceText::isWritable(Callee.getLocation()))
    return std::nullopt;
  return Source.text(
      CharSourceRange::getCharRange(Begin, Callee.getLocation()));
}

/// `f(a, g(b, c))` as `f(`, {`a`, `g(b, c)`}; the list is empty where the text
/// is no call.
static std::vector<std::string> argumentsOf(llvm::StringRef Call,
                                            llvm::StringRef &Head) {
  const size_t Open = Call.find('(');
  if (Open == llvm::StringRef::npos || !Call.ends_with(")"))
    return {};
  Head = Call.take_front(Open + 1);
  const llvm::StringRef Inner = Call.drop_front(Open + 1).drop_back();
  std::vector<std::string> Result;
  size_t Begin = 0;
  int Depth = 0;
  for (size_t I = 0; I < Inner.size(); ++I) {
    Depth += llvm::StringRef("([{").contains(Inner[I]);
    Depth -= llvm::StringRef(")]}").contains(Inner[I]);
    if (Inner[I] == ',' && Depth == 0) {
      Result.push_back(Inner.slice(Begin, I).trim().str());
      Begin = I + 1;
    }
  }
  if (!Inner.empty())
    Result.push_back(Inner.substr(Begin).trim().str());
  return Result;
}

static std::string wrapCall(llvm::StringRef Margin, const std::string &Call,
                            llvm::StringRef NewLine) {
  llvm::StringRef Head;
  const std::vector<std::string> Arguments = argumentsOf(Call, Head);
  return Arguments.empty() ? Call + ";"
                           : wrapList(Margin, Head, Arguments, ");", NewLine);
}

std::string stepStatement(const StepText &Step, llvm::StringRef Qualifier,
                          llvm::ArrayRef<std::string> Arguments,
                          llvm::StringRef TemplateArguments,
                          llvm::StringRef Grid, llvm::StringRef Block,
                          llvm::StringRef Margin, const KernelSite &Site) {
  if (Grid.empty())
    return wrapCall(
        Margin,
        (Qualifier + Step.call(StepIndices(), Arguments, TemplateArguments))
            .str(),
        Site.NewLine);
  StepIndices Indices;
  Indices.Block = Block;
  Indices.Grid = Grid;
  const std::string Line = (Site.NewLine + Margin).str();
  const std::string Deeper = Margin.str() + Site.Unit;
  const std::string Body =
      Line + Site.Unit +
      wrapCall(
          Deeper,
          (Qualifier + Step.call(Indices, Arguments, TemplateArguments)).str(),
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
