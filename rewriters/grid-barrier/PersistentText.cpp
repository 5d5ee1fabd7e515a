// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/PersistentText.h"
#include "matchers/Statements.h"
#include "matchers/facts/Completion.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/UnitUses.h"
#include "rewriters/FirstFree.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/BarrierType.h"
#include "rewriters/grid-barrier/Continuation.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TemplateText.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <map>
#include <set>

using namespace clang;

namespace barricade::grid_barrier {
namespace {

class PersistentWriter {
public:
  PersistentWriter(
      const RelaunchLoop &L, const dependence::LoopScopes &Scopes,
      const PersistentNames &Names,
      llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf,
      const PassView &Host)
      : L(L), Scopes(Scopes), Names(Names), StepOf(StepOf),
        Context(*Host.Context), PP(*Host.PP), SM(Context.getSourceManager()),
        Source(Context), Uses(L.Loop), Others(Host) {}

  PersistentText write() {
    Begin = L.Loop->getBeginLoc();
    Site = siteBefore(*L.Function, Source);
    if (!SourceText::isWritable(Begin) ||
        SM.getFileID(Begin) != SM.getFileID(Site.Place))
      refuse(ReasonId::InMacro, Begin);
    else if (End = Source.afterStatement(*L.Loop); End.isInvalid())
      refuse(ReasonId::InMacro, Begin);
    else if (!isUndirected(Begin, End, Site, Source) ||
             mayMeetPragma(*L.Loop, End, Source, Context, PP))
      refuse(ReasonId::Preprocessor, Begin);
    else if (Others.mayRespell(Begin, End, L.Loop) ||
             Others.mayCallElse(*L.Loop))
      refuse(ReasonId::OtherBuild, Begin);
    else if (Source.hasSplitLines(Begin, End))
      refuse(ReasonId::SplitLine, Begin);
    if (!Result.Blockers.empty())
      return std::move(Result);
    if (Names.Begins != Beginning::FromStart && mayTakeOver())
      Continued = continuationOf(L, Source);
    if (Continued && Names.Begins == Beginning::Uncounted)
      Continued->Remaining.clear();
    readTemplate();
    if (!Result.Blockers.empty())
      return std::move(Result);
    chooseCaptures();
    checkTypes();
    Indent = Source.indentation(Begin).str();
    chooseUnit();
    readWords();
    Barrier = localName("bar");
    if (Scopes.Narrows)
      BetweenSteps = localName("barrier");
    if (L.Grids == GridForm::Same && Names.LogicalBlocks)
      WholeGrid = localName("grid");
    nameHostGrids();
    if (L.Waiting == WaitForm::Sometimes && !Continued)
      Waits = Names.Fresh("waits");
    if (L.ReadsBack)
      for (const VarDecl *Var : L.LiveOn)
        if (llvm::is_contained(Captures, Var))
          Results.push_back(
              {Var, Names.Fresh("last_" + Var->getNameAsString())});
    checkMacros();
    checkNames();
    // Where both have one place, the first comes first.
    llvm::append_range(
        Result.Edits,
        runtimeInclusions(Names.Strategy, Names.Header, Site, Source, PP));
    addKernel();
    addLaunch();
    if (!Result.Blockers.empty())
      Result.Edits.clear();
    return std::move(Result);
  }

private:
  void refuse(ReasonId Id, SourceLocation Where) {
    Result.Blockers.push_back(blocker(Id, Where));
  }

  //===--- Templates ------------------------------------------------------===//

  /// In an instance types are no more what the source calls them.
  void readTemplate() {
    const FunctionTemplateDecl *Template = spelledTemplate(*L.Function);
    if (!Template)
      return;
    OfTemplate = templateText(*Template, Source);
    // Other files have instances of what a header defines.
    const bool IsPlain =
        OfTemplate && SM.isInMainFile(Begin) &&
        Template->getLexicalDeclContext()->getRedeclContext()->Equals(
            Template->getDeclContext()->getRedeclContext());
    if (!IsPlain)
      return refuse(ReasonId::HostTemplate, Begin);
    llvm::DenseMap<SourceLocation, const VarDecl *> Written;
    const FunctionDecl &Pattern = *Template->getTemplatedDecl();
    for (const ParmVarDecl *Parameter : Pattern.parameters())
      Written[Parameter->getLocation()] = Parameter;
    (void)holds(Pattern.getBody(), [&](const Stmt &S) {
      if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
        for (const Decl *D : Declaration->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D))
            Written[Var->getLocation()] = Var;
      return false;
    });
    const auto Add = [&](const VarDecl *Var) {
      if (!Var->isLocalVarDeclOrParm())
        return;
      const VarDecl *Spelled = Written.lookup(Var->getLocation());
      if (Spelled && isCopiedAlike(*Var, *Spelled))
        SpelledVariables[Var] = Spelled;
      else
        refuse(ReasonId::HostTemplate, Var->getLocation());
    };
    llvm::for_each(L.Captures, Add);
    llvm::for_each(L.LiveOn, Add);
    llvm::for_each(L.Settled, Add);
    if (Continued && llvm::any_of(Continued->Own, [&](const VarDecl *Var) {
          const VarDecl *Spelled = Written.lookup(Var->getLocation());
          return !Spelled || Spelled->getType()->isDependentType();
        }))
      Continued.reset();
  }

  //===--- Variables ------------------------------------------------------===//

  /// What the loop leaves to be done before or behind it is the same wherever
  /// the kernel begins.
  bool mayTakeOver() const {
    const bool WaitsAlways = llvm::any_of(
        L.Actions, [](const auto &A) { return A.waits() && A.Certain; });
    const bool MayWaitElsewhere = llvm::any_of(L.Actions, [](const auto &A) {
      return waitsElsewhere(A) && !A.Certain;
    });
    return !MayWaitElsewhere && (L.Waiting == WaitForm::OnEntry || WaitsAlways);
  }

  /// For more than the launches' stream.
  static bool waitsElsewhere(const LoopAction &A) {
    return A.Kind == LoopAction::Synchronise && !A.OwnStream;
  }

  /// What the kernel takes. Names of the loop's own must not hide others.
  void chooseCaptures() {
    Captures.assign(L.Captures.begin(), L.Captures.end());
    if (!Continued)
      return;
    llvm::erase_if(
        Captures, [&](const VarDecl *Var) { return !isNeededByRest(*Var, L); });
    llvm::SmallVector<const VarDecl *, 8> All;
    llvm::copy_if(
        Continued->Own, std::back_inserter(All),
        [&](const VarDecl *Var) { return !llvm::is_contained(Captures, Var); });
    llvm::append_range(All, Captures);
    llvm::StringSet<> Taken;
    for (const VarDecl *Var : Captures)
      forEachWord(typeText(*Var),
                  [&](llvm::StringRef Word) { Taken.insert(Word); });
    if (llvm::all_of(All, [&](const VarDecl *Var) {
          return !isOwn(*Var) || (Taken.insert(Var->getName()).second &&
                                  !losesName(*Var, /*IsCanonical=*/true));
        }))
      Captures = std::move(All);
    else
      Continued.reset();
  }

  /// Types that have names in the program are not written by what those stand
  /// for now.
  void checkTypes() {
    for (const VarDecl *Var : Captures) {
      const VarDecl *Spelled = SpelledVariables.lookup(Var);
      const VarDecl &Named = Spelled ? *Spelled : *Var;
      const llvm::StringRef Macro = macroOfType(Named);
      if (losesName(Named, /*IsCanonical=*/false) ||
          (!Macro.empty() && !Others.hasOneMeaning(Macro, Site.Place)))
        refuse(ReasonId::LocalName, Var->getLocation());
    }
  }

  /// Of the loop itself, where a kernel takes that over.
  bool isOwn(const VarDecl &Var) const {
    return Continued && llvm::is_contained(Continued->Own, &Var);
  }

  /// It has no value when the kernel begins, or none that the kernel asks for.
  bool isUnset(const VarDecl &Var) const {
    const auto &NotAsked = Continued ? L.SetAnew : L.NotAsked;
    return (L.Unset.contains(&Var) || NotAsked.contains(&Var) ||
            isOnlyAssigned(Var)) &&
           !isOwn(Var);
  }

  /// A compiler may think that the kernel asks for the value that \p Var does
  /// not have when that begins.
  bool maySeemAsked(const VarDecl &Var) const {
    return !Continued && Var.getType()->isScalarType() &&
           L.Unset.contains(&Var) && !L.NotAsked.contains(&Var) &&
           !isOnlyAssigned(Var);
  }

  /// A copy of \p Var, of an instance, can be declared by the type of
  /// \p Spelled, of the template: that has a name, and hides neither a
  /// reference nor an array.
  bool isCopiedAlike(const VarDecl &Var, const VarDecl &Spelled) const {
    const QualType Type = Spelled.getType(), Copy = copyType(Spelled);
    return !Type->getContainedAutoType() &&
           !(Copy->isDependentType() && Copy.isCanonical()) &&
           !(Var.getType()->isReferenceType() && Type->isDependentType()) &&
           (Type->isPointerType() || !L.Elements.contains(&Var)) &&
           (Context.getAsConstantArrayType(Type) ||
            !Context.getAsConstantArrayType(Var.getType()));
  }

  /// The type for a copy of \p Var, as the source calls it.
  QualType writtenType(const VarDecl &Var) const {
    if (isOwn(Var))
      return canonicalCopyType(Var);
    const VarDecl *Spelled = SpelledVariables.lookup(&Var);
    return copyType(Spelled ? *Spelled : Var);
  }

