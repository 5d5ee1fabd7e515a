// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/KernelSite.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "matchers/source/WrittenNames.h"
#include "rewriters/Macros.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {

KernelSite siteBefore(const FunctionDecl &Function, const SourceText &Source) {
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  const FunctionTemplateDecl *Template = spelledTemplate(Function);
  SourceLocation Start = Source.beforeAttributes(
      Function, SM.getExpansionLoc(Template ? Template->getBeginLoc()
                                            : Function.getOuterLocStart()));
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

const FunctionTemplateDecl *spelledTemplate(const FunctionDecl &Function) {
  const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
  return Pattern ? Pattern->getDescribedFunctionTemplate() : nullptr;
}

bool isUndirected(SourceLocation Begin, SourceLocation End,
                  const KernelSite &Site, const SourceText &Source) {
  return !Source.hasDirectiveBetween(Begin, End) &&
         !Source.followsPragma(Begin) &&
         Source.haveSameConditions(Site.Place, Begin);
}

bool hasOtherVersion(const FunctionDecl &Kernel, const KernelSite &Site,
                     const SourceText &Source) {
  const FunctionDecl &Spelled = spelledFunction(Kernel);
  const SourceManager &SM = Kernel.getASTContext().getSourceManager();
  const SourceLocation Where = SM.getExpansionLoc(Spelled.getLocation());
  const FileID File = SM.getFileID(Where);
  const bool SameFile = File == SM.getFileID(Site.Place);
  const unsigned Place = SM.getFileOffset(Site.Place);
  std::vector<SourceText::Condition> Around = Source.conditionsAround(Where);
  llvm::erase_if(Around, [&](const SourceText::Condition &C) {
    return SameFile && C.Begin < Place && Place < C.End;
  });
  if (Around.empty())
    return false;
  const auto Declarations =
      llvm::count_if(Spelled.redecls(), [&](const FunctionDecl *Each) {
        return SM.getFileID(SM.getExpansionLoc(Each->getLocation())) == File;
      });
  return llvm::any_of(Around,
                      [](const SourceText::Condition &C) {
                        return C.hasOtherBranch();
                      }) ||
         Source.countDeclarators(
             Kernel.getName(), SM.getLocForStartOfFile(File),
             SM.getLocForEndOfFile(File)) > unsigned(Declarations);
}

/// \p Word, which \p Before stands in front of, is one of the runtime's or of
/// CUDA's, or one that CUDA's headers spell with `device`.
static bool isOfRuntime(llvm::StringRef Word, llvm::StringRef Before) {
  static constexpr llvm::StringLiteral Members[] = {
      "device",      "copy_to",        "include",
      "is_due",      "launch",         "launch_overlapped",
      "flush",       "join",           "join_overlapped",
      "if_confined", "require_apart",  "require_same_or_apart",
      "before_step", "has_room_above", "length",
      "call",        "call_if",        "Block",
      "Thread",      "memset",         "memset_async",
      "memcpy",      "memcpy_async",   "next",
      "synchronize", "flush_error"};
  return Word == "barricade" || Word == "__gpu_sync" || Word == "__device__" ||
         Word == "cudaSuccess" || Before.ends_with("barricade::") ||
         (Before.ends_with(".") && llvm::is_contained(Members, Word));
}

/// \p Word is one of CUDA's that the rules write, and a macro of the user's:
/// the headers themselves may define such a word, and put another in its place.
static bool isReplacedByUser(llvm::StringRef Word, const IdentifierInfo &Known,
                             Preprocessor &PP) {
  bool Found = false;
  if (llvm::is_contained(NamesWrittenOnHost, Word) ||
      llvm::is_contained(NamesWrittenOnDevice, Word))
    forEachDefinition(Known, PP, [&](const MacroInfo &Macro) {
      Found |=
          !PP.getSourceManager().isInSystemHeader(Macro.getDefinitionLoc());
    });
  return Found;
}

bool meetsMacros(llvm::ArrayRef<Edit> Edits, Preprocessor &PP,
                 llvm::function_ref<bool(llvm::StringRef)> IsOfOtherBuild) {
  bool Found = false;
  for (const Edit &E : Edits) {
    const llvm::StringRef Text = E.Text;
    forEachWord(Text, [&](llvm::StringRef Word) {
      const llvm::StringRef Before =
          Text.take_front(Word.begin() - Text.begin());
      const llvm::StringRef Name = Word == "__device__" ? "device" : Word;
      const IdentifierInfo *Known =
          knownIdentifier(Name, PP.getIdentifierTable());
      const bool IsRuntimes = isOfRuntime(Word, Before);
      Found |= (IsRuntimes && IsOfOtherBuild(Word)) ||
               (Known && Known->hadMacroDefinition() &&
                (IsRuntimes || isReplacedByUser(Word, *Known, PP) ||
                 Known->isKeyword(PP.getLangOpts())));
    });
  }
  return Found;
}

std::vector<Edit> runtimeInclusions(SyncStrategy Strategy, RuntimeHeader Header,
                                    const KernelSite &Site,
                                    const SourceText &Source,
                                    Preprocessor &PP) {
  const auto Inclusion = [&](StringRef Spelled) {
    return Source.inclusion(Spelled, Site.Place, PP);
  };
  static constexpr llvm::StringLiteral Groups("<cooperative_groups.h>");
  if (Strategy == SyncStrategy::Cooperative)
    if (const std::optional<Edit> First = Inclusion(Groups)) {
      // Once more where it is there already: it may stand before the groups.
      Edit Second = *First;
      Second.Text.replace(Second.Text.find(Groups), Groups.size(),
                          includeName(Header));
      return {*First, Second};
    }
  if (std::optional<Edit> E = Inclusion(includeName(Header)))
    return {std::move(*E)};
  return {};
}

using Meanings = llvm::SmallPtrSet<const Decl *, 4>;

/// What is declared as \p Name in \p Namespace, or brought there by directives.
static void collect(const DeclContext &Namespace, const IdentifierInfo &Name,
                    llvm::SmallPtrSetImpl<const DeclContext *> &Seen,
                    Meanings &Found) {
  if (!Seen.insert(Namespace.getPrimaryContext()).second)
    return;
  for (const NamedDecl *Each : Namespace.lookup(&Name))
    Found.insert(Each->getUnderlyingDecl()->getCanonicalDecl());
  for (const UsingDirectiveDecl *Each : Namespace.using_directives())
    collect(*Each->getNominatedNamespace(), Name, Seen, Found);
}

static Meanings meaningsIn(const DeclContext &Namespace,
                           const IdentifierInfo &Name) {
  llvm::SmallPtrSet<const DeclContext *, 8> Seen;
  Meanings Found;
  collect(Namespace, Name, Seen, Found);
  return Found;
}

/// In all namespaces around \p From.
static Meanings meaningsAround(const FunctionDecl &From,
                               const IdentifierInfo &Name) {
  llvm::SmallPtrSet<const DeclContext *, 8> Seen;
  Meanings Found;
  for (const DeclContext *Around = From.getEnclosingNamespaceContext(); Around;
       Around = Around->getParent())
    collect(*Around, Name, Seen, Found);
  return Found;
}

bool meansTheSame(llvm::StringRef Text, const FunctionDecl &Kernel,
                  const FunctionDecl &Host) {
  const ASTContext &Context = Host.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  bool IsSame = true;
  forEachWord(Text, [&](llvm::StringRef Word) {
    const IdentifierInfo &Name = Context.Idents.get(Word);
    const Meanings There = meaningsAround(Kernel, Name),
                   Here = meaningsAround(Host, Name);
    IsSame &= There.size() == Here.size() &&
              llvm::all_of(Here, [&](const Decl *Each) {
                return There.contains(Each) &&
                       SM.isBeforeInTranslationUnit(Each->getLocation(),
                                                    Kernel.getLocation());
              });
  });
  return IsSame;
}

bool isHiddenBeside(const FunctionDecl &Host, llvm::StringRef Text) {
  IdentifierTable &Identifiers = Host.getASTContext().Idents;
  bool IsHidden = false;
  for (const DeclContext *Around = Host.getEnclosingNamespaceContext(); Around;
       Around = Around->getParent())
    forEachWord(Text, [&](llvm::StringRef Word) {
      const bool IsFirst =
          !Text.take_front(Word.begin() - Text.begin()).ends_with("::");
      const size_t Own = Around->isTranslationUnit() ? 1 : 0;
      IsHidden |=
          IsFirst && meaningsIn(*Around, Identifiers.get(Word)).size() > Own;
    });
  return IsHidden;
}

static std::string callStatement(llvm::StringRef Margin, const StepCall &Call,
                                 llvm::StringRef NewLine) {
  return wrapList(Margin, Call.Head + "(", Call.Arguments, ");", NewLine);
}

/// The head of the loop over what falls to the calling block, or thread, and
/// for which it makes \p Call. A step need not ask where it is.
static std::string rangeLoop(const StepRange &Range, const StepCall &Call,
                             llvm::StringRef Margin, llvm::StringRef NewLine) {
  const bool OfBlocks = Range.BlockSize.empty();
  const std::string &Name = OfBlocks ? Range.Block : Range.Thread;
  const bool IsUsed =
      llvm::any_of(Call.Arguments, [&](const std::string &Argument) {
        return holdsWord(Argument, Name);
      });
  const std::string Head =
      std::string("for (") + (IsUsed ? "" : "[[maybe_unused]] ") +
      (OfBlocks ? "uint3 " : "const auto ") + Name + " : barricade::logical_";
  return OfBlocks
             ? wrapList(Margin, Head + "blocks(", {Range.Grid}, "))", NewLine)
             : wrapList(Margin, Head + "threads(",
                        {Range.Grid, Range.BlockSize}, "))", NewLine);
}

std::string kernelList(llvm::ArrayRef<std::string> Kernels,
                       const FunctionDecl &First) {
  // nvcc (13.0) finds no element's type for a list of one instance.
  if (Kernels.size() == 1 && First.getPrimaryTemplate())
    return "{barricade::AnyKernel(" + Kernels.front() + ")}";
  return "{" + llvm::join(Kernels, ", ") + "}";
}

const Expr &withoutBraces(const Expr &Argument) {
  const auto *List = dyn_cast<InitListExpr>(Argument.IgnoreParenImpCasts());
  return List && List->getNumInits() == 1 && List->getType()->isScalarType()
             ? *List->getInit(0)
             : Argument;
}

StepArgument asSpelled(const Expr &Argument, std::string Text,
                       ASTContext &Context) {
  const bool IsNull = isa<InitListExpr>(Argument) ||
                      Argument.isNullPointerConstant(
                          Context, Expr::NPC_ValueDependentIsNotNull);
  return {std::move(Text), IsNull};
}

std::string stepStatement(const StepText &Step, llvm::StringRef Qualifier,
                          llvm::ArrayRef<StepArgument> Arguments,
                          llvm::StringRef TemplateArguments,
                          const StepRange &Range, llvm::StringRef Margin,
                          const KernelSite &Site) {
  const std::string Block = Range.Thread + ".Block",
                    Thread = Range.Thread + ".Thread";
  StepIndices Indices;
  if (!Range.Grid.empty()) {
    Indices.Block = Range.Block;
    Indices.Grid = Range.Grid;
  }
  if (!Range.BlockSize.empty()) {
    Indices.Block = Block;
    Indices.Thread = Thread;
    Indices.BlockSize = Range.BlockSize;
  }
  const bool IsAnew =
      Step.Products.Any && Step.Products.Least == facts::Varies::ByArgument;
  if (IsAnew && Range.Grid.empty() && Range.BlockSize.empty())
    Indices.Block = "barricade::anew<uint3>(blockIdx)";
  std::vector<std::string> Given;
  for (const auto &[I, A] : llvm::enumerate(Arguments))
    if (Step.Promised.test(I) && !A.IsNull)
      Given.push_back(hidden(A.Text));
    else if (Step.Values.test(I) &&
             (IsAnew || (Step.Products.Any && A.MayBeKnown)))
      Given.push_back("barricade::anew(" + A.Text + ")");
    else
      Given.push_back(A.Text);
  const StepCall Call = Step.call(Indices, Given, TemplateArguments, Qualifier);
  if (Range.Grid.empty())
    return callStatement(Margin, Call, Site.NewLine);
  const std::string Line = (Site.NewLine + Margin).str();
  const std::string Body =
      Line + Site.Unit +
      callStatement(Margin.str() + Site.Unit, Call, Site.NewLine);
  const std::string Loop = rangeLoop(Range, Call, Margin, Site.NewLine);
  // The next logical block may write what a slower thread still reads.
  return Step.SharesMemory ? Loop + " {" + Body + Line + Site.Unit +
                                 "__syncthreads();" + Line + "}"
                           : Loop + Body;
}

} // namespace barricade::grid_barrier
