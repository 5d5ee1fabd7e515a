// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a preprocessed CUDA program into C++ that the executor can run:
//
//   k<<<g, b>>>(x);              (::barricade_emu::configure(g, b), k(x));
//   __global__ void k(T x) {     void k(T x) { ::barricade_emu::runKernel(
//     body                         "k", [=]() mutable {
//   }                              body }); }
//   __shared__ float s[N];       typedef float s__t[N]; (and a reference s to
//                                the running block's copy)
//   __device__ int d;            int d; (and its registration as device memory)
//   (void *)k                    (void *)::barricade_emu::kernelHandle(k)
//
// Working after the preprocessor leaves no macros to rewrite in, and its line
// markers keep every diagnostic at the program's own lines.

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Edits of one file: insertions and replacements by offset. An edit that is
/// made twice (a declaration seen once per declarator) counts once.
class Edits {
public:
  void replace(unsigned Begin, unsigned End, std::string Text) {
    std::pair Edit{End, std::move(Text)};
    auto &Here = At[Begin];
    if (llvm::find(Here, Edit) == Here.end())
      Here.push_back(std::move(Edit));
  }
  void insert(unsigned Offset, std::string Text) {
    replace(Offset, Offset, std::move(Text));
  }
  void insertAgain(unsigned Offset, std::string Text) {
    At[Offset].emplace_back(Offset, std::move(Text));
  }

  /// \p Source from \p Begin to \p End with the edits that begin there.
  std::string apply(StringRef Source, unsigned Begin, unsigned End) const {
    std::string Result;
    unsigned Pos = Begin;
    for (auto It = At.lower_bound(Begin); It != At.end() && It->first < End;
         ++It) {
      Result += Source.slice(Pos, It->first);
      Pos = std::max(Pos, It->first);
      for (const auto &[EditEnd, Text] : It->second) {
        Result += Text;
        Pos = std::max(Pos, EditEnd);
      }
    }
    return Result += Source.slice(Pos, End);
  }

private:
  std::map<unsigned, std::vector<std::pair<unsigned, std::string>>> At;
};

class Translator : public RecursiveASTVisitor<Translator> {
public:
  Translator(ASTContext &Context, Edits &Out)
      : Context(Context), SM(Context.getSourceManager()), Out(Out),
        Source(SM.getBufferData(SM.getMainFileID())) {}

  // Templates are rewritten as they are spelled.
  bool shouldVisitTemplateInstantiations() const { return false; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (!F->hasAttr<CUDAGlobalAttr>() || !F->doesThisDeclarationHaveABody())
      return true;
    const auto *Body = cast<CompoundStmt>(F->getBody());
    Out.insert(offset(Body->getLBracLoc()) + 1,
               " ::barricade_emu::runKernel(\"" + F->getNameAsString() +
                   "\", [=]() mutable {");
    Out.insert(offset(Body->getRBracLoc()), "});");
    return true;
  }

  // CUDA's keyword; a macro would break __attribute__((__noinline__)).
  bool VisitDecl(Decl *D) {
    if (const auto *Attr = D->getAttr<NoInlineAttr>();
        Attr && Attr->isKeywordAttribute())
      Out.replace(offset(Attr->getLocation()), tokenEnd(Attr->getLocation()),
                  "__attribute__((noinline))");
    return true;
  }

