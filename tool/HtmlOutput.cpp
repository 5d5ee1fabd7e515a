// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One page that needs nothing else: no network, no other file. Its policy lets
// the browser run and load nothing but the style sheet and the script within,
// by their digests. The page is complete without the script, which filters.

#include "tool/Config.h"
#include "tool/Diff.h"
#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/Summary.h"
#include "tool/html/Assets.h"
#include "tool/html/Highlight.h"
#include "tool/html/Html.h"
#include "tool/html/IntervalPlot.h"
#include "tool/lsp/Positions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SHA256.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace barricade {
namespace {

using html::Attributes;
using html::Highlighted;

/// Equal lines that the difference shows around changes.
constexpr unsigned Context = 3;
/// Of a finding's statement.
constexpr unsigned ExcerptLines = 8;

std::string digest(StringRef Asset) {
  return "'sha256-" + encodeBase64(SHA256::hash(arrayRefFromStringRef(Asset))) +
         "'";
}

std::string policy() {
  return "default-src 'none'; img-src data:; base-uri 'none'; "
         "form-action 'none'; style-src " +
         digest(html::StyleSheet) + "; script-src " + digest(html::Script);
}

std::string plural(size_t Count, StringRef One) {
  return (Twine(Count) + " " + One + (Count == 1 ? "" : "s")).str();
}

/// A text, highlighted, with a table of its lines.
struct SourceFile {
  explicit SourceFile(StringRef Text) : Colours(Text), Lines(Text) {}
  Highlighted Colours;
  lsp::Positions Lines;
};

/// One report as one page.
class Page {
public:
  Page(const Report &R, ArrayRef<ChangedFile> Changed, StringRef ChangedWord,
       const RunDescription &Made, raw_ostream &OS)
      : R(R), Changed(Changed), ChangedWord(ChangedWord), Made(Made), W(OS) {
    std::map<std::string, std::vector<const Finding *>> Sorted;
    for (const Finding &F : R.Findings)
      Sorted[F.Where.File].push_back(&F);
    for (const ChangedFile &File : Changed)
      Sorted[File.Path];
    ByFile.assign(Sorted.begin(), Sorted.end());
    const auto IsFault = [](const Finding *F) {
      return standing(*F) == Standing::Fault;
    };
    for (FindingsOfFile &File : ByFile)
      std::ranges::stable_partition(File.second, IsFault);
    std::ranges::stable_partition(ByFile, [&](const FindingsOfFile &File) {
      return any_of(File.second, IsFault);
    });
  }

  void write() {
    W.documentType();
    W.element("html", {{"lang", "en"}}, [&] {
      W.element("head", {}, [&] { writeHead(); });
      W.element("body", {}, [&] { writeBody(); });
    });
    W.text("\n");
  }

private:
  using FindingsOfFile = std::pair<std::string, std::vector<const Finding *>>;

  std::string words(Standing S) const {
    std::string Words = S == Standing::Applies ? ChangedWord.str()
                        : S == Standing::Fault ? "at fault"
                                               : standingName(S).str();
    replace(Words, '-', ' ');
    return Words;
  }

  void writeHead() {
    W.empty("meta", {{"charset", "utf-8"}});
    W.empty("meta",
            {{"http-equiv", "Content-Security-Policy"}, {"content", policy()}});
    W.empty("meta", {{"name", "viewport"},
                     {"content", "width=device-width, initial-scale=1"}});
    W.empty("meta", {{"name", "generator"},
                     {"content", "barricade " BARRICADE_VERSION}});
    // Without it browsers ask the server for one.
    W.empty("link", {{"rel", "icon"}, {"href", "data:,"}});
    W.element("title", {}, "barricade: " + headline());
    W.asset("style", html::StyleSheet);
  }

