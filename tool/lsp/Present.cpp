// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/Present.h"
#include "tool/ApplyEdits.h"
#include "tool/Diff.h"
#include "tool/Explain.h"
#include "tool/HeaderBeside.h"
#include "tool/Names.h"
#include "tool/Paths.h"
#include "tool/lsp/Positions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace barricade::lsp {
namespace {

/// The protocol's numbers.
enum class Severity { Error = 1, Warning = 2, Information = 3, Hint = 4 };

/// Source text may hold bytes that are no UTF-8.
json::Value text(const Twine &Words) { return json::fixUTF8(Words.str()); }

/// Turns positions of one analysis into the editor's.
class Places {
public:
  explicit Places(const Analysis &A) : A(A) {}

  const Positions &in(StringRef Path) {
    auto It = Tables.find(Path);
    if (It == Tables.end())
      It = Tables.emplace(Path.str(), Positions(textOf(Path))).first;
    return It->second;
  }

  /// The editor's own spelling for what it has open.
  json::Value uri(StringRef Path) const {
    if (auto It = A.Open->find(Path); It != A.Open->end())
      return It->second.Uri.uri();
    // A value refers to text that it does not own.
    return cantFail(llvm::lsp::URIForFile::fromFile(Path)).uri().str();
  }

  /// From \p Where to the end of its line, or to \p End if that comes first.
  llvm::lsp::Range firstLine(const Place &Where,
                             size_t End = std::string::npos) {
    const Positions &P = in(Where.File);
    unsigned Line = P.at(Where.Offset).line;
    return P.range(Where.Offset,
                   std::min(End, P.lineStart(Line) + P.line(Line).size()));
  }

  json::Value location(const Place &Where) {
    return json::Object{{"uri", uri(Where.File)},
                        {"range", toJSON(firstLine(Where))}};
  }

  /// Where a diagnostic of \p F is shown: not on its whole body.
  llvm::lsp::Range head(const Finding &F) {
    return firstLine(F.Where, F.End.Offset);
  }

  llvm::lsp::Range range(const Finding &F) {
    return in(F.Where.File).range(F.Where.Offset, F.End.Offset);
  }

