// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-fusion/FusedText.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/DeviceLimits.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/WrittenMacros.h"
#include "matchers/source/WrittenNames.h"
#include "rewriters/FirstFree.h"
#include "rewriters/KernelNames.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/BarrierType.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace clang;

namespace barricade::launch_fusion {

using namespace grid_barrier;
using launch_fusion::blocker;
using launch_fusion::ReasonId;

namespace {

/// What the barrier and the grids take of the kernel's parameters.
constexpr uint64_t OwnParameterBytes = 256;

/// A type, a kernel or a template argument that code elsewhere can name.
bool hasName(QualType Type) {
  Type = Type.getCanonicalType();
  while (Type->isAnyPointerType() || Type->isArrayType())
    Type = Type->isArrayType()
               ? QualType(Type->getArrayElementTypeNoTypeQual(), 0)
               : Type->getPointeeType();
  const TagDecl *Tag = Type->getAsTagDecl();
  if (!Tag)
    return true;
  if (!Tag->getIdentifier() || Tag->getParentFunctionOrMethod() ||
      isHidden(*Tag))
    return false;
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Tag);
  return !Special ||
         llvm::all_of(Special->getTemplateArgs().asArray(),
                      [](const TemplateArgument &Arg) {
                        return Arg.getKind() != TemplateArgument::Type ||
                               hasName(Arg.getAsType());
                      });
}

/// A parameter of the fused kernel.
struct FusedParameter {
  const Expr *Argument;
  QualType Type;
  std::string Name;
};

class FusedWriter {
public:
  FusedWriter(const LaunchSequence &S, const FusionPlan &Plan,
              const FusedNames &Names,
              llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf,
              const PassView &Host)
      : S(S), Plan(Plan), Names(Names), StepOf(StepOf), Context(*Host.Context),
        PP(*Host.PP), SM(Context.getSourceManager()), Source(Context),
        Others(Host) {}

  FusedText write() {
    Site = siteBefore(*S.Function, Source);
    if (!checkPlaces())
      return std::move(Result);
    Indent =
        Source.indentation(S.Launches.back().Statement->getBeginLoc()).str();
    reserveNames();
    // Where both have one place, the first comes first. All findings of a run
    // include the same, or they would not get on.
    llvm::append_range(
        Result.Edits,
        runtimeInclusions(Names.Strategy, Names.Header, Site, Source, PP));
    addKernel();
    checkParameters();
    addLaunch();
    if (!Result.Blockers.empty())
      Result.Edits.clear();
    return std::move(Result);
  }

private:
  bool refuse(ReasonId Id, SourceLocation Where) {
    Result.Blockers.push_back(blocker(Id, Where));
    return false;
  }

  bool usesGridBarrier() const { return Plan.strongest() == Scope::Grid; }

  bool checkPlaces() {
    const SourceLocation Begin = S.Launches.front().Statement->getBeginLoc();
    if (SM.getFileID(Begin) != SM.getFileID(Site.Place))
      return refuse(ReasonId::InMacro, Begin);
    for (const SequencedLaunch &L : S.Launches) {
      const SourceLocation Start = L.Statement->getBeginLoc();
      const SourceLocation End = Source.afterStatement(*L.Statement);
      if (!SourceText::isWritable(Start) || End.isInvalid())
        return refuse(ReasonId::InMacro, Start);
      Ends.push_back(End);
    }
    if (!isUndirected(Begin, Ends.back(), Site, Source) ||
        mayMeetPragma(*S.Launches.front().Statement, Ends.back(), Source,
                      Context, PP))
      return refuse(ReasonId::Preprocessor, Begin);
    if (Others.mayBelongTo(*S.Launches.front().Statement) ||
        Others.mayRespell(Begin, Ends.back()))
      return refuse(ReasonId::OtherBuild, Begin);
    if (Source.hasSplitLines(Begin, Ends.back()))
      return refuse(ReasonId::SplitLine, Begin);
    return S.IsContiguous || checkNamesBetween();
  }