  void writeBody() {
    W.element("a", {{"class", "skip"}, {"href", "#findings"}},
              "Skip to the findings");
    W.element("header", {}, [&] {
      W.element("h1", {}, "barricade");
      W.element("p", {{"class", "quiet"}}, headline());
      writeRun();
      writeFilters();
      writeOverview();
      writeTroubles();
    });
    W.element("main", {{"id", "findings"}}, [&] {
      W.element("p", {{"id", "nothing"}, {"hidden", ""}},
                "No finding passes the filters.");
      size_t Number = 0;
      for (const FindingsOfFile &File : ByFile)
        writeFile(File, Number++);
      writeUnusedSuppressions();
      writeExplanations();
    });
    W.element("footer", {}, "barricade " BARRICADE_VERSION);
    W.asset("script", html::Script);
  }

  std::string headline() const {
    return plural(R.Findings.size(), "finding") + " in " +
           plural(R.Files.size(), "file");
  }

  /// How the page came to be.
  void writeRun() {
    const std::pair<StringLiteral, StringRef> Facts[] = {
        {"Command", Made.Command},
        {"What pays", Made.WhatPays},
        {"Date", Made.Date}};
    W.element("dl", {{"class", "run"}}, [&] {
      for (const auto &[Name, Value] : Facts)
        if (!Value.empty())
          W.element("div", {}, [&] {
            W.element("dt", {}, Name);
            W.element("dd", {}, Value);
          });
    });
  }

  //===--- Summary and filters --------------------------------------------===//

  /// The tiles show the summary; with the script they are filters as well.
  void writeFilters() {
    const Summary S = summarize(R);
    W.element("div", {{"id", "filters"}, {"role", "search"}}, [&] {
      W.element("fieldset", {{"id", "standings"}}, [&] {
        W.element("legend", {{"class", "skip"}}, "Show findings that are");
        for (Standing Each : AllStandings)
          writeTile(Each, S.count(Each));
      });
      W.element("div", {{"class", "narrow"}}, [&] { writeNarrowing(); });
      W.element("p", {{"class", "quiet keys"}}, [&] { writeKeys(); });
    });
  }

  void writeTile(Standing S, unsigned Count) {
    const std::string Name = standingName(S).str();
    W.element("label", {{"class", "tile " + Name}}, [&] {
      W.empty("input",
              {{"type", "checkbox"}, {"value", Name}, {"checked", ""}});
      W.element("b", {{"data-count", Name}}, Twine(Count));
      W.text(words(S));
    });
  }

  void writeNarrowing() {
    W.empty("input", {{"type", "search"},
                      {"id", "words"},
                      {"placeholder", "Function, line, words\u2026"},
                      {"aria-label", "Search findings"}});
    std::vector<std::pair<std::string, std::string>> Rules, Files;
    for (const std::string &Id : R.Rules)
      Rules.emplace_back(Id, Id);
    for (const FindingsOfFile &File : ByFile)
      Files.emplace_back(std::to_string(Files.size()), displayPath(File.first));
    writeChoice("rule", "All rules", Rules);
    writeChoice("file", "All files", Files);
    W.element("button", {{"type", "button"}, {"id", "open"}}, "Open all");
    W.element("button", {{"type", "button"}, {"id", "close"}}, "Close all");
    W.element("button", {{"type", "button"}, {"id", "reset"}}, "Reset");
    W.element("output", {{"id", "shown"}, {"class", "quiet"}},
              plural(R.Findings.size(), "finding"));
  }

  void writeChoice(StringRef Id, StringRef All,
                   ArrayRef<std::pair<std::string, std::string>> Choices) {
    W.element("select", {{"id", Id.str()}, {"aria-label", All.str()}}, [&] {
      W.element("option", {{"value", ""}}, All);
      for (const auto &[Value, Words] : Choices)
        W.element("option", {{"value", Value}}, Words);
    });
  }

  void writeKeys() {
    static constexpr std::pair<StringLiteral, StringLiteral> Keys[] = {
        {"/", "search"},   {"j", "next"},      {"k", "previous"},
        {"o", "open all"}, {"c", "close all"},
    };
    for (const auto &[Key, Meaning] : Keys) {
      W.element("kbd", {}, Key);
      W.text(" " + Meaning + "  ");
    }
  }

