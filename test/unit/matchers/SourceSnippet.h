// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source from a string, with headers, for tests that ask where text stands.

#ifndef BARRICADE_TEST_UNIT_MATCHERS_SOURCESNIPPET_H
#define BARRICADE_TEST_UNIT_MATCHERS_SOURCESNIPPET_H

#include "matchers/source/SourceConditions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>
#include <vector>

namespace barricade::test {

struct SourceSnippet {
  SourceSnippet(const std::string &Code, const std::string &Path,
                std::vector<std::string> Flags,
                const clang::tooling::FileContentMappings &Headers = {})
      : Text(Code), Files(Headers),
        Unit(clang::tooling::buildASTFromCodeWithArgs(
            Text, Flags, Path, "test",
            std::make_shared<clang::PCHContainerOperations>(),
            clang::tooling::getClangStripDependencyFileAdjuster(), Files)),
        Conditions(Unit->getASTContext()) {
    EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred()) << Text;
  }

  const clang::SourceManager &SM() const { return Unit->getSourceManager(); }

  /// Where \p Mark stands, in whatever file.
  clang::SourceLocation at(llvm::StringRef Mark) const {
    clang::SourceLocation Found;
    Conditions.forEachUserFile([&](clang::FileID File) {
      const size_t At = SM().getBufferData(File).find(Mark);
      if (At != llvm::StringRef::npos)
        Found = SM().getLocForStartOfFile(File).getLocWithOffset(int(At));
    });
    EXPECT_TRUE(Found.isValid()) << Mark.str();
    return Found;
  }

  // Clang keeps no copies of these.
  std::string Text;
  clang::tooling::FileContentMappings Files;
  std::unique_ptr<clang::ASTUnit> Unit;
  SourceConditions Conditions;
};

} // namespace barricade::test

#endif
