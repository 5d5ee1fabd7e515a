// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/FileStyle.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>

using namespace llvm;
using clang::format::FormatStyle;

namespace barricade {
namespace {

/// What was counted of a file's lines.
struct Habits {
  std::map<size_t, unsigned> Steps; ///< How much deeper a block is, how often.
  unsigned Tabs = 0, Spaces = 0;    ///< What lines are indented with.
  /// Braces of functions (outermost) and of statements, on a line of their own
  /// or at the end of one.
  unsigned OwnOuter = 0, EndOuter = 0, OwnInner = 0, EndInner = 0;
  unsigned OwnElse = 0, ElseBehindBrace = 0;
  unsigned Apart = 0, Close = 0; ///< `if (` and `if(`.
  std::vector<size_t> Lengths;
};

size_t indentationOf(StringRef Line) {
  return Line.find_first_not_of(" \t") == StringRef::npos
             ? 0
             : Line.find_first_not_of(" \t");
}

void countBraces(StringRef Line, bool Outermost, Habits &Found) {
  const StringRef Words = Line.trim();
  if (Words == "{")
    ++(Outermost ? Found.OwnOuter : Found.OwnInner);
  else if (Words.ends_with(") {"))
    ++(Outermost ? Found.EndOuter : Found.EndInner);
  Found.OwnElse += Words.starts_with("else");
  Found.ElseBehindBrace += Words.starts_with("} else");
  for (const StringRef Keyword : {"if", "for", "while"}) {
    Found.Apart += Words.starts_with((Keyword + " (").str());
    Found.Close += Words.starts_with((Keyword + "(").str());
  }
}

Habits habitsOf(StringRef Text) {
  Habits Found;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  StringRef Previous;
  for (StringRef Line : Lines) {
    Line = Line.rtrim();
    if (Line.empty())
      continue;
    const size_t Depth = indentationOf(Line), Before = indentationOf(Previous);
    Found.Lengths.push_back(Line.size());
    if (Depth)
      ++(Line.front() == '\t' ? Found.Tabs : Found.Spaces);
    if (Previous.ends_with("{") && Depth > Before)
      ++Found.Steps[Depth - Before];
    countBraces(Line, /*Outermost=*/Depth == 0, Found);
    Previous = Line;
  }
  return Found;
}

/// The limit that the file keeps, but for one line in fifty.
unsigned columnLimit(std::vector<size_t> Lengths) {
  llvm::sort(Lengths);
  const size_t Longest =
      Lengths.empty() ? 0 : Lengths[(Lengths.size() - 1) * 49 / 50];
  return Longest <= 80 ? 80 : Longest <= 100 ? 100 : 120;
}

void setIndentation(const Habits &Found, FormatStyle &Style) {
  if (Found.Tabs > Found.Spaces) {
    Style.UseTab = FormatStyle::UT_ForContinuationAndIndentation;
    Style.IndentWidth = Style.TabWidth = Style.ContinuationIndentWidth = 4;
    return;
  }
  const auto Usual = std::max_element(
      Found.Steps.begin(), Found.Steps.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Usual != Found.Steps.end() && Usual->first <= 8)
    Style.IndentWidth = Usual->first;
}

void setBraces(const Habits &Found, FormatStyle &Style) {
  Style.BreakBeforeBraces = FormatStyle::BS_Custom;
  Style.BraceWrapping.AfterFunction = Found.OwnOuter > Found.EndOuter;
  const bool Inner = Found.OwnInner > Found.EndInner;
  Style.BraceWrapping.AfterControlStatement =
      Inner ? FormatStyle::BWACS_Always : FormatStyle::BWACS_Never;
  Style.BraceWrapping.BeforeElse =
      Inner || Found.OwnElse > Found.ElseBehindBrace;
  // One statement a line, as rewrites are written.
  Style.AllowShortFunctionsOnASingleLine = FormatStyle::SFS_None;
  Style.AllowShortIfStatementsOnASingleLine = FormatStyle::SIS_Never;
  Style.AllowShortLoopsOnASingleLine = false;
  Style.AllowShortBlocksOnASingleLine = FormatStyle::SBS_Never;
}

} // namespace

bool hasFormatFile(StringRef Path) {
  SmallString<256> Folder(Path);
  sys::fs::make_absolute(Folder);
  while (sys::path::has_relative_path(Folder)) {
    sys::path::remove_filename(Folder);
    for (const char *Name : {".clang-format", "_clang-format"}) {
      SmallString<256> File(Folder);
      sys::path::append(File, Name);
      if (sys::fs::is_regular_file(File))
        return true;
    }
  }
  return false;
}

FormatStyle styleOfText(StringRef Text) {
  const Habits Found = habitsOf(Text);
  FormatStyle Style = clang::format::getLLVMStyle();
  Style.ColumnLimit = columnLimit(Found.Lengths);
  Style.DerivePointerAlignment = true;
  if (Found.Close > Found.Apart)
    Style.SpaceBeforeParens = FormatStyle::SBPO_Never;
  setIndentation(Found, Style);
  setBraces(Found, Style);
  return Style;
}

} // namespace barricade
