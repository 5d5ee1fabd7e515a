// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), within
// what GitHub's code scanning takes. Clang's own writer (clang/Basic/Sarif.h)
// knows neither fixes nor fingerprints nor relative URIs.

#include "tool/ApplyEdits.h"
#include "tool/Config.h"
#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/lsp/Positions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace barricade {
namespace {

/// GitHub rejects runs with more.
constexpr size_t MaxResults = 25000;
constexpr size_t MaxLocations = 1000;

constexpr StringLiteral RootId = "%SRCROOT%";

/// RFC 3986: everything but unreserved characters and the separator is escaped.
std::string escapeUri(StringRef Path) {
  std::string Result;
  for (unsigned char C : Path)
    if (isAlnum(C) || StringRef("-._~/").contains(C))
      Result += C;
    else
      Result += "%" + utohexstr(C, /*LowerCase=*/false, /*Width=*/2);
  return Result;
}

json::Object message(const Twine &Text) {
  return json::Object{{"text", json::fixUTF8(Text.str())}};
}

/// How much a finding weighs where not all have room.
unsigned rank(const Finding &F) {
  switch (standing(F)) {
  case Standing::Fault:
    return 0;
  case Standing::Applies:
    return 1;
  case Standing::HeldBack:
    return 2;
  case Standing::Suppressed:
    return 3;
  case Standing::NotProfitable:
    return 4;
  case Standing::Refused:
    return 5;
  }
  llvm_unreachable("unknown standing");
}

class SarifWriter {
public:
  SarifWriter(const Report &R, ArrayRef<const Rule *> Rules, bool Explain,
              StringRef Root)
      : R(R), Rules(Rules), Explain(Explain), Root(Root) {}