  //===--- Places ---------------------------------------------------------===//

  /// What is written is indented like the loop, where that has tabs and the
  /// function around it has none, or the other way round.
  void chooseUnit() {
    const bool HasTabs = llvm::StringRef(Indent).contains('\t');
    if (Indent.empty() || HasTabs == llvm::StringRef(Site.Unit).contains('\t'))
      return;
    const Stmt *Inner = bodyOf(*L.Loop);
    if (const auto *Block = dyn_cast<CompoundStmt>(Inner);
        Block && !Block->body_empty())
      Inner = Block->body_front();
    Site.Unit = Source.deeper(Begin, SM.getExpansionLoc(Inner->getBeginLoc()))
                    .substr(Indent.size());
  }

  /// Every macro that the loop's text names must mean the same where the kernel
  /// will stand.
  void checkMacros() {
    const LangOptions &Lang = Context.getLangOpts();
    llvm::SmallPtrSet<const IdentifierInfo *, 16> Seen;
    for (SourceLocation At = Begin; SM.isBeforeInTranslationUnit(At, End);) {
      const std::optional<Token> Next = Lexer::findNextToken(At, SM, Lang);
      Token Raw;
      if (!Lexer::getRawToken(At, Raw, SM, Lang, /*IgnoreWhiteSpace=*/true) &&
          Raw.is(tok::raw_identifier) &&
          !meansTheSame(*PP.getIdentifierInfo(Raw.getRawIdentifier()), At,
                        Seen))
        return refuse(ReasonId::MacroRedefined, At);
      if (!Next)
        return;
      At = Next->getLocation();
    }
  }

  /// \p Name, and what it expands to, at \p At and at the kernel's place.
  bool meansTheSame(IdentifierInfo &Name, SourceLocation At,
                    llvm::SmallPtrSetImpl<const IdentifierInfo *> &Seen) {
    if (!Seen.insert(&Name).second)
      return true;
    const MacroInfo *Macro =
        PP.getMacroDefinitionAtLoc(&Name, At).getMacroInfo();
    return Macro ==
               PP.getMacroDefinitionAtLoc(&Name, Site.Place).getMacroInfo() &&
           (!Macro || llvm::all_of(Macro->tokens(), [&](const Token &T) {
             return !T.getIdentifierInfo() ||
                    meansTheSame(*T.getIdentifierInfo(), At, Seen);
           }));
  }

  std::string typeText(const VarDecl &Var) const { return copyOf(Var, ""); }

  /// The words of the loop's text and of its variables' types.
  void readWords() {
    const auto Add = [&](llvm::StringRef Word) { Words.insert(Word); };
    forEachWord(loopText(), Add);
    for (const VarDecl *Var : Captures)
      forEachWord(typeText(*Var), Add);
    if (OfTemplate)
      forEachWord(OfTemplate->Head, Add);
  }

  /// Of two parameters none may be called like the other's type.
  void checkNames() {
    llvm::StringSet<> Parameters;
    for (const VarDecl *Var : Captures)
      Parameters.insert(Var->getName());
    for (const VarDecl *Var : Captures)
      forEachWord(typeText(*Var), [&](llvm::StringRef Word) {
        if (Parameters.contains(Word))
          refuse(ReasonId::NameClash, Var->getLocation());
      });
  }

  /// A name that the loop does not use.
  std::string localName(const std::string &Base) const {
    return firstFree(Base, [&](const std::string &Name) {
      return !Words.contains(Name) &&
             !PP.getIdentifierInfo(Name)->hasMacroDefinition();
    });
  }

  /// One name for each grid that the host computes by its functions.
  void nameHostGrids() {
    for (const LoopLaunch &Launch : L.Launches) {
      if (!Launch.GridFromHost)
        continue;
      std::string &Name = HostGrids[outsideText(*Launch.Grid)];
      if (Name.empty())
        Name = localName("grid");
      Words.insert(Name);
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
  /// \p E as the device evaluates it.
  std::string deviceText(const Expr &E) {
    const std::optional<CharSourceRange> Range = Source.fileRange(E);
    if (!Range)
      return text(E);
    TextPatch Patch(Source.text(*Range));
    renameExtrema(Range->getBegin(), Range->getEnd(), Range->getBegin(), Patch);
    return Patch.str();
  }

  /// Replaces the host's std::min and std::max from \p From to \p To in
  /// \p Patch, whose text begins at \p Origin.
  void renameExtrema(SourceLocation From, SourceLocation To,
                     SourceLocation Origin, TextPatch &Patch) {
    llvm::SmallPtrSet<const DeclRefExpr *, 4> Seen;
    const auto Offset = [&](SourceLocation At) {
      return SM.getFileOffset(At) - SM.getFileOffset(Origin);
    };
    for (const DeclRefExpr *Callee : L.StdExtrema) {
      const SourceLocation Start = Callee->getBeginLoc();
      if (Seen.insert(Callee).second &&
          !SM.isBeforeInTranslationUnit(Start, From) &&
          SM.isBeforeInTranslationUnit(Start, To))
        Patch.replace(
            Offset(Start), Offset(Source.afterToken(Callee->getLocation())),
            "barricade::" + Callee->getNameInfo().getName().getAsString());
    }
  }

  /// Of a launch: a default is unknown to the step.
  std::string argumentText(const Expr &Argument) {
    const auto *Default = dyn_cast<CXXDefaultArgExpr>(&Argument);
    return Default ? defaultText(*Default) : deviceText(Argument);
  }

  /// The text of \p Range names a variable of the persistent kernel's.
  bool namesVariable(CharSourceRange Range) const {
    const auto IsNamed = [&](const Decl *D) {
      const auto *Named = dyn_cast<NamedDecl>(D);
      return Named && Named->getIdentifier() &&
             Source.hasNameBetween(Named->getName(), Range.getBegin(),
                                   Range.getEnd());
    };
    return llvm::any_of(Captures, IsNamed) || holds(L.Loop, [&](const Stmt &S) {
             const auto *Declaration = dyn_cast<DeclStmt>(&S);
             return Declaration && llvm::any_of(Declaration->decls(), IsNamed);
           });
  }

  /// The default of a template's parameter names what only the template knows.
  static bool isDependent(const ParmVarDecl &Param,
                          const FunctionDecl &Kernel) {
    const FunctionDecl *Pattern = Kernel.getTemplateInstantiationPattern();
    const ParmVarDecl *Spelled =
        Pattern ? Pattern->getParamDecl(Param.getFunctionScopeIndex())
                : nullptr;
    return Spelled && Spelled->hasDefaultArg() &&
           (Spelled->hasUninstantiatedDefaultArg()
                ? Spelled->getUninstantiatedDefaultArg()
                : Spelled->getDefaultArg())
               ->isInstantiationDependent();
  }

  /// The default as the kernel's declaration spells it, for it may change there
  /// and must mean the same here.
  std::string defaultText(const CXXDefaultArgExpr &Default) {
    const Expr &E = *Default.getExpr();
    const auto *Kernel =
        cast<FunctionDecl>(Default.getParam()->getDeclContext());
    const bool SameNames = Kernel->getEnclosingNamespaceContext()->Equals(
        L.Function->getEnclosingNamespaceContext());
    const bool NamesAny =
        holds(&E, [](const Stmt &S) { return isa<DeclRefExpr>(S); });
    const std::optional<CharSourceRange> Range = Source.fileRange(E);
    const llvm::StringRef Text = Range ? Source.text(*Range) : "";
    llvm::SmallPtrSet<const IdentifierInfo *, 16> Seen;
    bool IsSame = Range && (SameNames || !NamesAny) &&
                  !isDependent(*Default.getParam(), *Kernel) &&
                  findLocalName(E, *L.Function).isInvalid() &&
                  !namesVariable(*Range);
    forEachWord(Text, [&](llvm::StringRef Word) {
      IsSame = IsSame && (llvm::isDigit(Word.front()) ||
                          meansTheSame(*PP.getIdentifierInfo(Word),
                                       Range->getBegin(), Seen));
    });
    if (!IsSame)
      refuse(ReasonId::DefaultArgument, E.getBeginLoc());
    return Text.str();
  }
  std::string textOr0(const Expr *E) { return E ? outsideText(*E) : "0"; }

  /// \p E as the host evaluates it before the loop, whose own variables are
  /// given by their values.
  std::string outsideText(const Expr &E) {
    const std::optional<CharSourceRange> Range = Source.fileRange(E);
    return Range ? outsideText(E, *Range) : text(E);
  }

  std::string outsideText(const Expr &E, CharSourceRange Range) {
    const bool Alone = isa<DeclRefExpr>(E.IgnoreUnlessSpelledInSource());
    return textWith(E, Range, [&](const VarDecl &Var) -> std::string {
      return L.Settled.contains(&Var) ? valueText(Var, *Var.getInit(), Alone)
                                      : "";
    });
  }

  /// The text of \p Root, at \p Range, with other texts for some variables.
  std::string
  textWith(const Expr &Root, CharSourceRange Range,
           llvm::function_ref<std::string(const VarDecl &)> TextFor) {
    TextPatch Patch(Source.text(Range));
    llvm::SmallSet<unsigned, 4> Seen;
    (void)holds(&Root, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      const std::string New = Var ? TextFor(*Var) : "";
      if (New.empty())
        return false;
      const std::string Old = text(*Ref);
      const std::optional<CharSourceRange> Place = Source.fileRange(*Ref);
      const unsigned At = Place ? SM.getFileOffset(Place->getBegin()) -
                                      SM.getFileOffset(Range.getBegin())
                                : 0;
      if (Place && Seen.insert(At).second)
        Patch.replace(At, At + unsigned(Old.size()), New);
      return false;
    });
    return Patch.str();
  }

  /// \p Value, which \p Var begins with, in place of it.
  std::string valueText(const VarDecl &Var, const Expr &Value, bool Alone) {
    const Expr &Spelled = *Value.IgnoreUnlessSpelledInSource();
    const QualType Type = writtenType(Var);
    const std::string TypeName = declaration(Type, "");
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Spelled);
        Construct && Construct->getParenOrBraceRange().isValid()) {
      const SourceRange Braces = Construct->getParenOrBraceRange();
      return TypeName +
             outsideText(*Construct, CharSourceRange::getCharRange(
                                         Braces.getBegin(),
                                         Source.afterToken(Braces.getEnd())));
    }
    const std::string Text = outsideText(Spelled);
    const bool SameType =
        Context.hasSameUnqualifiedType(Var.getType(), Spelled.getType());
    if (!SameType && !(Alone && isValueOf(Spelled, Value)))
      return Type->isScalarType()
                 ? "static_cast<" + TypeName + ">(" + Text + ")"
                 : TypeName + "(" + Text + ")";
    return Alone || isPrimary(Spelled) ? Text : "(" + Text + ")";
  }

