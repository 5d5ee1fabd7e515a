// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema is docs/json-schema.md. A change that breaks readers raises
// SchemaVersion.

#include "tool/Config.h"
#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/Summary.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace barricade {

static constexpr int SchemaVersion = 1;

/// Sources may hold any bytes, JSON only UTF-8.
static json::Value text(StringRef S) { return json::fixUTF8(S); }

static StringRef stateName(FileReport::State S) {
  switch (S) {
  case FileReport::State::Analysed:
    return "analysed";
  case FileReport::State::NotParsed:
    return "not-parsed";
  case FileReport::State::Failed:
    return "failed";
  case FileReport::State::Crashed:
    return "crashed";
  }
  llvm_unreachable("unknown state");
}

static json::Array texts(ArrayRef<std::string> Strings) {
  json::Array Result;
  for (StringRef S : Strings)
    Result.push_back(text(S));
  return Result;
}

static json::Value toJSON(const Place &P) {
  return json::Object{{"file", text(P.File)},
                      {"offset", P.Offset},
                      {"line", P.Line},
                      {"column", P.Column}};
}

static json::Value toJSON(const FileReport &F) {
  return json::Object{{"file", text(F.Path)},
                      {"name", text(F.Name)},
                      {"state", stateName(F.Outcome)},
                      {"command-origin", text(F.Origin)},
                      {"included-by", text(F.IncludedBy)},
                      {"notes", texts(F.Notes)},
                      {"diagnostics", text(F.Diagnostics)},
                      {"error", text(F.Error)}};
}

static json::Value toJSON(const Note &N) {
  return json::Object{{"place", N.Where}, {"text", text(N.Text)}};
}

static json::Value toJSON(const Reason &R) {
  return json::Object{{"id", R.Id},
                      {"place", R.Where},
                      {"text", text(R.Text)},
                      {"notes", R.Notes}};
}

static json::Value toJSON(const AccessFact &A) {
  return json::Object{{"place", A.Where},
                      {"kind", A.Kind},
                      {"space", A.Space},
                      {"base", text(A.Base)},
                      {"width-bytes", A.WidthBytes},
                      {"index", text(A.Index)},
                      {"locality", A.Locality},
                      {"loop-stride", text(A.LoopStride)}};
}

static json::Value toJSON(const Edit &E) {
  return json::Object{{"file", text(E.File)},
                      {"offset", E.Offset},
                      {"length", E.Length},
                      {"text", text(E.Text)}};
}

static json::Value toJSON(const Measurement &M) {
  return json::Object{{"program", text(M.Program)},
                      {"case", text(M.Case)},
                      {"kind", text(M.Kind)},
                      {"setting", text(M.Setting)},
                      {"verdict", text(M.Verdict)},
                      {"original-ms", M.OriginalMs},
                      {"ms", M.Ms},
                      {"gain", M.Gain},
                      {"gain-low", M.Low},
                      {"gain-high", M.High}};
}

static json::Value factValue(const Fact &F) {
  if (const auto *Word = std::get_if<std::string>(&F.Value))
    return text(*Word);
  if (const auto *Flag = std::get_if<bool>(&F.Value))
    return *Flag;
  if (const auto *Number = std::get_if<double>(&F.Value))
    return *Number;
  return std::get<int64_t>(F.Value);
}

static json::Object facts(ArrayRef<Fact> Facts) {
  json::Object Result;
  for (const Fact &F : Facts)
    Result[F.Name] = json::Object{{"value", factValue(F)}, {"unit", F.Unit}};
  return Result;
}

static json::Array suppressions(const Finding &F) {
  json::Array Result;
  if (F.Silenced)
    Result.push_back(
        json::Object{{"kind", isInBaseline(F) ? "baseline" : "comment"},
                     {"place", F.Silenced->Where}});
  return Result;
}

json::Value toJSON(const Finding &F) {
  return json::Object{{"rule", F.Rule},
                      {"verdict", verdictName(F.Outcome)},
                      {"applies", standing(F) == Standing::Applies},
                      {"place", F.Where},
                      {"end", F.End},
                      {"function", text(F.Function)},
                      {"subject", text(F.Subject)},
                      {"form", F.Form},
                      {"message", text(F.Message)},
                      {"facts", facts(F.Facts)},
                      {"accesses", F.Accesses},
                      {"reasons", F.Reasons},
                      {"edits", F.Edits},
                      {"suppressions", suppressions(F)}};
}

static json::Object summaryOf(const Report &R) {
  const Summary S = summarize(R);
  json::Object Reasons;
  for (const auto &[Id, Count] : S.Reasons)
    Reasons[Id] = Count;
  json::Object Result{
      {"files", int64_t(R.Files.size())},
      {"files-not-parsed", S.count(FileReport::State::NotParsed)},
      {"findings", int64_t(R.Findings.size())},
      {"outside-project", R.OutsideProject},
      {"reasons", std::move(Reasons)}};
  for (Standing Each : AllStandings)
    Result[standingName(Each)] = S.count(Each);
  return Result;
}

namespace {
class JsonOutput : public Output {
public:
  void print(const Report &R, raw_ostream &OS) const override {
    json::Array Findings;
    for (const Finding &F : R.Findings) {
      json::Value V = F;
      (*V.getAsObject())["fingerprint"] = R.fingerprint(F);
      (*V.getAsObject())["measured"] = json::Array(R.measurements(F));
      Findings.push_back(std::move(V));
    }
    json::Value Root =
        json::Object{{"schema-version", SchemaVersion},
                     {"tool", json::Object{{"name", "barricade"},
                                           {"version", BARRICADE_VERSION}}},
                     {"working-directory", text(workingDirectory())},
                     {"rules", texts(R.Rules)},
                     {"files", R.Files},
                     {"findings", std::move(Findings)},
                     {"unused-suppressions", R.UnusedSuppressions},
                     {"summary", summaryOf(R)}};
    OS << formatv("{0:2}\n", Root);
  }
};
} // namespace

std::unique_ptr<Output> makeJsonOutput() {
  return std::make_unique<JsonOutput>();
}

} // namespace barricade
