// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/StepText.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/TemplateText.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {

static std::vector<std::string> withIndices(const IndexUse &Use,
                                            const StepIndices &Indices,
                                            llvm::ArrayRef<std::string> Rest) {
  std::vector<std::string> All;
  if (Use.BlockIndex)
    All.push_back(Indices.Block.str());
  if (Use.GridSize)
    All.push_back(Indices.Grid.str());
  if (Use.ThreadIndex)
    All.push_back(Indices.Thread.str());
  if (Use.BlockSize)
    All.push_back(Indices.BlockSize.str());
  llvm::append_range(All, Rest);
  return All;
}

std::string hidden(llvm::StringRef Pointer) {
  return ("barricade::coherent(" + Pointer + ")").str();
}

std::string StepCall::str() const {
  return Head + "(" + llvm::join(Arguments, ", ") + ")";
}

StepCall StepText::call(const StepIndices &With,
                        llvm::ArrayRef<std::string> Args,
                        llvm::StringRef TemplateArgs,
                        llvm::StringRef Qualifier) const {
  std::vector<std::string> Taken;
  for (unsigned I : Parameters.set_bits())
    Taken.push_back(Args[I]);
  return {(Qualifier + Name + TemplateArgs).str(),
          withIndices(Indices, With, Taken)};
}

/// The innermost namespace around \p Function that has to be spelled.
static const DeclContext &spelledNamespace(const FunctionDecl &Function) {
  const DeclContext *Space = Function.getEnclosingNamespaceContext();
  while (Space->isInlineNamespace() ||
         (isa<NamespaceDecl>(Space) &&
          cast<NamespaceDecl>(Space)->isAnonymousNamespace()))
    Space = Space->getParent();
  return *Space;
}

/// A type of a namespace, or of what it is made of, which brings along what is
/// declared there.
static bool mayBeOfNamespace(QualType Type) {
  while (Type->isPointerType())
    Type = Type->getPointeeType();
  return !Type->isBuiltinType() || Type->isDependentType();
}

/// \p D is, or holds, a namespace with a name.
static bool holdsNamespace(const Decl *D) {
  const auto *Space = dyn_cast<NamespaceDecl>(D);
  return (Space && !Space->isAnonymousNamespace()) ||
         (isa<NamespaceDecl, LinkageSpecDecl>(D) &&
          llvm::any_of(cast<DeclContext>(D)->decls(), holdsNamespace));
}

/// A call with the arguments of \p Kernel, by a name without a qualifier, may
/// find what the program declares in a namespace.
static bool mayLookIntoNamespace(const FunctionDecl &Kernel) {
  return llvm::any_of(Kernel.parameters(),
                      [](const ParmVarDecl *P) {
                        return mayBeOfNamespace(P->getType());
                      }) &&
         llvm::any_of(userDeclarations(Kernel.getASTContext()), holdsNamespace);
}

std::string qualifierFor(const FunctionDecl &Kernel, const FunctionDecl &Host) {
  if (spelledNamespace(Kernel).isTranslationUnit() &&
      spelledNamespace(Host).isTranslationUnit() &&
      !mayLookIntoNamespace(Kernel))
    return "";
  std::string Spaces = "::";
  llvm::raw_string_ostream Stream(Spaces);
  Kernel.printNestedNameSpecifier(Stream,
                                  writtenPolicy(Kernel.getASTContext()));
  return Spaces;
}

namespace {

class StepWriter {
public:
  StepWriter(const StepKernel &Step, const PassView &Pass, StepShape Shape)
      : Step(Step), Spelled(spelledFunction(*Step.Kernel)),
        Context(*Pass.Context), PP(*Pass.PP), SM(Context.getSourceManager()),
        Source(Context), Others(Pass), Shape(Shape) {}

  StepText run(std::string Name) {
    Text.Name = std::move(Name);
    Text.SharesMemory = Step.UsesSharedMemory;
    if (findPlaces() && findIndices()) {
      writeDeclaration();
      if (Text.Blockers.empty())
        writeEdits();
    }
    return std::move(Text);
  }

private:
  bool refuse(ReasonId Id, SourceLocation Where) {
    Text.Blockers.push_back(blocker(Id, Where));
    return false;
  }

  //===--------------------------------------------------------------------===//
  // The parts of the definition
  //===--------------------------------------------------------------------===//