  StringRef textOf(StringRef Path) const {
    if (auto It = A.Open->find(Path); It != A.Open->end())
      return *It->second.Text;
    const std::string *Text = A.Found.Texts.find(Path);
    return Text ? StringRef(*Text) : StringRef();
  }

private:
  const Analysis &A;
  std::map<std::string, Positions, std::less<>> Tables;
};

bool isIn(const Analysis &A, const Finding &F) {
  return F.Where.File == A.Path && standing(F) != Standing::Suppressed;
}

json::Value relatedInformation(const Finding &F, Places &Where) {
  json::Array Result;
  auto Add = [&](const Place &P, const Twine &Words) {
    Result.push_back(json::Object{{"location", Where.location(P)},
                                  {"message", text(Words)}});
  };
  for (const Reason &Why : F.Reasons) {
    Add(Why.Where, Why.Text + " [" + Why.Id + "]");
    for (const Note &More : Why.Notes)
      Add(More.Where, More.Text);
  }
  return Result;
}

Severity severity(Tone Told) {
  switch (Told) {
  case Tone::Error:
    return Severity::Error;
  case Tone::Warning:
    // What is legal and might pay is no flaw.
    return Severity::Information;
  case Tone::Remark:
  case Tone::Silent:
    return Severity::Hint;
  }
  llvm_unreachable("unknown tone");
}

json::Value diagnostic(const Finding &F, Places &Where,
                       const ClientAbilities &Client) {
  json::Object Result{{"range", toJSON(Where.head(F))},
                      {"severity", int(severity(tone(F)))},
                      {"code", diagnosticName(F.Rule)},
                      {"source", "barricade"},
                      {"message", text(F.Message)}};
  if (Client.RelatedInformation && !F.Reasons.empty())
    Result["relatedInformation"] = relatedInformation(F, Where);
  const std::string Page = Client.CodeDescriptions ? pageOf(F.Rule) : "";
  // An open page may be spelt by the editor in a way of its own.
  if (!Page.empty())
    Result["codeDescription"] = json::Object{{"href", Where.uri(Page)}};
  return Result;
}

/// Why there are no findings: an error of the source, in the document itself or
/// elsewhere, or one of ours.
std::optional<json::Value> obstacle(const Analysis &A, Places &Where) {
  const FileReport &File = A.Found.Files.front();
  if (File.Outcome == FileReport::State::Analysed)
    return std::nullopt;
  Place At{A.Path, 0, 1, 1};
  std::string Words = File.Error;
  if (File.FirstError) {
    const Note &E = *File.FirstError;
    bool Here = E.Where.File == A.Path;
    if (Here)
      At = E.Where;
    Words = (Here ? ""
                  : displayPath(E.Where.File) + ":" +
                        std::to_string(E.Where.Line) + ": ") +
            E.Text;
  } else if (Words.empty()) {
    Words = StringRef(File.Diagnostics).split('\n').first.str();
  }
  if (File.By != CommandSource::Authority::Build)
    Words += "\ncompile command: " + File.Origin;
  return json::Object{{"range", toJSON(Where.firstLine(At))},
                      {"severity", int(Severity::Warning)},
                      {"code", "not-analysed"},
                      {"source", "barricade"},
                      {"message", text("not analysed: " + Words)}};
}

//===--- Actions ----------------------------------------------------------===//

/// Whether \p Edits make the runtime's header necessary beside a file.
bool needHeader(const std::vector<Edit> &Edits) {
  return any_of(Edits, [](const Edit &E) {
    return includesRuntime(E, RuntimeHeader::Beside);
  });
}

/// Whether an editor can see to it that every header which \p Edits make
/// necessary lies where it has to.
bool canProvideHeaders(const EditsByFile &Edits,
                       const ClientAbilities &Client) {
  return all_of(Edits, [&](const auto &OfFile) {
    if (!needHeader(OfFile.second))
      return true;
    Expected<bool> Lacks = lacksHeader(OfFile.first);
    if (Lacks)
      return !*Lacks || Client.CreatesFiles;
    consumeError(Lacks.takeError());
    return false;
  });
}

/// Creates the runtime's header for \p Path where there is none.
void addHeader(StringRef Path, const Places &Where, json::Array &Changes) {
  const std::string Header = headerBeside(Path);
  if (sys::fs::exists(Header))
    return;
  const json::Value Uri = Where.uri(Header);
  Changes.push_back(json::Object{{"kind", "create"}, {"uri", Uri}});
  Changes.push_back(json::Object{
      {"textDocument", json::Object{{"uri", Uri}, {"version", nullptr}}},
      {"edits", json::Array{json::Object{{"range", toJSON(llvm::lsp::Range())},
                                         {"newText", runtimeHeaderText()}}}}});
}

json::Value workspaceEdit(const Analysis &A, const EditsByFile &Edits,
                          Places &Where, const ClientAbilities &Client) {
  json::Object Plain;
  json::Array Versioned;
  for (const auto &[Path, OfFile] : Edits) {
    json::Array Changes;
    for (const Edit &E : OfFile)
      Changes.push_back(json::Object{
          {"range",
           toJSON(Where.in(Path).range(E.Offset, E.Offset + E.Length))},
          {"newText", text(E.Text)}});
    json::Value Uri = Where.uri(Path);
    auto Open = A.Open->find(Path);
    json::Value Version = nullptr;
    if (Open != A.Open->end())
      Version = Open->second.Version;
    if (needHeader(OfFile))
      addHeader(Path, Where, Versioned);
    if (Client.VersionedEdits)
      Versioned.push_back(json::Object{
          {"textDocument", json::Object{{"uri", Uri}, {"version", Version}}},
          {"edits", std::move(Changes)}});
    else
      Plain[*Uri.getAsString()] = std::move(Changes);
  }
  if (Client.VersionedEdits)
    return json::Object{{"documentChanges", std::move(Versioned)}};
  return json::Object{{"changes", std::move(Plain)}};
}

/// The diff of all that \p Edits change.
std::string diffOf(const EditsByFile &Edits, const Places &Where) {
  std::string Result;
  for (const auto &[Path, OfFile] : Edits) {
    const StringRef Old = Where.textOf(Path);
    if (Expected<std::string> New = applyEdits(Old, OfFile))
      Result += unifiedDiff(pathInDiff(Path), Old, *New);
    else
      consumeError(New.takeError());
  }
  return Result;
}

/// A comment that suppresses \p F: behind its line, or, where a backslash
/// continues that line, before it. Nothing where neither can be.
std::optional<Edit> suppression(const Finding &F, Places &Where) {
  const Positions &P = Where.in(F.Where.File);
  unsigned Line = P.at(F.Where.Offset).line;
  StringRef Words = P.line(Line);
  const std::string List = "(" + diagnosticName(F.Rule) + ")";
  if (!Words.ends_with("\\"))
    return Edit{F.Where.File, unsigned(P.lineStart(Line) + Words.size()), 0,
                " // NOLINT" + List};
  if (Line > 0 && P.line(Line - 1).ends_with("\\"))
    return std::nullopt;
  StringRef Indentation =
      Words.take_while([](char C) { return C == ' ' || C == '\t'; });
  return Edit{
      F.Where.File, unsigned(P.lineStart(Line)), 0,
      (Indentation + "// NOLINTNEXTLINE" + List + P.lineBreak(Line)).str()};
}

class Actions {
public:
  Actions(const Analysis &A, ArrayRef<std::string> Only,
          const ClientAbilities &Client)
      : A(A), Only(Only), Client(Client), Where(A) {}

