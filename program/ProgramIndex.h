// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an index knows of the units of a program, asked on behalf of one.

#ifndef BARRICADE_PROGRAM_PROGRAMINDEX_H
#define BARRICADE_PROGRAM_PROGRAMINDEX_H

#include "matchers/OtherUnits.h"
#include "program/RecordFile.h"
#include "program/UnitSummary.h"

namespace barricade::program {

/// Safe to ask from several threads.
class ProgramIndex {
public:
  explicit ProgramIndex(RecordFile File) : File(std::move(File)) {}

  llvm::StringRef name() const { return File.name(); }
  /// Of all that it says.
  std::string hash() const { return hashOf(File.text()); }

  /// Why it does not speak of the files as they are now; empty: it does. Reads
  /// all of them: their times would not tell.
  std::string whyStale() const;

  /// Of \p Files, canonical paths, one that is none of its units' main file;
  /// empty: there is none.
  std::string firstMissing(llvm::ArrayRef<std::string> Files) const;

  /// Whether it has the unit of \p Own with the same contents.
  bool lists(const UnitSummary &Own) const;

  /// How a function is asked for.
  struct Asked {
    std::string Key;    ///< Of its records.
    std::string Symbol; ///< What the linker calls it.
    std::string Name;   ///< The word that calls it; empty: there is none.
  };
  /// What other units than \p Unit say of \p Function: one note for each way of
  /// using it, and one alone where the index cannot be read. Empty: nothing.
  std::vector<Note> usesOf(const Asked &Function, llvm::StringRef Unit) const;

  /// Whether \p Path may be a part of another unit than \p Unit.
  bool mayBeReadByOthers(llvm::StringRef Path, llvm::StringRef Unit) const;

private:
  RecordFile File;
};

/// Answers from an index that lists the unit.
class IndexedUnits : public OtherUnits {
public:
  IndexedUnits(const ProgramIndex &Index, std::string Unit, bool IsWorldClosed)
      : Index(Index), Unit(std::move(Unit)), IsWorldClosed(IsWorldClosed) {}

  OtherUses usesOf(const clang::FunctionDecl &Function) const override;

private:
  const ProgramIndex &Index;
  std::string Unit;
  bool IsWorldClosed; ///< The index is all there is.
};

/// Answers where an index is of no use, with the reason.
class UnknownUnits : public OtherUnits {
public:
  explicit UnknownUnits(std::string Why) : Why(std::move(Why)) {}

  OtherUses usesOf(const clang::FunctionDecl &Function) const override;

private:
  std::string Why;
};

} // namespace barricade::program

#endif
