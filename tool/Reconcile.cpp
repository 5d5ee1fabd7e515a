// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Reconcile.h"
#include "tool/ApplyEdits.h"
#include "tool/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>

using namespace llvm;

namespace barricade {

ArrayRef<ReasonInfo> commandReasons() {
  static constexpr ReasonInfo Infos[] = {
      {"conflicting-edits",
       "translation units disagree on how to write this change"},
      {"companion-suppressed",
       "a place that can only be changed together with this one is suppressed"},
      {"header-not-selected",
       "the place is in a header that --edit-headers does not select"},
      {"not-read-everywhere", "a source of this run that includes the file, or "
                              "may, could not be read"},
      {"not-verified",
       "the rewritten program did not pass the checks that come "
       "before anything is written: a bug in barricade"},
      {"overlapping-edit",
       "another change of this run touches the same text; run again"},
  };
  return Infos;
}

/// How strongly a verdict stands against editing.
static unsigned gravity(Verdict V) {
  switch (V) {
  case Verdict::Rewrite:
    return 0;
  case Verdict::NotProfitable:
    return 1;
  case Verdict::Refused:
    return 2;
  case Verdict::Fault:
    return 3;
  }
  llvm_unreachable("unknown verdict");
}

/// Appends to \p Into what \p From adds to it.
template <typename T, typename SameFn>
static void unite(std::vector<T> &Into, const std::vector<T> &From,
                  SameFn Same) {
  for (const T &New : From)
    if (none_of(Into, [&](const T &Old) { return Same(Old, New); }))
      Into.push_back(New);
}

static void refuseConflict(Finding &F) {
  F.Outcome = Verdict::Refused;
  F.Edits.clear();
  F.Form.clear();
  F.Instead.clear();
  F.Reasons.push_back({"conflicting-edits",
                       F.Where,
                       "translation units disagree on how to write this",
                       {}});
}

static void mergeInto(Finding &Into, Finding From);

/// Keeps of \p Into what \p From has as well.
static void keepCommon(std::vector<Finding> &Into,
                       const std::vector<Finding> &From) {
  erase_if(Into, [&](Finding &Own) {
    const auto Same = find_if(From, [&](const Finding &Other) {
      return Other.Outcome == Own.Outcome && Other.Edits == Own.Edits;
    });
    if (Same != From.end())
      mergeInto(Own, *Same);
    return Same == From.end();
  });
}

static void mergeInto(Finding &Into, Finding From) {
  if (gravity(From.Outcome) > gravity(Into.Outcome))
    std::swap(Into, From);
  unite(Into.Facts, From.Facts,
        [](const Fact &A, const Fact &B) { return A.Name == B.Name; });
  unite(Into.Accesses, From.Accesses,
        [](const AccessFact &A, const AccessFact &B) {
          return A.Where == B.Where && A.Kind == B.Kind;
        });
  unite(Into.Reasons, From.Reasons, [](const Reason &A, const Reason &B) {
    return A.Id == B.Id && A.Where == B.Where;
  });
  // Each unit may have other functions, of one text, in what is changed.
  unite(Into.Changes, From.Changes, std::equal_to<>());
  unite(Into.AlsoOf, From.AlsoOf, std::equal_to<>());
  keepCommon(Into.Instead, From.Instead);
  if (Into.Outcome != Verdict::Refused && From.Outcome == Into.Outcome &&
      From.Edits != Into.Edits)
    refuseConflict(Into);
}

std::vector<Finding> reconcile(std::vector<Finding> Findings) {
  StringMap<unsigned> FileOrder;
  for (const Finding &F : Findings)
    FileOrder.try_emplace(F.Where.File, FileOrder.size());

  using Key = std::tuple<unsigned, unsigned, std::string>;
  std::map<Key, Finding> Merged;
  for (Finding &F : Findings) {
    Key K{FileOrder[F.Where.File], F.Where.Offset, F.Rule};
    auto It = Merged.find(K);
    if (It == Merged.end())
      Merged.emplace(K, std::move(F));
    else
      mergeInto(It->second, std::move(F));
  }

  std::vector<Finding> Result;
  for (auto &Entry : Merged)
    Result.push_back(std::move(Entry.second));
  return Result;
}

/// Whether the edits of one finding can be made at all: what it replaces does
/// not intersect, while its insertions at one place keep their order.
static bool consistent(ArrayRef<Edit> Edits) {
  for (unsigned I = 0; I < Edits.size(); ++I)
    for (unsigned J = 0; J < I; ++J)
      if ((Edits[I].Length || Edits[J].Length) && overlap(Edits[I], Edits[J]))
        return false;
  return true;
}

/// The suppressed finding, or null, that a change of \p F would change, too.
static const Finding *suppressedCompanion(const Finding &F,
                                          ArrayRef<Finding> Findings) {
  const Finding *Found = find_if(Findings, [&](const Finding &Other) {
    return Other.Silenced && Other.Rule == F.Rule &&
           is_contained(F.Companions, Other.Where);
  });
  return Found == Findings.end() ? nullptr : Found;
}

void holdBackOverlaps(std::vector<Finding> &Findings) {
  // Findings come by offset, but the edits of one may lie anywhere: compare
  // with all that are taken. There are few.
  std::map<std::string, std::vector<Edit>> Taken;
  for (Finding &F : Findings) {
    if (standing(F) != Standing::Applies || sameChangeBefore(F, Findings))
      continue;
    if (const Finding *Other = suppressedCompanion(F, Findings)) {
      F.Reasons.push_back(
          {"companion-suppressed",
           Other->Where,
           "this can only be changed together, and is suppressed",
           {}});
      continue;
    }
    // What is made already is no further change.
    const auto IsTaken = [&](const Edit &New) {
      return any_of(Taken[New.File],
                    [&](const Edit &Old) { return isShared(Old, New); });
    };
    bool Clash = !consistent(F.Edits) || any_of(F.Edits, [&](const Edit &New) {
      return !IsTaken(New) && any_of(Taken[New.File], [&](const Edit &Old) {
        return overlap(Old, New);
      });
    });
    if (Clash) {
      F.Reasons.push_back({"overlapping-edit",
                           F.Where,
                           "another change touches the same text; run again "
                           "after it is made",
                           {}});
      continue;
    }
    for (const Edit &E : F.Edits)
      Taken[E.File].push_back(E);
  }
}

} // namespace barricade