  void writeOverview() {
    const Summary S = summarize(R);
    W.element("div", {{"class", "overview"}}, [&] {
      writePanel("Files", ByFile.size() > 1, [&] { writeFileTally(); });
      writePanel("Reasons", !S.Reasons.empty(), [&] { writeReasonTally(S); });
    });
    if (R.OutsideProject)
      W.element("p", {{"class", "quiet"}},
                plural(R.OutsideProject, "finding") +
                    " in headers outside of the project are left out");
  }

  void writePanel(StringRef Title, bool Wanted, function_ref<void()> Content) {
    if (!Wanted)
      return;
    W.element("details", {{"class", "panel"}, {"open", ""}}, [&] {
      W.element("summary", {}, Title);
      W.element("div",
                {{"class", "tall"},
                 {"tabindex", "0"},
                 {"role", "region"},
                 {"aria-label", Title.str()}},
                Content);
    });
  }

  void writeFileTally() {
    W.element("ul", {{"class", "tally"}}, [&] {
      size_t Number = 0;
      for (const FindingsOfFile &File : ByFile)
        W.element("li", {}, [&] {
          W.element("a", {{"href", "#" + fileId(Number++)}},
                    displayPath(File.first));
          W.element("span", {{"class", "figure"}}, counts(File.second));
        });
    });
  }

  /// `2 to rewrite, 5 refused`.
  std::string counts(ArrayRef<const Finding *> Findings) const {
    std::vector<std::string> Parts;
    for (Standing Each : AllStandings)
      if (size_t Count = count_if(
              Findings, [&](const Finding *F) { return standing(*F) == Each; }))
        Parts.push_back(std::to_string(Count) + " " + words(Each));
    return join(Parts, ", ");
  }

  void writeReasonTally(const Summary &S) {
    W.element("ul", {{"class", "tally"}}, [&] {
      for (const auto &[Id, Count] : byFrequency(S))
        W.element("li", {}, [&] {
          W.element("span", {}, [&] { writeReasonName(Id); });
          W.element("span", {{"class", "figure"}, {"data-reason", Id}},
                    Twine(Count));
        });
    });
  }

  void writeTroubles() {
    for (const FileReport &File : R.Files) {
      if (File.Outcome == FileReport::State::Analysed)
        continue;
      W.element("div", {{"class", "panel trouble"}}, [&] {
        bool DoesNotParse = File.Outcome == FileReport::State::NotParsed;
        W.element("strong", {},
                  displayPath(File.Path) +
                      (DoesNotParse ? " does not parse" : " was not analysed"));
        W.element("pre", {}, DoesNotParse ? File.Diagnostics : File.Error);
      });
    }
  }

  void writeUnusedSuppressions() {
    if (R.UnusedSuppressions.empty())
      return;
    W.element("section", {{"class", "file"}}, [&] {
      W.element("h3", {}, "Comments that suppress nothing");
      W.element("ul", {{"class", "reasons"}}, [&] {
        for (const Note &N : R.UnusedSuppressions)
          W.element("li", {}, [&] { writeNote(N.Where, N.Text, ""); });
      });
    });
  }

  //===--- What the reasons mean ------------------------------------------===//

  std::string explanation(const std::string &Reason) const {
    return Made.Explanation ? Made.Explanation(Reason) : std::string();
  }

  /// With a link to what it means.
  void writeReasonName(const std::string &Id) {
    if (explanation(Id).empty())
      return W.element("span", {{"class", "id"}}, Id);
    W.element("a", {{"class", "id"}, {"href", "#reason-" + Id}}, Id);
  }