  json::Value around(llvm::lsp::Range Lines) {
    for (const Finding &F : A.Found.Findings)
      if (isIn(A, F) && meets(Where.range(F), Lines))
        Around.push_back(&F);
    for (const Finding *F : Around)
      offer(*F);
    const EditsByFile All = editsToApply(A.Found.Findings);
    if (!All.empty())
      add("Apply every rewrite that barricade proposes for this file",
          "source.fixAll.barricade", All, false);
    return std::move(Result);
  }

private:
  /// Whole lines: the cursor may be anywhere on a loop's first line.
  static bool meets(llvm::lsp::Range A, llvm::lsp::Range B) {
    return A.start.line <= B.end.line && B.start.line <= A.end.line;
  }

  void offer(const Finding &F) {
    const Standing Now = standing(F);
    EditsByFile Edits;
    for (const Edit &E : F.Edits)
      Edits[E.File].push_back(E);
    if (Now == Standing::Applies)
      add("Apply " + F.Rule + " to " + nameOf(F), "quickfix", Edits, true);
    else if (Now == Standing::NotProfitable && !Edits.empty())
      add("Apply " + F.Rule + " to " + nameOf(F) + " all the same", "quickfix",
          Edits, false);
    if (!Edits.empty())
      show("Show what " + F.Rule + " changes for " + nameOf(F),
           ShowChangeCommand, diffOf(Edits, Where));
    if (Now != Standing::Applies)
      explain(F);
    offerSuppression(F);
  }

  /// What tells \p F from the other findings around: titles are all that users
  /// see of actions.
  std::string nameOf(const Finding &F) const {
    auto Alike = [&](const Finding *Other) {
      return Other->Rule == F.Rule && Other->Subject == F.Subject;
    };
    auto OnLine = [&](const Finding *Other) {
      return Alike(Other) && Other->Where.Line == F.Where.Line;
    };
    if (count_if(Around, Alike) == 1)
      return "this " + F.Subject;
    std::string Name =
        "the " + F.Subject + " on line " + std::to_string(F.Where.Line);
    if (count_if(Around, OnLine) > 1)
      Name += ", column " + std::to_string(F.Where.Column);
    return Name;
  }

  /// Once for a line: its comment is for all that the rule finds there.
  void offerSuppression(const Finding &F) {
    auto IsOfRule = [&](const Finding *Other) { return Other->Rule == F.Rule; };
    const Finding *First = *find_if(Around, [&](const Finding *Other) {
      return IsOfRule(Other) && Other->Where.Line == F.Where.Line;
    });
    const bool OneLine = all_of(Around, [&](const Finding *Other) {
      return !IsOfRule(Other) || Other->Where.Line == F.Where.Line;
    });
    auto Comment = suppression(F, Where);
    if (First == &F && Comment)
      add("Suppress " + F.Rule +
              (OneLine ? " here" : " on line " + std::to_string(F.Where.Line)),
          "quickfix", {{Comment->File, {*Comment}}}, false);
  }

  void explain(const Finding &F) {
    show("Why not " + F.Rule + " for " + nameOf(F) + "?", ShowReasonsCommand,
         textWithReasons(F));
  }

  /// An action that changes nothing.
  void show(const std::string &Title, StringRef Command,
            const std::string &Words) {
    if (isWanted("quickfix"))
      Result.push_back(
          json::Object{{"title", Title},
                       {"kind", "quickfix"},
                       {"command", command(Title, Command, Words)}});
  }

  static json::Value command(const std::string &Title, StringRef Command,
                             const std::string &Words) {
    return json::Object{{"title", Title},
                        {"command", Command},
                        {"arguments", json::Array{text(Words)}}};
  }

  /// Whether \p Edits include the runtime's header where it is not found.
  bool breaksBuild(const EditsByFile &Edits) const {
    return any_of(Edits, [&](const auto &OfFile) {
      return lacksRuntime(A.Found, OfFile.first) &&
             any_of(OfFile.second, [](const Edit &E) {
               return includesRuntime(E, RuntimeHeader::Include);
             });
    });
  }

