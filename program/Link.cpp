// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Link.h"
#include "program/UnitSummary.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace barricade::program {
namespace {

/// An input with the record that it comes to next.
struct Cursor {
  RecordFile *Input;
  Record Next;
};

/// The inputs, that with the least key first.
class Inputs {
public:
  bool isEmpty() const { return Heap.empty(); }
  bool isNext(const Record &R) const {
    return !Heap.empty() && Heap.front().Next.key() == R.key();
  }

  /// Adds \p Input, if it has a record more.
  Error add(RecordFile &Input) {
    Expected<std::optional<Record>> Next = Input.next();
    if (!Next)
      return Next.takeError();
    if (*Next) {
      Heap.push_back({&Input, std::move(**Next)});
      std::push_heap(Heap.begin(), Heap.end(), isLater);
    }
    return Error::success();
  }

  /// Takes the first one's record, and goes on in that one.
  Expected<Record> take() {
    std::pop_heap(Heap.begin(), Heap.end(), isLater);
    Cursor First = std::move(Heap.back());
    Heap.pop_back();
    if (Error E = add(*First.Input))
      return E;
    return std::move(First.Next);
  }

private:
  static bool isLater(const Cursor &A, const Cursor &B) {
    return A.Next.key() > B.Next.key();
  }
  std::vector<Cursor> Heap;
};

/// Whether a linker sees the definition: without relocatable device code each
/// unit has device functions of its own, but kernels have a part on the host.
bool isLinked(const json::Object &Definition) {
  return Definition.getBoolean("rdc") == true ||
         Definition.getString("role") == "kernel";
}

bool isStrong(const Claim &Definition) {
  return Definition.says("linkage", "external");
}

/// Whether two definitions that the same architecture sees have other texts.
bool differ(const json::Object &A, const json::Object &B) {
  return A.getInteger("sm") == B.getInteger("sm") &&
         A.getString("hash") != B.getString("hash");
}

/// Whether \p A and \p B, maybe the same, are not of one unit alone.
bool areOfSeveralUnits(const Claim &A, const Claim &B) {
  return A.Units != B.Units || A.HasMoreUnits || A.Units.size() > 1;
}

std::optional<DefinitionConflict> conflictOf(const Record &R, const Claim &A,
                                             const Claim &B) {
  const bool AreStrong = isStrong(A) && isStrong(B);
  if (!areOfSeveralUnits(A, B) || (!AreStrong && &A == &B))
    return std::nullopt;
  const json::Object First = A.says(), Second = B.says();
  if (!isLinked(First) || !isLinked(Second) ||
      (!AreStrong && !differ(First, Second)))
    return std::nullopt;
  return DefinitionConflict{First.getString("name").value_or(R.Key).str(),
                            AreStrong, placeOf(First), placeOf(Second)};
}

Error severalContents(const Record &Unit) {
  return createStringError(
      "the unit '" +
      Unit.Claims.front().says().getString("file").value_or(Unit.Key) +
      "' was indexed with different contents: index it anew");
}

/// What all of \p From say of what comes first among them.
Expected<Record> takeWhole(Inputs &From) {
  std::vector<Record> Parts;
  do {
    Expected<Record> Part = From.take();
    if (!Part)
      return Part.takeError();
    Parts.push_back(std::move(*Part));
  } while (From.isNext(Parts.front()));
  return combined(std::move(Parts));
}

} // namespace

std::optional<DefinitionConflict> conflictIn(const Record &R) {
  std::vector<const Claim *> Definitions;
  for (const Claim &Each : R.Claims)
    if (Each.says("is", "definition") && !Each.says("linkage", "internal"))
      Definitions.push_back(&Each);
  for (size_t I = 0; I < Definitions.size(); ++I)
    for (size_t J = I; J < Definitions.size(); ++J)
      if (auto Found = conflictOf(R, *Definitions[I], *Definitions[J]))
        return Found;
  return std::nullopt;
}

Error link(MutableArrayRef<RecordFile> Files, raw_ostream &OS,
           function_ref<void(const DefinitionConflict &)> OnConflict) {
  Inputs Left;
  for (RecordFile &Each : Files)
    if (Error E = Left.add(Each))
      return E;
  RecordWriter Writer(OS);
  while (!Left.isEmpty()) {
    Expected<Record> Whole = takeWhole(Left);
    if (!Whole)
      return Whole.takeError();
    if (Whole->Kind == UnitKind && Whole->Claims.size() > 1)
      return severalContents(*Whole);
    if (Whole->Kind == FunctionKind)
      if (auto Conflict = conflictIn(*Whole))
        OnConflict(*Conflict);
    Writer.add(*Whole);
  }
  Writer.finish();
  return Error::success();
}

} // namespace barricade::program