  void writeExplanations() {
    const Summary S = summarize(R);
    if (S.Reasons.empty() || !Made.Explanation)
      return;
    W.element("section", {{"class", "file"}}, [&] {
      W.element("h2", {}, "What the reasons mean");
      for (const auto &[Id, Count] : byFrequency(S))
        if (const std::string Text = explanation(Id); !Text.empty())
          W.element("details", {{"class", "panel"}, {"id", "reason-" + Id}},
                    [&] {
                      W.element("summary", {}, Id);
                      writeMarkdown(Text);
                    });
    });
  }

  /// Code as such; of the rest only the targets of links are left out.
  void writeMarkdown(StringRef Text) {
    static const Regex Link("\\[([^]]*)\\]\\([^)]*\\)");
    bool IsCode = false;
    for (StringRef Part : split(Text, "```")) {
      if (IsCode) {
        // The first line names the language.
        W.element("pre", {{"class", "source"}},
                  Part.split('\n').second.rtrim());
      } else {
        std::string Words = Part.trim().str();
        while (Link.match(Words))
          Words = Link.sub("\\1", Words);
        W.element("p", {{"class", "prose"}}, Words);
      }
      IsCode = !IsCode;
    }
  }

  //===--- Files ----------------------------------------------------------===//

  static std::string fileId(size_t Number) {
    return "file-" + std::to_string(Number);
  }

  void writeFile(const FindingsOfFile &File, size_t Number) {
    W.element("section", {{"class", "file"}, {"id", fileId(Number)}}, [&] {
      W.element("div", {{"class", "title"}}, [&] {
        W.element("h2", {}, displayPath(File.first));
        W.element("span", {{"class", "quiet"}}, counts(File.second));
      });
      W.element("div", {}, [&] {
        for (const Finding *F : File.second)
          writeFinding(*F, Number);
      });
      for (const ChangedFile &Each : Changed)
        if (Each.Path == File.first)
          writeChanges(Each, Number);
    });
  }

  void writeChanges(const ChangedFile &File, size_t Number) {
    const SourceFile Old(File.Old), New(File.New);
    W.element("details", {{"class", "changes"}, {"open", ""}}, [&] {
      W.element("summary", {}, "Changes");
      W.element("button",
                {{"type", "button"},
                 {"class", "copy"},
                 {"hidden", ""},
                 {"data-path", displayPath(File.Path)}},
                "Copy as a patch");
      W.element("div", {{"class", "diff"}}, [&] {
        const LineDiff Diff(File.Old, File.New);
        for (const Hunk &H : Diff.hunks(Context))
          W.element("div", {{"class", "hunk"}, {"id", hunkId(Number, H.Whole)}},
                    [&] { writeHunk(H, Old, New); });
      });
    });
  }

  /// \p Lines: those that the hunk shows.
  static std::string hunkId(size_t FileNumber, const LineChange &Lines) {
    return ("change-" + Twine(FileNumber) + "-" + Twine(Lines.OldFirst + 1))
        .str();
  }

  /// The hunk that has the finding's first edit; empty: there is none.
  std::string hunkOf(const Finding &F, size_t FileNumber) {
    const auto File = find_if(
        Changed, [&](const ChangedFile &C) { return C.Path == F.Where.File; });
    if (standing(F) != Standing::Applies || File == Changed.end())
      return {};
    const LineDiff Diff(File->Old, File->New);
    const SourceFile Old(File->Old);
    for (const Edit &E : F.Edits)
      for (const Hunk &H : Diff.hunks(Context)) {
        const size_t Line = Old.Lines.at(E.Offset).line;
        if (E.File == File->Path && H.Whole.OldFirst <= Line &&
            Line < H.Whole.OldLast)
          return hunkId(FileNumber, H.Whole);
      }
    return {};
  }