  /// \p E is a plain whole number, and what \p Converted makes of it no other:
  /// it is not cut off. Unsigned ones would make others unsigned.
  bool isValueOf(const Expr &E, const Expr &Converted) const {
    const auto *Literal = dyn_cast<IntegerLiteral>(&E);
    Expr::EvalResult Result;
    return Literal && E.getType()->isSignedIntegerType() &&
           (!Converted.getType()->isIntegerType() ||
            (Converted.EvaluateAsInt(Result, Context) &&
             llvm::APSInt::isSameValue(
                 Result.Val.getInt(),
                 llvm::APSInt(Literal->getValue(), /*isUnsigned=*/false))));
  }

  static bool isPrimary(const Expr &E) {
    return isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
               ParenExpr, CallExpr, MemberExpr, ArraySubscriptExpr>(E);
  }

  /// What must hold for the loop to run its body; empty where that is known, or
  /// cannot be asked.
  std::string entryCondition() {
    const Expr *Condition = L.Entry.Condition;
    if (L.Entry.Always || !Condition)
      return "";
    const std::optional<CharSourceRange> Range = Source.fileRange(*Condition);
    if (!Range)
      return text(*Condition);
    return textWith(*Condition, *Range, [&](const VarDecl &Var) -> std::string {
      for (const auto &[First, Value] : L.Entry.First)
        if (First == &Var)
          return valueText(Var, *Value, isComparedAsIs(Var, *Condition));
      return "";
    });
  }

  /// `v < e` where both are of one type: any whole number may stand for v.
  bool isComparedAsIs(const VarDecl &Var, const Expr &Condition) const {
    const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
    if (!Op || !Op->isComparisonOp())
      return false;
    const auto IsOfType = [&](const Expr *Side) {
      const Expr *Plain = Side->IgnoreParenImpCasts();
      return isa<DeclRefExpr>(Plain) &&
             Context.hasSameUnqualifiedType(Plain->getType(), Var.getType());
    };
    return IsOfType(Op->getLHS()) && IsOfType(Op->getRHS());
  }

  std::string declaration(QualType Type, std::string Name) const {
    PrintingPolicy Policy = Context.getPrintingPolicy();
    Policy.SuppressUnwrittenScope = true;
    Type.getAsStringInternal(Name, Policy);
    return Name;
  }

  /// The declaration of a copy of \p Var, under \p Name or without: a kernel's
  /// parameter cannot be an array.
  std::string copyOf(const VarDecl &Var, std::string Name) const {
    const QualType Type = writtenType(Var);
    const ConstantArrayType *Array = Context.getAsConstantArrayType(Type);
    const unsigned Elements = L.Elements.lookup(&Var);
    if (!Array && Elements == 0)
      return declaration(Type, std::move(Name));
    const QualType Element =
        Array ? Array->getElementType() : Type->getPointeeType();
    return "barricade::Array<" + declaration(Element.getUnqualifiedType(), "") +
           ", " +
           (Array ? llvm::toString(Array->getSize(), 10, /*Signed=*/false)
                  : std::to_string(Elements)) +
           (Name.empty() ? ">" : "> " + Name);
  }

  std::string line(const std::string &Margin, const std::string &Text) const {
    return Margin + Text + Site.NewLine.str();
  }

  //===--- The kernel -----------------------------------------------------===//

  void addKernel() {
    std::vector<std::string> Parameters = {barrierType(Names.Strategy) + " " +
                                           Barrier};
    if (!WholeGrid.empty())
      Parameters.push_back("dim3 " + WholeGrid);
    for (const auto &[Grid, Name] : HostGrids)
      Parameters.push_back("dim3 " + Name);
    const NameSet OfHost = namesLeftToHost();
    const auto Declared = [&](const VarDecl &Var) {
      return (isOnlySet(Var, OfHost) ? MaybeUnused.str() : "") +
             copyOf(Var, Var.getName().str());
    };
    for (const VarDecl *Var : Captures)
      if (!isUnset(*Var))
        Parameters.push_back(Declared(*Var));
    for (const auto &[Var, Name] : Results)
      Parameters.push_back(
          declaration(Context.getPointerType(writtenType(*Var)), Name));
    std::string Text = declarations();
    Text += line(Site.Margin,
                 "/// The loop of " + L.Function->getNameAsString() +
                     "() as one launch: a " + (Scopes.Narrows ? "" : "grid ") +
                     "barrier for each launch.");
    Text += Site.Margin + (OfTemplate ? OfTemplate->Head : "") +
            wrapList(Site.Margin,
                     (KernelLinkage + "__global__ void ").str() +
                         launchBounds() + Names.Kernel + "(",
                     Parameters, ") {", Site.NewLine) +
            Site.NewLine.str();
    const std::string Margin = Site.Margin + Site.Unit;
    for (const VarDecl *Var : Captures)
      if (isUnset(*Var))
        Text += line(Margin,
                     Declared(*Var) + (maySeemAsked(*Var) ? " = {};" : ";"));
    if (Scopes.Narrows)
      for (const std::string &Statement : betweenSteps())
        Text += line(Margin, Statement);
    Text += line(Margin, reindent(deviceLoop(), Indent, Margin));
    for (const auto &[Var, Name] : Results)
      Text += line(Margin, "barricade::store(" + Name + ", " +
                               Var->getNameAsString() + ");");
    Text += line(Site.Margin, "}") + Site.NewLine.str();
    Result.Edits.push_back(Source.insertion(Site.Place, std::move(Text)));
    Result.Edits.back().WithOthers = Edit::Meeting::AnyOrder;
  }

  /// What declares the barrier between steps.
  std::vector<std::string> betweenSteps() const {
    std::vector<std::string> Statements = {
        "barricade::StepBarrier " + BetweenSteps + "(" + Barrier + ", " +
        (WholeGrid.empty() ? "gridDim" : WholeGrid) + ");"};
    // The others have no value yet, or none that the kernel asks for.
    const auto HasValue = [&](const VarDecl *Var) {
      return llvm::is_contained(Captures, Var) && !isUnset(*Var);
    };
    for (const dependence::PointerPair &Pair : Scopes.Apart)
      if (HasValue(Pair.First) && HasValue(Pair.Second))
        Statements.push_back(
            BetweenSteps +
            (Pair.MayBeEqual ? ".require_same_or_apart(" : ".require_apart(") +
            Pair.First->getNameAsString() + ", " +
            Pair.Second->getNameAsString() + ");");
    return Statements;
  }

  /// What the kernels promise of their blocks, as far as it holds for all.
  std::string launchBounds() const {
    std::optional<uint64_t> MaxThreads, MinBlocks;
    llvm::SmallPtrSet<const FunctionDecl *, 4> Kernels;
    for (const LoopLaunch &Launch : L.Launches) {
      const auto *Bounds = Launch.LogicalThreads
                               ? nullptr
                               : Launch.Kernel->getAttr<CUDALaunchBoundsAttr>();
      const auto Threads = valueOf(Bounds ? Bounds->getMaxThreads() : nullptr);
      if (Threads && (!MaxThreads || *Threads < *MaxThreads))
        MaxThreads = Threads;
      if (Kernels.insert(Launch.Kernel).second)
        MinBlocks = valueOf(Bounds ? Bounds->getMinBlocks() : nullptr);
    }
    if (!MaxThreads)
      return "";
    std::string Values = std::to_string(*MaxThreads);
    if (Kernels.size() == 1 && MinBlocks)
      Values += ", " + std::to_string(*MinBlocks);
    return "__launch_bounds__(" + Values + ") ";
  }

  std::optional<uint64_t> valueOf(const Expr *E) const {
    Expr::EvalResult Value;
    if (!E || !E->EvaluateAsInt(Value, Context))
      return std::nullopt;
    return Value.Val.getInt().getZExtValue();
  }

