// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/AnnotatedSource.h"
#include "matchers/Program.h"
#include "matchers/dumps/FactDumps.h"
#include "tool/Paths.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;
using clang::SourceManager;

namespace barricade {
namespace {

struct AnnotatedFile {
  std::string Text;
  /// By line, what is told with its column.
  std::map<unsigned, std::set<std::pair<unsigned, std::string>>> Told;
};

using AnnotatedFiles = std::map<std::string, AnnotatedFile>;

AnnotatedFile &fileOf(AnnotatedFiles &Files, clang::FileID Id,
                      const SourceManager &SM) {
  const auto Entry = SM.getFileEntryRefForID(Id);
  AnnotatedFile &File = Files[Entry ? canonicalPath(Entry->getName()) : ""];
  if (File.Text.empty())
    File.Text = SM.getBufferData(Id);
  return File;
}

void print(StringRef Path, const AnnotatedFile &File, raw_ostream &OS) {
  OS << displayPath(Path) << ":\n";
  unsigned Line = 0;
  for (StringRef Text : split(StringRef(File.Text).rtrim('\n'), '\n')) {
    OS << formatv("{0,5} | {1}\n", ++Line, Text.rtrim('\r'));
    const auto Here = File.Told.find(Line);
    if (Here != File.Told.end())
      for (const auto &[Column, Said] : Here->second)
        OS << "      | " << std::string(Column - 1, ' ') << "^ " << Said
           << '\n';
  }
}

} // namespace

std::string annotatedSource(const Program &P, const FactDump &Dump,
                            StringRef Main) {
  AnnotatedFiles Files;
  for (const PassView &Pass : P.Passes) {
    const SourceManager &SM = Pass.Context->getSourceManager();
    fileOf(Files, SM.getMainFileID(), SM);
    Dump.Run(Pass, P, [&](clang::SourceLocation Where, std::string Text) {
      const auto [Id, Offset] = SM.getDecomposedLoc(SM.getFileLoc(Where));
      if (Where.isValid())
        fileOf(Files, Id, SM)
            .Told[SM.getLineNumber(Id, Offset)]
            .emplace(SM.getColumnNumber(Id, Offset), std::move(Text));
    });
  }
  std::string Result;
  raw_string_ostream OS(Result);
  if (const auto It = Files.find(Main.str()); It != Files.end())
    print(Main, It->second, OS);
  for (const auto &[Path, File] : Files)
    if (Path != Main)
      print(Path, File, OS);
  return Result;
}

} // namespace barricade