  void writeHunk(const Hunk &H, const SourceFile &Old, const SourceFile &New) {
    size_t NextOld = H.Whole.OldFirst, NextNew = H.Whole.NewFirst;
    auto Same = [&](size_t OldEnd, size_t NewEnd) {
      if (NextOld < OldEnd)
        writeBlock({NextOld, OldEnd, NextNew, NewEnd}, true, Old, New);
    };
    for (const LineChange &C : H.Changes) {
      Same(C.OldFirst, C.NewFirst);
      writeBlock(C, false, Old, New);
      NextOld = C.OldLast;
      NextNew = C.NewLast;
    }
    Same(H.Whole.OldLast, H.Whole.NewLast);
  }

  void writeBlock(const LineChange &C, bool Same, const SourceFile &Old,
                  const SourceFile &New) {
    W.element("div", {{"class", Same ? "block same" : "block"}}, [&] {
      writeSide(Same ? "side" : "side removed", "del", Old, C.OldFirst,
                C.OldLast, Same ? nullptr : &New, C.NewFirst, C.NewLast);
      writeSide(Same ? "side" : "side added", "ins", New, C.NewFirst, C.NewLast,
                Same ? nullptr : &Old, C.OldFirst, C.OldLast);
    });
  }

  /// Lines [\p First, \p Last) of \p File. In each that has a counterpart in
  /// \p Other, what differs stands in an element \p Mark.
  void writeSide(const char *Class, StringLiteral Mark, const SourceFile &File,
                 size_t First, size_t Last, const SourceFile *Other,
                 size_t OtherFirst, size_t OtherLast) {
    W.element("div", {{"class", Class}}, [&] {
      for (size_t Line = First; Line < Last; ++Line) {
        size_t MarkBegin = 0, MarkEnd = 0;
        const size_t Counterpart = OtherFirst + (Line - First);
        if (Other && Counterpart < OtherLast)
          std::tie(MarkBegin, MarkEnd) = differingPart(
              File.Lines.line(Line), Other->Lines.line(Counterpart));
        writeLine(File, Line, Mark, MarkBegin, MarkEnd);
      }
    });
  }

  /// Columns of \p Line, from 0, between what it has in common with \p Other
  /// at both ends; none where that is too little to call them alike.
  static std::pair<size_t, size_t> differingPart(StringRef Line,
                                                 StringRef Other) {
    size_t Head = 0, Tail = 0;
    const size_t Shorter = std::min(Line.size(), Other.size());
    while (Head < Shorter && Line[Head] == Other[Head])
      ++Head;
    while (Tail < Shorter - Head &&
           Line[Line.size() - 1 - Tail] == Other[Other.size() - 1 - Tail])
      ++Tail;
    // Half a character is none.
    auto InsideCharacter = [&](size_t At) {
      return At < Line.size() && (Line[At] & 0xc0) == 0x80;
    };
    while (Head && InsideCharacter(Head))
      --Head;
    while (Tail && InsideCharacter(Line.size() - Tail))
      --Tail;
    const size_t Common = Line.take_front(Head).trim().size() + Tail;
    if (Common * 3 < Line.trim().size())
      return {0, 0};
    return {Head, Line.size() - Tail};
  }

  /// \p Line counts from 0, columns of the mark do, too.
  void writeLine(const SourceFile &File, size_t Line, StringLiteral Mark,
                 size_t MarkBegin, size_t MarkEnd) {
    const size_t Begin = File.Lines.lineStart(Line);
    W.element("div", {{"data-line", std::to_string(Line + 1)}}, [&] {
      File.Colours.write(W, Begin, Begin + File.Lines.line(Line).size(), Mark,
                         Begin + MarkBegin, Begin + MarkEnd);
    });
  }

  //===--- Findings -------------------------------------------------------===//

  void writeFinding(const Finding &F, size_t FileNumber) {
    const std::string Name = standingName(standing(F)).str();
    W.element("details",
              {{"class", "finding " + Name},
               {"id", "finding-" + R.fingerprint(F)},
               {"data-standing", Name},
               {"data-rule", F.Rule},
               {"data-file", std::to_string(FileNumber)}},
              [&] {
                W.element("summary", {}, [&] { writeHeadline(F); });
                W.element("div", {{"class", "body"}},
                          [&] { writeDetails(F, FileNumber); });
              });
  }

