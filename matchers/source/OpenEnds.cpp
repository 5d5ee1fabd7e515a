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
  }

  unsigned endOf(const Token &T) const {
    return SM.getFileOffset(T.getLocation()) + T.getLength();
  }

  void addCode(const Token &T) {
    const unsigned Offset = SM.getFileOffset(T.getLocation());
    // Its arguments belong to a macro in every build.
    if (!Macros.isCalledBy(T))
      endAt(Offset);
    const bool Closes = T.isOneOf(tok::semi, tok::l_brace, tok::r_brace);
    Last = Closes ? Open() : endOf(T);
    Left = Macros.add(T) ? Last : Open();
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
    }
  }

  void endBranch() {
    Groups.back().Behind = earliest(Groups.back().Behind, earliest(Left, Last));
    Last.reset();
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
  bool HasCode = false; ///< Under no condition.
  Open Last; ///< The last token since the last directive, if it is open.
  Open Left; ///< Of code that the next token may or may not follow.
  llvm::SmallVector<Group, 4> Groups;
  MacroReader Macros;
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

} // namespace barricade
