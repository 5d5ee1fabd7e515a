// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "rewriters/artificial-barrier/LoopText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace barricade::artificial_barrier {
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

bool jumpsAway(const Stmt &S, bool ReturnsCount) {
  LoopJumps Jumps = jumpsOutOf(S);
  return !Jumps.Breaks.empty() || !Jumps.Continues.empty() ||
         !Jumps.Gotos.empty() || (ReturnsCount && !Jumps.Returns.empty());
}

class GuardMover {
public:
  GuardMover(const Stmt &Loop, const FunctionDecl &Function,
             ASTContext &Context)
      : Loop(Loop), IsKernel(Function.hasAttr<CUDAGlobalAttr>()),
        IsTemplate(Function.isTemplateInstantiation()), Context(Context),
        Source(Context) {}

  RewriteResult run(llvm::ArrayRef<const IfStmt *> Guards,
                    llvm::ArrayRef<std::string> Names) {
    for (unsigned I = 0; I < Guards.size() && Result.Hindrances.empty(); ++I)
      move(*Guards[I], Names[I],
           I + 1 < Guards.size() ? static_cast<const Stmt &>(*Guards[I + 1])
                                 : Loop,
           I ? Names[I - 1] : std::string());
    if (Result.Hindrances.empty())
      guardInitialisation(Names.back());
    return std::move(Result);
  }

private:
  /// Everything that is needed to take one guard apart.
  struct Parts {
    const CompoundStmt *Block;
    llvm::ArrayRef<Stmt *> Before, After;
    const Stmt *Inner;
  };

  void refuse(SourceLocation Where) {
    Result.refuse(ReasonId::GuardShape, Where);
  }

  void move(const IfStmt &Guard, const std::string &Name, const Stmt &Inner,
            const std::string &OuterName) {
    Parts P;
    if (!takeApart(Guard, Inner, P))
      return;
    std::string Hoisted;
    size_t FirstEdit = Result.Edits.size();
    if (!hoistDeclarations(Guard, P, Hoisted)) {
      Result.Edits.resize(FirstEdit);
      return refuse(Guard.getBeginLoc());
    }
    write(Guard, P, Name, OuterName, Hoisted);
  }

  //===--------------------------------------------------------------------===//
  // What the text must be like
  //===--------------------------------------------------------------------===//

  bool takeApart(const IfStmt &Guard, const Stmt &Inner, Parts &P) {
    SourceLocation Begin = Guard.getBeginLoc();
    P.Block = dyn_cast<CompoundStmt>(Guard.getThen());
    if (!P.Block || !mayDeclareBefore(Guard, Context) || Guard.getInit() || Guard.getConditionVariable() ||
        Guard.isConstexpr()) {
      refuse(Begin);
      return false;
    }
    llvm::ArrayRef<Stmt *> All(const_cast<Stmt **>(P.Block->body_begin()),
                               P.Block->size());
    auto It = llvm::find(All, &Inner);
    if (It == All.end()) {
      refuse(Begin);
      return false;
    }
    P.Inner = *It;
    P.Before = All.take_front(It - All.begin());
    P.After = All.drop_front(It - All.begin() + 1);
    // A thread that jumped away would be missed at the barrier. From a kernel it
    // may return: then nobody waits for it.
    for (const Stmt *S : P.Before)
      if (jumpsAway(*S, !IsKernel)) {
        refuse(S->getBeginLoc());
        return false;
      }
    if (Guard.getElse() && jumpsAway(*Guard.getElse(), !IsKernel)) {
      refuse(Guard.getElse()->getBeginLoc());
      return false;
    }
    if (!textIsPlain(Guard, P)) {
      Result.refuse(ReasonId::InMacro, Begin);
      return false;
    }
    if (Source.hasDirectiveBetween(Begin, P.Block->getRBracLoc())) {
      Result.refuse(ReasonId::Preprocessor, Begin);
      return false;
    }
    return true;
  }

  bool textIsPlain(const IfStmt &Guard, const Parts &P) const {
    auto Plain = [](SourceLocation L) { return SourceText::isWritable(L); };
    return Plain(Guard.getBeginLoc()) && Plain(P.Block->getLBracLoc()) &&
           Plain(P.Block->getRBracLoc()) && Source.fileRange(*Guard.getCond()) &&
           Plain(P.Inner->getBeginLoc()) &&
           Plain(Source.afterStatement(*P.Inner)) &&
           (!Guard.getElse() ||
            (Plain(Guard.getElseLoc()) &&
             Plain(Source.afterStatement(*Guard.getElse())))) &&
           llvm::all_of(P.Before, [&](const Stmt *S) {
             return !isa<DeclStmt>(S) || Source.fileRange(*S);
           });
  }

  //===--------------------------------------------------------------------===//
  // Declarations that the loop and what follows need
  //===--------------------------------------------------------------------===//

