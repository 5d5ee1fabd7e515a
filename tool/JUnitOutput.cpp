// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of JUnit's XML that every reader of it knows.

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Paths.h"
#include "tool/html/Html.h"

using namespace llvm;

namespace barricade {
namespace {

class JUnitOutput : public Output {
public:
  explicit JUnitOutput(std::function<bool(const Finding &)> Fails)
      : Fails(std::move(Fails)) {}

  void print(const Report &R, raw_ostream &OS) const override {
    OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    html::Writer W(OS);
    W.element("testsuites", {{"name", "barricade"}}, [&] {
      for (const auto &[Path, Findings] : findingsByFile(R))
        writeSuite(W, Path, Findings);
      for (const FileReport &File : R.Files)
        if (File.Outcome != FileReport::State::Analysed)
          writeUnread(W, File);
    });
    OS << '\n';
  }

private:
  using FindingsByFile = std::map<std::string, std::vector<const Finding *>>;

  /// Of all files that were read, those without findings, too.
  static FindingsByFile findingsByFile(const Report &R) {
    FindingsByFile Result;
    for (const FileReport &File : R.Files)
      if (File.Outcome == FileReport::State::Analysed)
        Result[File.Path];
    for (const Finding &F : R.Findings)
      if (tone(F) != Tone::Silent)
        Result[F.Where.File].push_back(&F);
    return Result;
  }

  static void beginSuite(html::Writer &W, StringRef Path, size_t Tests,
                         size_t Failures, size_t Errors,
                         function_ref<void()> Content) {
    W.text("\n");
    W.element("testsuite",
              {{"name", displayPath(Path)},
               {"tests", std::to_string(Tests)},
               {"failures", std::to_string(Failures)},
               {"errors", std::to_string(Errors)}},
              Content);
  }

  static void writeCase(html::Writer &W, StringRef Path,
                        const std::string &Name, function_ref<void()> Content) {
    W.text("\n  ");
    W.element("testcase", {{"classname", displayPath(Path)}, {"name", Name}},
              Content);
  }

  void writeSuite(html::Writer &W, StringRef Path,
                  ArrayRef<const Finding *> Findings) const {
    const size_t Failures =
        count_if(Findings, [&](const Finding *F) { return Fails(*F); });
    beginSuite(W, Path, std::max<size_t>(Findings.size(), 1), Failures, 0, [&] {
      for (const Finding *F : Findings)
        writeFinding(W, *F);
      // A suite without cases is one that was not run.
      if (Findings.empty())
        writeCase(W, Path, "barricade", [] {});
    });
  }

  void writeFinding(html::Writer &W, const Finding &F) const {
    const std::string Place = displayPath(F.Where.File) + ":" +
                              std::to_string(F.Where.Line) + ":" +
                              std::to_string(F.Where.Column);
    const std::string Name = diagnosticName(F.Rule);
    const std::string Text = Place + ": " + textWithReasons(F);
    writeCase(W, F.Where.File, Name + ":" + std::to_string(F.Where.Line), [&] {
      if (Fails(F))
        W.element("failure", {{"message", F.Message}, {"type", Name}}, Text);
      else
        W.element("system-out", {}, Text);
    });
  }

  static void writeUnread(html::Writer &W, const FileReport &File) {
    const bool DoesNotParse = File.Outcome == FileReport::State::NotParsed;
    beginSuite(W, File.Path, 1, 0, 1, [&] {
      writeCase(W, File.Path, "barricade", [&] {
        W.element("error",
                  {{"message", DoesNotParse ? "does not parse" : File.Error},
                   {"type", "not-analysed"}},
                  DoesNotParse ? File.Diagnostics : File.Error);
      });
    });
  }

  std::function<bool(const Finding &)> Fails;
};

} // namespace

std::unique_ptr<Output>
makeJUnitOutput(std::function<bool(const Finding &)> Fails) {
  return std::make_unique<JUnitOutput>(std::move(Fails));
}

} // namespace barricade