  void writeHeadline(const Finding &F) {
    W.element("span", {{"class", "line"}}, Twine(F.Where.Line));
    W.element("span", {{"class", "badge"}}, words(standing(F)));
    W.element("span", {{"class", "message"}}, [&] {
      W.text(F.Message + " ");
      W.element("span", {{"class", "function"}}, F.Function);
    });
    W.element("span", {{"class", "gain"}}, gainText(F, R.measurements(F)));
  }

  void writeDetails(const Finding &F, size_t FileNumber) {
    writeExcerpt(F);
    if (const std::string Hunk = hunkOf(F, FileNumber); !Hunk.empty())
      W.element("p", {}, [&] {
        W.element("a", {{"href", "#" + Hunk}}, "What it changes");
      });
    if (F.Silenced)
      W.element("p", {}, [&] {
        W.text("Suppressed at ");
        writePlace(F.Silenced->Where);
      });
    writeReasons(F);
    writeMeasurements(R.measurements(F));
    if (std::string Expected = gainText(F, {}); !Expected.empty()) {
      W.element("h3", {}, "Gain, as a share of the loop's time");
      W.element("p", {}, Expected);
    }
    writeFacts(F);
    writeAccesses(F);
    W.element("p", {{"class", "quiet"}}, [&] {
      W.text(F.Subject + " in ");
      W.element("code", {}, F.Function);
      W.text(", rule " + F.Rule + (F.Form.empty() ? "" : ", form " + F.Form) +
             " ");
      W.element("a", {{"href", "#finding-" + R.fingerprint(F)}},
                "link to this finding");
    });
  }

  /// The first lines of the finding's statement.
  void writeExcerpt(const Finding &F) {
    const SourceFile *File = source(F.Where.File);
    if (!File)
      return;
    const int First = File->Lines.at(F.Where.Offset).line;
    const int Last = F.End.File == F.Where.File
                         ? std::max(First, File->Lines.at(F.End.Offset).line)
                         : First;
    W.element("div", {{"class", "source"}}, [&] {
      for (int Line = First; Line <= Last && Line < First + int(ExcerptLines);
           ++Line)
        writeLine(*File, Line, "mark", 0, 0);
    });
    if (Last >= First + int(ExcerptLines))
      W.element("p", {{"class", "quiet"}},
                "\u2026 up to line " + Twine(Last + 1));
  }

  void writeReasons(const Finding &F) {
    if (F.Reasons.empty())
      return;
    W.element("h3", {}, "Reasons");
    W.element("ul", {{"class", "reasons"}}, [&] {
      for (const Reason &Why : F.Reasons)
        W.element("li", {}, [&] {
          writeNote(Why.Where, Why.Text, Why.Id);
          if (Why.Notes.empty())
            return;
          W.element("ul", {}, [&] {
            for (const Note &More : Why.Notes)
              W.element("li", {},
                        [&] { writeNote(More.Where, More.Text, ""); });
          });
        });
    });
  }

  /// A sentence about a place, with the line there.
  void writeNote(const Place &Where, const std::string &Text,
                 const std::string &Id) {
    writePlace(Where);
    W.text(" " + Text + " ");
    if (!Id.empty())
      writeReasonName(Id);
    const SourceFile *File = source(Where.File);
    if (!File)
      return;
    const size_t Line = File->Lines.at(Where.Offset).line;
    const size_t Start = File->Lines.lineStart(Line);
    W.element("div", {{"class", "source"}}, [&] {
      writeLine(*File, Line, "mark", Where.Offset - Start,
                File->Colours.tokenEnd(Where.Offset) - Start);
    });
  }

  void writePlace(const Place &Where) {
    W.element("code", {},
              displayPath(Where.File) + ":" + Twine(Where.Line) + ":" +
                  Twine(Where.Column));
  }

