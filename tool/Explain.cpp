// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Explain.h"
#include "tool/Pages.h"
#include "tool/Paths.h"
#include "tool/Reconcile.h"
#include "tool/knowledge/Profit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace barricade {

static StringRef page(StringRef Name) {
  for (const auto &[Known, Text] : Pages)
    if (Known == Name)
      return Text;
  return {};
}

/// What stands in \p Text between the line \p Heading and the next heading.
static std::string section(StringRef Text, StringRef Heading) {
  std::string Result;
  bool Inside = false, InCode = false;
  for (StringRef Line : split(Text, '\n')) {
    InCode ^= Line.starts_with("```");
    // In code `#` begins no heading.
    if (Line.starts_with("#") && !InCode)
      Inside = Line == Heading;
    else if (Inside)
      Result += (Line + "\n").str();
  }
  return StringRef(Result).rtrim().str();
}

/// The page up to the end of the section that has a source before and after.
static std::string explainRule(const Rule &Of) {
  const StringRef Text = page(Of.id());
  if (Text.empty())
    return (Of.id() + ": " + Of.summary()).str();
  const size_t After = Text.find("// After");
  const size_t End = Text.find("\n## ", After);
  return Text.take_front(End).rtrim().str();
}

namespace {
struct KnownReason {
  ReasonInfo Info;
  StringRef Rule; ///< Empty: any.
};
} // namespace

static std::vector<KnownReason>
allReasons(ArrayRef<std::unique_ptr<Rule>> Rules) {
  std::vector<KnownReason> Result;
  auto Add = [&](ArrayRef<ReasonInfo> Reasons, StringRef Rule) {
    for (const ReasonInfo &Each : Reasons)
      Result.push_back({Each, Rule});
  };
  for (const auto &R : Rules)
    Add(R->reasons(), R->id());
  Add(commandReasons(), "");
  Add(profitReasons(), "");
  return Result;
}

/// What stands under the reason's name in the page of all, unless its rule has
/// a list of its own, which says no more than the command knows.
static std::string explainReason(const KnownReason &Reason) {
  const std::string Rule = Reason.Rule.empty() ? "any rule" : Reason.Rule.str();
  const std::string Name = ("`" + Reason.Info.Id + "`").str();
  std::string Text;
  if (!page(Reason.Rule).contains("\n| " + Name + " |"))
    Text = section(page("reasons"), "### " + Name);
  if (Text.empty())
    Text = ("\n" + Reason.Info.Summary).str();
  return Name + " (" + Rule + ")\n" + Text;
}

/// The rule or reason whose name is most like \p Name; empty: none is.
static std::string nearestName(StringRef Name, ArrayRef<KnownReason> Reasons,
                               ArrayRef<std::unique_ptr<Rule>> Rules) {
  std::string Nearest;
  unsigned Least = std::max<size_t>(Name.size() / 3, 2) + 1;
  auto Look = [&](StringRef Other) {
    const unsigned Distance =
        Name.edit_distance(Other, /*AllowReplacements=*/true, Least);
    if (Distance >= Least)
      return;
    Least = Distance;
    Nearest = Other.str();
  };
  for (const auto &R : Rules)
    Look(R->id());
  for (const KnownReason &Each : Reasons)
    Look(Each.Info.Id);
  return Nearest;
}

Expected<std::string> explanationOf(StringRef Name,
                                    ArrayRef<std::unique_ptr<Rule>> Rules) {
  Name.consume_front("barricade-");
  for (const auto &R : Rules)
    if (R->id() == Name)
      return explainRule(*R);
  const std::vector<KnownReason> Reasons = allReasons(Rules);
  std::vector<std::string> Parts;
  for (const KnownReason &Each : Reasons)
    if (Each.Info.Id == Name)
      Parts.push_back(explainReason(Each));
  if (!Parts.empty())
    return join(Parts, "\n\n");
  const std::string Nearest = nearestName(Name, Reasons, Rules);
  return createStringError("no rule or reason is called '" + Name + "'" +
                           (Nearest.empty()
                                ? "; see barricade --list-rules"
                                : ", did you mean '" + Nearest + "'?"));
}

std::string pageOf(StringRef Rule) {
  const std::string Name = ("rules/" + Rule + ".md").str();
  const std::string Path = installedPath("share/doc/barricade/" + Name,
                                         BARRICADE_DOCS_DIR "/" + Name);
  return sys::fs::exists(Path) ? Path : std::string();
}

} // namespace barricade
