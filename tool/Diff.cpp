// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Diff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace barricade {
namespace {

std::vector<StringRef> splitLines(StringRef Text) {
  std::vector<StringRef> Result;
  while (!Text.empty()) {
    size_t Length = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Result.push_back(Text.take_front(Length));
    Text = Text.drop_front(Length);
  }
  return Result;
}

/// Finds a shortest edit script between two sequences of lines that neither
/// begin nor end alike. Diagonal k holds the points with x - y == k.
class MyersDiff {
public:
  MyersDiff(ArrayRef<StringRef> Old, ArrayRef<StringRef> New)
      : Old(Old), New(New) {}

  /// Which lines of each side have no partner on the other.
  void run(std::vector<bool> &Removed, std::vector<bool> &Added) {
    Removed.assign(Old.size(), true);
    Added.assign(New.size(), true);
    if (!search())
      return; // Too different to be worth it: replace all.
    long X = Old.size(), Y = New.size();
    for (long D = Trace.size() - 1; D >= 0; --D) {
      long K = X - Y;
      long PreviousK = stepsDown(D, K) ? K + 1 : K - 1;
      long PreviousX = D == 0 ? 0 : reach(D - 1, PreviousK);
      long PreviousY = D == 0 ? 0 : PreviousX - PreviousK;
      while (X > PreviousX && Y > PreviousY) {
        Removed[--X] = false;
        Added[--Y] = false;
      }
      X = PreviousX;
      Y = PreviousY;
    }
  }

private:
  /// Keeps time and memory, both quadratic in the distance, bounded.
  static constexpr long MaxDistance = 2000;

  ArrayRef<StringRef> Old, New;
  /// Trace[D][K + D]: how far D edits get on diagonal K, as x.
  std::vector<std::vector<long>> Trace;

  long reach(long D, long K) const { return Trace[D][K + D]; }

  /// Whether the D-th edit onto diagonal K is an insertion.
  bool stepsDown(long D, long K) const {
    return K == -D || (K != D && reach(D - 1, K - 1) < reach(D - 1, K + 1));
  }

