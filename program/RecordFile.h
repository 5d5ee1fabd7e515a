// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one format of summaries and indexes: a line with the format's version,
// records in the order of kind and key, one on a line, and a line with their
// checksum, without which a file is cut short.

#ifndef BARRICADE_PROGRAM_RECORDFILE_H
#define BARRICADE_PROGRAM_RECORDFILE_H

#include "program/Record.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace barricade::program {

/// Writes a file of records as they come.
class RecordWriter {
public:
  explicit RecordWriter(llvm::raw_ostream &OS);
  /// Each follows the one before in the order of kind and key.
  void add(const Record &R);
  void finish();

private:
  llvm::raw_ostream &OS;
  uint32_t Checksum = 0;
};

/// Reads a file of records, in order or by kind and key.
class RecordFile {
public:
  /// Fails where \p Path cannot be read, or is not as it was written.
  static llvm::Expected<RecordFile> open(llvm::StringRef Path);
  static llvm::Expected<RecordFile>
  read(std::unique_ptr<llvm::MemoryBuffer> Buffer);

  llvm::StringRef name() const { return Buffer->getBufferIdentifier(); }
  /// The records.
  llvm::StringRef text() const { return Lines; }

  /// The next one in order; nothing at the end. Fails where a line is no record
  /// or does not follow the one before.
  llvm::Expected<std::optional<Record>> next();

  /// The one of \p Kind and \p Key; nothing where there is none. Reads a few
  /// lines only.
  llvm::Expected<std::optional<Record>> find(llvm::StringRef Kind,
                                             llvm::StringRef Key) const;

  /// Calls \p Visit with all of \p Kind until it returns false.
  llvm::Error forEach(llvm::StringRef Kind,
                      llvm::function_ref<bool(Record)> Visit) const;

private:
  RecordFile(std::unique_ptr<llvm::MemoryBuffer> Buffer, llvm::StringRef Lines)
      : Buffer(std::move(Buffer)), Lines(Lines) {}
  llvm::Expected<Record> recordOf(llvm::StringRef Line) const;
  /// Where the first record begins that is not before \p Kind and \p Key.
  llvm::Expected<size_t> lowerBound(llvm::StringRef Kind,
                                    llvm::StringRef Key) const;
  /// The line at \p Offset of the records.
  llvm::StringRef lineAt(size_t Offset) const;
  llvm::Error damaged(const llvm::Twine &Why) const;

  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  llvm::StringRef Lines; ///< The records.
  size_t Offset = 0;     ///< Of the next one.
  std::optional<std::pair<std::string, std::string>> Last;
};

} // namespace barricade::program

#endif
