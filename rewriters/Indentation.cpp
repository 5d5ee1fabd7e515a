// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/Indentation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

Indentation::Indentation(const SourceText &Source, SourceLocation Outer,
                         SourceLocation Inner)
    : Source(Source), Level(llvm::StringRef(Source.deeper(Outer, Inner))
                                .drop_front(Source.indentation(Outer).size())
                                .str()) {}

void Indentation::moveLines(SourceLocation First, SourceLocation Last,
                            int Levels) {
  for (SourceLocation Line = Source.lineStart(First);
       Line.isValid() && Line <= Last; Line = Source.nextLineStart(Line))
    Lines[Line] = Levels;
}

int Indentation::levelsOf(SourceLocation Where) const {
  auto It = Lines.find(Source.lineStart(Where));
  return It == Lines.end() ? 0 : It->second;
}

std::string Indentation::moveBlanks(llvm::StringRef Blanks, int Levels) const {
  std::string Result = Blanks.str();
  for (; Levels > 0; --Levels)
    Result += Level;
  for (; Levels < 0; ++Levels)
    if (llvm::StringRef(Result).ends_with(Level))
      Result.resize(Result.size() - Level.size());
  return Result;
}

std::string Indentation::at(SourceLocation Where, int Levels) const {
  return moveBlanks(Source.indentation(Where), Levels);
}

std::string Indentation::moved(llvm::StringRef Text, int Levels) const {
  auto [Result, Rest] = Text.split('\n');
  std::string Moved = Result.str();
  if (Result.size() == Text.size())
    return Moved;
  llvm::SmallVector<llvm::StringRef, 4> Following;
  Rest.split(Following, '\n');
  for (llvm::StringRef Line : Following) {
    llvm::StringRef Blanks =
        Line.take_while([](char C) { return C == ' ' || C == '\t'; });
    Moved += '\n' + moveBlanks(Blanks, Levels) +
             Line.drop_front(Blanks.size()).str();
  }
  return Moved;
}

std::vector<Edit> Indentation::edits(llvm::ArrayRef<Edit> Others) const {
  std::vector<Edit> Result;
  if (Lines.empty())
    return Result;
  llvm::DenseSet<unsigned> InString =
      Source.linesWithinStrings(Lines.begin()->first, Lines.rbegin()->first);
  for (auto [Line, Levels] : Lines) {
    llvm::StringRef Blanks = Source.indentation(Line);
    SourceLocation Text = Line.getLocWithOffset(int(Blanks.size()));
    std::string Moved = moveBlanks(Blanks, Levels);
    Edit E = Source.replacement(Line, Text, Moved);
    bool Replaced = llvm::any_of(Others, [&](const Edit &Other) {
      return E.Offset < Other.Offset + Other.Length &&
             (Other.Offset < E.Offset + E.Length ||
              (Other.Offset == E.Offset && Other.Text.empty()));
    });
    if (Moved != Blanks && !Replaced && !Source.isBlankLine(Line) &&
        !InString.contains(E.Offset))
      Result.push_back(std::move(E));
  }
  return Result;
}

} // namespace barricade