  // C++ has no place for attributes in front of a lambda's parameters.
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    const CXXMethodDecl *Call = Lambda->getCallOperator();
    for (const Attr *A : Call->attrs())
      if (isa<CUDAHostAttr, CUDADeviceAttr>(A) && !A->isImplicit())
        replaceAttribute(Call, A, "");
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) {
    unsigned Callee = offset(Call->getCallee()->getBeginLoc());
    unsigned Open = offset(Call->getConfig()->getBeginLoc());
    unsigned Close = offset(Call->getConfig()->getRParenLoc());
    std::string Config = Source.slice(Open + 3, Close).str();
    Out.insert(Callee, "(::barricade_emu::configure(" + Config + "), ");
    Out.replace(Open, Close + 3, "");
    Out.insertAgain(offset(Call->getRParenLoc()) + 1, ")");
    return true;
  }

  bool VisitVarDecl(VarDecl *Var) {
    if (Var->hasAttr<CUDASharedAttr>())
      translateShared(Var);
    else if (isDeviceVariable(Var))
      Out.insert(afterSemicolon(Var), registration(Var));
    return true;
  }

  // Only now is it known which of them there are.
  bool VisitVarTemplateDecl(VarTemplateDecl *Template) {
    for (const VarTemplateSpecializationDecl *Var : Template->specializations())
      if (isDeviceVariable(Var))
        Out.insertAgain(Source.size(), registration(Var));
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->hasAttr<CUDASharedAttr>() && !Var->isLocalVarDecl())
      Out.replace(offset(Ref->getLocation()), tokenEnd(Ref->getLocation()),
                  Var->getNameAsString() + "__get()");
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *Cast) {
    const Expr *Sub = Cast->getSubExprAsWritten()->IgnoreParens();
    if (const auto *Address = dyn_cast<UnaryOperator>(Sub))
      if (Address->getOpcode() == UO_AddrOf)
        Sub = Address->getSubExpr()->IgnoreParens();
    if (!Cast->getTypeAsWritten()->isVoidPointerType() || !namesKernel(Sub))
      return true;
    Out.insert(offset(Sub->getBeginLoc()), "::barricade_emu::kernelHandle(");
    Out.insertAgain(tokenEnd(Sub->getEndLoc()), ")");
    return true;
  }

  bool failed() const { return Failed; }

private:
  static bool namesKernel(const Expr *E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl()->hasAttr<CUDAGlobalAttr>();
    const auto *Lookup = dyn_cast<OverloadExpr>(E);
    return Lookup && llvm::all_of(Lookup->decls(), [](const NamedDecl *D) {
             return D->getAsFunction() &&
                    D->getAsFunction()->hasAttr<CUDAGlobalAttr>();
           });
  }

  static bool isDeviceVariable(const VarDecl *Var) {
    return (Var->hasAttr<CUDADeviceAttr>() ||
            Var->hasAttr<CUDAConstantAttr>() ||
            Var->hasAttr<HIPManagedAttr>()) &&
           !Var->getDeclContext()->isDependentContext() &&
           !Var->isTemplated() && !Var->getDescribedVarTemplate() &&
           !Var->getType().isConstQualified() && !Var->isConstexpr() &&
           Var->isThisDeclarationADefinition() == VarDecl::Definition &&
           Var->getDeclContext()->getRedeclContext()->isFileContext();
  }

  /// Tells the run that the variable is device memory.
  std::string registration(const VarDecl *Var) {
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    Var->getNameForDiagnostic(OS, Context.getPrintingPolicy(),
                              /*Qualified=*/true);
    return " static ::barricade_emu::DeviceVariable " + fresh(Var, "__d") +
           "(&" + Name + ", sizeof(" + Name + "), \"" + Var->getNameAsString() +
           "\");";
  }

  /// The declaration becomes a typedef, whatever its declarator; the variable
  /// itself becomes a reference into the running block's shared memory.
  void translateShared(VarDecl *Var) {
    replaceAttribute(Var, Var->getAttr<CUDASharedAttr>(), "typedef");
    dropSpecifiers(Var);
    std::string Name = Var->getNameAsString(), Type = Name + "__t";
    Out.replace(offset(Var->getLocation()), tokenEnd(Var->getLocation()), Type);
    bool Dynamic = Var->hasExternalStorage();
    std::string Access =
        Dynamic ? "::barricade_emu::dynamicSharedAs<" + Type + ">()"
                : Name + "__v.get<" + Type + ">()";
    std::string Text;
    if (!Dynamic)
      Text += " static ::barricade_emu::SharedVariable " + Name + "__v{\"" +
              Name + "\", sizeof(" + Type + ")};";
    if (Var->isLocalVarDecl())
      Text += " auto &" + Name + " = " + Access + ";";
    else
      Text += " static inline " + Type + " &" + Name + "__get() { return " +
              Access + "; }";
    Out.insert(afterSemicolon(Var), Text);
  }

  /// Puts \p Text where `__attribute__((...))` spells \p A alone.
  void replaceAttribute(const Decl *D, const Attr *A, StringRef Text) {
    static constexpr StringRef Prefix = "__attribute__((", Suffix = "))";
    unsigned Begin = offset(A->getRange().getBegin());
    unsigned End = tokenEnd(A->getRange().getEnd());
    if (!Source.take_front(Begin).ends_with(Prefix) ||
        !Source.drop_front(End).starts_with(Suffix))
      return fail(D, "CUDA attribute not spelled as CUDA's macros do");
    Out.replace(Begin - Prefix.size(), End + Suffix.size(), Text.str());
  }

  /// Removes the specifiers that a typedef cannot have.
  void dropSpecifiers(const VarDecl *Var) {
    SourceLocation Loc = Var->getBeginLoc();
    unsigned End = offset(Var->getLocation());
    while (offset(Loc) < End) {
      unsigned Begin = offset(Loc);
      StringRef Token = Source.slice(Begin, tokenEnd(Loc));
      if (Token == "static" || Token == "extern" || Token == "inline")
        Out.replace(Begin, Begin + Token.size(), "");
      auto Next = Lexer::findNextToken(Loc, SM, Context.getLangOpts());
      if (!Next)
        break;
      Loc = Next->getLocation();
    }
  }

  unsigned afterSemicolon(const VarDecl *Var) {
    SourceLocation Loc = Var->getEndLoc();
    while (auto Next = Lexer::findNextToken(Loc, SM, Context.getLangOpts())) {
      Loc = Next->getLocation();
      if (Next->is(tok::semi))
        return offset(Loc) + 1;
      if (Next->is(tok::eof))
        break;
    }
    fail(Var, "declaration without a semicolon");
    return 0;
  }

  std::string fresh(const VarDecl *Var, StringRef Suffix) {
    return (Var->getName() + Suffix + Twine(Counter++)).str();
  }

  void fail(const Decl *D, StringRef Message) {
    Failed = true;
    D->getLocation().print(llvm::errs(), SM);
    llvm::WithColor::error() << Message << '\n';
  }

  unsigned offset(SourceLocation Loc) const {
    return SM.getFileOffset(SM.getFileLoc(Loc));
  }
  unsigned tokenEnd(SourceLocation Loc) const {
    return offset(Loc) +
           Lexer::MeasureTokenLength(Loc, SM, Context.getLangOpts());
  }

  ASTContext &Context;
  SourceManager &SM;
  Edits &Out;
  StringRef Source;
  unsigned Counter = 0;
  bool Failed = false;
};