  bool findPlaces() {
    const FunctionTemplateDecl *Template =
        Spelled.getDescribedFunctionTemplate();
    if (Template)
      OfTemplate = templateText(*Template, Source);
    if (isa<CXXMethodDecl>(Spelled) ||
        Spelled.isFunctionTemplateSpecialization() ||
        Spelled.getLexicalDeclContext()->isRecord() || Spelled.isVariadic() ||
        // Around the step names would mean something else.
        Spelled.isOutOfLine() || (Template && !OfTemplate))
      return refuse(ReasonId::KernelShape, Spelled.getLocation());
    Begin = Source.beforeAttributes(
        Spelled, SM.getExpansionLoc(Template ? Template->getBeginLoc()
                                             : Spelled.getBeginLoc()));
    if (const auto *Linkage =
            dyn_cast<LinkageSpecDecl>(Spelled.getLexicalDeclContext());
        Linkage && !Linkage->hasBraces())
      Begin = Linkage->getExternLoc();
    Open = Spelled.getBody()->getBeginLoc();
    Close = Spelled.getBody()->getEndLoc();
    FunctionTypeLoc Type = Spelled.getFunctionTypeLoc();
    if (!Type)
      return refuse(ReasonId::KernelShape, Spelled.getLocation());
    ParametersOpen = Type.getLParenLoc();
    ParametersClose = Type.getRParenLoc();
    for (SourceLocation Part : {Begin, Spelled.getLocation(), ParametersOpen,
                                ParametersClose, Open, Close})
      if (!SourceText::isWritable(Part) ||
          SM.getFileID(Part) != SM.getFileID(Begin))
        return refuse(ReasonId::KernelInMacro, Spelled.getLocation());
    // What stands before the body will stand behind it, too.
    if (Source.hasDirectiveBetween(Begin, Open) ||
        mayRedefine(head(), Open, Close, SM, PP))
      return refuse(ReasonId::KernelPreprocessor, Spelled.getLocation());
    return true;
  }

  //===--------------------------------------------------------------------===//
  // The step's declaration
  //===--------------------------------------------------------------------===//

  struct Token {
    clang::Token Raw;
    llvm::StringRef Text;
  };

  /// The step takes what its body names. That has to be the same in all builds:
  /// what a kernel must not do as a step was asked of this one's.
  bool findIndices() {
    if (Shape.IsOnlyOfKernel)
      return true;
    if (Others.mayRespell(Spelled, /*IsShared=*/false, choosesCode(Spelled),
                          /*IsPlainSame=*/true) ||
        mayCallElse())
      return refuse(ReasonId::OtherBuild, Spelled.getLocation());
    Text.Indices = Step.Indices;
    for (const Token &T : tokens(Open, Close))
      if (bool *Field = Text.Indices.find(T.Text))
        *Field = true;
    findNamed();
    Text.Indices.ThreadIndex &= Shape.LogicalThreads;
    Text.Indices.BlockSize &= Shape.LogicalThreads;
    return true;
  }

