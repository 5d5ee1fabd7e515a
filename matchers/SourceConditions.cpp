// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/SourceConditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

SourceConditions::SourceConditions(const ASTContext &Context)
    : SM(Context.getSourceManager()), Lang(Context.getLangOpts()) {}

std::pair<llvm::StringRef, unsigned>
SourceConditions::bufferAt(SourceLocation Where) const {
  auto [File, Offset] = SM.getDecomposedLoc(Where);
  return {SM.getBufferData(File), Offset};
}

void SourceConditions::forEachToken(
    SourceLocation First, SourceLocation Last,
    llvm::function_ref<void(const Token &)> Visit) const {
  auto [File, Offset] = SM.getDecomposedLoc(First);
  llvm::StringRef Buffer = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), Lang, Buffer.begin(),
            Buffer.begin() + Offset, Buffer.end());
  Raw.SetCommentRetentionState(true);
  Token T;
  while (!Raw.LexFromRawLexer(T) && T.getLocation() < Last)
    Visit(T);
}

void SourceConditions::forEachDirective(
    SourceLocation Begin, SourceLocation End,
    llvm::function_ref<void(SourceLocation, llvm::StringRef)> Visit) const {
  SourceLocation Hash;
  forEachToken(Begin, End, [&](const Token &T) {
    // `#` alone is one as well.
    if (Hash.isValid())
      Visit(Hash, T.is(tok::raw_identifier) && !T.isAtStartOfLine()
                      ? T.getRawIdentifier()
                      : "");
    Hash = T.is(tok::hash) && T.isAtStartOfLine() ? T.getLocation()
                                                  : SourceLocation();
  });
  if (Hash.isValid())
    Visit(Hash, "");
}

bool SourceConditions::haveSameConditions(SourceLocation Begin,
                                          SourceLocation End) const {
  unsigned Opened = 0;
  bool Same = true;
  forEachDirective(Begin, End, [&](SourceLocation, llvm::StringRef Name) {
    if (Name.starts_with("if"))
      ++Opened;
    else if (Name.starts_with("el"))
      Same &= Opened > 0;
    else if (Name == "endif")
      Same &= Opened && Opened--;
  });
  return Same && !Opened;
}

/// Blanks and comments of one line, but for a comment that ends the file.
static bool holdsNothing(llvm::StringRef Text) {
  while (!(Text = Text.ltrim()).empty()) {
    if (!Text.starts_with("//"))
      return Text.starts_with("/*") && Text.rtrim().ends_with("*/");
    Text = Text.substr(Text.find('\n'));
  }
  return true;
}

std::vector<SourceConditions::Condition>
SourceConditions::conditionsAround(SourceLocation Where) const {
  const auto [Buffer, Offset] = bufferAt(Where);
  std::vector<Condition> Open, Result;
  bool IsFirst = true;
  unsigned Guard = ~0u; // An `#ifndef` before all others may be one.
  for (size_t At = 0; At < Buffer.size();) {
    const size_t Next = std::min(Buffer.find('\n', At), Buffer.size() - 1) + 1;
    llvm::StringRef Line = Buffer.slice(At, Next).trim();
    const unsigned Start = unsigned(At);
    At = Next;
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim(" \t");
    if (IsFirst && Line.starts_with("ifndef"))
      Guard = Start;
    IsFirst &= Line.starts_with("pragma");
    if (Line.starts_with("if")) {
      Open.push_back({Start, 0, false});
    } else if (Open.empty()) {
      continue;
    } else if (Line.starts_with("el")) {
      Open.back().HasOtherBranch = true;
    } else if (Line.starts_with("endif")) {
      Open.back().End = Start;
      const bool IsGuard = Open.back().Begin == Guard &&
                           !Open.back().HasOtherBranch &&
                           holdsNothing(Buffer.substr(Next));
      if (Open.back().Begin < Offset && Offset < Start && !IsGuard)
        Result.insert(Result.begin(), Open.back());
      Open.pop_back();
    }
  }
  return Result;
}

bool SourceConditions::standsInBranch(SourceLocation Where) const {
  if (!SM.getFileEntryRefForID(SM.getFileID(Where)))
    return true; // On the command line.
  return llvm::any_of(conditionsAround(Where),
                      [](const Condition &C) { return C.HasOtherBranch; });
}

bool SourceConditions::holdsDirective(SourceLocation Begin,
                                      SourceLocation End) const {
  bool Found = false;
  forEachDirective(Begin, End,
                   [&](SourceLocation, llvm::StringRef) { Found = true; });
  return Found;
}

bool SourceConditions::holdsCondition(SourceLocation Begin,
                                      SourceLocation End) const {
  bool Found = false;
  forEachDirective(Begin, End, [&](SourceLocation, llvm::StringRef Name) {
    Found |= Name != "pragma";
  });
  return Found;
}

bool SourceConditions::isInOtherBranch(SourceLocation Where,
                                       SourceLocation User,
                                       bool IsMacro) const {
  llvm::DenseMap<FileID, SourceLocation> UserIn;
  for (; User.isValid(); User = SM.getIncludeLoc(SM.getFileID(User)))
    UserIn[SM.getFileID(User)] = User;
  for (; Where.isValid(); Where = SM.getIncludeLoc(SM.getFileID(Where))) {
    if (!standsInBranch(Where) &&
        !(IsMacro && !conditionsAround(Where).empty()))
      continue;
    const SourceLocation Beside = UserIn.lookup(SM.getFileID(Where));
    if (Beside.isInvalid() ||
        !haveSameConditions(std::min(Where, Beside), std::max(Where, Beside)))
      return true;
  }
  return false;
}

} // namespace barricade
