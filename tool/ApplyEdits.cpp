// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/ApplyEdits.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace barricade {

bool overlap(const Edit &A, const Edit &B) {
  // Names of files last: they are long, and alike.
  if (A.Offset == B.Offset)
    return (A.Length == 0) == (B.Length == 0) &&
           !(A.WithOthers == Edit::Meeting::AnyOrder &&
             B.WithOthers == Edit::Meeting::AnyOrder) &&
           A.File == B.File;
  const Edit &First = A.Offset < B.Offset ? A : B;
  const Edit &Second = A.Offset < B.Offset ? B : A;
  return Second.Offset < First.Offset + First.Length && A.File == B.File;
}

bool isShared(const Edit &A, const Edit &B) {
  return A.Offset == B.Offset && A == B &&
         (A.WithOthers == Edit::Meeting::Shared ||
          StringRef(A.Text).ltrim().starts_with("#include"));
}

std::vector<Edit> oneEditPerPlace(std::vector<Edit> Edits) {
  stable_sort(Edits, [](const Edit &A, const Edit &B) {
    return std::tuple(A.File, A.Offset, A.Length != 0) <
           std::tuple(B.File, B.Offset, B.Length != 0);
  });
  std::vector<Edit> Result;
  for (Edit &E : Edits) {
    if (Result.empty() || Result.back().File != E.File ||
        Result.back().Offset != E.Offset) {
      Result.push_back(std::move(E));
      continue;
    }
    Result.back().Text += E.Text;
    Result.back().Length = E.Length;
  }
  return Result;
}

void sortForApplying(std::vector<size_t> &Indices, ArrayRef<Edit> Edits) {
  // Insertions come before a replacement that begins at the same place.
  stable_sort(Indices, [&](size_t A, size_t B) {
    return std::pair(Edits[A].Offset, Edits[A].Length != 0) <
           std::pair(Edits[B].Offset, Edits[B].Length != 0);
  });
}

Expected<std::string> applyEdits(StringRef Text, ArrayRef<Edit> Edits) {
  std::vector<size_t> Order(Edits.size());
  std::iota(Order.begin(), Order.end(), 0);
  sortForApplying(Order, Edits);

  std::string Result;
  size_t Copied = 0;
  for (const size_t Index : Order) {
    const Edit &E = Edits[Index];
    if (E.Offset < Copied)
      return createStringError("edits overlap at offset %u", E.Offset);
    if (size_t(E.Offset) + E.Length > Text.size())
      return createStringError("edit at offset %u is beyond the end", E.Offset);
    Result += Text.slice(Copied, E.Offset);
    Result += E.Text;
    Copied = E.Offset + E.Length;
  }
  Result += Text.substr(Copied);
  return Result;
}

} // namespace barricade
