// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/HoistDeclarations.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/SpelledTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::artificial_barrier {

bool isPlainScalar(const VarDecl &Var) {
  QualType Type = Var.getType();
  return Var.hasLocalStorage() && !Type.isVolatileQualified() &&
         (Type->isArithmeticType() || Type->isPointerType() ||
          Type->isEnumeralType());
}

namespace {

/// The variables that a piece of code names.
class NamedVariables : public ConstDynamicRecursiveASTVisitor {
public:
  llvm::SmallPtrSet<const VarDecl *, 16> Used;
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      Used.insert(Var);
    return true;
  }
};

/// The variables of which some code does more than read or set values: who has
/// an address or a reference may use it later, and overloads, deduced types and
/// decltype see whether a variable is const.
class IndirectUses {
public:
  explicit IndirectUses(llvm::ArrayRef<Stmt *> Code) {
    struct AllNames : ConstDynamicRecursiveASTVisitor {
      AllNames() { ShouldVisitImplicitCode = true; }
      llvm::SmallPtrSet<const DeclRefExpr *, 32> Found;
      bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
        Found.insert(Ref);
        return true;
      }
    } Names;
    for (const Stmt *S : Code)
      Names.TraverseStmt(S);
    for (const auto &[Var, Uses] : facts::VariableFacts(
             llvm::ArrayRef<const Stmt *>(Code.begin(), Code.end())))
      for (const facts::VariableUse &U : Uses)
        if (!isDirect(U))
          Indirect.insert(Var);
        else if (const auto *Ref = dyn_cast<DeclRefExpr>(U.Name))
          Names.Found.erase(Ref);
    // What is not evaluated is no use, but sees the type.
    for (const DeclRefExpr *Ref : Names.Found)
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Indirect.insert(Var);
  }

  bool contains(const VarDecl &Var) const { return Indirect.contains(&Var); }

private:
  static bool isDirect(const facts::VariableUse &U) {
    switch (U.Kind) {
    case facts::UseKind::Read:
      return !U.In && !isa_and_nonnull<CXXForRangeStmt>(U.By);
    case facts::UseKind::Assign:
    case facts::UseKind::Step:
      return !U.In;
    default:
      return false;
    }
  }

  llvm::SmallPtrSet<const VarDecl *, 16> Indirect;
};

/// `t = value` gives what `T t(value)` or `T t{value}` did: no class converts
/// its value, nor does the type say how.
bool assignsAlike(const VarDecl &Var, const Expr &Init) {
  const Expr *From = Init.IgnoreUnlessSpelledInSource();
  if (const auto *List = dyn_cast<InitListExpr>(From)) {
    if (List->getNumInits() == 0)
      return true;
    From = List->getInit(0)->IgnoreUnlessSpelledInSource();
  }
  const QualType Type = Var.getType(), Source = From->getType();
  if (Type->isEnumeralType())
    return Source.getCanonicalType().getUnqualifiedType() ==
           Type.getCanonicalType().getUnqualifiedType();
  return Type->isPointerType() ? !Source->isRecordType()
                               : Source->isArithmeticType();
}

bool isTrivialInit(const Expr *Init) {
  if (!Init)
    return true;
  const auto *Construct = dyn_cast<CXXConstructExpr>(Init);
  return Construct && Construct->getConstructor()->isTrivial() &&
         Construct->getNumArgs() == 0;
}

class Splitter {
public:
  Splitter(const FunctionDecl &Function, ASTContext &Context)
      : InTemplate(Function.isTemplateInstantiation()), Context(Context),
        Source(Context), InFunction(Function.getBody()) {}

