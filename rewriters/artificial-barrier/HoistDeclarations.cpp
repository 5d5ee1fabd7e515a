// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/HoistDeclarations.h"
#include "matchers/artificial-barrier/GuardedRun.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/SpelledTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

class Hoister {
public:
  Hoister(const GuardedRun &Run, const FunctionDecl &Function,
          ASTContext &Context)
      : Run(Run), InTemplate(Function.isTemplateInstantiation()),
        Context(Context), Source(Context) {}

  HoistedText run() {
    for (const HoistedDeclaration &H : Run.Hoisted)
      if (!hoist(H)) {
        Text.Obstacle = H.Declaration->getBeginLoc();
        break;
      }
    return std::move(Text);
  }

private:
  bool hoist(const HoistedDeclaration &H) {
    const DeclStmt &Decl = *H.Declaration;
    SourceLocation End = Source.afterStatement(Decl);
    if (SourceText::isWritable(Decl.getBeginLoc()) &&
        SourceText::isWritable(End))
      return hoistWritable(H, Decl.getBeginLoc(), End);
    // `DATA_TYPE s = a[i];`: a macro begins the declaration, as a whole.
    auto Range = Source.fileRange(Decl);
    return Range && SourceText::isWritable(End) &&
           hoistWritable(H, Range->getBegin(), End);
  }

  bool hoistWritable(const HoistedDeclaration &H, SourceLocation Begin,
                     SourceLocation End) {
    const DeclStmt &Decl = *H.Declaration;
    if (H.AsItIs) {
      Text.Lines.push_back(
          Source.text(CharSourceRange::getCharRange(Begin, End)).str());
      Text.Edits.push_back(Source.removal(Begin, End));
    } else {
      std::string Assignments;
      for (const auto *D : Decl.decls())
        if (!hoistVariable(*cast<VarDecl>(D), Begin, Decl.isSingleDecl(),
                           Assignments))
          return false;
      Text.Edits.push_back(Source.replacement(Begin, End, Assignments));
    }
    return namesMeanTheSame(Decl, Begin);
  }

  bool hoistVariable(const VarDecl &Var, SourceLocation Begin, bool Single,
                     std::string &Assignments) {
    std::string Declaration = Single ? spelledDeclaration(Var, Begin) : "";
    if (Declaration.empty())
      Declaration = printedDeclaration(Var);
    if (Declaration.empty())
      return false;
    Text.Lines.push_back(Declaration + ";");
    const Expr *Init = Var.getInit();
    if (!Init)
      return true;
    auto Range = Source.fileRange(*Init);
    if (!Range)
      return false;
    Assignments += (Assignments.empty() ? "" : " ") + Var.getName().str() +
                   " = " + Source.text(*Range).str() + ";";
    return true;
  }

  /// The declaration up to the name, as the user wrote it, without `const` of
  /// the variable itself. Empty where the type follows the initialiser, or is
  /// wrapped around the name.
  std::string spelledDeclaration(const VarDecl &Var,
                                 SourceLocation Begin) const {
    QualType Type = Var.getType();
    if (Type->getContainedDeducedType() ||
        !SourceText::isWritable(Var.getLocation()) ||
        Type.getLocalUnqualifiedType().isConstQualified() ||
        (Type->isPointerType() &&
         (Type.isConstQualified() || Type->isFunctionPointerType())))
      return {};
    llvm::StringRef Spelled =
        Source.text(CharSourceRange::getCharRange(Begin, Var.getLocation()));
    if (Spelled.contains('(') || Spelled.contains('['))
      return {};
    bool Pointer = Type->isPointerType();
    return withoutWords(Spelled,
                        [&](llvm::StringRef Word) {
                          return Word == "register" || Word == "constexpr" ||
                                 (Word == "const" && !Pointer);
                        }) +
           Var.getName().str();
  }

  static std::string
  withoutWords(llvm::StringRef Words,
               llvm::function_ref<bool(llvm::StringRef)> Drop) {
    std::string Result;
    while (!Words.empty()) {
      llvm::StringRef Word =
          Words.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      if (Word.empty())
        Word = Words.take_front(1);
      Words = Words.drop_front(Word.size());
      if (Drop(Word))
        Words = Words.ltrim();
      else
        Result += Word;
    }
    return Result;
  }

  /// The type as Clang prints it. Another instantiation, or a build that
  /// defines the macro otherwise, may have another: nothing there.
  std::string printedDeclaration(const VarDecl &Var) const {
    if (InTemplate || Var.getTypeSpecStartLoc().isMacroID())
      return {};
    PrintingPolicy Policy(Context.getLangOpts());
    Policy.SuppressTagKeyword = true;
    QualType Type = Var.getType().getLocalUnqualifiedType();
    if (Type.isConstQualified())
      return {}; // A name of a type that is const.
    if (Type->getContainedDeducedType())
      Type = plainDeducedType(Var, Context);
    if (Type.isNull())
      return {};
    std::string Printed;
    llvm::raw_string_ostream Stream(Printed);
    Type.print(Stream, Policy, Var.getName());
    return Printed;
  }

  /// What the run says before the declaration does not mean another thing of
  /// the same name.
  bool namesMeanTheSame(const DeclStmt &Decl, SourceLocation Begin) const {
    const Stmt &First = *Run.Guarded.front();
    SourceLocation Start =
        Context.getSourceManager().getExpansionLoc(First.getBeginLoc());
    const auto Before = variablesNamedIn(
        Run.Guarded.take_while([&](const Stmt *S) { return S != &Decl; }));
    return llvm::none_of(Decl.decls(), [&](const clang::Decl *D) {
      llvm::StringRef Name = cast<VarDecl>(D)->getName();
      const SourceLocation Own = D->getLocation();
      return Source.hasNameBetween(Name, Start,
                                   SourceText::isWritable(Own) ? Own : Begin) ||
             llvm::any_of(Before, [&](const VarDecl *Var) {
               return Var->getDeclName().isIdentifier() &&
                      Var->getName() == Name;
             });
    });
  }

  const GuardedRun &Run;
  const bool InTemplate;
  ASTContext &Context;
  const SourceText Source;
  HoistedText Text;
};

} // namespace

HoistedText hoistDeclarations(const GuardedRun &Run,
                              const FunctionDecl &Function,
                              ASTContext &Context) {
  return Hoister(Run, Function, Context).run();
}

} // namespace barricade::artificial_barrier
