// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/UsingDirectives.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

using namespace clang;

namespace barricade {
namespace {

using Directives = std::vector<const UsingDirectiveDecl *>;

void addDirectives(const Decl &D, Directives &Found) {
  if (const auto *Directive = dyn_cast<UsingDirectiveDecl>(&D))
    Found.push_back(Directive);
  if (isa<NamespaceDecl, LinkageSpecDecl>(D))
    for (const Decl *Part : cast<DeclContext>(&D)->decls())
      addDirectives(*Part, Found);
}

/// All of the user's.
const Directives &directivesOf(const ASTContext &Context) {
  std::optional<Directives> &Known =
      *onePerContext<std::optional<Directives>>(Context);
  if (!Known) {
    Known.emplace();
    for (const Decl *D : userDeclarations(Context))
      addDirectives(*D, *Known);
  }
  return *Known;
}

/// `using namespace some::Space;`, as it is spelled, or `inline namespace
/// Space`, which has what it holds found around it.
struct WrittenDirective {
  SourceLocation Where;
  llvm::SmallVector<llvm::StringRef, 2> Path;
};

/// What user's files spell that have some under a condition.
struct WrittenDirectives {
  std::vector<WrittenDirective> All;
  /// Macros that stand for some: where they are defined, and all their words.
  struct Macro {
    std::vector<SourceLocation> Names;
    std::vector<llvm::StringRef> Words;
  };
  llvm::StringMap<Macro> Macros;
  /// `namespace alias = some::Space;`, by the last word.
  llvm::StringMap<std::vector<llvm::StringRef>> Aliases;
};

void readMacros(FileID File, const SourceConditions &Conditions,
                WrittenDirectives &Found) {
  llvm::StringRef Before;
  std::vector<llvm::StringRef> Words;
  WrittenDirectives::Macro *Known = nullptr;
  const auto Read = [&](const Token &Name, const Token &T) {
    const bool IsName = T.getLocation() == Name.getLocation();
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) && !IsName ? T.getRawIdentifier() : "";
    if (IsName) {
      Words.clear();
      Known = nullptr;
    }
    if (!Known && Word == "namespace" && Before == "using") {
      Known = &Found.Macros[Name.getRawIdentifier()];
      Known->Names.push_back(Name.getLocation());
      llvm::append_range(Known->Words, Words);
    } else if (Known && !Word.empty()) {
      Known->Words.push_back(Word);
    } else if (!Word.empty()) {
      Words.push_back(Word);
    }
    Before = Word;
  };
  Conditions.forEachDefinitionToken(File, Read);
}

/// Reads a file's tokens other than those of directives.
class DirectiveReader {
public:
  explicit DirectiveReader(WrittenDirectives &Found) : Found(Found) {}

  void add(const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (InDirective)
      return;
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (!Begins.empty())
      addOfMacro(T, Word);
    else if (Where.isValid())
      addOfDirective(T, Word);
    else if (Word == "namespace" && WhereBefore.isValid())
      begin();
    else if (const auto Macro = Found.Macros.find(Word);
             !Word.empty() && Macro != Found.Macros.end())
      beginMacro(T.getLocation(), Macro->second);
    Before = Word;
    WhereBefore = T.getLocation();
  }

private:
  /// `inline` may stand under a condition alone.
  void begin() {
    Where = WhereBefore;
    IsNominated = Before == "using";
    IsInline = Before == "inline";
    Alias = "";
    Path.clear();
  }

  void addOfDirective(const Token &T, llvm::StringRef Word) {
    if (!Word.empty())
      Path.push_back(Word);
    if (T.is(tok::equal) && Path.size() == 1)
      Alias = Path.pop_back_val();
    if (!T.isOneOf(tok::semi, tok::l_brace))
      return;
    if (!Alias.empty() && !Path.empty())
      Found.Aliases[Alias].push_back(Path.back());
    else if ((IsNominated && T.is(tok::semi)) ||
             (IsInline && T.is(tok::l_brace)))
      Found.All.push_back({Where, Path});
    Where = SourceLocation();
  }

  /// Any of its words, or of what it is given, may be the namespace's. Where it
  /// is defined may be under a condition as well.
  void beginMacro(SourceLocation At, const WrittenDirectives::Macro &Macro) {
    Begins.assign(Macro.Names.begin(), Macro.Names.end());
    Begins.push_back(At);
    Depth = 0;
    for (const llvm::StringRef Word : Macro.Words)
      addWord(Word);
  }

  void addOfMacro(const Token &T, llvm::StringRef Word) {
    if (!Word.empty())
      addWord(Word);
    Depth += T.is(tok::l_paren);
    Depth -= T.is(tok::r_paren);
    if (Depth <= 0)
      Begins.clear();
  }

  void addWord(llvm::StringRef Word) {
    for (const SourceLocation Each : Begins)
      Found.All.push_back({Each, {Word}});
  }