  GuardedRun run(llvm::ArrayRef<Stmt *> Statements,
                 llvm::ArrayRef<Stmt *> Rest) {
    NamedVariables Later;
    for (const Stmt *S : Rest)
      Later.TraverseStmt(S);
    Run.Guarded =
        Statements.drop_while([&](const Stmt *S) { return isFree(*S); });
    Run.FreeBefore = Statements.drop_back(Run.Guarded.size());
    while (!Run.Guarded.empty() && isFree(*Run.Guarded.back()))
      Run.Guarded = Run.Guarded.drop_back();
    Run.FreeAfter =
        Statements.drop_front(Run.FreeBefore.size() + Run.Guarded.size());
    for (auto Free : {Run.FreeBefore, Run.FreeAfter})
      for (const Stmt *S : Free)
        noteNames(*cast<DeclStmt>(S));
    for (const Stmt *S : Run.Guarded)
      if (const auto *Decl = dyn_cast<DeclStmt>(S))
        if (isNeeded(*Decl, Later) ? !hoist(*Decl)
                                   : !Rest.empty() && !mayEndEarly(*Decl)) {
          Run.Obstacle = Decl->getBeginLoc();
          break;
        }
    return std::move(Run);
  }

private:
  /// Types and bindings are not followed: they always count as needed.
  static bool isNeeded(const DeclStmt &Decl, const NamedVariables &Later) {
    return llvm::any_of(Decl.decls(), [&](const clang::Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return !Var || isa<DecompositionDecl>(Var) || Later.Used.contains(Var);
    });
  }