  void add(const std::string &Title, StringRef Kind, const EditsByFile &Edits,
           bool Preferred) {
    if (!isWanted(Kind) || !canProvideHeaders(Edits, Client))
      return;
    json::Object Action{{"title", Title},
                        {"kind", Kind},
                        {"edit", workspaceEdit(A, Edits, Where, Client)}};
    // Editors run it once the edit is made.
    if (breaksBuild(Edits))
      Action["command"] =
          command(Title, ShowReasonsCommand,
                  "The build does not find <barricade/gpu_sync.cuh>: " +
                      adviceForBuild());
    // Eglot takes `false` for true.
    if (Preferred)
      Action["isPreferred"] = true;
    Result.push_back(std::move(Action));
  }

  /// Kinds are hierarchies: `source` asks for `source.fixAll.barricade`.
  bool isWanted(StringRef Kind) const {
    return Only.empty() || any_of(Only, [&](StringRef Asked) {
             StringRef Rest = Kind;
             return Asked.empty() || (Rest.consume_front(Asked) &&
                                      (Rest.empty() || Rest[0] == '.'));
           });
  }

  const Analysis &A;
  ArrayRef<std::string> Only;
  const ClientAbilities &Client;
  Places Where;
  std::vector<const Finding *> Around; ///< That the actions are about.
  json::Array Result;
};

//===--- Hover ------------------------------------------------------------===//

std::string markdown(const Finding &F, ArrayRef<Measurement> Measured) {
  // Backticks would end a code span; none of our texts needs one.
  auto Code = [](const std::string &Words) {
    std::string Plain = Words;
    llvm::replace(Plain, '`', '\'');
    return "`" + Plain + "`";
  };
  std::string Result = "**" + F.Rule + "**: " + F.Message + "\n";
  for (const Reason &Why : F.Reasons)
    Result += "\n- line " + std::to_string(Why.Where.Line) + ": " + Why.Text +
              " (" + Code(Why.Id) + ")";
  if (!F.Facts.empty())
    Result += "\n\n" + Code(factsText(F.Facts)) + "\n";
  for (const AccessFact &Access : F.Accesses)
    Result += "\n- " + Code(accessText(Access));
  for (const Measurement &M : Measured)
    Result += "\n- measured " + Code(measurementText(M));
  return Result;
}

} // namespace

json::Array diagnostics(const Analysis &A, const ClientAbilities &Client) {
  Places Where(A);
  json::Array Found;
  if (auto Why = obstacle(A, Where))
    Found.push_back(std::move(*Why));
  for (const Finding &F : A.Found.Findings)
    if (isIn(A, F) && (A.Explain || tone(F) != Tone::Silent))
      Found.push_back(diagnostic(F, Where, Client));
  return Found;
}

json::Value codeActions(const Analysis &A, llvm::lsp::Range Where,
                        ArrayRef<std::string> Only,
                        const ClientAbilities &Client) {
  return Actions(A, Only, Client).around(Where);
}

json::Value codeLenses(const Analysis &A) {
  Places Where(A);
  json::Array Result;
  for (const Finding &F : A.Found.Findings) {
    const bool Wanted = A.Explain ? tone(F) != Tone::Silent ||
                                        standing(F) == Standing::NotProfitable
                                  : standing(F) == Standing::Applies;
    const std::string Gain = gainText(F, A.Found.measurements(F));
    if (!isIn(A, F) || !Wanted || Gain.empty())
      continue;
    Result.push_back(json::Object{
        {"range", toJSON(Where.head(F))},
        {"command",
         json::Object{{"title", text(F.Rule + ": " + Gain)},
                      {"command", ShowReasonsCommand},
                      {"arguments", json::Array{text(textWithReasons(F))}}}}});
  }
  return Result;
}

json::Value hover(const Analysis &A, llvm::lsp::Position Where) {
  Places In(A);
  const Finding *Innermost = nullptr;
  for (const Finding &F : A.Found.Findings)
    if (isIn(A, F) && In.head(F).contains(Where) &&
        (!Innermost || Innermost->Where.Offset <= F.Where.Offset))
      Innermost = &F;
  if (!Innermost)
    return nullptr;
  return json::Object{
      {"contents",
       json::Object{{"kind", "markdown"},
                    {"value", text(markdown(*Innermost, A.Found.measurements(
                                                            *Innermost)))}}},
      {"range", toJSON(In.head(*Innermost))}};
}

} // namespace barricade::lsp