  WrittenDirectives &Found;
  bool InDirective = false;
  SourceLocation Where; ///< Within one.
  bool IsNominated = false, IsInline = false;
  llvm::SmallVector<SourceLocation, 2> Begins; ///< Of a macro.
  int Depth = 0;                               ///< Of its parentheses.
  llvm::StringRef Alias;
  llvm::SmallVector<llvm::StringRef, 2> Path;
  llvm::StringRef Before; ///< With where it stands.
  SourceLocation WhereBefore;
};

const WrittenDirectives &writtenDirectives(const ASTContext &Context) {
  std::optional<WrittenDirectives> &Known =
      *onePerContext<std::optional<WrittenDirectives>>(Context);
  if (!Known) {
    Known.emplace();
    const SourceConditions Conditions(Context);
    Conditions.forEachUserFile(
        [&](FileID File) { readMacros(File, Conditions, *Known); });
    Conditions.forEachUserFile([&](FileID File) {
      const auto IsHeld = [&](llvm::StringRef Word) {
        return Conditions.holdsUnderCondition(File, Word);
      };
      DirectiveReader Reader(*Known);
      if (IsHeld("using") || IsHeld("inline") ||
          llvm::any_of(Known->Macros.keys(), IsHeld))
        Conditions.forEachTokenOf(File, [&](const Token &T) { Reader.add(T); });
    });
  }
  return *Known;
}

using Namespaces = llvm::SmallVector<const NamespaceDecl *, 4>;

const NamespaceDecl *namespaceNamed(const Decl &D) {
  if (const auto *Alias = dyn_cast<NamespaceAliasDecl>(&D))
    return Alias->getNamespace();
  return dyn_cast<NamespaceDecl>(&D);
}

void addNamespaces(const Decl &D, llvm::StringMap<Namespaces> &Found) {
  if (const NamespaceDecl *Space = namespaceNamed(D))
    if (const auto *Named = cast<NamedDecl>(&D); Named->getIdentifier())
      Found[Named->getName()].push_back(Space);
  if (isa<NamespaceDecl, LinkageSpecDecl>(D))
    for (const Decl *Part : cast<DeclContext>(&D)->decls())
      addNamespaces(*Part, Found);
}

/// All of the user's, by the last word of their names or by that of an alias.
const llvm::StringMap<Namespaces> &namespacesOf(const ASTContext &Context) {
  std::optional<llvm::StringMap<Namespaces>> &Known =
      *onePerContext<std::optional<llvm::StringMap<Namespaces>>>(Context);
  if (!Known) {
    Known.emplace();
    for (const Decl *D : userDeclarations(Context))
      addNamespaces(*D, *Known);
  }
  return *Known;
}

/// What \p Path may name, wherever it stands: a library's as seen from outside
/// of all others.
Namespaces namespacesAt(llvm::ArrayRef<llvm::StringRef> Path,
                        const ASTContext &Context) {
  Namespaces Result;
  if (Path.empty())
    return Result;
  llvm::SmallVector<const DeclContext *, 2> Around{
      Context.getTranslationUnitDecl()};
  for (const llvm::StringRef Word : Path) {
    const IdentifierInfo *Info = knownIdentifier(Word, Context.Idents);
    Result.clear();
    for (const DeclContext *Each : Around)
      if (Info)
        for (const NamedDecl *Found : Each->lookup(Info))
          if (const NamespaceDecl *Space = namespaceNamed(*Found))
            Result.push_back(Space);
    Around.assign(Result.begin(), Result.end());
  }
  const auto AddOwn = [&](llvm::StringRef Name) {
    const auto &Own = namespacesOf(Context);
    if (const auto Found = Own.find(Name); Found != Own.end())
      llvm::append_range(Result, Found->second);
  };
  AddOwn(Path.back());
  const auto &Aliases = writtenDirectives(Context).Aliases;
  if (const auto Found = Aliases.find(Path.back()); Found != Aliases.end())
    llvm::for_each(Found->second, AddOwn);
  return Result;
}

/// A namespace that \p Path may name, or one that it nominates in its turn,
/// and that is not around \p D, has something by the name of \p D.
bool hasOther(llvm::ArrayRef<llvm::StringRef> Path, const NamedDecl &D,
              const ASTContext &Context) {
  Namespaces Left = namespacesAt(Path, Context);
  llvm::SmallPtrSet<const NamespaceDecl *, 4> Seen;
  while (!Left.empty()) {
    const NamespaceDecl *Space = Left.pop_back_val()->getCanonicalDecl();
    if (!Seen.insert(Space).second)
      continue;
    if (!Space->Encloses(D.getDeclContext()) &&
        !Space->lookup(D.getDeclName()).empty())
      return true;
    for (const UsingDirectiveDecl *Each : Space->using_directives())
      Left.push_back(Each->getNominatedNamespace());
  }
  return false;
}

} // namespace

bool mayNominateMore(const NamedDecl &D, SourceLocation User,
                     const ASTContext &Context) {
  const SourceConditions Conditions(Context);
  return llvm::any_of(writtenDirectives(Context).All, [&](const auto &Each) {
    return Conditions.hasOtherCondition(Each.Where, User) &&
           hasOther(Each.Path, D, Context);
  });
}

bool mayNominateLess(const NamedDecl &D, SourceLocation User,
                     const ASTContext &Context) {
  const SourceLocation Where = Context.getSourceManager().getExpansionLoc(User);
  const DeclContext *Around = D.getDeclContext()->getRedeclContext();
  const auto IsAround = [&](const NamespaceDecl *Space) {
    return Space->Encloses(Around);
  };
  return Around->isNamespace() &&
         llvm::any_of(writtenDirectives(Context).All, [&](const auto &Each) {
           return SourceConditions(Context).hasOtherCondition(Each.Where,
                                                              Where) &&
                  llvm::any_of(namespacesAt(Each.Path, Context), IsAround);
         });
}

bool mayNominateElse(const Decl &D, SourceLocation User,
                     const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Where = SM.getExpansionLoc(User);
  return llvm::any_of(directivesOf(Context), [&](const auto *Each) {
    return Each->getNominatedNamespace()->Encloses(
               D.getDeclContext()->getRedeclContext()) &&
           SourceConditions(Context).isInOtherBranch(
               SM.getExpansionLoc(Each->getLocation()), Where);
  });
}

} // namespace barricade
