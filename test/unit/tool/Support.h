// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings made by hand, folders that vanish, and a rule that needs no proof.

#ifndef BARRICADE_TEST_UNIT_TOOL_SUPPORT_H
#define BARRICADE_TEST_UNIT_TOOL_SUPPORT_H

#include "matchers/Finding.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace barricade::test {

/// The place of \p Offset in \p Text.
inline Place placeAt(std::string File, llvm::StringRef Text, unsigned Offset) {
  llvm::StringRef Before = Text.take_front(Offset);
  unsigned Line = Before.count('\n') + 1;
  size_t LineStart = Before.rfind('\n') + 1; // npos + 1 is 0
  return {std::move(File), Offset, Line, unsigned(Offset - LineStart) + 1};
}

inline Finding makeFinding(Verdict V, std::string File, unsigned Offset,
                           std::vector<Edit> Edits = {},
                           std::vector<Reason> Reasons = {}) {
  Finding F;
  F.Rule = "artificial-barrier";
  F.Outcome = V;
  F.Where = F.End = {std::move(File), Offset, 1, Offset + 1};
  F.Function = "space::kernel";
  F.Subject = "for loop";
  F.Message = "message";
  F.Edits = std::move(Edits);
  F.Reasons = std::move(Reasons);
  return F;
}

inline Reason makeReason(std::string Id, std::string File, unsigned Offset) {
  return {std::move(Id), {std::move(File), Offset, 1, Offset + 1}, "text", {}};
}

/// A fresh folder, removed with the object; its path is canonical.
class TemporaryFolder {
public:
  TemporaryFolder() {
    llvm::SmallString<128> Unresolved;
    std::error_code EC =
        llvm::sys::fs::createUniqueDirectory("barricade-test", Unresolved);
    EXPECT_FALSE(EC) << EC.message();
    llvm::sys::fs::real_path(Unresolved, Path);
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(Path); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(llvm::StringRef Name) const {
    llvm::SmallString<128> Result(Path);
    llvm::sys::path::append(Result, Name);
    return std::string(Result);
  }

  std::string path() const { return std::string(Path); }

  /// Writes \p Text to the file \p Name; returns its path.
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::string File = *this / Name;
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
    std::error_code EC;
    llvm::raw_fd_ostream OS(File, EC);
    EXPECT_FALSE(EC) << EC.message();
    OS << Text;
    return File;
  }

  /// Names of what lies directly in the folder.
  std::vector<std::string> entries() const {
    std::vector<std::string> Result;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator I(Path, EC), End; I != End && !EC;
         I.increment(EC))
      Result.push_back(llvm::sys::path::filename(I->path()).str());
    return Result;
  }

private:
  llvm::SmallString<128> Path;
};

inline std::string readFile(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  EXPECT_TRUE(bool(Buffer)) << Path;
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

} // namespace barricade::test

#endif