  /// Of steps whose definition comes later.
  std::string declarations() {
    std::string Text;
    llvm::SmallPtrSet<const FunctionDecl *, 4> Seen;
    for (const LoopLaunch &Launch : L.Launches) {
      const FunctionDecl &Kernel = *Launch.Kernel;
      if (hasOtherVersion(Kernel, Site, Source))
        refuse(ReasonId::KernelCondition, Launch.Call->getBeginLoc());
      if (!SM.isBeforeInTranslationUnit(Site.Place, Kernel.getLocation()) ||
          !Seen.insert(&Kernel).second)
        continue;
      if (!Kernel.getEnclosingNamespaceContext()->Equals(
              L.Function->getEnclosingNamespaceContext()))
        refuse(ReasonId::KernelAfterLoop, Launch.Call->getBeginLoc());
      Text += Site.Margin + StepOf(Kernel).Declaration + ";" +
              Site.NewLine.str() + Site.NewLine.str();
    }
    return Text;
  }

  /// The loop's text with steps for launches.
  std::string deviceLoop() {
    TextPatch Patch(loopText());
    SourceLocation Done = removeInit(Patch);
    for (const LoopAction &A : L.Actions) {
      const auto [Start, Stop] = extentOf(A);
      if (Stop.isInvalid())
        return {};
      renameExtrema(Done, Start, Begin, Patch);
      Done = Stop;
      if (A.isHoisted())
        removeText(extentOf(A), A.InBlock, Patch);
      else if (A.Kind == LoopAction::Swap)
        Patch.replace(offset(Start), offset(Stop), swapText(A));
      else
        replace(A, Start, Stop, Patch);
    }
    renameExtrema(Done, End, Begin, Patch);
    for (const HostStep &Step : L.Steps)
      if (isHostOnly(*Step.Statement))
        removeText(extentOf(*Step.Statement), Step.InBlock, Patch);
    markUnused(namesLeftToHost(), Patch);
    return Patch.str();
  }

  //===--- Variables that a part of the loop leaves unused ----------------===//

  /// What the loop begins with, where a kernel takes it over.
  NameSet namesOfInit() const {
    NameSet All;
    if (const auto *For = dyn_cast<ForStmt>(L.Loop); For && Continued)
      addNames(For->getInit(), All);
    return All;
  }

  /// What the device does not evaluate.
  NameSet namesLeftToHost() const {
    NameSet All = namesOfInit();
    All.insert_range(namesForHost(L));
    return All;
  }

  /// Nothing asks for its value in the loop without the names of \p Left, and
  /// it has no constructor that might do more.
  bool isOnlySet(const VarDecl &Var, const NameSet &Left) const {
    return isOnlySetIn(Var, Left) && llvm::none_of(Results, [&](const auto &R) {
             return R.first == &Var;
           });
  }

  /// The same of a part of the loop that leaves no results.
  bool isOnlySetIn(const VarDecl &Var, const NameSet &Left) const {
    const CXXRecordDecl *Record = Var.getType()->getAsCXXRecordDecl();
    return (!Record || Record->isAggregate() ||
            Record->hasConstexprNonCopyMoveConstructor()) &&
           llvm::all_of(Uses.of(Var), [&](const facts::VariableUse &U) {
             return Left.contains(U.Name) || U.Kind == facts::UseKind::Assign ||
                    U.Kind == facts::UseKind::Step;
           });
  }

  /// Nothing is done to it but to give it a value. Of a parameter like that
  /// nvcc warns even where it is marked.
  bool isOnlyAssigned(const VarDecl &Var) const {
    const NameSet OfInit = namesOfInit();
    return Var.getType()->isScalarType() && !L.Elements.contains(&Var) &&
           isOnlySet(Var, OfInit) &&
           llvm::all_of(Uses.of(Var), [&](const facts::VariableUse &U) {
             return OfInit.contains(U.Name) || U.Kind == facts::UseKind::Assign;
           });
  }

  /// Compilers warn of variables that nothing uses but what \p Left names,
  /// which is not in the text that becomes of \p Patch.
  void markUnused(const NameSet &Left, TextPatch &Patch) const {
    const auto IsLeftUnused = [&](const Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return Var && !Var->hasAttr<UnusedAttr>() && isOnlySet(*Var, Left) &&
             llvm::any_of(Uses.of(*Var), [&](const facts::VariableUse &U) {
               return Left.contains(U.Name);
             });
    };
    const auto Mark = [&](const Stmt *S) {
      const auto *Declaration = dyn_cast_or_null<DeclStmt>(S);
      const SourceLocation At =
          Declaration ? Declaration->getBeginLoc() : SourceLocation();
      if (SourceText::isWritable(At) && !Patch.replaces(offset(At)) &&
          llvm::any_of(Declaration->decls(), IsLeftUnused))
        Patch.replace(offset(At), offset(At), MaybeUnused.str());
    };
    (void)holds(L.Loop, [&](const Stmt &S) {
      if (const auto *For = dyn_cast<ForStmt>(&S))
        Mark(For->getInit());
      return false;
    });
    for (const HostStep &Step : L.Steps)
      Mark(Step.Statement);
  }

  /// Where a kernel takes the loop over; returns the place behind.
  SourceLocation removeInit(TextPatch &Patch) const {
    if (!Continued || Continued->Init.isInvalid())
      return Begin;
    const SourceLocation Behind = Continued->Init.getEnd();
    Patch.replace(offset(Continued->Init.getBegin()), offset(Behind), "");
    return Behind;
  }

  bool isHostOnly(const Stmt &S) const {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Declaration &&
           L.HostOnly.contains(dyn_cast<VarDecl>(*Declaration->decl_begin()));
  }

  llvm::StringRef loopText() const {
    return Source.text(CharSourceRange::getCharRange(Begin, End));
  }

  /// The statement in the file, its semicolon included and macros whole; the
  /// end is invalid where that cannot be told.
  std::pair<SourceLocation, SourceLocation> extentOf(const Stmt &S) {
    SourceLocation Start = S.getBeginLoc(), Stop;
    const bool EndsInMacro =
        isa<Expr>(S) && !SourceText::isWritable(S.getEndLoc());
    if (SourceText::isWritable(Start) && !EndsInMacro) {
      Stop = Source.afterStatement(S);
    } else if (const auto Range = Source.fileRange(S)) {
      Start = Range->getBegin();
      Stop = afterSemicolon(Range->getEnd());
    }
    if (Stop.isInvalid())
      refuse(ReasonId::InMacro, S.getBeginLoc());
    return {Start, Stop};
  }

  /// One past the semicolon that follows \p Where; else \p Where.
  SourceLocation afterSemicolon(SourceLocation Where) const {
    const llvm::StringRef Rest =
        Source.text(CharSourceRange::getCharRange(Where, End));
    const llvm::StringRef Next = Rest.ltrim();
    return Next.starts_with(";")
               ? Where.getLocWithOffset(int(Rest.size() - Next.size()) + 1)
               : Where;
  }

  /// With the statements that check its result.
  std::pair<SourceLocation, SourceLocation> extentOf(const LoopAction &A) {
    const auto [Start, Stop] = extentOf(*A.Statement);
    return {Start, A.Last ? extentOf(*A.Last).second : Stop};
  }