  /// What the body names in every build.
  void findNamed() {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      explicit Finder(StepWriter &Writer) : Writer(Writer) {}
      StepWriter &Writer;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        const DeclarationName Name = Ref->getDecl()->getDeclName();
        bool *Field = Name.isIdentifier()
                          ? Writer.Named.find(Ref->getDecl()->getName())
                          : nullptr;
        if (Field)
          *Field |= !Writer.mayBeLeftOut(Ref->getLocation());
        return true;
      }
    };
    if (Source.hasDirectiveBetween(Open, Close))
      return;
    Finder Find(*this);
    Find.TraverseStmt(Spelled.getBody());
  }

  /// A library's macro (`assert`) may leave out what stands there.
  bool mayBeLeftOut(SourceLocation Where) const {
    for (; Where.isMacroID();
         Where = SM.getImmediateExpansionRange(Where).getBegin())
      if (SM.isInSystemHeader(SM.getSpellingLoc(Where)))
        return true;
    return false;
  }

  bool mayCallElse() {
    return llvm::any_of(codeOf(*Step.Kernel), [&](const Stmt *Part) {
      return Others.mayCallElse(*Part);
    });
  }

  /// The tokens between two places of the file, comments left out.
  std::vector<Token> tokens(SourceLocation From, SourceLocation To) const {
    auto [File, First] = SM.getDecomposedLoc(From);
    unsigned Last = SM.getDecomposedLoc(To).second;
    llvm::StringRef Buffer = SM.getBufferData(File);
    Lexer Raw(SM.getLocForStartOfFile(File), Context.getLangOpts(),
              Buffer.begin(), Buffer.begin() + First, Buffer.end());
    std::vector<Token> Result;
    clang::Token T;
    while (!Raw.LexFromRawLexer(T) &&
           SM.getDecomposedLoc(T.getLocation()).second < Last)
      Result.push_back(
          {T, Buffer.substr(SM.getDecomposedLoc(T.getLocation()).second,
                            T.getLength())});
    return Result;
  }

  void writeDeclaration() {
    Text.Parameters.resize(Spelled.getNumParams());
    Text.Promised.resize(Spelled.getNumParams());
    Text.Values.resize(Spelled.getNumParams());
    Text.Products = Step.Products;
    for (const ParmVarDecl *P : Step.Promised)
      Text.Promised.set(P->getFunctionScopeIndex());
    if (!areParametersApart())
      return void(refuse(ReasonId::KernelInMacro, Spelled.getLocation()));
    std::vector<Token> Body = tokens(Open, Close);
    std::vector<std::string> Parameters;
    for (const ParmVarDecl *P : Spelled.parameters()) {
      bool Named =
          P->getIdentifier() && llvm::any_of(Body, [&](const Token &T) {
            return T.Text == P->getName();
          });
      if (!Named && !P->isReferenced() && !P->getType()->isDependentType())
        continue;
      // A template's arguments may be deduced from it.
      if (!P->getIdentifier()) {
        refuse(ReasonId::KernelShape, P->getLocation());
        return;
      }
      Text.Parameters.set(P->getFunctionScopeIndex());
      if (!Step.Kernel->getParamDecl(P->getFunctionScopeIndex())
               ->getType()
               ->isPointerType())
        Text.Values.set(P->getFunctionScopeIndex());
      Parameters.push_back(parameterText(*P));
    }
    const std::string Block = hiding(Named.BlockIndex, "const uint3 blockIdx"),
                      Grid = hiding(Named.GridSize, "const dim3 gridDim"),
                      Thread =
                          hiding(Named.ThreadIndex, "const uint3 threadIdx"),
                      BlockSize =
                          hiding(Named.BlockSize, "const dim3 blockDim");
    const StepIndices Hiding = {Block, Grid, Thread, BlockSize};
    const std::string Head = OfTemplate ? OfTemplate->Head : "";
    std::string Static =
        Spelled.getStorageClass() == SC_Static ? "static " : "";
    Text.Declaration =
        Head +
        wrapList(Source.indentation(Begin),
                 Static + "__device__ __forceinline__ void " + Text.Name + "(",
                 withIndices(Text.Indices, Hiding, Parameters), ") {",
                 Source.lineEnding(Begin));
    // The brace is the definition's.
    Text.Declaration.resize(Text.Declaration.size() - 2);
  }

  /// The parameter \p Declaration, of which some pass or build may make no use.
  std::string hiding(bool IsNamed, llvm::StringRef Declaration) const {
    return (IsNamed ? "" : MaybeUnused.str()) + Declaration.str();
  }

  /// No macro spells what stands between parameters, or before their defaults.
  bool areParametersApart() const {
    SourceLocation Last;
    for (const ParmVarDecl *P : Spelled.parameters()) {
      const SourceLocation First = parameterBegin(*P);
      if (Last.isValid() && !SM.isBeforeInTranslationUnit(Last, First))
        return false;
      Last = First;
      const SourceLocation End =
          P->hasDefaultArg() && !P->hasInheritedDefaultArg() ? parameterEnd(*P)
                                                             : SourceLocation();
      if (End.isValid() && *SM.getCharacterData(End) != '=')
        return false;
    }
    return true;
  }

  /// The parameter as it is written.
  std::string parameterText(const ParmVarDecl &P) {
    // A macro may spell the type, but not the name.
    SourceLocation First = parameterBegin(P);
    if (!SourceText::isWritable(P.getLocation()) ||
        SM.isBeforeInTranslationUnit(First, ParametersOpen)) {
      refuse(ReasonId::KernelInMacro, P.getLocation());
      return {};
    }
    std::string Result;
    for (const Token &T : tokens(First, parameterEnd(P))) {
      if (!Result.empty() &&
          (T.Raw.hasLeadingSpace() || T.Raw.isAtStartOfLine()))
        Result += ' ';
      Result += T.Text;
    }
    return Result;
  }

  /// With the attributes in front of its type.
  SourceLocation parameterBegin(const ParmVarDecl &P) const {
    SourceLocation First = SM.getExpansionLoc(P.getBeginLoc());
    unsigned Depth = 0;
    for (const Token &T : llvm::reverse(tokens(ParametersOpen, First))) {
      const bool Closes = T.Text == ")" || T.Text == "]";
      if (Depth == 0 && !Closes && (T.Text == "(" || T.Text == ","))
        break;
      Depth += Closes;
      Depth -= T.Text == "(" || T.Text == "[";
      First = T.Raw.getLocation();
    }
    return First;
  }

  /// Where the default argument begins, or the comma or parenthesis behind.
  SourceLocation parameterEnd(const ParmVarDecl &P) const {
    SourceLocation End = Source.afterToken(P.getLocation());
    unsigned Next = P.getFunctionScopeIndex() + 1;
    SourceLocation Bound = Next < Spelled.getNumParams()
                               ? parameterBegin(*Spelled.getParamDecl(Next))
                               : ParametersClose;
    unsigned Depth = 0;
    for (const Token &T : tokens(End, Bound)) {
      if (T.Text == "(" || T.Text == "[")
        ++Depth;
      else if (T.Text == ")" || T.Text == "]")
        Depth -= Depth > 0;
      else if (Depth == 0 && (T.Text == "=" || T.Text == ","))
        return T.Raw.getLocation();
    }
    return Bound;
  }

  //===--------------------------------------------------------------------===//
  // Edits
  //===--------------------------------------------------------------------===//

  /// With what stands before the brace: a blank, a line's end, a comment.
  llvm::StringRef head() const {
    return Source.text(CharSourceRange::getCharRange(Begin, Open));
  }

  void writeEdits() {
    std::string Newline =
        Source.lineEnding(Begin).str() + Source.indentation(Begin).str();
    std::string Indent = Source.indentation(Begin).contains('\t') ? "\t" : "  ";
    const std::string Wait =
        Shape.Waits ? WaitStatement.str() + Newline + Indent : "";
    Text.Edits.push_back(Source.replacement(
        Begin, Open,
        Text.Declaration + (Source.isFirstOnLine(Open) ? Newline : " ")));
    Text.Edits.push_back(Source.insertion(
        Source.afterToken(Close),
        Source.lineEnding(Begin).str() + Newline + head().str() + "{" +
            Newline + Indent + Wait +
            Text.call({}, arguments(), OfTemplate ? OfTemplate->Arguments : "",
                      qualifierFor(Spelled, Spelled))
                .str() +
            ";" + Newline + "}"));
  }

  /// What the kernel gives its step.
  std::vector<std::string> arguments() {
    std::vector<std::string> Result;
    for (const ParmVarDecl *P : Spelled.parameters()) {
      const unsigned I = P->getFunctionScopeIndex();
      const bool IsHidden = I < Shape.Hidden.size() && Shape.Hidden.test(I);
      // Of a template, what other instances have may be no pointer.
      if (IsHidden && !P->getType()->isPointerType())
        refuse(ReasonId::ReadOnlyLoad, P->getLocation());
      Result.push_back(IsHidden ? hidden(P->getName()) : P->getName().str());
    }
    return Result;
  }

  const StepKernel &Step;
  const FunctionDecl &Spelled;
  const ASTContext &Context;
  Preprocessor &PP;
  const SourceManager &SM;
  SourceText Source;
  OtherBuilds Others;
  StepShape Shape;
  std::optional<TemplateText> OfTemplate;
  SourceLocation Begin, ParametersOpen, ParametersClose, Open, Close;
  StepText Text;
  IndexUse Named; ///< By the body, in every build.
};

} // namespace

StepText writeStep(const StepKernel &Step, const PassView &Pass,
                   std::string Name, StepShape Shape) {
  return StepWriter(Step, Pass, Shape).run(std::move(Name));
}

} // namespace barricade::grid_barrier