llvm::cl::OptionCategory Category("barricade-emulate-translate");
llvm::cl::opt<std::string> Input(llvm::cl::Positional, llvm::cl::Required,
                                 llvm::cl::desc("preprocessed CUDA source"),
                                 llvm::cl::cat(Category));
llvm::cl::opt<std::string> Output("o", llvm::cl::init("-"),
                                  llvm::cl::desc("C++ to write"),
                                  llvm::cl::cat(Category));
llvm::cl::list<std::string> Flags("flag",
                                  llvm::cl::desc("further compiler flag"),
                                  llvm::cl::cat(Category));

class Consumer : public ASTConsumer {
public:
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    Edits Out;
    Translator Visitor(Context, Out);
    Visitor.TraverseDecl(Context.getTranslationUnitDecl());
    if (Visitor.failed())
      return;
    const SourceManager &SM = Context.getSourceManager();
    StringRef Source = SM.getBufferData(SM.getMainFileID());
    std::error_code Error;
    llvm::raw_fd_ostream Stream(Output, Error);
    if (Error) {
      llvm::WithColor::error() << Output << ": " << Error.message() << '\n';
      return;
    }
    Stream << Out.apply(Source, 0, Source.size());
    Done = true;
  }
  static inline bool Done = false;
};

class Action : public ASTFrontendAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 StringRef) override {
    return std::make_unique<Consumer>();
  }
};

} // namespace

int main(int argc, const char **argv) {
  llvm::cl::HideUnrelatedOptions(Category);
  llvm::cl::ParseCommandLineOptions(argc, argv);
  auto Buffer = llvm::MemoryBuffer::getFile(Input);
  if (!Buffer) {
    llvm::WithColor::error()
        << Input << ": " << Buffer.getError().message() << '\n';
    return 2;
  }
  std::vector<std::string> Args = {
      "-x",         "cuda-cpp-output", "--cuda-host-only",
      "-nocudainc", "-nocudalib",      "-fsyntax-only",
      "-w"};
  Args.insert(Args.end(), Flags.begin(), Flags.end());
  bool Parsed = tooling::runToolOnCodeWithArgs(
      std::make_unique<Action>(), (*Buffer)->getBuffer(), Args,
      Input.getValue() + ".cui", "clang++");
  return Parsed && Consumer::Done ? 0 : 3;
}