  void removeText(std::pair<SourceLocation, SourceLocation> Extent,
                  bool InBlock, TextPatch &Patch) {
    const auto [Start, Stop] = Extent;
    if (Stop.isInvalid())
      return;
    if (InBlock)
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

  /// A launch as its step.
  std::string stepText(const LoopLaunch &Launch, const std::string &Margin) {
    std::vector<StepArgument> Arguments;
    for (const Expr *Each : Launch.Call->arguments()) {
      const Expr &Argument = withoutBraces(*Each);
      Arguments.push_back(asSpelled(Argument, argumentText(Argument), Context));
    }
    StepRange Range;
    Range.Block = localName("block");
    Range.Thread = localName("thread");
    Range.Grid = deviceGrid(Launch);
    if (Launch.LogicalThreads)
      Range.BlockSize = deviceText(*Launch.Block);
    return stepStatement(
        StepOf(*Launch.Kernel), qualifierFor(*Launch.Kernel, *L.Function),
        Arguments, templateArguments(*Launch.Callee), Range, Margin, Site);
  }

  std::string deviceGrid(const LoopLaunch &Launch) {
    if (L.Grids == GridForm::Same)
      return WholeGrid;
    return Launch.GridFromHost ? HostGrids.lookup(outsideText(*Launch.Grid))
                               : deviceText(*Launch.Grid);
  }

  /// What stands for \p A on the device, before its barrier.
  std::string actionText(const LoopAction &A, const std::string &Margin) {
    const auto Argument = [&](unsigned I) {
      return deviceText(*A.Call->getArg(I));
    };
    const auto Variable = [&](unsigned I) {
      return text(*cast<UnaryOperator>(A.Call->getArg(I)->IgnoreParenCasts())
                       ->getSubExpr());
    };
    switch (A.Kind) {
    case LoopAction::Launch:
      return stepText(L.Launches[A.Index], Margin);
    case LoopAction::Upload:
      return "barricade::store(" + Argument(0) + ", " + Variable(1) + ");";
    case LoopAction::ReadBack:
      return Variable(0) + " = *(" + Argument(1) + ");";
    case LoopAction::Fill:
      return "barricade::fill(" + Argument(0) + ", " + Argument(1) + ", " +
             Argument(2) + ");";
    case LoopAction::Copy:
      return "barricade::copy(" + Argument(0) + ", " + Argument(1) + ", " +
             Argument(2) + ");";
    case LoopAction::Swap:
    case LoopAction::Synchronise:
    case LoopAction::Query:
      break;
    }
    llvm_unreachable("has no barrier");
  }

  /// Whether the step of \p Launch, as it is called now, is confined.
  std::string confinement(unsigned Launch) {
    const dependence::StepScope &Step = Scopes.Steps[Launch];
    if (Step.Needs == dependence::Scope::Grid)
      return "false";
    std::vector<std::string> Conditions;
    const auto Ask = [&](const std::string &Function, const Expr *Argument) {
      Conditions.push_back(Function + "(" +
                           deviceText(*Argument->IgnoreImpCasts()) + ")");
    };
    for (const Expr *Distance : Step.Distances)
      Ask("barricade::is_distance_in_block", Distance);
    for (const Expr *Limit : Step.Limits)
      Ask(BetweenSteps + ".has_room_above", Limit);
    return Conditions.empty() ? "true" : llvm::join(Conditions, " && ");
  }

  /// \p A with its barrier. Where all are the grid's, one stands after every
  /// access: what comes next may write what was read.
  std::string withBarrier(const LoopAction &A, const std::string &Margin) {
    const std::string Text = actionText(A, Margin),
                      Line = Site.NewLine.str() + Margin;
    return Scopes.Narrows ? BetweenSteps + ".before_step(" +
                                confinement(A.Index) + ");" + Line + Text
                          : Text + Line + "__gpu_sync(" + Barrier + ");";
  }

  /// Puts \p A and a barrier in place of its statement.
  void replace(const LoopAction &A, SourceLocation Start, SourceLocation Stop,
               TextPatch &Patch) {
    const std::string Margin = Source.indentation(Start).str();
    const std::string Steps = withBarrier(A, Margin);
    if (A.InBlock)
      return Patch.replace(offset(Start), offset(Stop), Steps);
    const SourceLocation Header = Source.afterHeader(Start);
    const std::string Closing =
        Site.NewLine.str() +
        Source.indentation(parentBegin(*A.Statement)).str() + "}";
    Patch.replace(offset(Header), offset(Stop),
                  " {" + Site.NewLine.str() + Margin + Steps + Closing);
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
    const Stmt *Parent = parentOf(S, Context);
    return Parent ? Parent->getBeginLoc() : S.getBeginLoc();
  }

  //===--- The launch -----------------------------------------------------===//

  void addLaunch() {
    const std::vector<std::string> Arguments = launchArguments();
    if (Continued)
      addTakeover(Arguments);
    else
      addLaunchInstead(Arguments);
  }

  std::string kernelName() const {
    return Names.Kernel + (OfTemplate ? OfTemplate->Arguments : "");
  }

  std::vector<std::string> launchArguments() {
    const LoopLaunch &First = L.Launches.front();
    std::vector<std::string> Arguments = {
        kernelName(), gridText(), outsideText(*L.Block), textOr0(L.SharedBytes),
        textOr0(First.Stream)};
    if (!WholeGrid.empty())
      Arguments.push_back(outsideText(*First.Grid));
    for (const auto &[Grid, Name] : HostGrids)
      Arguments.push_back(Grid);
    for (const VarDecl *Var : Captures)
      if (!isUnset(*Var))
        Arguments.push_back(captureText(*Var));
    for (const auto &[Var, Name] : Results)
      Arguments.push_back(Name + ".device()");
    return Arguments;
  }

  llvm::StringRef launchFunction() const {
    return Names.LogicalBlocks ? "barricade::launch_persistent"
                               : "barricade::launch_persistent_exact";
  }

  /// Puts a launch in front of the loop, which runs where that is refused.
  void addLaunchInstead(llvm::ArrayRef<std::string> Arguments) {
    const std::string Line = Site.NewLine.str() + Indent;
    std::string Text = waitingLoop(), Condition = launchCondition();
    // What the loop waits for in other streams comes before its later launches.
    for (const std::string &Wait : movedBefore(Indent))
      Text += Wait + Line;
    if (!Largest.empty())
      Text += gridDeclaration() + Line;
    for (const auto &[Var, Name] : Results) {
      Text += resultDeclaration(*Var, Name) + Line;
      Condition += Name + " && ";
    }
    const bool Declares =
        !Largest.empty() || !Results.empty() || !Waits.empty();
    const std::vector<std::string> Success = afterSuccess(Indent + Site.Unit);
    Text += wrapList(
        Indent, ("if (" + Condition + launchFunction() + "(").str(), Arguments,
        Success.empty() ? ") != cudaSuccess) {" : ") == cudaSuccess) {",
        Site.NewLine);
    for (const std::string &Statement : Success)
      Text += Line + Site.Unit + Statement;
    if (!Success.empty())
      Text += Line + "} else {";
    Text += Line + Site.Unit;
    indentFallback();
    surround(Text, Line + "}", Declares);
  }

  /// What declares \p Name for the value that the kernel leaves of \p Var.
  std::string resultDeclaration(const VarDecl &Var, const std::string &Name) {
    return "const barricade::Result<" + declaration(writtenType(Var), "") +
           "> " + Name + "(" + textOr0(L.Launches.front().Stream) + ");";
  }

  /// Has the loop ask, when an iteration begins, whether the kernel should do
  /// the rest.
  void addTakeover(llvm::ArrayRef<std::string> Arguments) {
    Result.TakesOver = true;
    const std::string Line = Site.NewLine.str() + Indent;
    const std::string Takeover = Names.Fresh("takeover");
    std::string Before = Largest.empty() ? "" : gridDeclaration() + Line;
    std::vector<std::string> Given = {kernelName(), Arguments[1], Arguments[4]};
    std::string Behind;
    if (!Names.Replay.empty()) {
      Before += Names.ReplayDeclaration + Line;
      Given.push_back(Names.Replay);
      Behind = Line + Names.Replay + ".flush();";
    }
    Before += wrapList(Indent, "barricade::Takeover " + Takeover + "(", Given,
                       ");", Site.NewLine) +
              Line;

    const std::string Inner = Indent + Site.Unit;
    const std::string IsDue =
        Takeover + ".is_due(" + Continued->Remaining + ")";
    // At the loop's end the body's brace comes first.
    insertFirst(launchWhenDue(IsDue, Inner, Arguments), *bodyOf(*L.Loop),
                Site.NewLine.str() + Inner);
    surround(Before, std::move(Behind), /*Declares=*/true);
  }

  /// Launches the kernel once it is due, and leaves the loop then. Memory for
  /// results, and waiting for other streams, a loop that is not taken over does
  /// not need.
  std::string launchWhenDue(const std::string &IsDue, const std::string &Margin,
                            llvm::ArrayRef<std::string> Arguments) {
    const std::string Inner = Margin + Site.Unit;
    std::vector<std::string> Before = movedBefore(Inner);
    std::string AreThere;
    for (const auto &[Var, Name] : Results) {
      Before.push_back(resultDeclaration(*Var, Name));
      AreThere += (AreThere.empty() ? "" : " && ") + Name;
    }
    if (Before.empty())
      return launchIf(IsDue, Margin, Arguments);
    std::string Text = "if (" + IsDue + ") {";
    for (const std::string &Statement : Before)
      Text += Site.NewLine.str() + Inner + Statement;
    return Text + Site.NewLine.str() + Inner +
           launchIf(AreThere, Inner, Arguments) + Site.NewLine.str() + Margin +
           "}";
  }

  /// The same on \p Condition, which may be empty.
  std::string launchIf(const std::string &Condition, const std::string &Margin,
                       llvm::ArrayRef<std::string> Arguments) {
    const std::string Line = Site.NewLine.str() + Margin;
    const std::string Deeper = Margin + "    ";
    std::string Text = "if (";
    if (!Condition.empty())
      Text += Condition + " &&" + Site.NewLine.str() + Deeper;
    Text += wrapList(Condition.empty() ? Margin : Deeper,
                     (launchFunction() + "(").str(), Arguments,
                     ") == cudaSuccess) {", Site.NewLine);
    for (const std::string &Statement : afterSuccess(Margin + Site.Unit))
      Text += Line + Site.Unit + Statement;
    return Text + Line + Site.Unit + "break;" + Line + "}";
  }

  /// Makes \p Text the first statement of the loop's body, on lines that \p
  /// Line begins.
  void insertFirst(const std::string &Text, const Stmt &Body,
                   const std::string &Line) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&Body)) {
      const SourceLocation First = Block->body_front()->getBeginLoc();
      const SourceLocation Behind =
          Source.afterTrailingComment(Source.afterToken(Block->getLBracLoc()));
      const bool OnOneLine =
          SourceText::isWritable(First) && Source.onOneLine(Behind, First);
      Result.Edits.push_back(
          OnOneLine ? Source.replacement(Behind, First, Line + Text + Line)
                    : Source.insertion(Behind, Line + Text));
      return;
    }
    Result.Edits.push_back(Source.insertion(
        Source.afterHeader(Body.getBeginLoc()), " {" + Line + Text));
    Result.Edits.push_back(Source.insertion(
        Source.afterTrailingComment(Source.afterStatement(Body)),
        Site.NewLine.str() + Indent + "}"));
  }

  /// Puts \p Before and \p Behind around the loop, in a block of their own
  /// where they need one.
  void surround(const std::string &Before, std::string Behind, bool Declares) {
    if (Declares ? !mayDeclare() : !isInBlock()) {
      // The `if` might take an `else` that is not its own.
      Result.Edits.push_back(Source.insertion(Source.afterHeader(Begin), " {"));
      Behind += Site.NewLine.str() +
                Source.indentation(parentBegin(*L.Loop)).str() + "}";
    }
    Result.Edits.push_back(Source.insertion(Begin, Before));
    if (!Behind.empty())
      Result.Edits.push_back(Source.insertion(Source.afterTrailingComment(End),
                                              std::move(Behind)));
  }

  /// What the kernel takes for \p Var.
  std::string captureText(const VarDecl &Var) {
    const std::string Name = Var.getNameAsString();
    const unsigned Elements = L.Elements.lookup(&Var);
    if (Elements == 0)
      return Name;
    std::string Condition = Continued ? "" : entryCondition();
    if (!Condition.empty() && isComma(*L.Entry.Condition))
      Condition = "(" + Condition + ")";
    return "barricade::first_elements<" + std::to_string(Elements) + ">(" +
           Name + (Condition.empty() ? ")" : ", " + Condition + ")");
  }

  /// Copies make the host wait where it is not asked to.
  bool waitsForLaunch() const {
    return L.ReadsBack || llvm::any_of(L.Actions, [](const LoopAction &A) {
             return A.Kind == LoopAction::Upload;
           });
  }

  static bool isComma(const Expr &E) {
    const auto *Op = dyn_cast<BinaryOperator>(E.IgnoreImpCasts());
    return Op && Op->isCommaOp();
  }

  /// What must hold for the host to wait; where it would not, the loop does.
  std::string launchCondition() {
    if (!Waits.empty())
      return Waits + " && ";
    const std::string Entry = waitsForLaunch() ? entryCondition() : "";
    if (Entry.empty())
      return "";
    const Expr &Plain = *L.Entry.Condition->IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(&Plain);
    const bool BindsTighter =
        isPrimary(Plain) || isa<UnaryOperator>(Plain) ||
        (Op && (Op->isComparisonOp() || Op->getOpcode() == BO_LAnd));
    return (BindsTighter ? Entry : "(" + Entry + ")") + " && ";
  }

  /// Runs the loop until it waits for the first time.
  std::string waitingLoop() {
    if (Waits.empty())
      return "";
    const HostText Loop = hostLoop(sliceFor(L, {}), LoopPart::UntilWait,
                                   [](const LoopAction &A) -> std::string {
                                     return A.waits() ? "return true;" : "";
                                   });
    return "const bool " + Waits + " = " + onCopies("bool", "", Loop, "false") +
           Site.NewLine.str() + Indent;
  }

  /// A piece of the loop for the host.
  struct HostText {
    std::string Text;
    NameSet Left; ///< Names in the loop that are not in it.
  };

  /// A call of a lambda that runs \p Loop on copies of the variables.
  std::string onCopies(llvm::StringRef Type, llvm::StringRef Begin,
                       const HostText &Loop, llvm::StringRef Returned) {
    const std::string Margin = Indent + Site.Unit;
    const std::string Line = Site.NewLine.str() + Margin;
    std::string Text = ("[=]() mutable -> " + Type + " {").str();
    if (!Begin.empty())
      Text += Line + Begin.str();
    llvm::StringSet<> Named;
    forEachWord(Loop.Text, [&](llvm::StringRef Word) { Named.insert(Word); });
    for (const VarDecl *Var : L.Captures)
      if ((L.Unset.contains(Var) || L.NotAsked.contains(Var)) &&
          Named.contains(Var->getName()))
        Text += Line + (isOnlySetIn(*Var, Loop.Left) ? MaybeUnused.str() : "") +
                copyOf(*Var, Var->getNameAsString()) + ";";
    return Text + Line + reindent(Loop.Text, Indent, Margin) + Line +
           "return " + Returned.str() + ";" + Site.NewLine.str() + Indent +
           "}();";
  }

  bool isInBlock() const { return blockOf(*L.Loop, Context); }

  /// Nothing within the loop jumps far.
  bool mayDeclare() const {
    return mayDeclareBefore(*L.Loop, Context) &&
           !UnitUses(Context).jumpsFar() &&
           !holds(L.Function->getBody(),
                  [](const Stmt &S) { return isa<LabelStmt>(S); });
  }

  /// The grid to launch with: as many blocks as the largest of all.
  std::string gridText() {
    switch (L.Grids) {
    case GridForm::Same:
      // What a launch would refuse must not become one that is clamped.
      return Names.LogicalBlocks
                 ? LargestOf + outsideText(*L.Launches.front().Grid) + ")"
                 : outsideText(*L.Launches.front().Grid);
    case GridForm::Several: {
      const std::string Call =
          LargestOf + llvm::join(neededGrids(), ", ") + ")";
      if (!runsLogicalThreads() && Call.size() <= MostInLaunch)
        return Call;
      [[fallthrough]];
    }
    case GridForm::Computed:
      return Largest = Names.Fresh("largest");
    }
    llvm_unreachable("unknown form");
  }

  bool runsLogicalThreads() const {
    return llvm::any_of(L.Launches, [](const LoopLaunch &Launch) {
      return Launch.LogicalThreads;
    });
  }

  /// What declares the variable for the grid, if there is one.
  std::string gridDeclaration() {
    if (L.Grids == GridForm::Computed)
      return sizingLoop();
    return wrapList(Indent, "const dim3 " + Largest + " = " + LargestOf,
                    neededGrids(), ");", Site.NewLine);
  }

  std::vector<std::string> neededGrids() {
    std::vector<std::string> Grids;
    for (const LoopLaunch &Launch : L.Launches)
      if (std::string Grid = neededBlocks(Launch);
          !llvm::is_contained(Grids, Grid))
        Grids.push_back(std::move(Grid));
    return Grids;
  }

  /// The grid that \p Launch needs of the persistent kernel's blocks.
  std::string neededBlocks(const LoopLaunch &Launch) {
    // Within the loop its variables are at hand.
    const auto Written = [&](const Expr &E) {
      return L.Grids == GridForm::Computed ? text(E) : outsideText(E);
    };
    const std::string Grid = Written(*Launch.Grid);
    return Launch.LogicalThreads
               ? "barricade::blocks_for(" + Grid + ", " +
                     Written(*Launch.Block) + ", " + outsideText(*L.Block) + ")"
               : Grid;
  }

  /// Runs the loop for the launches' grids alone.
  std::string sizingLoop() {
    std::vector<const VarDecl *> Wanted;
    NameSet Staying;
    for (const LoopLaunch &Launch : L.Launches) {
      addNames(Launch.Grid, Staying);
      if (Launch.LogicalThreads)
        addNames(Launch.Block, Staying);
      for (const Expr *Part : {Launch.Grid, Launch.Block})
        (void)holds(Part, [&](const Stmt &S) {
          if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
            if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
              Wanted.push_back(Var);
          return false;
        });
    }
    const HostSlice Slice = sliceFor(L, Wanted);
    const std::string Grids = Slice.HasEffects ? localName("grids") : Largest;
    const HostText Sizing = hostLoop(
        Slice, LoopPart::Whole,
        [&](const LoopAction &A) -> std::string {
          return A.Kind == LoopAction::Launch
                     ? Grids + ".include(" + neededBlocks(L.Launches[A.Index]) +
                           ");"
                     : "";
        },
        Staying);
    const std::string Declaration = "barricade::LargestGrid " + Grids + ";";
    if (!Slice.HasEffects)
      return Declaration + Site.NewLine.str() + Indent + Sizing.Text;
    return "const dim3 " + Largest + " = " +
           onCopies("dim3", Declaration, Sizing, Grids);
  }

  /// What the host does once the kernel is launched, behind \p Margin.
  std::vector<std::string> afterSuccess(const std::string &Margin) {
    const std::string Condition = conditionBehind();
    const std::string Inner = Condition.empty() ? Margin : Margin + Site.Unit;
    std::vector<AfterLaunch> Parts;
    // Copies that nobody checks come last, for no check asks what they set.
    for (const auto &[Var, Name] : Results) {
      const std::string Call =
          Name + ".copy_to(" + Var->getNameAsString() + ")";
      const LoopAction *Copy = checkedCopyTo(*Var);
      Parts.push_back({AfterLaunch::Result,
                       Copy ? rankOf(*Copy) : L.Actions.size(), /*Waits=*/true,
                       Copy ? checkText(*Copy, Call, Margin) : Call + ";",
                       Copy ? checkForm(*Copy) : ""});
    }
    addWaits(Inner, Parts);
    for (const LoopAction &A : L.Actions)
      if (A.isHoisted())
        for (std::string &Text : movedTexts(&A, Inner))
          Parts.push_back({AfterLaunch::Moved, rankOf(A), A.waits(),
                           std::move(Text), checkForm(A)});
    std::vector<std::string> Statements;
    // Without what it reads back, the loop might not end. What is no result
    // then only the loop's init has changed. Checks may change what it asks.
    if (!L.ReadsBack && !L.LiveOn.empty())
      Statements.push_back(
          reindent(hostLoop(sliceFor(L, L.LiveOn.getArrayRef()), LoopPart::Rest,
                            [](const LoopAction &) { return std::string(); })
                       .Text,
                   Indent, Margin));
    addOnCondition(Condition, inOrder(std::move(Parts)), Margin, Statements);
    return Statements;
  }

  /// A statement behind the launch.
  struct AfterLaunch {
    enum KindTy {
      Result, ///< Brings a variable back.
      Check,  ///< Waits or asks in place of a copy or a fill.
      Moved,  ///< The loop's own, which waits or asks.
    };
    KindTy Kind;
    size_t Rank;
    bool Waits; ///< For the launch.
    std::string Text;
    std::string Form; ///< That of its check (`checkForm`).
  };

  /// When the loop comes to \p A behind its last launch, in this iteration or
  /// the next one.
  size_t rankOf(const LoopAction &A) const {
    const size_t Size = L.Actions.size();
    size_t Last = 0;
    for (const auto &[Index, Each] : llvm::enumerate(L.Actions))
      if (Each.Kind == LoopAction::Launch)
        Last = Index;
    return (size_t(&A - &L.Actions.front()) + Size - Last) % Size;
  }

  std::vector<const LoopAction *> actionsByRank() const {
    std::vector<const LoopAction *> Result;
    for (const LoopAction &A : L.Actions)
      Result.push_back(&A);
    llvm::stable_sort(Result, [&](const LoopAction *A, const LoopAction *B) {
      return rankOf(*A) < rankOf(*B);
    });
    return Result;
  }

  /// A fault is seen by the first that waits for the launch, or behind that. So
  /// what the loop comes to before then it comes to in the next iteration. One
  /// check of a form is enough, the first.
  static std::vector<AfterLaunch> inOrder(std::vector<AfterLaunch> Parts) {
    llvm::stable_sort(Parts, [](const AfterLaunch &A, const AfterLaunch &B) {
      return A.Rank < B.Rank;
    });
    std::rotate(
        Parts.begin(),
        llvm::find_if(Parts, [](const AfterLaunch &A) { return A.Waits; }),
        Parts.end());
    std::vector<AfterLaunch> Result;
    for (AfterLaunch &Part : Parts) {
      const auto IsSame = [&](const AfterLaunch &Before) {
        return Part.Kind == AfterLaunch::Check && !Part.Form.empty()
                   ? Part.Form == Before.Form
                   : Part.Text == Before.Text;
      };
      if (llvm::any_of(Result, IsSame))
        continue;
      // The loop's own does what stands in place of a copy right before it.
      if (!Result.empty() && Result.back().Kind == AfterLaunch::Check &&
          Part.Kind != AfterLaunch::Check && Part.Waits && !Part.Form.empty() &&
          Part.Form == Result.back().Form)
        Result.pop_back();
      Result.push_back(std::move(Part));
    }
    return Result;
  }

  /// Adds \p Parts, those that bring nothing back on \p Condition, if there is
  /// one.
  void addOnCondition(const std::string &Condition,
                      llvm::ArrayRef<AfterLaunch> Parts,
                      const std::string &Margin,
                      std::vector<std::string> &Into) const {
    std::vector<std::string> Group;
    const auto Close = [&] {
      if (!Group.empty())
        Into.push_back("if (" + Condition + ") " + inBlock(Group, Margin));
      Group.clear();
    };
    for (const AfterLaunch &Part : Parts) {
      if (Part.Kind != AfterLaunch::Result && !Condition.empty()) {
        Group.push_back(Part.Text);
        continue;
      }
      Close();
      Into.push_back(Part.Text);
    }
    Close();
  }

  /// Adds what waits for the launch in place of copies, and what asks for
  /// errors in place of those copies and fills that do not wait, by the loop's
  /// checks.
  void addWaits(const std::string &Margin, std::vector<AfterLaunch> &Into) {
    const std::string Wait =
        "cudaStreamSynchronize(" + textOr0(L.Launches.front().Stream) + ")";
    // The host has waited for what was launched before its last copy.
    bool Waited = !Results.empty();
    for (const LoopAction &A : L.Actions) {
      Waited |= A.Kind == LoopAction::Synchronise &&
                (A.OwnStream || A.Call->getNumArgs() == 0);
      // That goes with the result.
      const bool HasResult = llvm::any_of(Results, [&](const auto &Result) {
        return checkedCopyTo(*Result.first) == &A;
      });
      if (!A.isCopy() || !A.isChecked() || HasResult)
        continue;
      Waited |= A.waits();
      const std::string Call = A.waits() ? Wait : "cudaPeekAtLastError()";
      Into.push_back({AfterLaunch::Check, rankOf(A), A.waits(),
                      checkText(A, Call, Margin), checkForm(A)});
    }
    const std::vector<const LoopAction *> Actions = actionsByRank();
    const auto First =
        llvm::find_if(Actions, [](const LoopAction *A) { return A->waits(); });
    const bool IsSeenLater =
        First != Actions.end() && (*First)->isCopy() &&
        !(*First)->isChecked() &&
        llvm::any_of(L.Actions, [](const LoopAction &A) {
          return A.Kind == LoopAction::Query ||
                 (A.Kind != LoopAction::Launch && A.Kind != LoopAction::Swap &&
                  A.isChecked());
        });
    if ((!Waited || (IsSeenLater && Results.empty())) && waitsForLaunch())
      Into.push_back({AfterLaunch::Check,
                      First != Actions.end() ? rankOf(**First) : 0,
                      /*Waits=*/true, Wait + ";", /*Form=*/""});
  }

  /// The copy to \p Var whose check goes with the result.
  const LoopAction *checkedCopyTo(const VarDecl &Var) const {
    const auto Found = llvm::find_if(L.Actions, [&](const LoopAction &A) {
      return A.Kind == LoopAction::ReadBack && A.Statement != A.Call &&
             variableAt(*A.Call->getArg(0)) == &Var;
    });
    return Found != L.Actions.end() ? &*Found : nullptr;
  }

  /// \p A's statements without its call, by which checks are told apart; empty
  /// where a macro spells the call.
  std::string checkForm(const LoopAction &A) {
    const auto Inner = Source.fileRange(*A.Call);
    const auto [Start, Stop] = extentOf(A);
    return Inner && Stop.isValid()
               ? movedText(Start, Inner->getBegin(), "") + '\0' +
                     movedText(Inner->getEnd(), Stop, "")
               : "";
  }

  /// \p Call, with the check that the loop makes of \p A.
  std::string checkText(const LoopAction &A, const std::string &Call,
                        const std::string &Margin) {
    const auto Inner = Source.fileRange(*A.Call);
    const auto [Start, Stop] = extentOf(A);
    if (!Inner || Stop.isInvalid()) {
      refuse(ReasonId::InMacro, A.Call->getBeginLoc());
      return {};
    }
    const auto Moved = [&, Start = Start, Stop = Stop](std::string To) {
      return movedText(Start, Inner->getBegin(), To) + Call +
             movedText(Inner->getEnd(), Stop, To);
    };
    return isa<DeclStmt>(A.Statement)
               ? inBlock({Moved(Margin + Site.Unit)}, Margin)
               : Moved(Margin);
  }

  static const ValueDecl *variableAt(const Expr &Address) {
    const auto *Op = cast<UnaryOperator>(Address.IgnoreParenCasts());
    return cast<DeclRefExpr>(Op->getSubExpr()->IgnoreParens())->getDecl();
  }

  /// A piece of the loop's text for behind the launch.
  std::string movedText(SourceLocation From, SourceLocation To,
                        const std::string &Margin) const {
    return reindent(Source.text(CharSourceRange::getCharRange(From, To)),
                    Source.indentation(From), Margin);
  }

  void indentFallback() {
    const llvm::StringRef Text = loopText();
    const bool HasTabs = llvm::StringRef(Site.Unit).contains('\t');
    for (size_t At = Text.find('\n'); At != llvm::StringRef::npos;
         At = Text.find('\n', At + 1)) {
      // No blank comes to stand before a tab.
      const size_t Place =
          HasTabs ? At + 1 : Text.find_first_not_of(" \t", At + 1);
      if (Place < Text.size() && Text[Place] != '\n' && Text[Place] != '\r')
        Result.Edits.push_back(
            Source.insertion(Begin.getLocWithOffset(int(Place)), Site.Unit));
    }
  }

  /// What the loop waits for in other streams in each iteration, and the host
  /// now once, if the loop runs at all.
  std::vector<std::string> movedBefore(const std::string &Margin) {
    std::vector<const LoopAction *> Moved;
    for (const LoopAction &A : L.Actions)
      if (waitsElsewhere(A))
        Moved.push_back(&A);
    const bool OnlyOnEntry =
        llvm::any_of(Moved, [](const LoopAction *A) { return A->OnlyOnEntry; });
    const std::string Condition =
        OnlyOnEntry && !Continued ? movedCondition(/*BeforeLaunch=*/true) : "";
    if (Condition.empty())
      return movedTexts(Moved, Margin);
    return {"if (" + Condition + ") " +
            inBlock(movedTexts(Moved, Margin + Site.Unit,
                               /*HasBlock=*/Moved.size() == 1),
                    Margin)};
  }

  /// Under which what leaves the loop is done behind the launch; empty: always.
  std::string conditionBehind() {
    const bool OnlyOnEntry = llvm::any_of(L.Actions, [](const LoopAction &A) {
      return A.isHoisted() && A.OnlyOnEntry;
    });
    return OnlyOnEntry && !Continued ? movedCondition(/*BeforeLaunch=*/false)
                                     : "";
  }

  /// The launch may itself be made on condition that the loop waits.
  std::string movedCondition(bool BeforeLaunch) {
    if (!BeforeLaunch && (waitsForLaunch() || !Waits.empty()))
      return "";
    return Waits.empty() ? entryCondition() : Waits;
  }

  std::vector<std::string> movedTexts(llvm::ArrayRef<const LoopAction *> Moved,
                                      const std::string &Margin,
                                      bool HasBlock = false) {
    std::vector<std::string> Texts;
    for (const LoopAction *A : Moved) {
      const auto [Start, Stop] = extentOf(*A);
      if (Stop.isInvalid())
        continue;
      // Its variable's name may be another's here.
      std::string Text =
          isa<DeclStmt>(A->Statement) && !HasBlock
              ? inBlock({movedText(Start, Stop, Margin + Site.Unit)}, Margin)
              : movedText(Start, Stop, Margin);
      if (!llvm::is_contained(Texts, Text))
        Texts.push_back(std::move(Text));
    }
    return Texts;
  }

  std::string inBlock(llvm::ArrayRef<std::string> Statements,
                      const std::string &Margin) const {
    const std::string Line = Site.NewLine.str() + Margin;
    std::string Text = "{";
    for (const std::string &Statement : Statements)
      Text += Line + Site.Unit + Statement;
    return Text + Line + "}";
  }

  enum class LoopPart {
    Whole,
    Rest,      ///< What is left of it, where a kernel takes it over.
    UntilWait, ///< What stands behind the first wait is never reached.
  };

  /// The loop's text as far as \p Slice goes, where actions other than swaps
  /// become what \p TextFor has for them, which may be nothing and names
  /// \p Staying.
  HostText hostLoop(const HostSlice &Slice, LoopPart Part,
                    llvm::function_ref<std::string(const LoopAction &)> TextFor,
                    const NameSet &Staying = {}) {
    TextPatch Patch(loopText());
    NameSet Left;
    if (Part == LoopPart::UntilWait)
      removeBehindWaits(Patch, Left);
    if (Part == LoopPart::Rest) {
      removeInit(Patch);
      Left = namesOfInit();
    }
    for (const LoopAction &A : L.Actions) {
      if (A.Kind == LoopAction::Swap)
        continue;
      const auto [Start, Stop] = extentOf(A);
      addNames(A.Statement, Left);
      if (Patch.replaces(offset(Start)))
        continue;
      if (const std::string Text = TextFor(A); !Text.empty() && Stop.isValid())
        Patch.replace(offset(Start), offset(Stop), Text);
      else
        removeText({Start, Stop}, A.InBlock, Patch);
    }
    for (const Stmt *Name : Staying)
      Left.erase(Name);
    for (const HostStep *Step : Slice.Unneeded) {
      const auto Extent = extentOf(*Step->Statement);
      addNames(Step->Statement, Left);
      if (!Patch.replaces(offset(Extent.first)))
        removeText(Extent, Step->InBlock, Patch);
    }
    markUnused(Left, Patch);
    return {Patch.str(), std::move(Left)};
  }

  /// What is left of a loop that returns where it waits.
  struct UntilWait {
    TextPatch &Patch;
    NameSet &Left; ///< Names that are gone.
    /// Statements behind which no way leads, waits and others.
    llvm::SmallPtrSet<const Stmt *, 8> Leaving;
  };

  void removeBehindWaits(TextPatch &Patch, NameSet &Left) {
    UntilWait Rest = {Patch, Left, {}};
    for (const LoopAction &A : L.Actions)
      if (A.waits())
        Rest.Leaving.insert(A.Statement);
    removeUnreached(*L.Loop, Rest);
  }

  /// Removes what no way leads to in \p S: compilers warn of values that such
  /// code reads and nothing sets.
  void removeUnreached(const Stmt &S, UntilWait &Rest) {
    if (llvm::any_of(L.Actions,
                     [&](const LoopAction &A) { return A.Statement == &S; }))
      return;
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    bool IsReached = true;
    for (const Stmt *Part : S.children()) {
      if (!Part)
        continue;
      if (!IsReached) {
        addNames(Part, Rest.Left);
        continue;
      }
      removeUnreached(*Part, Rest);
      IsReached = !Block || isPassed(*Part, Rest);
      if (!IsReached)
        removeRest(*Part, *Block, Rest.Patch);
    }
    if (isLoop(S))
      removeUnreachedOf(S, Rest);
  }

  bool isPassed(const Stmt &S, const UntilWait &Rest) const {
    return facts::completesNormally(
        &S, Context, facts::Judged::ByValues,
        [&](const Stmt &Part) { return Rest.Leaving.contains(&Part); });
  }

  /// The same of what \p Loop does but run its body.
  void removeUnreachedOf(const Stmt &Loop, UntilWait &Rest) {
    const Stmt *Body = bodyOf(Loop);
    const bool ComesAgain =
        isPassed(*Body, Rest) || jumps<ContinueStmt>(Body, Rest.Patch);
    if (const Expr *Again = evaluatedAgain(Loop);
        Again && !ComesAgain && beginsUnset(*Again))
      removeAgain(*Again, isa<DoStmt>(Loop), Rest);
    const Expr *Condition = conditionOf(Loop);
    const bool IsEndless = isa<DoStmt>(Loop) && !ComesAgain;
    if ((IsEndless || !Condition ||
         constantCondition(Condition, Context) == true) &&
        !jumps<BreakStmt>(Body, Rest.Patch))
      Rest.Leaving.insert(&Loop);
  }

  /// What \p S, if it is a loop, evaluates only behind its body.
  static const Expr *evaluatedAgain(const Stmt &S) {
    if (const auto *For = dyn_cast<ForStmt>(&S))
      return For->getInc();
    const auto *Do = dyn_cast<DoStmt>(&S);
    return Do ? Do->getCond() : nullptr;
  }

  /// A variable in \p E has no value where it is declared.
  static bool beginsUnset(const Expr &E) {
    return holds(&E, [](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      return Var && Var->isLocalVarDecl() && !Var->getInit();
    });
  }

  /// A jump of the loop around \p S, which may be null, is left in \p Patch.
  template <typename Jump>
  bool jumps(const Stmt *S, const TextPatch &Patch) const {
    if (!S || isLoop(*S) || isa<LambdaExpr>(S))
      return false;
    if (isa<Jump>(S))
      return !Patch.replaces(offset(SM.getExpansionLoc(S->getBeginLoc())));
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return jumps<Jump>(Child, Patch);
    });
  }

  void removeAgain(const Expr &E, bool IsCondition, UntilWait &Rest) {
    const std::optional<CharSourceRange> Range = Source.fileRange(E);
    if (!Range)
      return refuse(ReasonId::InMacro, E.getBeginLoc());
    Rest.Patch.replace(offset(Range->getBegin()), offset(Range->getEnd()),
                       IsCondition ? "false" : "");
    addNames(&E, Rest.Left);
  }

  /// Removes what follows \p Last, or what checks it, in \p Block.
  void removeRest(const Stmt &Last, const CompoundStmt &Block,
                  TextPatch &Patch) {
    if (Block.body_back() == &Last)
      return;
    const auto A = llvm::find_if(L.Actions, [&](const LoopAction &Each) {
      return Each.Statement == &Last;
    });
    const SourceLocation From =
        A != L.Actions.end() ? extentOf(*A).second : extentOf(Last).second;
    const SourceLocation Close = Block.getRBracLoc();
    if (From.isInvalid() || !SourceText::isWritable(Close))
      return refuse(ReasonId::InMacro, Last.getBeginLoc());
    const llvm::StringRef Rest =
        Source.text(CharSourceRange::getCharRange(From, Close)).rtrim();
    Patch.replace(offset(From), offset(From) + unsigned(Rest.size()), "");
  }

  static constexpr llvm::StringLiteral MaybeUnused = "[[maybe_unused]] ";
  static constexpr const char *LargestOf = "barricade::largest_grid(";
  /// Longer calls get a variable: a launch's other arguments are to be seen.
  static constexpr size_t MostInLaunch = 60;

  const RelaunchLoop &L;
  const dependence::LoopScopes &Scopes;
  const PersistentNames &Names;
  llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf;
  ASTContext &Context;
  Preprocessor &PP;
  const SourceManager &SM;
  SourceText Source;
  const facts::VariableFacts Uses; ///< In the loop.
  OtherBuilds Others;
  KernelSite Site;
  std::optional<TemplateText> OfTemplate; ///< Of the function, if it is one.
  /// In an instance of a template: its variables, as the template has them.
  llvm::DenseMap<const VarDecl *, const VarDecl *> SpelledVariables;
  PersistentText Result;

  SourceLocation Begin, End; ///< The loop; End is one past it.
  std::string Indent;        ///< Of the loop.
  /// How the loop goes on, where the kernel takes it over; else the kernel
  /// does all of it.
  std::optional<Continuation> Continued;
  llvm::SmallVector<const VarDecl *, 8> Captures; ///< What the kernel gets.
  std::string Barrier;      ///< The kernel's first parameter.
  std::string BetweenSteps; ///< Its barrier between steps, if some is narrow.
  /// Its parameter for the grid of all launches, if it may have fewer blocks.
  std::string WholeGrid;
  /// Its parameters for grids that the host computes before, by their texts.
  llvm::MapVector<std::string, std::string, std::map<std::string, unsigned>>
      HostGrids;
  std::string Largest; ///< The host's variable for the grid, if any.
  std::string Waits;   ///< Its variable for whether the loop waits, if asked.
  llvm::StringSet<> Words;
  /// What the host gets back, and through which variable.
  std::vector<std::pair<const VarDecl *, std::string>> Results;
};

} // namespace

PersistentText writePersistent(
    const RelaunchLoop &L, const dependence::LoopScopes &Scopes,
    const PersistentNames &Names,
    llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf,
    const PassView &Host) {
  return PersistentWriter(L, Scopes, Names, StepOf, Host).write();
}

} // namespace barricade::grid_barrier
