// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/OpenEnds.h"
#include "matchers/source/SourceConditions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <optional>

using namespace clang;

namespace barricade {
namespace {

class Reader {
public:
  explicit Reader(const SourceManager &SM) : SM(SM) {}

  std::vector<std::pair<unsigned, unsigned>> Ends;

  void add(const Token &T) {
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (T.isAtStartOfLine())
      In = T.is(tok::hash) ? Line::Hash : Line::Code;
    else if (In == Line::Hash)
      begin(Word);
    else if (In == Line::Pragma && isOfStatement(Word))
      Last = endOf(T);
    if (In == Line::Code)
      addCode(T);
  }

private:
  /// The offset of an end that is open; nothing: there is none.
  using Open = std::optional<unsigned>;

  /// A condition whose `#endif` is yet to come.
  struct Group {
    Open Before; ///< What stands before it.
    Open Behind; ///< Of its branches so far.
    bool HasElse = false;
  };
  enum class Line { Code, Hash, Pragma, Directive };

  unsigned endOf(const Token &T) const {
    return SM.getFileOffset(T.getLocation()) + T.getLength();
  }

  void addCode(const Token &T) {
    const unsigned Offset = SM.getFileOffset(T.getLocation());
    if (Left)
      Ends.emplace_back(*Left, Offset);
    Left.reset();
    const bool Closes = T.isOneOf(tok::semi, tok::l_brace, tok::r_brace);
    Last = Closes ? Open() : endOf(T);
  }

  void begin(llvm::StringRef Directive) {
    In = Directive == "pragma" ? Line::Pragma : Line::Directive;
    if (Directive.starts_with("if")) {
      // Before the outermost condition, code is there in all builds.
      if (!Groups.empty())
        Left = earliest(Left, Last);
      Groups.push_back({Left, {}});
      Last.reset();
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

  static Open earliest(Open A, Open B) {
    return A && B ? std::min(*A, *B) : A ? A : B;
  }

  /// A pragma that says it speaks of the statement behind it.
  static bool isOfStatement(llvm::StringRef Word) {
    return llvm::is_contained({"omp", "acc", "ivdep", "simd", "vector", "loop",
                               "unroll", "nounroll", "unroll_and_jam"},
                              Word);
  }

  const SourceManager &SM;
  Line In = Line::Code;
  Open Last; ///< The last token since the last directive, if it is open.
  Open Left; ///< Of code that the next token may or may not follow.
  llvm::SmallVector<Group, 4> Groups;
};

} // namespace

std::vector<std::pair<unsigned, unsigned>>
openEndsIn(FileID File, const SourceConditions &Source,
           const SourceManager &SM) {
  Reader Read(SM);
  Source.forEachTokenOf(File, [&](const Token &T) { Read.add(T); });
  return std::move(Read.Ends);
}

} // namespace barricade