  /// The launches are to stand where the last one does: their names must not
  /// mean something else there.
  bool checkNamesBetween() {
    llvm::StringSet<> Words;
    const auto *Block =
        cast<CompoundStmt>(parentOf(*S.Launches.front().Statement, Context));
    for (const Stmt *Each : Block->body()) {
      if (Each == S.Launches.back().Statement)
        break;
      for (const auto &[I, L] : llvm::enumerate(S.Launches))
        if (Each == L.Statement)
          forEachWord(Source.text(CharSourceRange::getCharRange(
                          L.Statement->getBeginLoc(), Ends[I])),
                      [&](llvm::StringRef Word) { addMeaning(Word, Words); });
      const auto *Declaration = dyn_cast<DeclStmt>(Each);
      if (!Words.empty() && Declaration &&
          llvm::any_of(Declaration->decls(),
                       [&](const Decl *D) { return mayHide(*D, Words); }))
        return refuse(ReasonId::NameClash, Each->getBeginLoc());
    }
    return true;
  }

  /// \p Word and all that it stands for as a macro.
  void addMeaning(llvm::StringRef Word, llvm::StringSet<> &Words) {
    if (!Words.insert(Word).second)
      return;
    if (const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Word)))
      for (const Token &T : Macro->tokens())
        if (const IdentifierInfo *Name = T.getIdentifierInfo())
          addMeaning(Name->getName(), Words);
  }

  /// A using declaration or directive brings names of which none is known here.
  static bool mayHide(const Decl &D, const llvm::StringSet<> &Words) {
    if (isa<StaticAssertDecl, EmptyDecl>(D))
      return false;
    const auto *Named = dyn_cast<NamedDecl>(&D);
    return !isa<VarDecl, TypedefNameDecl>(D) || !Named->getIdentifier() ||
           Words.contains(Named->getName());
  }

  //===--- Text -----------------------------------------------------------===//

  std::string text(const Expr &E) {
    const std::optional<CharSourceRange> Range = Source.fileRange(E);
    if (Range)
      return Source.text(*Range).str();
    refuse(ReasonId::InMacro, E.getBeginLoc());
    return {};
  }
  std::string textOr0(const Expr *E) { return E ? text(*E) : "0"; }

  std::string line(const std::string &Margin, const std::string &Text) const {
    return Margin + Text + Site.NewLine.str();
  }

  std::string qualifier(const SequencedLaunch &L) const {
    return qualifierFor(*L.Kernel, *S.Function);
  }

  /// `ns::kernel` as the launch spells it.
  std::string spelledName(const SequencedLaunch &L) {
    if (SourceText::isWritable(L.Callee->getBeginLoc()) &&
        SourceText::isWritable(L.Callee->getLocation()))
      return Source.text(L.Callee->getBeginLoc(), L.Callee->getLocation())
          .str();
    refuse(ReasonId::InMacro, L.Call->getBeginLoc());
    return {};
  }

  /// For the place of the fused kernel: as the launch spells them, where that
  /// means the same there. What is left out is deduced, or has its default, as
  /// in the launch.
  std::string argumentsForStep(const SequencedLaunch &L) {
    const TemplateArgumentList *All = L.Kernel->getTemplateSpecializationArgs();
    if (!L.Callee->hasExplicitTemplateArgs())
      return All && llvm::all_of(All->asArray(),
                                 [](const TemplateArgument &Arg) {
                                   return Arg.getKind() ==
                                          TemplateArgument::Type;
                                 })
                 ? templateArguments(L)
                 : "";
    if (!isSpelledOutside(L))
      return templateArguments(L);
    if (firstRedefined(L.Callee->getLAngleLoc(), L.Callee->getRAngleLoc(),
                       Site.Place, Context, PP)
            .isValid())
      refuse(ReasonId::NameClash, L.Callee->getLAngleLoc());
    return Source.text(L.Callee->getLAngleLoc(), L.Callee->getRAngleLoc())
        .str();
  }

  bool isSpelledOutside(const SequencedLaunch &L) const {
    return findLocalName(*L.Callee, *S.Function).isInvalid() &&
           SourceText::isWritable(L.Callee->getLAngleLoc()) &&
           SourceText::isWritable(L.Callee->getRAngleLoc());
  }

  /// All of them, as the program has them now, where it will always have those.
  std::string templateArguments(const SequencedLaunch &L) {
    const FunctionDecl &Kernel = *L.Kernel;
    const TemplateArgumentList *Arguments =
        Kernel.getTemplateSpecializationArgs();
    if (!Arguments)
      return {};
    for (const auto &[I, Arg] : llvm::enumerate(Arguments->asArray())) {
      if (templateArgumentMayDiffer(*L.Callee, unsigned(I), *L.Call, Context))
        refuse(ReasonId::KernelName, L.Call->getBeginLoc());
      if (Arg.getKind() != TemplateArgument::Integral &&
          !(Arg.getKind() == TemplateArgument::Type &&
            hasName(Arg.getAsType())))
        refuse(ReasonId::KernelName, Kernel.getLocation());
    }
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    printTemplateArgumentList(Stream, Arguments->asArray(),
                              writtenPolicy(Context));
    if (isHiddenBeside(*S.Function, Text) || spellsMacro(Text, Site.Place, PP))
      refuse(ReasonId::NameClash, Kernel.getLocation());
    return Text;
  }

  static std::string listOf(llvm::ArrayRef<std::string> Words) {
    std::string Text;
    for (const auto &[I, Word] : llvm::enumerate(Words))
      Text += (I == 0 ? "" : I + 1 < Words.size() ? ", " : " and ") + Word;
    return Text;
  }

  //===--- Names ----------------------------------------------------------===//

  /// What parameters must not hide in the kernel's body.
  void reserveNames() {
    for (llvm::StringRef Name : NamesWrittenOnDevice)
      Taken.insert(Name);
    Taken.insert("block");
    for (const SequencedLaunch &L : S.Launches) {
      Taken.insert(StepOf(*L.Kernel).Name);
      addWords(argumentsForStep(L));
      addWords(qualifier(L));
    }
    if (usesGridBarrier())
      Barrier = freshParameter("bar");
  }

  void addWords(llvm::StringRef Text) {
    forEachWord(Text, [&](llvm::StringRef Word) { Taken.insert(Word); });
  }

  std::string freshParameter(const std::string &Base) {
    return firstFree(Base, [&](const std::string &Name) {
      return !mayBeMacro(Name, Context) && Taken.insert(Name).second;
    });
  }

  /// The name that \p Argument has on the host, or the kernel's own.
  static std::string nameFor(const Expr &Argument, const ParmVarDecl &P) {
    const Expr *E = Argument.IgnoreParenImpCasts();
    const NamedDecl *Named = nullptr;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      Named = Ref->getDecl();
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      Named = Member->getMemberDecl();
    if (Named && isa<VarDecl, FieldDecl>(Named) && Named->getIdentifier())
      return Named->getNameAsString();
    return P.getIdentifier() ? P.getNameAsString() : "argument";
  }

  /// What the type of \p P is called where its kernel is, it is called beside
  /// the host function, too.
  bool meansTheSame(const ParmVarDecl &P) const {
    return grid_barrier::meansTheSame(
        writtenDeclaration(P.getType().getUnqualifiedType(), "", Context),
        *cast<FunctionDecl>(P.getDeclContext()), *S.Function);
  }

  /// Outside of all, nothing hides what is outside of all.
  bool isInNamespace() const {
    return !S.Function->getEnclosingNamespaceContext()->isTranslationUnit();
  }

  /// What the type of \p P is called, a parameter of an instance maybe, is
  /// what macros or the type of \p Argument make of it now.
  bool mayDiffer(const ParmVarDecl &P, const Expr &Argument) const {
    const auto &Kernel = *cast<FunctionDecl>(P.getDeclContext());
    const ParmVarDecl &Spelled =
        *spelledFunction(Kernel).getParamDecl(P.getFunctionScopeIndex());
    return Spelled.getType()->isDependentType()
               ? typeMayDiffer(Argument, Context)
               : typeMayDiffer(Spelled, /*AsNamed=*/true);
  }

  /// The parameter's type, by a name that holds beside the host function. A
  /// pointer that the host may write through serves kernels that only read,
  /// too.
  QualType typeFor(const Expr &Argument, const ParmVarDecl &P) const {
    QualType Wanted = P.getType().getUnqualifiedType();
    if (!meansTheSame(P))
      Wanted =
          TypeName::getFullyQualifiedType(Wanted, Context, isInNamespace());
    const QualType Given = Argument.IgnoreParenImpCasts()->getType();
    if (!Wanted->isPointerType() || !Given->isPointerType() ||
        !Context.hasSameUnqualifiedType(Wanted->getPointeeType(),
                                        Given->getPointeeType()))
      return Wanted;
    return Context.getPointerType(
        Context.getQualifiedType(Wanted->getPointeeType().getUnqualifiedType(),
                                 Given->getPointeeType().getQualifiers()));
  }

  /// \p Type, \p P's, means another one beside the host function, or is spelled
  /// by what is a macro there.
  bool isHidden(QualType Type, const ParmVarDecl &P) const {
    const std::string Text = writtenDeclaration(Type, "", Context);
    return spellsMacro(Text, Site.Place, PP) ||
           (!meansTheSame(P) && isHiddenBeside(*S.Function, Text));
  }

  /// The parameter of the fused kernel that carries \p Argument for \p P.
  const FusedParameter &parameterFor(const Expr &Argument,
                                     const ParmVarDecl &P) {
    const QualType Type = typeFor(Argument, P);
    for (const FusedParameter &Known : Parameters)
      if (Context.hasSameType(Known.Type, Type) &&
          host::sameExpression(Known.Argument->IgnoreParenImpCasts(),
                               Argument.IgnoreParenImpCasts(), Context))
        return Known;
    if (!hasName(Type) || mayDiffer(P, Argument))
      refuse(ReasonId::ParameterType, P.getLocation());
    if (isHidden(Type, P))
      refuse(ReasonId::NameClash, P.getLocation());
    Parameters.push_back(
        {&Argument, Type, freshParameter(nameFor(Argument, P))});
    return Parameters.back();
  }

  /// What stands for an argument in the call of the step.
  grid_barrier::StepArgument argumentFor(const Expr &Argument,
                                         const ParmVarDecl &P) {
    // A macro may mean something else where the kernel stands.
    if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
            CXXNullPtrLiteralExpr>(Argument.IgnoreParenImpCasts()) &&
        SourceText::isWritable(Argument.getBeginLoc())) {
      grid_barrier::StepArgument Known =
          grid_barrier::asSpelled(Argument, text(Argument), Context);
      Known.MayBeKnown = true;
      return Known;
    }
    return {parameterFor(Argument, P).Name, /*IsNull=*/false};
  }

  //===--- The kernel -----------------------------------------------------===//

  void addKernel() {
    const std::string Margin = Site.Margin + Site.Unit;
    std::string Body, Ahead;
    for (const auto &[I, L] : llvm::enumerate(S.Launches)) {
      Ahead += declarationOf(L);
      Body += line(Margin, stepCall(L, Margin));
      if (I < Plan.Boundaries.size())
        Body += barrierAfter(I, Margin);
    }
    std::vector<std::string> Declared;
    if (usesGridBarrier())
      Declared.push_back(grid_barrier::barrierType(Names.Strategy) + " " +
                         Barrier);
    // What the kernels do not read has no name, or compilers would complain.
    for (const FusedParameter &P : Parameters)
      Declared.push_back(holdsWord(Body, P.Name)
                             ? unusedAttribute(P.Name, Body, PP).str() +
                                   writtenDeclaration(P.Type, P.Name, Context)
                             : writtenDeclaration(P.Type, "", Context));
    for (const auto &[Name, Grid] : Grids)
      Declared.push_back("dim3 " + Name);
    std::string Text = Ahead;
    Text += line(Site.Margin, "/// " + listOf(kernelNames()) + " of " +
                                  S.Function->getNameAsString() +
                                  "() as one launch.");
    Text += Site.Margin +
            wrapList(Site.Margin,
                     (KernelLinkage + "__global__ void ").str() +
                         Names.LaunchBounds + Names.Kernel + "(",
                     Declared, ") {", Site.NewLine) +
            Site.NewLine.str();
    Text += Body + line(Site.Margin, "}") + Site.NewLine.str();
    Result.Edits.push_back(Source.insertion(Site.Place, std::move(Text)));
    Result.Edits.back().WithOthers = Edit::Meeting::AnyOrder;
  }

  std::vector<std::string> kernelNames() const {
    std::vector<std::string> Words;
    for (const SequencedLaunch &L : S.Launches)
      if (const std::string Name = L.Kernel->getNameAsString();
          !llvm::is_contained(Words, Name))
        Words.push_back(Name);
    return Words;
  }

  std::string declarationOf(const SequencedLaunch &L) {
    if (hasOtherVersion(*L.Kernel, Site, Source))
      refuse(ReasonId::KernelCondition, L.Call->getBeginLoc());
    if (!SM.isBeforeInTranslationUnit(Site.Place, L.Kernel->getLocation()) ||
        !Declared.insert(L.Kernel->getCanonicalDecl()).second)
      return {};
    if (!L.Kernel->getEnclosingNamespaceContext()->Equals(
            S.Function->getEnclosingNamespaceContext()))
      refuse(ReasonId::KernelAfterLaunch, L.Call->getBeginLoc());
    return Site.Margin + StepOf(*L.Kernel).Declaration + ";" +
           Site.NewLine.str() + Site.NewLine.str();
  }

  std::string stepCall(const SequencedLaunch &L, const std::string &Margin) {
    std::vector<grid_barrier::StepArgument> Arguments;
    for (unsigned I = 0; I < L.Call->getNumArgs(); ++I)
      Arguments.push_back(
          argumentFor(grid_barrier::withoutBraces(*L.Call->getArg(I)),
                      *L.Kernel->getParamDecl(I)));
    return stepStatement(StepOf(*L.Kernel), qualifier(L), Arguments,
                         argumentsForStep(L),
                         {gridParameter(L), "", "block", ""}, Margin, Site);
  }

  /// The name under which the kernel knows the launch's grid, where it is not
  /// the one that all have.
  std::string gridParameter(const SequencedLaunch &L) {
    if (S.SameGrid)
      return {};
    for (const auto &[Name, Grid] : Grids)
      if (host::sameExpression(Grid, L.Grid, Context))
        return Name;
    Grids.push_back(
        {freshParameter(L.Kernel->getNameAsString() + "_grid"), L.Grid});
    return Grids.back().first;
  }

  std::string barrierAfter(size_t Launch, const std::string &Margin) const {
    switch (Plan.Boundaries[Launch].Between) {
    case Scope::None:
      return endsStep(Launch) ? line(Margin, "barricade::end_step();")
                              : std::string();
    case Scope::Block:
      return line(Margin, "__syncthreads();");
    case Scope::Neighbours:
    case Scope::Grid:
      return line(Margin, "__gpu_sync(" + Barrier + ");");
    }
    llvm_unreachable("unknown scope");
  }

  /// The next step must not add to a product that this one, or one before,
  /// still has in a register.
  bool endsStep(size_t Launch) const {
    return llvm::any_of(llvm::ArrayRef(S.Launches).take_front(Launch + 1),
                        [&](const SequencedLaunch &L) {
                          return StepOf(*L.Kernel).Products.Any;
                        });
  }

  void checkParameters() {
    const SourceLocation Where = S.Launches.front().Call->getBeginLoc();
    uint64_t Bytes = 0;
    llvm::StringSet<> ParameterNames;
    for (const FusedParameter &P : Parameters) {
      Bytes += Context.getTypeSizeInChars(P.Type).getQuantity() +
               Context.getTypeAlignInChars(P.Type).getQuantity();
      ParameterNames.insert(P.Name);
    }
    if (Bytes + OwnParameterBytes > MaxParameterBytes)
      refuse(ReasonId::ParameterSize, Where);
    // A parameter would hide the type of a later one.
    for (const FusedParameter &P : Parameters)
      forEachWord(writtenDeclaration(P.Type, "", Context),
                  [&](llvm::StringRef Word) {
                    if (ParameterNames.contains(Word))
                      refuse(ReasonId::NameClash, P.Argument->getBeginLoc());
                  });
  }

  //===--- The launch -----------------------------------------------------===//

  void addLaunch() {
    const SequencedLaunch &First = S.Launches.front();
    std::vector<std::string> Arguments = {Names.Kernel};
    if (!usesGridBarrier())
      Arguments.push_back(grid_barrier::kernelList(originals(), *First.Kernel));
    llvm::append_range(Arguments,
                       std::vector<std::string>{gridText(), text(*First.Block),
                                                textOr0(S.SharedBytes),
                                                textOr0(First.Stream)});
    for (const FusedParameter &P : Parameters)
      Arguments.push_back(text(*P.Argument));
    for (const auto &[Name, Grid] : Grids)
      Arguments.push_back(text(*Grid));
    const std::string Head = wrapList(
        Indent,
        std::string("if (barricade::") +
            (usesGridBarrier() ? "launch_persistent_exact(" : "launch_fused("),
        Arguments, ") != cudaSuccess) {", Site.NewLine);
    const std::string Line = Site.NewLine.str() + Indent;
    if (S.IsContiguous)
      wrapLaunches(Head + Line + Site.Unit, Line + "}");
    else
      moveLaunches(Head, Line);
  }

  std::vector<std::string> originals() {
    std::vector<std::string> Kernels;
    for (const SequencedLaunch &L : S.Launches) {
      if (isOverloaded(*L.Kernel) ||
          mayBeOverloaded(*L.Callee, Others, Context))
        refuse(ReasonId::KernelName, L.Call->getBeginLoc());
      const FunctionTemplateDecl *Template = L.Kernel->getPrimaryTemplate();
      const bool AllSpelled =
          Template && Template->getTemplateParameters()->size() ==
                          L.Callee->getNumTemplateArgs();
      std::string Name = spelledName(L) + (AllSpelled ? argumentsForStep(L)
                                                      : templateArguments(L));
      if (!llvm::is_contained(Kernels, Name))
        Kernels.push_back(std::move(Name));
    }
    return Kernels;
  }

  static bool isOverloaded(const FunctionDecl &Kernel) {
    const auto Found = Kernel.getDeclContext()->getRedeclContext()->lookup(
        Kernel.getDeclName());
    std::set<const Decl *> Different;
    for (const NamedDecl *D : Found)
      Different.insert(D->getCanonicalDecl());
    return Different.size() > 1;
  }

  std::string gridText() {
    if (S.SameGrid && Plan.Limits.empty())
      return text(*S.Launches.front().Grid);
    std::vector<std::string> Texts;
    if (S.SameGrid) {
      Texts = {text(*S.Launches.front().Grid), text(*S.Launches.front().Block)};
      for (const Expr *Limit : Plan.Limits)
        Texts.push_back(text(*Limit->IgnoreImpCasts()));
      return "barricade::grid_below(" + llvm::join(Texts, ", ") + ")";
    }
    for (const auto &[Name, Grid] : Grids)
      Texts.push_back(text(*Grid));
    return "barricade::largest_grid(" + llvm::join(Texts, ", ") + ")";
  }

  /// Puts the launches, as they stand, under the condition.
  void wrapLaunches(std::string Before, std::string After) {
    const SourceLocation Begin = S.Launches.front().Statement->getBeginLoc();
    Result.Edits.push_back(Source.insertion(Begin, std::move(Before)));
    const llvm::StringRef Text =
        Source.text(CharSourceRange::getCharRange(Begin, Ends.back()));
    for (size_t At = Text.find('\n'); At != llvm::StringRef::npos;
         At = Text.find('\n', At + 1))
      if (At + 1 < Text.size() && Text[At + 1] != '\n' && Text[At + 1] != '\r')
        Result.Edits.push_back(
            Source.insertion(Begin.getLocWithOffset(int(At) + 1), Site.Unit));
    Result.Edits.push_back(Source.insertion(
        Source.afterTrailingComment(Ends.back()), std::move(After)));
  }

  /// Brings the launches to the last one, for what stands between is needed
  /// there and may be needed further on.
  void moveLaunches(std::string Text, const std::string &Line) {
    for (const auto &[I, L] : llvm::enumerate(S.Launches)) {
      const SourceLocation Begin = L.Statement->getBeginLoc();
      const std::string Launch =
          reindent(Source.text(CharSourceRange::getCharRange(Begin, Ends[I])),
                   Source.indentation(Begin), Indent + Site.Unit);
      Text += Line + Site.Unit + Launch;
      if (&L != &S.Launches.back())
        Result.Edits.push_back(Source.removal(Begin, Ends[I]));
    }
    Result.Edits.push_back(
        Source.replacement(S.Launches.back().Statement->getBeginLoc(),
                           Ends.back(), Text + Line + "}"));
  }

  const LaunchSequence &S;
  const FusionPlan &Plan;
  const FusedNames &Names;
  llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf;
  ASTContext &Context;
  Preprocessor &PP;
  const SourceManager &SM;
  SourceText Source;
  OtherBuilds Others;
  KernelSite Site;
  FusedText Result;

  std::vector<SourceLocation> Ends; ///< One past each launch.
  std::string Indent;               ///< Of the last launch.
  std::string Barrier;              ///< The kernel's first parameter.
  llvm::StringSet<> Taken;
  std::set<const Decl *> Declared;
  std::vector<FusedParameter> Parameters;
  std::vector<std::pair<std::string, const Expr *>> Grids; ///< If they differ.
};

} // namespace

FusedText
writeFused(const LaunchSequence &S, const FusionPlan &Plan,
           const FusedNames &Names,
           llvm::function_ref<const StepText &(const FunctionDecl &)> StepOf,
           const PassView &Host) {
  return FusedWriter(S, Plan, Names, StepOf, Host).write();
}

} // namespace barricade::launch_fusion