  json::Value write() const {
    std::vector<const Finding *> Shown;
    for (const Finding &F : R.Findings)
      if (isShown(F))
        Shown.push_back(&F);
    stable_sort(Shown, [](const Finding *A, const Finding *B) {
      return rank(*A) < rank(*B);
    });
    const size_t LeftOut = Shown.size() - std::min(Shown.size(), MaxResults);
    Shown.resize(Shown.size() - LeftOut);

    json::Array Results;
    for (const Finding *F : Shown)
      Results.push_back(result(*F));
    for (const Note &Unused : R.UnusedSuppressions)
      if (Results.size() < MaxResults)
        Results.push_back(unusedSuppression(Unused));

    json::Object Run{
        {"tool", tool()},
        {"columnKind", "utf16CodeUnits"},
        {"originalUriBaseIds",
         json::Object{
             {RootId,
              json::Object{{"uri", "file://" + escapeUri(Root) + "/"}}}}},
        {"automationDetails", json::Object{{"id", "barricade/"}}},
        {"invocations", json::Array{invocation(LeftOut)}},
        {"results", std::move(Results)}};
    return json::Object{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", json::Array{std::move(Run)}}};
  }

private:
  bool isShown(const Finding &F) const {
    return Explain || toneIfNotSuppressed(F) != Tone::Silent;
  }

  // --- The tool and its rules
  // --------------------------------------------------

  json::Object tool() const {
    json::Array Descriptions;
    for (const Rule *Each : Rules)
      Descriptions.push_back(description(diagnosticName(Each->id()),
                                         Each->summary(), help(*Each),
                                         Each->findsFaults()));
    Descriptions.push_back(description(
        UnusedSuppressionName, "a comment suppresses nothing",
        "A NOLINT comment names barricade, but nothing is found there that it "
        "could suppress. Remove it.",
        /*FindsFaults=*/false));
    return json::Object{
        {"driver", json::Object{{"name", "barricade"},
                                {"semanticVersion", BARRICADE_VERSION},
                                {"rules", std::move(Descriptions)}}}};
  }

  static json::Object description(StringRef Id, StringRef Summary,
                                  StringRef Help, bool FindsFaults) {
    std::string Sentence = Summary.str();
    Sentence[0] = toUpper(Sentence[0]);
    Sentence += ".";
    return json::Object{
        // Owned copies: a JSON value of a StringRef would only refer to it.
        {"id", Id.str()},
        {"name", camelCase(Id)},
        {"shortDescription", message(Sentence)},
        {"fullDescription", message(Sentence)},
        {"help", json::Object{{"text", Help.str()}, {"markdown", Help.str()}}},
        {"defaultConfiguration",
         json::Object{{"level", FindsFaults ? "error" : "warning"}}},
        {"properties", FindsFaults ? ofFaults() : ofRewrites()}};
  }

  static json::Object ofRewrites() {
    return json::Object{{"tags", json::Array{"performance", "cuda"}},
                        {"precision", "high"},
                        {"problem.severity", "recommendation"}};
  }

  /// Faults are races. The severity is what CodeQL gives those of its rules.
  static json::Object ofFaults() {
    return json::Object{
        {"tags", json::Array{"security", "correctness", "concurrency", "cuda",
                             "external/cwe/cwe-362", "external/cwe/cwe-820"}},
        {"precision", "very-high"},
        {"problem.severity", "error"},
        {"security-severity", "7.7"}};
  }

  /// `barricade-grid-barrier` as `BarricadeGridBarrier`.
  static std::string camelCase(StringRef Id) {
    std::string Result;
    for (StringRef Word : split(Id, '-')) {
      Result += toUpper(Word.front());
      Result += Word.drop_front();
    }
    return Result;
  }

  static std::string help(const Rule &Of) {
    std::string Text =
        ("Rule " + Of.id() + ": " + Of.summary() +
         ".\n\nThe change is proved legal; whether it pays depends on the GPU. "
         "Measure it. To silence the finding, write `// NOLINT(" +
         diagnosticName(Of.id()) + ")` on its line.\n\nReasons for which the " +
         "rule refuses:\n\n")
            .str();
    for (const ReasonInfo &Info : Of.reasons())
      Text += ("- `" + Info.Id + "`: " + Info.Summary + "\n").str();
    return Text;
  }

  size_t ruleIndex(StringRef Id) const {
    return find_if(Rules, [&](const Rule *Each) { return Each->id() == Id; }) -
           Rules.begin();
  }

  // --- Places
  // --------------------------------------------------------------------

  json::Object artifact(StringRef File) const {
    StringRef Below = pathBelow(File, Root);
    if (Below.empty())
      return json::Object{{"uri", "file://" + escapeUri(File)}};
    return json::Object{{"uri", escapeUri(Below)}, {"uriBaseId", RootId}};
  }

  json::Object region(StringRef File, unsigned Begin, unsigned End) const {
    const std::string *Text = R.Texts.find(File);
    assert(Text && "the texts of files with findings are kept");
    const auto [From, To] = lsp::Positions(*Text).range(Begin, End);
    return json::Object{{"startLine", From.line + 1},
                        {"startColumn", From.character + 1},
                        {"endLine", To.line + 1},
                        {"endColumn", To.character + 1}};
  }

  json::Object physicalLocation(const Place &P) const {
    json::Object Result{{"artifactLocation", artifact(P.File)}};
    if (R.Texts.find(P.File))
      Result["region"] = region(P.File, P.Offset, P.Offset);
    return Result;
  }

  json::Object location(const Place &P) const {
    return json::Object{{"physicalLocation", physicalLocation(P)}};
  }

  // --- Results
  // -------------------------------------------------------------------

  json::Object result(const Finding &F) const {
    json::Object Where = location(F.Where);
    if (F.End.File == F.Where.File && R.Texts.find(F.Where.File))
      Where.getObject("physicalLocation")
          ->insert({"region", region(F.Where.File, F.Where.Offset,
                                     std::max(F.Where.Offset, F.End.Offset))});
    Where["logicalLocations"] = json::Array{
        json::Object{{"fullyQualifiedName", json::fixUTF8(F.Function)},
                     {"kind", "function"}}};
    const Tone Told = toneIfNotSuppressed(F);
    json::Object Result{
        {"ruleId", diagnosticName(F.Rule)},
        {"ruleIndex", int64_t(ruleIndex(F.Rule))},
        {"kind", Told != Tone::Silent ? "fail" : "informational"},
        {"level", levelOf(Told)},
        {"message", message(headline(F))},
        {"locations", json::Array{std::move(Where)}},
        {"partialFingerprints",
         json::Object{{"barricade/v1", R.fingerprint(F)}}},
        {"properties", properties(F)}};
    if (json::Array Related = relatedLocations(F); !Related.empty())
      Result["relatedLocations"] = std::move(Related);
    if (standing(F) == Standing::Applies)
      Result["fixes"] = json::Array{fix(F)};
    if (F.Silenced)
      Result["suppressions"] = json::Array{suppression(F)};
    return Result;
  }

  static StringRef levelOf(Tone Told) {
    switch (Told) {
    case Tone::Error:
      return "error";
    case Tone::Warning:
      return "warning";
    case Tone::Remark:
      return "note";
    case Tone::Silent:
      return "none";
    }
    llvm_unreachable("unknown tone");
  }

  static std::string headline(const Finding &F) {
    std::string Text = F.Message + " in '" + F.Function + "'";
    for (const Reason &Why : F.Reasons)
      Text += "; " + Why.Text + " [" + Why.Id + "]";
    return Text + ".";
  }

  static json::Object properties(const Finding &F) {
    json::Object Result{{"verdict", verdictName(F.Outcome)}};
    if (!F.Facts.empty())
      Result["facts"] = json::fixUTF8(factsText(F.Facts));
    return Result;
  }

  json::Array relatedLocations(const Finding &F) const {
    json::Array Result;
    auto Add = [&](const Place &P, StringRef Text) {
      if (Result.size() >= MaxLocations - 1)
        return;
      json::Object Where = location(P);
      Where["id"] = int64_t(Result.size() + 1);
      Where["message"] = message(Text);
      Result.push_back(std::move(Where));
    };
    for (const Reason &Why : F.Reasons) {
      Add(Why.Where, Why.Text);
      for (const Note &More : Why.Notes)
        Add(More.Where, More.Text);
    }
    return Result;
  }

  json::Object fix(const Finding &F) const {
    std::map<std::string, json::Array> ByFile;
    for (const Edit &E : oneEditPerPlace(F.Edits))
      ByFile[E.File].push_back(json::Object{
          {"deletedRegion", region(E.File, E.Offset, E.Offset + E.Length)},
          {"insertedContent", message(E.Text)}});
    json::Array Changes;
    for (auto &[File, Replacements] : ByFile)
      Changes.push_back(
          json::Object{{"artifactLocation", artifact(File)},
                       {"replacements", std::move(Replacements)}});
    return json::Object{{"description", message(F.Message)},
                        {"artifactChanges", std::move(Changes)}};
  }

  json::Object suppression(const Finding &F) const {
    if (isInBaseline(F))
      return json::Object{{"kind", "external"},
                          {"justification", "listed in the baseline"}};
    return json::Object{{"kind", "inSource"},
                        {"location", location(F.Silenced->Where)}};
  }

  json::Object unusedSuppression(const Note &Unused) const {
    return json::Object{{"ruleId", UnusedSuppressionName},
                        {"ruleIndex", int64_t(Rules.size())},
                        {"level", "note"},
                        {"message", message(Unused.Text + ".")},
                        {"locations", json::Array{location(Unused.Where)}}};
  }

  // --- The run
  // ---------------------------------------------------------------------

  json::Object invocation(size_t LeftOut) const {
    json::Array Notifications;
    bool Successful = true;
    for (const FileReport &File : R.Files) {
      if (File.Outcome == FileReport::State::Analysed)
        continue;
      Successful = false;
      Notifications.push_back(json::Object{
          {"level", "error"},
          {"message",
           message(File.Outcome == FileReport::State::NotParsed
                       ? "the file does not parse:\n" + File.Diagnostics
                       : File.Error)},
          {"locations",
           json::Array{json::Object{
               {"physicalLocation",
                json::Object{{"artifactLocation", artifact(File.Path)}}}}}}});
    }
    if (LeftOut)
      Notifications.push_back(json::Object{
          {"level", "warning"},
          {"message",
           message(Twine(LeftOut) + " results are left out, for " +
                   "code scanning takes no more than " + Twine(MaxResults))}});
    return json::Object{
        {"executionSuccessful", Successful},
        {"toolExecutionNotifications", std::move(Notifications)}};
  }

  const Report &R;
  ArrayRef<const Rule *> Rules;
  bool Explain;
  StringRef Root;
};

class SarifOutput : public Output {
public:
  SarifOutput(std::vector<const Rule *> Rules, bool Explain,
              std::string ProjectRoot)
      : Rules(std::move(Rules)), Explain(Explain),
        ProjectRoot(std::move(ProjectRoot)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    const std::string Root = rootOf(R, ProjectRoot);
    OS << formatv("{0:2}\n", SarifWriter(R, Rules, Explain, Root).write());
  }

private:
  std::vector<const Rule *> Rules;
  bool Explain;
  std::string ProjectRoot;
};

} // namespace

std::string rootOf(const Report &R, StringRef ProjectRoot) {
  return ProjectRoot.empty() && !R.Files.empty()
             ? projectRoot(R.Files.front().Path)
             : canonicalPath(ProjectRoot);
}

std::unique_ptr<Output> makeSarifOutput(std::vector<const Rule *> Rules,
                                        bool Explain, std::string ProjectRoot) {
  return std::make_unique<SarifOutput>(std::move(Rules), Explain,
                                       std::move(ProjectRoot));
}

} // namespace barricade
