// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/OpenEnds.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/WrittenMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <optional>
#include <utility>

using namespace clang;

namespace barricade {
namespace {

/// The offset of an end that is open; nothing: there is none.
using Open = std::optional<unsigned>;

Open earliest(Open A, Open B) { return A && B ? std::min(*A, *B) : A ? A : B; }

llvm::StringRef wordOf(const Token &T) {
  return T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

/// Follows the macros that a statement or a declaration may begin with: those
/// within an expression are no more than a part of it.
class MacroReader {
public:
  explicit MacroReader(const ASTContext &Context) : Context(Context) {}

  /// The next token; true: with it ends something that may be something else in
  /// another build, unless parentheses follow.
  bool add(const Token &T) {
    const bool Follows = std::exchange(IsNamed, false);
    if (Depth > 0 || (Follows && T.is(tok::l_paren))) {
      Depth += T.is(tok::l_paren);
      Depth -= T.is(tok::r_paren);
      return Depth == 0;
    }
    const llvm::StringRef Word = wordOf(T);
    const bool IsMacro = IsStart && !Word.empty() && mayBeMacro(Word, Context);
    IsNamed = IsMacro && mayBeOtherMacro(Word, T.getLocation(), Context);
    IsStart = IsMacro || Word == "else" || Word == "do" ||
              T.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::r_paren,
                        tok::r_square, tok::colon);
    return IsNamed;
  }

  /// What is added next is an argument, or begins those.
  bool isCalledBy(const Token &T) const {
    return Depth > 0 || (IsNamed && T.is(tok::l_paren));
  }

private:
  const ASTContext &Context;
  bool IsStart = true;
  bool IsNamed = false;
  unsigned Depth = 0; ///< Of parentheses in its arguments.
};

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// A brace that is not closed yet.
struct Brace {
  unsigned Offset;
  bool OfClass;
  unsigned Branch;
  bool IsOptional = false; ///< Of a class that not all builds have there.
};

/// Follows braces, to tell those of classes that are not there in all builds.
class BraceReader {
public:
  void add(const Token &T, unsigned Offset) {
    const llvm::StringRef Word = wordOf(T);
    if (T.is(tok::l_brace))
      Braces.push_back({Offset, NamesClass && MayFollowClass, branch()});
    else if (T.is(tok::r_brace) && !Braces.empty())
      Braces.pop_back();
    if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace)) {
      NamesClass = false;
      Angles = 0;
    }
    // Parameters of templates are within.
    Angles += T.is(tok::less);
    if (Angles > 0 && T.isOneOf(tok::greater, tok::greatergreater))
      --Angles;
    NamesClass |=
        Angles == 0 && (Word == "struct" || Word == "class" || Word == "union");
    // Else it is a function that returns one, or a variable of one.
    MayFollowClass = !T.isOneOf(tok::r_paren, tok::equal) && Word != "const" &&
                     Word != "noexcept" && Word != "override";
  }

  /// The class that another build may begin right around what comes next.
  const Brace *around() const {
    return !Braces.empty() && Braces.back().IsOptional ? &Braces.back()
                                                       : nullptr;
  }

  void beginGroup() { Groups.push_back({++Branches, Braces, {}}); }

  /// A branch ends, and another one may begin.
  void endBranch() {
    Group &Its = Groups.back();
    for (Brace &Each : Braces)
      Each.IsOptional |= Each.OfClass && Each.Branch == Its.Branch;
    if (!Its.Behind && !areSame(Braces, Its.Before))
      Its.Behind = Braces;
    else if (Its.Behind)
      for (auto [Kept, Other] : llvm::zip(*Its.Behind, Braces))
        Kept.IsOptional |= Other.IsOptional;
    Braces = Its.Before;
    Its.Branch = ++Branches;
  }

  /// Once its last branch has ended: one that begins or ends a block counts for
  /// all, since all will do so where the block has its other end.
  void endGroup() {
    if (Groups.back().Behind)
      Braces = std::move(*Groups.back().Behind);
    Groups.pop_back();
  }

private:
  struct Group {
    unsigned Branch;
    std::vector<Brace> Before;
    std::optional<std::vector<Brace>> Behind;
  };

  unsigned branch() const { return Groups.empty() ? 0 : Groups.back().Branch; }

  static bool areSame(llvm::ArrayRef<Brace> A, llvm::ArrayRef<Brace> B) {
    return llvm::equal(A, B, [](const Brace &Each, const Brace &Other) {
      return Each.Offset == Other.Offset;
    });
  }

  std::vector<Brace> Braces;
  std::vector<Group> Groups;
  unsigned Branches = 0;
  unsigned Angles = 0;
  bool NamesClass = false; ///< Since the last semicolon or brace.
  bool MayFollowClass = false;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

class Reader {
public:
  /// \p Around: the files that include this one, with it.
  Reader(const ASTContext &Context, llvm::DenseSet<FileEntryRef> &Around)
      : Context(Context), SM(Context.getSourceManager()), Source(Context),
        Around(Around), Macros(Context) {}

  std::vector<OpenEnd> Ends;