  /// Nothing is seen of it when the variables' lives end with the `if`, before
  /// the loop behind: they have no destructors, and nobody may still know where
  /// they are.
  bool mayEndEarly(const DeclStmt &Decl) const {
    return llvm::all_of(Decl.decls(), [&](const clang::Decl *D) {
      const auto *Var = cast<VarDecl>(D);
      if (Var->hasGlobalStorage())
        return true;
      const bool ExtendsLife = holds(Var->getInit(), [](const Stmt &S) {
        const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&S);
        return Temporary && Temporary->getExtendingDecl();
      });
      return !ExtendsLife &&
             Var->needsDestruction(Context) == QualType::DK_none &&
             (Var->getType()->isReferenceType() || !InFunction.contains(*Var));
    });
  }

  /// A declaration that every thread may run as it is: nothing is computed, or
  /// constants only.
  bool isHarmless(const DeclStmt &Decl) const {
    return llvm::all_of(Decl.decls(), [&](const clang::Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || isa<DecompositionDecl>(Var) ||
          Var->getType()->isReferenceType() || Var->isStaticLocal() ||
          Var->getType().isDestructedType() ||
          Var->getType().isRestrictQualified())
        return false;
      if (isTrivialInit(Var->getInit()))
        return true;
      // Before what stands between, `__COUNTER__` is another number.
      return !Var->hasAttr<CUDASharedAttr>() &&
             !facts::dependsOnPlace(*Var->getInit(),
                                    Context.getSourceManager()) &&
             Context.getBaseElementType(Var->getType())->isArithmeticType() &&
             Var->getInit()->isConstantInitializer(Context, /*ForRef=*/false);
    });
  }

  bool isFree(const Stmt &S) const {
    const auto *Decl = dyn_cast<DeclStmt>(&S);
    return Decl && isHarmless(*Decl) && Source.fileRange(*Decl);
  }

  void noteNames(const DeclStmt &Decl) {
    for (const auto *D : Decl.decls())
      Run.Names.insert(cast<VarDecl>(D)->getName());
  }

  bool hoist(const DeclStmt &Decl) {
    SourceLocation End = Source.afterStatement(Decl);
    if (!SourceText::isWritable(Decl.getBeginLoc()) ||
        !SourceText::isWritable(End))
      return hoistSpelledByMacro(Decl, End);
    return hoistWritable(Decl, Decl.getBeginLoc(), End);
  }

  /// `DATA_TYPE s = a[i];`: a macro begins the declaration, as a whole.
  bool hoistSpelledByMacro(const DeclStmt &Decl, SourceLocation End) {
    auto Range = Source.fileRange(Decl);
    return Range && SourceText::isWritable(End) &&
           hoistWritable(Decl, Range->getBegin(), End);
  }

  bool hoistWritable(const DeclStmt &Decl, SourceLocation Begin,
                     SourceLocation End) {
    if (isHarmless(Decl)) {
      Run.Hoisted.push_back(
          Source.text(CharSourceRange::getCharRange(Begin, End)).str());
      Run.Edits.push_back(Source.removal(Begin, End));
    } else {
      std::string Assignments;
      for (const auto *D : Decl.decls())
        if (!hoistVariable(dyn_cast<VarDecl>(D), Begin, Decl.isSingleDecl(),
                           Assignments))
          return false;
      Run.Edits.push_back(Source.replacement(Begin, End, Assignments));
    }
    noteNames(Decl);
    return namesMeanTheSame(Decl, Begin);
  }

  bool hoistVariable(const VarDecl *Var, SourceLocation Begin, bool Single,
                     std::string &Assignments) {
    if (!Var || !isPlainScalar(*Var) || !mayBeAssigned(*Var))
      return false;
    std::string Declaration = Single ? spelledDeclaration(*Var, Begin) : "";
    if (Declaration.empty())
      Declaration = printedDeclaration(*Var);
    if (Declaration.empty())
      return false;
    Run.Hoisted.push_back(Declaration + ";");
    const Expr *Init = Var->getInit();
    if (!Init)
      return true;
    auto Range = Source.fileRange(*Init);
    if (!Range || Var->getInitStyle() == VarDecl::ParenListInit)
      return false;
    Assignments += (Assignments.empty() ? "" : " ") + Var->getName().str() +
                   " = " + Source.text(*Range).str() + ";";
    return true;
  }

  /// Nobody sees that the variable is no longer const, aligned as it was or the
  /// like, nor that its value comes by an assignment.
  bool mayBeAssigned(const VarDecl &Var) const {
    if (Var.isConstexpr() || Var.hasAttrs() ||
        Var.getType().isRestrictQualified())
      return false;
    if (Var.getType().isConstQualified() && InFunction.contains(Var))
      return false;
    return !Var.getInit() || assignsAlike(Var, *Var.getInit());
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
    llvm::StringRef Text =
        Source.text(CharSourceRange::getCharRange(Begin, Var.getLocation()));
    if (Text.contains('(') || Text.contains('['))
      return {};
    bool Pointer = Type->isPointerType();
    return withoutWords(Text,
                        [&](llvm::StringRef Word) {
                          return Word == "register" || Word == "constexpr" ||
                                 (Word == "const" && !Pointer);
                        }) +
           Var.getName().str();
  }

  static std::string
  withoutWords(llvm::StringRef Text,
               llvm::function_ref<bool(llvm::StringRef)> Drop) {
    std::string Result;
    while (!Text.empty()) {
      llvm::StringRef Word =
          Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      if (Word.empty())
        Word = Text.take_front(1);
      Text = Text.drop_front(Word.size());
      if (Drop(Word))
        Text = Text.ltrim();
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
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    Type.print(Stream, Policy, Var.getName());
    return Text;
  }

  /// What the run says before the declaration does not mean another thing of
  /// the same name.
  bool namesMeanTheSame(const DeclStmt &Decl, SourceLocation Begin) const {
    const Stmt &First = *Run.Guarded.front();
    SourceLocation Start =
        Context.getSourceManager().getExpansionLoc(First.getBeginLoc());
    NamedVariables Before;
    for (const Stmt *S : Run.Guarded) {
      if (S == &Decl)
        break;
      Before.TraverseStmt(S);
    }
    return llvm::none_of(Decl.decls(), [&](const clang::Decl *D) {
      llvm::StringRef Name = cast<VarDecl>(D)->getName();
      const SourceLocation Own = D->getLocation();
      return Source.hasNameBetween(Name, Start,
                                   SourceText::isWritable(Own) ? Own : Begin) ||
             llvm::any_of(Before.Used, [&](const VarDecl *Var) {
               return Var->getDeclName().isIdentifier() &&
                      Var->getName() == Name;
             });
    });
  }

  const bool InTemplate;
  ASTContext &Context;
  const SourceText Source;
  const IndirectUses InFunction;
  GuardedRun Run;
};

} // namespace

GuardedRun guardRun(llvm::ArrayRef<Stmt *> Statements,
                    llvm::ArrayRef<Stmt *> Rest, const FunctionDecl &Function,
                    ASTContext &Context) {
  return Splitter(Function, Context).run(Statements, Rest);
}

} // namespace barricade::artificial_barrier