  void writeFacts(const Finding &F) {
    if (F.Facts.empty())
      return;
    W.element("h3", {}, "Facts");
    W.element("dl", {}, [&] {
      for (const Fact &Each : F.Facts) {
        if (StringRef(Each.Name).starts_with("expected-gain"))
          continue; // shown above
        W.element("div", {}, [&] {
          W.element("dt", {}, Each.Name);
          W.element("dd", {},
                    valueText(Each) +
                        (Each.Unit.empty() ? "" : " " + Each.Unit));
        });
      }
    });
  }

  void writeTable(ArrayRef<StringRef> Heads,
                  ArrayRef<std::vector<std::string>> Rows) {
    W.element("div", {{"class", "wide"}, {"tabindex", "0"}}, [&] {
      W.element("table", {}, [&] {
        W.element("tr", {}, [&] {
          for (StringRef Head : Heads)
            W.element("th", {{"scope", "col"}}, Head);
        });
        for (const std::vector<std::string> &Row : Rows)
          W.element("tr", {}, [&] {
            for (const auto &[Head, Cell] : zip_equal(Heads, Row))
              W.element("td", {{"data-head", Head.str()}}, Cell);
          });
      });
    });
  }

  void writeAccesses(const Finding &F) {
    if (F.Accesses.empty())
      return;
    W.element("h3", {}, "Memory accesses");
    std::vector<std::vector<std::string>> Rows;
    for (const AccessFact &A : F.Accesses)
      Rows.push_back({std::to_string(A.Where.Line), A.Kind, A.Space, A.Base,
                      std::to_string(A.WidthBytes), A.Index, A.Locality,
                      A.LoopStride});
    writeTable({"Line", "Kind", "Space", "Base", "Bytes", "Index", "Locality",
                "Loop stride"},
               Rows);
  }

  void writeMeasurements(ArrayRef<Measurement> Measured) {
    if (Measured.empty())
      return;
    W.element("h3", {}, "Measured");
    html::writeIntervalPlot(W, Measured);
    std::vector<std::vector<std::string>> Rows;
    for (const Measurement &M : Measured)
      Rows.push_back({M.Program, M.Case, M.Kind, M.Setting,
                      formatv("{0:F4} ms", M.OriginalMs),
                      formatv("{0:F4} ms", M.Ms), percentText(M.Gain),
                      intervalText(M.Low, M.High), M.Verdict});
    writeTable({"Program", "Case", "Variant", "Setting", "Original",
                "Rewritten", "Gain", "95 % interval", "Verdict"},
               Rows);
  }

  /// Null where the text was not kept.
  const SourceFile *source(StringRef Path) {
    const std::string *Text = R.Texts.find(Path);
    if (!Text)
      return nullptr;
    return &Sources.try_emplace(Path.str(), *Text).first->second;
  }

  const Report &R;
  ArrayRef<ChangedFile> Changed;
  StringRef ChangedWord;
  const RunDescription &Made;
  html::Writer W;
  std::vector<FindingsOfFile> ByFile; ///< By path; those with faults first.
  std::map<std::string, SourceFile> Sources;
};

class HtmlOutput : public Output {
public:
  HtmlOutput(std::vector<ChangedFile> Files, std::string ChangedWord,
             RunDescription Made)
      : Files(std::move(Files)), ChangedWord(std::move(ChangedWord)),
        Made(std::move(Made)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    Page(R, Files, ChangedWord, Made, OS).write();
  }

private:
  std::vector<ChangedFile> Files;
  std::string ChangedWord;
  RunDescription Made;
};

} // namespace

std::unique_ptr<Output> makeHtmlOutput(std::vector<ChangedFile> Files,
                                       std::string ChangedWord,
                                       RunDescription Made) {
  return std::make_unique<HtmlOutput>(std::move(Files), std::move(ChangedWord),
                                      std::move(Made));
}

} // namespace barricade