  bool hoistDeclarations(const IfStmt &Guard, const Parts &P,
                         std::string &Hoisted) {
    NamedVariables Later;
    Later.TraverseStmt(P.Inner);
    for (const Stmt *S : P.After)
      Later.TraverseStmt(S);
    std::string Separator = Source.lineEnding(Guard.getBeginLoc()).str() +
                            Source.deeper(Guard.getBeginLoc(),
                                          P.Inner->getBeginLoc());
    llvm::StringSet<> Names;
    llvm::SmallPtrSet<const VarDecl *, 8> Moved;
    for (const Stmt *S : P.Before) {
      const auto *Decl = dyn_cast<DeclStmt>(S);
      if (!Decl || !needsHoisting(*Decl, Later))
        continue;
      if (!hoist(*Decl, Separator, Hoisted))
        return false;
      for (const auto *D : Decl->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D)) {
          Names.insert(Var->getName());
          Moved.insert(Var);
        }
    }
    return !hidesAnother(Guard, Names, Moved);
  }

  static bool needsHoisting(const DeclStmt &Decl, const NamedVariables &Later) {
    return llvm::any_of(Decl.decls(), [&](const clang::Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return !Var || Later.Used.contains(Var);
    });
  }

  /// A name that is hoisted must not meet another variable of that name, which
  /// the code that it passes means.
  static bool hidesAnother(const IfStmt &Guard, const llvm::StringSet<> &Names,
                           const llvm::SmallPtrSetImpl<const VarDecl *> &Moved) {
    NamedVariables All;
    All.TraverseStmt(&Guard);
    return llvm::any_of(All.Used, [&](const VarDecl *Var) {
      return Var->getDeclName().isIdentifier() && Names.contains(Var->getName()) &&
             !Moved.contains(Var);
    });
  }

  bool hoist(const DeclStmt &Decl, llvm::StringRef Separator,
             std::string &Hoisted) {
    if (isHarmless(Decl)) {
      Hoisted += Separator.str() + Source.text(*Source.fileRange(Decl)).str();
      if (!llvm::StringRef(Hoisted).ends_with(";"))
        Hoisted += ";";
      Result.Edits.push_back(Source.replacement(
          Decl.getBeginLoc(), Source.afterStatement(Decl), ""));
      return true;
    }
    std::string Assignments;
    for (const auto *D : Decl.decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      // A type is written as this instantiation or build has it: another may
      // have another.
      if (!Var || !Var->hasLocalStorage() || !isSimple(Var->getType()) ||
          IsTemplate || Var->getTypeSpecStartLoc().isMacroID())
        return false;
      PrintingPolicy Policy(Context.getLangOpts());
      Policy.SuppressTagKeyword = true;
      QualType Type = Var->getType().getUnqualifiedType();
      if (Type->getContainedDeducedType())
        Type = Type.getCanonicalType().getUnqualifiedType();
      std::string Text;
      llvm::raw_string_ostream Stream(Text);
      Type.print(Stream, Policy, Var->getName());
      Hoisted += Separator.str() + Text + ";";
      if (const Expr *Init = Var->getInit()) {
        auto Range = Source.fileRange(*Init);
        if (!Range || Var->getInitStyle() == VarDecl::ParenListInit)
          return false;
        Assignments += (Assignments.empty() ? "" : " ") + Var->getName().str() +
                       " = " + Source.text(*Range).str() + ";";
      }
    }
    SourceLocation End = Source.afterStatement(Decl);
    if (!SourceText::isWritable(End))
      return false;
    Result.Edits.push_back(
        Source.replacement(Decl.getBeginLoc(), End, Assignments));
    return true;
  }

  /// A declaration that every thread may run as it is: nothing is computed, or
  /// constants only.
  bool isHarmless(const DeclStmt &Decl) const {
    return llvm::all_of(Decl.decls(), [&](const clang::Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || Var->getType()->isReferenceType() || Var->isStaticLocal())
        return false;
      if (Var->hasAttr<CUDASharedAttr>())
        return !Var->getInit() || isTrivialInit(*Var->getInit());
      if (!Var->getInit() || isTrivialInit(*Var->getInit()))
        return true;
      return Var->getInit()->isCXX11ConstantExpr(Context) &&
             Var->getType()->isArithmeticType();
    });
  }

  static bool isTrivialInit(const Expr &Init) {
    const auto *Construct = dyn_cast<CXXConstructExpr>(&Init);
    return Construct && Construct->getConstructor()->isTrivial() &&
           Construct->getNumArgs() == 0;
  }

  static bool isSimple(QualType Type) {
    return (Type->isArithmeticType() || Type->isPointerType() ||
            Type->isEnumeralType()) &&
           !Type.isVolatileQualified();
  }

  //===--------------------------------------------------------------------===//
  // Writing
  //===--------------------------------------------------------------------===//

  void write(const IfStmt &Guard, const Parts &P, const std::string &Name,
             const std::string &OuterName, const std::string &Hoisted) {
    SourceLocation Begin = Guard.getBeginLoc();
    std::string Line = Source.lineEnding(Begin).str() +
                       Source.indentation(Begin).str();
    std::string Condition = conditionText(*Guard.getCond());
    std::string Flag = "const bool " + Name + " = " +
                       (OuterName.empty() ? Condition
                                          : OuterName + " && (" + Condition + ")") +
                       ";";
    // Hoisted names live in a block of their own.
    bool Block = !Hoisted.empty();
    std::string Deep = Block ? Source.lineEnding(Begin).str() +
                                   Source.deeper(Begin, P.Inner->getBeginLoc())
                             : Line;
    std::string Open = (Block ? "{" + Deep : "") + Flag + Hoisted;
    std::string Else =
        Guard.getElse()
            ? Source.text(CharSourceRange::getCharRange(
                              Guard.getElse()->getBeginLoc(),
                              Source.afterStatement(*Guard.getElse())))
                  .str()
            : "";
    if (!P.Before.empty())
      Open += Deep + "if (" + Name + ") {";
    else if (!Else.empty())
      Open += Deep + "if (!(" + Name + ")) " + Else;
    Result.Edits.push_back(Source.replacement(
        Begin, Source.afterToken(P.Block->getLBracLoc()), Open));
    if (!P.Before.empty())
      closeBefore(*P.Inner, Else, Deep);
    closeGuard(Guard, P, Name, Block, Deep);
  }

  /// The condition as the initialiser of a bool.
  std::string conditionText(const Expr &Condition) const {
    std::string Text = Source.text(*Source.fileRange(Condition)).str();
    const Expr *Plain = Condition.IgnoreUnlessSpelledInSource();
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    bool Comma = Op && (Op->isCommaOp() || Op->isAssignmentOp());
    return Plain->getType()->isBooleanType() && !Comma
               ? Text
               : "static_cast<bool>(" + Text + ")";
  }

  void closeBefore(const Stmt &Inner, const std::string &Else,
                   const std::string &Deep) {
    Result.Edits.push_back(Source.insertion(
        Inner.getBeginLoc(),
        "}" + (Else.empty() ? "" : " else " + Else) + Deep));
  }

  void closeGuard(const IfStmt &Guard, const Parts &P, const std::string &Name,
                  bool Block, const std::string &Deep) {
    SourceLocation Close = P.Block->getRBracLoc();
    SourceLocation End = Guard.getElse() ? Source.afterStatement(*Guard.getElse())
                                         : Source.afterToken(Close);
    if (!P.After.empty())
      Result.Edits.push_back(
          Source.insertion(Source.afterTrailingComment(
                               Source.afterStatement(*P.Inner)),
                           Deep + "if (" + Name + ") {"));
    std::string Tail = P.After.empty() ? (Block ? "}" : "")
                                       : (Block ? "} }" : "}");
    Result.Edits.push_back(Source.replacement(Close, End, Tail));
  }

  /// Threads outside the guard must not evaluate what the loop starts with.
  void guardInitialisation(const std::string &Name) {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    if (!For || !For->getInit())
      return;
    if (const auto *E = dyn_cast<Expr>(For->getInit()))
      return wrap(*E, Name + " ? (void)(", ") : (void)0");
    const auto *Decl = cast<DeclStmt>(For->getInit());
    for (const auto *D : Decl->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || (Var->getInit() && !isSimple(Var->getType())) ||
          (Var->getInit() && Var->getInitStyle() != VarDecl::CInit))
        return refuse(Decl->getBeginLoc());
      if (Var->getInit() && !Var->getInit()->isCXX11ConstantExpr(Context))
        wrap(*Var->getInit(), Name + " ? (",
             Var->getType()->isPointerType() ? ") : nullptr" : ") : 0");
    }
  }

  void wrap(const Expr &E, std::string Before, std::string After) {
    auto Range = Source.fileRange(E);
    if (!Range)
      return Result.refuse(ReasonId::InMacro, E.getBeginLoc());
    Result.Edits.push_back(Source.insertion(Range->getBegin(), std::move(Before)));
    Result.Edits.push_back(Source.insertion(Range->getEnd(), std::move(After)));
  }

  const Stmt &Loop;
  bool IsKernel;
  bool IsTemplate;
  ASTContext &Context;
  SourceText Source;
  RewriteResult Result;
};

} // namespace

RewriteResult moveGuards(llvm::ArrayRef<const IfStmt *> Guards,
                         llvm::ArrayRef<std::string> Names, const Stmt &Loop,
                         const FunctionDecl &Function, ASTContext &Context) {
  return GuardMover(Loop, Function, Context).run(Guards, Names);
}

} // namespace barricade::artificial_barrier
