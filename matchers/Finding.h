// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one value that every output prints: what was found, whether it may be
// changed, the facts behind that, and the edits that would change it. A finding
// outlives the AST it came from, so it holds text and positions only.

#ifndef BARRICADE_MATCHERS_FINDING_H
#define BARRICADE_MATCHERS_FINDING_H

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace barricade {

/// A position in a file. Lines and columns count from 1, columns and offsets in
/// bytes. The path is absolute and free of `.` and `..`.
struct Place {
  std::string File;
  unsigned Offset = 0;
  unsigned Line = 0;
  unsigned Column = 0;

  bool operator==(const Place &) const = default;
  auto key() const { return std::tie(File, Offset); }
  bool operator<(const Place &Other) const { return key() < Other.key(); }
};

/// What barricade says of a place.
enum class Verdict {
  Rewrite,       ///< Proved legal, expected to be worth trying: edits apply.
  Refused,       ///< Not proved legal: `Reasons` says why, there are no edits.
  NotProfitable, ///< Legal, but a threshold or a better place speaks against
                 ///< it: `Reasons` says which; edits are kept, but not applied.
  Fault, ///< The program is wrong as it stands: `Reasons` says how, there
         ///< are no edits.
};

/// A named number, flag or word that a decision rests on.
struct Fact {
  std::string
      Name; ///< Stable, lower-case, hyphenated: part of the JSON schema.
  std::variant<int64_t, double, bool, std::string> Value;
  std::string Unit; ///< Empty where the value has none.

  bool operator==(const Fact &) const = default;
};

/// A further place that explains a reason, as Clang's notes do.
struct Note {
  Place Where;
  std::string Text;

  bool operator==(const Note &) const = default;
};

/// Why a finding is not (or not by default) rewritten, or what is at fault.
struct Reason {
  std::string Id;   ///< Stable id, one of the rule's `Rule::reasons()`.
  Place Where;      ///< The statement that blocks.
  std::string Text; ///< One sentence without a full stop, as Clang words it.
  std::vector<Note> Notes;

  bool operator==(const Reason &) const = default;
};

/// A memory access that a finding rests on: of a loop, per iteration of it.
struct AccessFact {
  Place Where;
  std::string Kind;  ///< load | store | atomic
  std::string Space; ///< global | shared | local | constant | unknown
  std::string Base;  ///< The pointer or array as spelled.
  unsigned WidthBytes = 0;
  std::string Index; ///< Affine form in elements; `?` for what is not affine.
  std::string
      Locality; ///< broadcast | coalesced | unaligned | strided | gathered
  std::string LoopStride; ///< Elements from one iteration to the next.

  bool operator==(const AccessFact &) const = default;
};

/// Replace `Length` bytes at `Offset` of `File` by `Text`.
struct Edit {
  std::string File;
  unsigned Offset = 0;
  unsigned Length = 0;
  std::string Text;
  /// What it means that another finding edits the same place.
  enum class Meeting {
    Conflict, ///< The result would depend on which comes first.
    Shared,   ///< Findings that ask for this edit mean one and the same.
    AnyOrder, ///< Of insertions that all say so, any may come first.
  };
  Meeting WithOthers = Meeting::Conflict;

  auto key() const { return std::tie(File, Offset, Length, Text); }
  bool operator==(const Edit &Other) const { return key() == Other.key(); }
  bool operator<(const Edit &Other) const { return key() < Other.key(); }
};

/// What the edits of a finding do to a function, for rules that ask whether
/// theirs may be made as well. Never read from facts: those are for display.
struct FunctionChange {
  enum class Kind {
    /// It becomes part of a step: threads that return from it live on.
    Step,
    /// The step's threads run in blocks of another size: they cannot meet.
    LogicalThreads,
    /// It keeps its first half only; the launches seen launch the other one.
    Cut,
    /// It gets a block barrier.
    Barrier,
    /// It gets one that relies on threads having exited that return before.
    BarrierAfterExits,
    /// Its first statement waits for the grid before.
    Waits,
  };
  Kind What = Kind::Step;
  std::string Function; ///< functionId() of matchers/FunctionId.h.

  bool operator==(const FunctionChange &) const = default;
};

/// Where the user said that a finding is known and no longer wanted.
struct Suppression {
  enum class Kind {
    Comment, ///< A NOLINT comment, at `Where`.
  };
  Kind How = Kind::Comment;
  Place Where;

  bool operator==(const Suppression &) const = default;
};

struct Finding {
  std::string Rule; ///< Stable rule id, for instance `artificial-barrier`.
  Verdict Outcome = Verdict::Refused;
  Place Where;          ///< Start of the statement, where the caret points.
  Place End;            ///< One past its last byte.
  std::string Function; ///< Qualified name of the enclosing function.
  std::string Subject;  ///< What was found: `for loop`, `while loop`, ...
  std::string Form;     ///< Which rewriting form applies; empty when refused.
  std::string Message;  ///< Headline, one sentence without a full stop.
  std::vector<Fact> Facts;
  std::vector<AccessFact> Accesses;
  std::vector<Reason> Reasons;
  std::vector<Edit> Edits;
  std::optional<Suppression> Silenced; ///< Not shown, its edits not made.
  /// Where other findings of the rule stand that have the same edits, because
  /// they can only be rewritten together: all are, or none.
  std::vector<Place> Companions;
  std::vector<FunctionChange> Changes;
  /// Statements between Where and End that the edits change: who suppresses one
  /// suppresses all.
  std::vector<Place> Parts;
  /// Other rules whose changes are among the edits: who suppresses one
  /// suppresses all.
  std::vector<std::string> AlsoOf;
  /// Of the same place, what the rule may choose in this one's stead once it is
  /// known what other rules do: the first is the next best.
  std::vector<Finding> Instead;

  /// Its edits are made.
  bool applies() const {
    return Outcome == Verdict::Rewrite && !Silenced && Reasons.empty();
  }

  /// The edits do \p What to some function that \p Other changes in whatever
  /// way of \p Ways.
  bool meets(FunctionChange::Kind What, const Finding &Other,
             std::initializer_list<FunctionChange::Kind> Ways) const {
    for (const FunctionChange &Own : Changes)
      if (Own.What == What)
        for (FunctionChange::Kind Way : Ways)
          for (const FunctionChange &Theirs : Other.Changes)
            if (Theirs == FunctionChange{Way, Own.Function})
              return true;
    return false;
  }

  /// Findings with the same key speak of the same thing seen twice: by another
  /// pass, instantiation or translation unit.
  auto key() const { return std::tie(Rule, Where.File, Where.Offset); }
};

} // namespace barricade

#endif