  bool search() {
    const long N = Old.size(), M = New.size();
    for (long D = 0; D <= std::min(N + M, MaxDistance); ++D) {
      std::vector<long> Reach(2 * D + 1, 0);
      for (long K = -D; K <= D; K += 2) {
        long X = D == 0            ? 0
                 : stepsDown(D, K) ? reach(D - 1, K + 1)
                                   : reach(D - 1, K - 1) + 1;
        long Y = X - K;
        while (X < N && Y < M && Old[X] == New[Y])
          ++X, ++Y;
        Reach[K + D] = X;
        if (X >= N && Y >= M) {
          Trace.push_back(std::move(Reach));
          return true;
        }
      }
      Trace.push_back(std::move(Reach));
    }
    return false;
  }
};

std::vector<LineChange> changesBetween(ArrayRef<StringRef> Old,
                                       ArrayRef<StringRef> New) {
  size_t Head = 0, Tail = 0;
  const size_t Shorter = std::min(Old.size(), New.size());
  while (Head < Shorter && Old[Head] == New[Head])
    ++Head;
  while (Tail < Shorter - Head &&
         Old[Old.size() - 1 - Tail] == New[New.size() - 1 - Tail])
    ++Tail;

  std::vector<bool> Removed, Added;
  MyersDiff(Old.drop_front(Head).drop_back(Tail),
            New.drop_front(Head).drop_back(Tail))
      .run(Removed, Added);

  std::vector<LineChange> Changes;
  size_t I = 0, J = 0;
  while (I < Removed.size() || J < Added.size()) {
    LineChange C{Head + I, Head + I, Head + J, Head + J};
    for (; I < Removed.size() && Removed[I]; ++I)
      ++C.OldLast;
    for (; J < Added.size() && Added[J]; ++J)
      ++C.NewLast;
    if (C.OldFirst != C.OldLast || C.NewFirst != C.NewLast)
      Changes.push_back(C);
    else
      ++I, ++J;
  }
  return Changes;
}

/// Quotes as Git does: only where a name holds bytes it would not print.
std::string quoteName(StringRef Name) {
  auto Special = [](unsigned char C) {
    return C < 0x20 || C >= 0x7f || C == '"' || C == '\\';
  };
  if (none_of(Name, Special))
    return Name.str();
  std::string Result = "\"";
  for (unsigned char C : Name) {
    static constexpr StringRef Escaped = "\a\b\t\n\v\f\r\"\\";
    size_t Letter = Escaped.find(C);
    if (Letter != StringRef::npos)
      (Result += '\\') += "abtnvfr\"\\"[Letter];
    else if (Special(C))
      Result += {'\\', char('0' + (C >> 6)), char('0' + (C >> 3 & 7)),
                 char('0' + (C & 7))};
    else
      Result += C;
  }
  return Result + '"';
}

void printHeader(raw_ostream &OS, StringRef Path, bool IsNew) {
  std::string OldName = quoteName(("a/" + Path).str());
  std::string NewName = quoteName(("b/" + Path).str());
  // Git ends a name with spaces by a tab, for some tools put a time there.
  StringRef End = Path.contains(' ') ? "\t\n" : "\n";
  OS << "diff --git " << OldName << ' ' << NewName << '\n';
  if (IsNew)
    OS << "new file mode 100644\n--- /dev/null\n";
  else
    OS << "--- " << OldName << End;
  OS << "+++ " << NewName << End;
}

void printLine(raw_ostream &OS, char Mark, StringRef Line) {
  OS << Mark << Line;
  if (!Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

/// `first,count` of a hunk's side. An empty side names the line before it.
std::string span(size_t First, size_t Last) {
  size_t Count = Last - First;
  if (Count == 1)
    return std::to_string(First + 1);
  return formatv("{0},{1}", Count ? First + 1 : First, Count);
}

void printHunk(raw_ostream &OS, const LineDiff &Diff, const Hunk &H) {
  OS << "@@ -" << span(H.Whole.OldFirst, H.Whole.OldLast) << " +"
     << span(H.Whole.NewFirst, H.Whole.NewLast) << " @@\n";

  size_t Next = H.Whole.OldFirst;
  auto PrintOld = [&](char Mark, size_t End) {
    for (; Next < End; ++Next)
      printLine(OS, Mark, Diff.oldLines()[Next]);
  };
  for (const LineChange &C : H.Changes) {
    PrintOld(' ', C.OldFirst);
    PrintOld('-', C.OldLast);
    for (size_t Line = C.NewFirst; Line < C.NewLast; ++Line)
      printLine(OS, '+', Diff.newLines()[Line]);
  }
  PrintOld(' ', H.Whole.OldLast);
}

} // namespace

LineDiff::LineDiff(StringRef OldText, StringRef NewText)
    : Old(splitLines(OldText)), New(splitLines(NewText)),
      Changes(changesBetween(Old, New)) {}

std::vector<Hunk> LineDiff::hunks(unsigned Context) const {
  std::vector<Hunk> Result;
  for (size_t First = 0; First < Changes.size();) {
    size_t Last = First + 1;
    while (Last < Changes.size() &&
           Changes[Last].OldFirst - Changes[Last - 1].OldLast <= 2 * Context)
      ++Last;
    const LineChange &From = Changes[First], &To = Changes[Last - 1];
    const size_t Before = std::min<size_t>(Context, From.OldFirst);
    const size_t After = std::min<size_t>(Context, Old.size() - To.OldLast);
    Result.push_back({{From.OldFirst - Before, To.OldLast + After,
                       From.NewFirst - Before, To.NewLast + After},
                      ArrayRef(Changes).slice(First, Last - First)});
    First = Last;
  }
  return Result;
}

static std::string diffText(StringRef Path, StringRef Old, StringRef New,
                            unsigned Context, bool IsNew) {
  if (Old == New)
    return {};
  std::string Result;
  raw_string_ostream OS(Result);
  printHeader(OS, Path, IsNew);
  const LineDiff Diff(Old, New);
  for (const Hunk &H : Diff.hunks(Context))
    printHunk(OS, Diff, H);
  return Result;
}

std::string unifiedDiff(StringRef Path, StringRef Old, StringRef New,
                        unsigned Context) {
  return diffText(Path, Old, New, Context, /*IsNew=*/false);
}

std::string newFileDiff(StringRef Path, StringRef Text) {
  return diffText(Path, "", Text, /*Context=*/0, /*IsNew=*/true);
}

} // namespace barricade
