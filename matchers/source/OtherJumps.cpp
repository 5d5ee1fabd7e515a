// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/OtherJumps.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/Statements.h"
#include "matchers/source/WrittenMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

using namespace clang;

namespace barricade {
namespace {

class JumpFinder {
public:
  JumpFinder(const Stmt &S, ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()), Source(Context),
        Where(SM.getExpansionLoc(S.getBeginLoc())) {
    const auto *Block = dyn_cast_or_null<CompoundStmt>(parentOf(S, Context));
    if (Block && isa_and_nonnull<SwitchStmt>(parentOf(*Block, Context)))
      InSwitch = true;
  }

  bool Found = false;

  /// \p IsElse: another build alone has what stands there.
  void read(SourceLocation Begin, SourceLocation End, bool IsElse) {
    SourceLocation Hash; // Of the line, if it is a directive.
    Source.forEachToken(Begin, End, [&](const Token &T) {
      const SourceLocation At = T.getLocation();
      if (T.isAtStartOfLine())
        Hash = T.is(tok::hash) ? At : SourceLocation();
      if (Hash.isInvalid())
        add(T, IsElse);
      else if (T.is(tok::raw_identifier) &&
               T.getRawIdentifier().starts_with("include"))
        readIncluded(Hash, isElse(Hash, IsElse));
    });
  }

private:
  /// \p InElse: all of the file's.
  bool isElse(SourceLocation At, bool InElse) const {
    return InElse || Source.hasOtherCondition(At, Where);
  }

  void add(const Token &T, bool InElse) {
    const SourceLocation At = T.getLocation();
    if (At == Where)
      InSwitch |= llvm::is_contained(Switches, true);
    if (T.is(tok::l_brace))
      Switches.push_back(std::exchange(IsSwitch, false));
    else if (T.is(tok::r_brace) && !Switches.empty())
      Switches.pop_back();
    if (T.isNot(tok::raw_identifier))
      return;
    const llvm::StringRef Word = T.getRawIdentifier();
    IsSwitch |= Word == "switch" && isElse(At, InElse);
    Found |= llvm::any_of(jumps(), [&](llvm::StringRef Jump) {
      return (Word == Jump && isElse(At, InElse)) ||
             (mayHoldWord(Word, Jump, Context) &&
              (isElse(At, InElse) || mayBeOtherMacro(Word, Where, Context)));
    });
  }

  llvm::ArrayRef<llvm::StringRef> jumps() const {
    static constexpr llvm::StringRef All[] = {"goto", "case", "default"};
    return llvm::ArrayRef(All).take_front(InSwitch ? 3 : 1);
  }

  void readIncluded(SourceLocation Hash, bool IsElse) {
    Source.forEachFileNamed(Source.nameIncludedAt(Hash), [&](FileID File) {
      // It may include itself.
      if (!Files.insert(File).second)
        return;
      read(SM.getLocForStartOfFile(File), SM.getLocForEndOfFile(File), IsElse);
      Files.erase(File);
    });
  }

  const ASTContext &Context;
  const SourceManager &SM;
  const SourceConditions Source;
  const SourceLocation Where;
  bool InSwitch = false; ///< So its other cases are past \p Where.
  bool IsSwitch = false; ///< Another build's, whose brace is yet to come.
  llvm::SmallVector<bool, 8> Switches; ///< Of open braces: the same.
  llvm::DenseSet<FileID> Files;
};

} // namespace

bool mayJumpPast(const Stmt &S, const FunctionDecl &Function,
                 ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceRange Body = Function.getBody()->getSourceRange();
  JumpFinder Find(S, Context);
  Find.read(SM.getExpansionLoc(Body.getBegin()),
            SM.getExpansionLoc(Body.getEnd()), /*IsElse=*/false);
  return Find.Found;
}

} // namespace barricade
