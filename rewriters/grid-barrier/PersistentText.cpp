// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/PersistentText.h"
#include "matchers/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

constexpr llvm::StringLiteral RuntimeHeader = "barricade/gpu_sync.cuh";

/// `f(a, g(b, c))` as `f(`, {`a`, `g(b, c)`}; the list is empty where the text
/// is no call.
std::vector<std::string> argumentsOf(llvm::StringRef Call,
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

class PersistentWriter {
public:
  PersistentWriter(
      const RelaunchLoop &L, const PersistentNames &Names,
      llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf,
      const PassView &Host)
      : L(L), Names(Names), StepOf(StepOf), Context(*Host.Context),
        PP(*Host.PP), SM(Context.getSourceManager()), Source(Context) {}

  PersistentText write() {
    Begin = L.Loop->getBeginLoc();
    if (!SourceText::isWritable(Begin) ||
        !SourceText::isWritable(L.Function->getBeginLoc()))
      refuse(ReasonId::InMacro, Begin);
    else if (End = Source.afterStatement(*L.Loop); End.isInvalid())
      refuse(ReasonId::InMacro, Begin);
    else if (Source.hasDirectiveBetween(Begin, End))
      refuse(ReasonId::Preprocessor, Begin);
    if (!Result.Hindrances.empty())
      return std::move(Result);
    Place = kernelPlace();
    NewLine = Source.lineEnding(Begin);
    Indent = Source.indentation(Begin).str();
    Outer = Source.indentation(L.Function->getBeginLoc()).str();
    Unit = indentationUnit();
    checkMacros();
    addKernel();
    addLaunch();
    if (std::optional<Edit> Include = Source.inclusion(RuntimeHeader, Place))
      Result.Edits.push_back(*Include);
    if (!Result.Hindrances.empty())
      Result.Edits.clear();
    return std::move(Result);
  }

private:
  void refuse(ReasonId Id, SourceLocation Where) {
    Result.Hindrances.push_back(hindrance(Id, Where));
  }

  //===--- Places ---------------------------------------------------------===//

  /// In front of the host function and the comments that belong to it.
  SourceLocation kernelPlace() const {
    const FunctionDecl &F = *L.Function;
    SourceLocation Start = F.getOuterLocStart();
    if (const auto *Linkage =
            dyn_cast<LinkageSpecDecl>(F.getLexicalDeclContext());
        Linkage && !Linkage->hasBraces())
      Start = Linkage->getBeginLoc();
    return Source.beforeComments(Start);
  }

  std::string indentationUnit() const {
    const auto *Body = dyn_cast<CompoundStmt>(L.Function->getBody());
    const std::string Deep =
        Body && !Body->body_empty()
            ? Source.deeper(L.Function->getBeginLoc(),
                            Body->body_front()->getBeginLoc())
            : Outer + "  ";
    return Deep.substr(Outer.size());
  }

  /// Every macro that the loop's text names must mean the same where the kernel
  /// will stand.
  void checkMacros() {
    const LangOptions &Lang = Context.getLangOpts();
    for (SourceLocation At = Begin; SM.isBeforeInTranslationUnit(At, End);) {
      const std::optional<Token> Next = Lexer::findNextToken(At, SM, Lang);
      Token Raw;
      if (!Lexer::getRawToken(At, Raw, SM, Lang, /*IgnoreWhiteSpace=*/true) &&
          Raw.is(tok::raw_identifier)) {
        IdentifierInfo *Name = PP.getIdentifierInfo(Raw.getRawIdentifier());
        if (PP.getMacroDefinitionAtLoc(Name, At).getMacroInfo() !=
            PP.getMacroDefinitionAtLoc(Name, Place).getMacroInfo())
          return refuse(ReasonId::MacroRedefined, At);
      }
      if (!Next)
        return;
      At = Next->getLocation();
    }
  }

  unsigned offset(SourceLocation Where) const {
    return SM.getFileOffset(Where) - SM.getFileOffset(Begin);
  }

  //===--- Pieces of text -------------------------------------------------===//

  std::string text(const Expr &E) {
    const std::optional<CharSourceRange> Range = Source.fileRange(E);
    if (Range)
      return Source.text(*Range).str();
    refuse(ReasonId::InMacro, E.getBeginLoc());
    return {};
  }
  std::string textOr0(const Expr *E) { return E ? text(*E) : "0"; }

  std::string callText(llvm::StringRef Margin, const std::string &Call) const {
    llvm::StringRef Head;
    const std::vector<std::string> Arguments = argumentsOf(Call, Head);
    return Arguments.empty()
               ? Call + ";"
               : wrapList(Margin, Head, Arguments, ");", NewLine);
  }

  std::string parameter(const VarDecl &Var) const {
    QualType Type = Var.getType().getNonReferenceType();
    if (Type->getContainedAutoType())
      Type = Type.getCanonicalType();
    std::string Text = Var.getName().str();
    Type.getUnqualifiedType().getAsStringInternal(Text,
                                                  Context.getPrintingPolicy());
    return Text;
  }

  //===--- The kernel -----------------------------------------------------===//

  void addKernel() {
    std::vector<std::string> Parameters = {Names.BarrierType + " " +
                                           Names.Barrier};
    for (const VarDecl *Var : L.Captures)
      Parameters.push_back(parameter(*Var));
    std::string Text = declarations();
    Text +=
        Outer + "/// The loop of " + L.Function->getNameAsString() +
        "() as one launch, with a grid barrier for each of its launches." +
        NewLine.str();
    const std::string Linkage =
        L.Function->isExternallyVisible() && !L.Function->isInlined()
            ? ""
            : "static ";
    Text += Outer +
            wrapList(Outer, Linkage + "__global__ void " + Names.Kernel + "(",
                     Parameters, ") {", NewLine) +
            NewLine.str();
    Text += Outer + Unit + reindent(deviceLoop(), Indent, Outer + Unit) +
            NewLine.str();
    Text += Outer + "}" + NewLine.str() + NewLine.str();
    Result.Edits.push_back(Source.insertion(Place, std::move(Text)));
    Result.Edits.back().WithOthers = Edit::Meeting::AnyOrder;
  }

  /// Of steps whose definition comes later.
  std::string declarations() {
    std::string Text;
    llvm::SmallPtrSet<const FunctionDecl *, 4> Seen;
    for (const LoopLaunch &Launch : L.Launches) {
      const FunctionDecl &Kernel = *Launch.Kernel;
      if (!SM.isBeforeInTranslationUnit(Place, Kernel.getLocation()) ||
          !Seen.insert(&Kernel).second)
        continue;
      if (!Kernel.getEnclosingNamespaceContext()->Equals(
              L.Function->getEnclosingNamespaceContext()))
        refuse(ReasonId::KernelAfterLoop, Launch.Call->getBeginLoc());
      Text += Outer + StepOf(Kernel).Declaration + ";" + NewLine.str() +
              NewLine.str();
    }
    return Text;
  }

  /// The loop's text with steps for launches.
  std::string deviceLoop() {
    TextPatch Patch(loopText());
    for (const LoopAction &A : L.Actions) {
      const SourceLocation Start = A.Statement->getBeginLoc();
      const SourceLocation Stop = statementEnd(A);
      if (Stop.isInvalid())
        return {};
      switch (A.Kind) {
      case LoopAction::Launch:
        replaceLaunch(A, Start, Stop, Patch);
        break;
      case LoopAction::Swap:
        Patch.replace(offset(Start), offset(Stop), swapText(A));
        break;
      case LoopAction::Synchronise:
        removeStatement(A, Start, Stop, Patch);
        break;
      }
    }
    return Patch.str();
  }

  llvm::StringRef loopText() const {
    return Source.text(CharSourceRange::getCharRange(Begin, End));
  }

  SourceLocation statementEnd(const LoopAction &A) {
    SourceLocation Stop;
    if (SourceText::isWritable(A.Statement->getBeginLoc()))
      Stop = Source.afterStatement(*A.Statement);
    if (Stop.isInvalid())
      refuse(ReasonId::InMacro, A.Statement->getBeginLoc());
    return Stop;
  }

  void removeStatement(const LoopAction &A, SourceLocation Start,
                       SourceLocation Stop, TextPatch &Patch) const {
    if (A.InBlock)
      Patch.remove(offset(Start), offset(Stop));
    else
      Patch.replace(offset(Start), offset(Stop), ";");
  }

  std::string swapText(const LoopAction &A) {
    const auto *Call =
        cast<CallExpr>(cast<Expr>(A.Statement)->IgnoreUnlessSpelledInSource());
    return "barricade::swap(" + text(*Call->getArg(0)) + ", " +
           text(*Call->getArg(1)) + ");";
  }

  void replaceLaunch(const LoopAction &A, SourceLocation Start,
                     SourceLocation Stop, TextPatch &Patch) {
    const LoopLaunch &Launch = L.Launches[A.Index];
    std::vector<std::string> Arguments;
    for (const Expr *Arg : Launch.Call->arguments())
      Arguments.push_back(text(*Arg));
    const std::string Call = StepOf(*Launch.Kernel)
                                 .call(StepIndices(), Arguments,
                                       templateArguments(*Launch.Callee));
    const std::string Margin = Source.indentation(Start).str();
    const std::string Steps = callText(Margin, Call) + NewLine.str() + Margin +
                              "__gpu_sync(" + Names.Barrier + ");";
    if (A.InBlock)
      return Patch.replace(offset(Start), offset(Stop), Steps);
    const SourceLocation Header = Source.afterHeader(Start);
    const std::string Closing =
        NewLine.str() + Source.indentation(parentBegin(*A.Statement)).str() +
        "}";
    Patch.replace(offset(Header), offset(Stop),
                  " {" + NewLine.str() + Margin + Steps + Closing);
  }

  /// `<...>` as written, or nothing where all are deduced.
  llvm::StringRef templateArguments(const DeclRefExpr &Callee) {
    if (!Callee.hasExplicitTemplateArgs())
      return {};
    if (SourceText::isWritable(Callee.getLAngleLoc()) &&
        SourceText::isWritable(Callee.getRAngleLoc()))
      return Source.text(Callee.getLAngleLoc(), Callee.getRAngleLoc());
    refuse(ReasonId::InMacro, Callee.getBeginLoc());
    return {};
  }

  SourceLocation parentBegin(const Stmt &S) const {
    const DynTypedNodeList Parents = Context.getParents(S);
    const Stmt *Parent = Parents.empty() ? nullptr : Parents[0].get<Stmt>();
    return Parent ? Parent->getBeginLoc() : S.getBeginLoc();
  }

  //===--- The launch -----------------------------------------------------===//

  void addLaunch() {
    const LoopLaunch &First = L.Launches.front();
    std::vector<std::string> Arguments = {
        Names.Kernel, textOr0(First.Grid), textOr0(First.Block),
        textOr0(First.SharedBytes), textOr0(First.Stream)};
    for (const VarDecl *Var : L.Captures)
      Arguments.push_back(Var->getNameAsString());

    std::vector<std::string> Success = synchronisations();
    if (L.ValuesLiveOn)
      Success.push_back(reindent(hostLoop(), Indent, Indent + Unit));

    const std::string Line = NewLine.str() + Indent;
    std::string Text = wrapList(
        Indent, "if (barricade::launch_persistent_exact(", Arguments,
        Success.empty() ? ") != cudaSuccess) {" : ") == cudaSuccess) {",
        NewLine);
    for (const std::string &Statement : Success)
      Text += Line + Unit + Statement;
    if (!Success.empty())
      Text += Line + "} else {";
    Text += Line + Unit;

    std::string Closing = Line + "}";
    if (!isInBlock()) {
      // The `if` might take an `else` that is not its own.
      Result.Edits.push_back(
          Source.insertion(Source.afterHeader(Begin), " {"));
      Closing += NewLine.str() +
                 Source.indentation(parentBegin(*L.Loop)).str() + "}";
    }
    Result.Edits.push_back(Source.insertion(Begin, std::move(Text)));
    indentFallback();
    Result.Edits.push_back(Source.insertion(Source.afterTrailingComment(End),
                                            std::move(Closing)));
  }

  bool isInBlock() const {
    const DynTypedNodeList Parents = Context.getParents(*L.Loop);
    return Parents.size() == 1 && Parents[0].get<CompoundStmt>();
  }

  void indentFallback() {
    const llvm::StringRef Text = loopText();
    for (size_t At = Text.find('\n'); At != llvm::StringRef::npos;
         At = Text.find('\n', At + 1))
      if (At + 1 < Text.size() && Text[At + 1] != '\n' && Text[At + 1] != '\r')
        Result.Edits.push_back(Source.insertion(
            Begin.getLocWithOffset(int(At) + 1), Unit));
  }

  /// What waited in each iteration waits once.
  std::vector<std::string> synchronisations() {
    std::vector<std::string> Texts;
    for (const LoopAction &A : L.Actions)
      if (A.Kind == LoopAction::Synchronise) {
        std::string Text = text(*cast<Expr>(A.Statement)) + ";";
        if (!llvm::is_contained(Texts, Text))
          Texts.push_back(std::move(Text));
      }
    return Texts;
  }

  /// The loop's text without launches.
  std::string hostLoop() {
    TextPatch Patch(loopText());
    for (const LoopAction &A : L.Actions)
      if (A.Kind != LoopAction::Swap)
        if (SourceLocation Stop = statementEnd(A); Stop.isValid())
          removeStatement(A, A.Statement->getBeginLoc(), Stop, Patch);
    return Patch.str();
  }

  const RelaunchLoop &L;
  const PersistentNames &Names;
  llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf;
  ASTContext &Context;
  Preprocessor &PP;
  const SourceManager &SM;
  SourceText Source;
  PersistentText Result;

  SourceLocation Begin, End; ///< The loop; End is one past it.
  SourceLocation Place;      ///< Where the kernel will stand.
  llvm::StringRef NewLine;
  std::string Indent; ///< Of the loop.
  std::string Outer;  ///< Of the host function.
  std::string Unit;   ///< One level more.
};

} // namespace

PersistentText writePersistent(
    const RelaunchLoop &L, const PersistentNames &Names,
    llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf,
    const PassView &Host) {
  return PersistentWriter(L, Names, StepOf, Host).write();
}

} // namespace barricade::grid_barrier