  void read(FileID File) {
    Source.forEachTokenOf(File, [&](const Token &T) { add(T); });
  }

private:
  /// A condition whose `#endif` is yet to come.
  struct Group {
    Open Before; ///< What stands before it.
    Open Behind; ///< Of its branches so far.
    bool HasElse = false;
  };
  enum class Line { Code, Hash, Pragma, Directive };

  void add(const Token &T) {
    const llvm::StringRef Word = wordOf(T);
    if (T.isAtStartOfLine()) {
      In = T.is(tok::hash) ? Line::Hash : Line::Code;
      Hash = T.getLocation();
    } else if (In == Line::Hash) {
      begin(Word);
    } else if (In == Line::Pragma && isOfStatement(Word)) {
      Last = endOf(T);
    }
    if (In == Line::Code)
      addCode(T);
    Behind = endOf(T);
  }

  unsigned endOf(const Token &T) const {
    return SM.getFileOffset(T.getLocation()) + T.getLength();
  }

  void addCode(const Token &T) {
    const unsigned Offset = SM.getFileOffset(T.getLocation());
    if (const Brace *Class = Braces.around())
      Ends.push_back({Behind, Offset, Class->Offset});
    // Its arguments belong to a macro in every build.
    if (!Macros.isCalledBy(T))
      endAt(Offset);
    const bool Closes = T.isOneOf(tok::semi, tok::l_brace, tok::r_brace);
    Last = Closes ? Open() : endOf(T);
    Left = Macros.add(T) ? Last : Open();
    Braces.add(T, Offset);
    HasCode |= Groups.empty();
  }

  /// Code follows at \p Offset.
  void endAt(unsigned Offset) {
    if (Left)
      Ends.push_back({*Left, Offset, *Left - 1});
    Left.reset();
  }

  void begin(llvm::StringRef Directive) {
    In = Directive == "pragma" ? Line::Pragma : Line::Directive;
    if (Directive.starts_with("if")) {
      // Before the outermost condition, code is there in all builds.
      if (!Groups.empty())
        Left = earliest(Left, Last);
      Groups.push_back({Left, {}});
      Last.reset();
      Braces.beginGroup();
    } else if (Directive.starts_with("include")) {
      include();
    } else if (Groups.empty()) {
      return;
    } else if (Directive.starts_with("el")) {
      endBranch();
      Groups.back().HasElse |= Directive == "else";
      Left = Groups.back().Before;
    } else if (Directive == "endif") {
      endBranch();
      const Group &Its = Groups.back();
      Left = earliest(Its.Behind, Its.HasElse ? Open() : Its.Before);
      Groups.pop_back();
      Braces.endGroup();
    }
  }

  void endBranch() {
    Groups.back().Behind = earliest(Groups.back().Behind, earliest(Left, Last));
    Last.reset();
    Braces.endBranch();
  }

  /// The code of a file stands where that is included.
  void include() {
    const llvm::StringRef Name = Source.nameIncludedAt(Hash);
    if (Name.empty())
      return;
    const unsigned End = SM.getFileOffset(Hash) +
                         unsigned(Name.end() + 1 - SM.getCharacterData(Hash));
    Source.forEachFileNamed(Name, [&](FileID File) {
      const FileEntryRef Entry = *SM.getFileEntryRefForID(File);
      if (!Around.insert(Entry).second)
        return;
      Reader Its(Context, Around);
      Its.read(File);
      Around.erase(Entry);
      if (Its.HasCode) {
        endAt(SM.getFileOffset(Hash));
        Last = Its.Last ? End : Open();
      }
      if (Its.Left)
        Left = earliest(Left, End);
    });
  }

  /// A pragma that says it speaks of the statement behind it.
  static bool isOfStatement(llvm::StringRef Word) {
    return llvm::is_contained({"omp", "acc", "ivdep", "simd", "vector", "loop",
                               "unroll", "nounroll", "unroll_and_jam"},
                              Word);
  }

  const ASTContext &Context;
  const SourceManager &SM;
  const SourceConditions Source;
  llvm::DenseSet<FileEntryRef> &Around;
  Line In = Line::Code;
  SourceLocation Hash;  ///< Of the line, if it is a directive.
  unsigned Behind = 0;  ///< The last token.
  bool HasCode = false; ///< Under no condition.
  Open Last; ///< The last token since the last directive, if it is open.
  Open Left; ///< Of code that the next token may or may not follow.
  llvm::SmallVector<Group, 4> Groups;
  MacroReader Macros;
  BraceReader Braces;
};

} // namespace

std::vector<OpenEnd> openEndsIn(FileID File, const ASTContext &Context) {
  llvm::DenseSet<FileEntryRef> Around;
  if (const OptionalFileEntryRef Entry =
          Context.getSourceManager().getFileEntryRefForID(File))
    Around.insert(*Entry);
  Reader Read(Context, Around);
  Read.read(File);
  return std::move(Read.Ends);
}

bool isBehindOpenEnd(SourceLocation Where, const ASTContext &Context) {
  const auto [File, Offset] =
      Context.getSourceManager().getDecomposedLoc(Where);
  return llvm::any_of(
      openEndsIn(File, Context),
      [Offset = Offset](const OpenEnd &Each) { return Each.contains(Offset); });
}

} // namespace barricade
