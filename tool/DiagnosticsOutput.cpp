// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using clang::DiagnosticsEngine;

namespace barricade {
namespace {

/// Prints at places of a report by Clang's own printer, which knows of tabs,
/// wide characters and encodings. The texts are those of the report, whatever
/// lies on the disk.
class PlacePrinter {
public:
  PlacePrinter(const SourceTexts &Texts, raw_ostream &OS, bool Color)
      : Texts(Texts), OS(OS), Color(Color),
        Engine(clang::DiagnosticIDs::create(), DiagOptions,
               new clang::IgnoringDiagConsumer()),
        FM({}, makeIntrusiveRefCnt<vfs::InMemoryFileSystem>()), SM(Engine, FM),
        Printer(OS, LangOptions, setColor(DiagOptions, Color)) {}

  void print(DiagnosticsEngine::Level Level, const Place &Where,
             const Twine &Message) {
    clang::SourceLocation Loc = location(Where);
    if (Loc.isValid())
      Printer.emitDiagnostic(clang::FullSourceLoc(Loc, SM), Level,
                             Message.str(), {}, {});
    else
      printWithoutSource(Level, Where, Message);
  }

private:
  static clang::DiagnosticOptions &setColor(clang::DiagnosticOptions &Options,
                                            bool Color) {
    Options.ShowColors = Color;
    return Options;
  }

  clang::SourceLocation location(const Place &Where) {
    const std::string *Text = Texts.find(Where.File);
    if (!Text || Where.Offset > Text->size())
      return {};
    auto [It, Inserted] = Files.try_emplace(Where.File);
    if (Inserted)
      It->second = addFile(displayPath(Where.File), *Text);
    return SM.getLocForStartOfFile(It->second).getLocWithOffset(Where.Offset);
  }

  clang::FileID addFile(StringRef Name, StringRef Text) {
    clang::FileEntryRef File = FM.getVirtualFileRef(Name, Text.size(), 0);
    SM.overrideFileContents(File, MemoryBuffer::getMemBuffer(Text, Name));
    return SM.createFileID(File, {}, clang::SrcMgr::C_User);
  }

  void printWithoutSource(DiagnosticsEngine::Level Level, const Place &Where,
                          const Twine &Message) {
    OS << displayPath(Where.File) << ':' << Where.Line << ':' << Where.Column
       << ": ";
    clang::TextDiagnostic::printDiagnosticLevel(OS, Level, Color);
    OS << Message << '\n';
  }

  const SourceTexts &Texts;
  raw_ostream &OS;
  bool Color;
  clang::DiagnosticOptions DiagOptions;
  clang::LangOptions LangOptions;
  DiagnosticsEngine Engine;
  clang::FileManager FM;
  clang::SourceManager SM;
  clang::TextDiagnostic Printer;
  StringMap<clang::FileID> Files;
};

class DiagnosticsOutput : public Output {
public:
  DiagnosticsOutput(bool Explain, bool Color)
      : Explain(Explain), Color(Color) {}

  void print(const Report &R, raw_ostream &OS) const override {
    OS.enable_colors(Color);
    PlacePrinter Printer(R.Texts, OS, Color);
    for (const Finding &F : R.Findings) {
      if (tone(F) != Tone::Silent ||
          (Explain && standing(F) != Standing::Suppressed))
        printFinding(Printer, F, R.measurements(F));
    }
    for (const Note &Unused : R.UnusedSuppressions)
      Printer.print(DiagnosticsEngine::Warning, Unused.Where,
                    Unused.Text + " [" + UnusedSuppressionName + "]");
  }

private:
  void printFinding(PlacePrinter &Printer, const Finding &F,
                    ArrayRef<Measurement> Measured) const {
    Printer.print(levelOf(tone(F)), F.Where,
                  F.Message + " [" + diagnosticName(F.Rule) + "]");
    for (const Reason &Why : F.Reasons) {
      note(Printer, Why.Where, Why.Text + " [" + Why.Id + "]");
      for (const Note &More : Why.Notes)
        note(Printer, More.Where, More.Text);
    }
    if (!Explain)
      return;
    if (!F.Facts.empty())
      note(Printer, F.Where, factsText(F.Facts));
    for (const AccessFact &A : F.Accesses)
      note(Printer, A.Where, accessText(A));
    for (const Measurement &M : Measured)
      note(Printer, F.Where, "measured " + measurementText(M));
  }

  static DiagnosticsEngine::Level levelOf(Tone Told) {
    switch (Told) {
    case Tone::Error:
      return DiagnosticsEngine::Error;
    case Tone::Warning:
      return DiagnosticsEngine::Warning;
    case Tone::Remark:
    case Tone::Silent: // Shown with --explain only.
      return DiagnosticsEngine::Remark;
    }
    llvm_unreachable("unknown tone");
  }

  static void note(PlacePrinter &Printer, const Place &Where,
                   const Twine &Text) {
    Printer.print(DiagnosticsEngine::Note, Where, Text);
  }

  bool Explain;
  bool Color;
};
} // namespace

std::unique_ptr<Output> makeDiagnosticsOutput(bool Explain, bool Color) {
  return std::make_unique<DiagnosticsOutput>(Explain, Color);
}

} // namespace barricade
