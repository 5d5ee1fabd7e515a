// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a session that is about sources that are not open.

#include "tool/Paths.h"
#include "tool/lsp/Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace barricade::lsp {

//===--- What the editor tells --------------------------------------------===//

void Session::setWorkspace(std::vector<std::string> Folders) {
  std::lock_guard<std::mutex> Guard(Lock);
  Workspace = std::move(Folders);
}

void Session::survey(Survey S) {
  std::lock_guard<std::mutex> Guard(Lock);
  Surveys.push_back(std::move(S));
  SurveysTold = false;
  Changed.notify_one();
}

void Session::cancelSurvey(const json::Value &Id) {
  erase_if(Surveys, [&](Survey &S) {
    return S.Id == Id &&
           S.Done(make_error<llvm::lsp::LSPError>(
               "cancelled", llvm::lsp::ErrorCode::RequestCancelled));
  });
}

/// \p Path: the file that changed; empty where it may be any.
void Session::sourcesChanged(StringRef Path) {
  bool IsPart = false;
  for (auto &[Name, S] : Sources)
    if (Name == Path || is_contained(S.UserFiles, Path))
      S.OutOfDate = IsPart = true;
  if (IsPart)
    return;
  // A source may look for it, or it says how sources are read.
  SourcesUnknown = true;
  for (auto &[Name, S] : Sources)
    S.OutOfDate = true;
}

//===--- The thread -------------------------------------------------------===//

/// The source that is to be read next; null where all are up to date. The
/// editor asks by itself for what is open.
const std::string *Session::nextSource() const {
  for (const auto &[Path, S] : Sources)
    if (S.OutOfDate && !Entries.contains(Path))
      return &Path;
  return nullptr;
}

bool Session::hasSurveyWork() const {
  return !Surveys.empty() && (SourcesUnknown || !SurveysTold || nextSource());
}

/// One step, for a document may be asked about meanwhile.
void Session::surveyFurther(std::unique_lock<std::mutex> &Guard) {
  if (std::exchange(SourcesUnknown, false))
    return listSources(Guard);
  if (const std::string *Path = nextSource()) {
    SurveysTold = false;
    return surveySource(*Path, Guard);
  }
  SurveysTold = true;
  erase_if(Surveys, [](Survey &S) { return S.Done(Error::success()); });
}

void Session::tellSurveys(const Analysis &A) {
  for (const Survey &S : Surveys)
    S.Each(A);
}

Expected<std::vector<std::string>> Session::sourcesIn(StringRef Folder) {
  PerFile.forget();
  Expected<const Options &> OfFolder =
      PerFile.optionsFor((Folder + "/source.cu").str());
  if (!OfFolder)
    return OfFolder.takeError();
  Options Opts = *OfFolder;
  Opts.Files = {Folder.str()};
  if (Error E = useCommandsOf(Opts))
    return std::move(E);
  return inputFiles(Opts, *Commands);
}

void Session::listSources(std::unique_lock<std::mutex> &Guard) {
  forgetFiles();
  const std::vector<std::string> Folders = Workspace;
  Guard.unlock();
  std::set<std::string> Found;
  for (const std::string &Folder : Folders) {
    Expected<std::vector<std::string>> Files = sourcesIn(Folder);
    if (!Files) {
      llvm::lsp::Logger::info("workspace: {0}", toString(Files.takeError()));
      continue;
    }
    for (StringRef File : *Files)
      Found.insert(canonicalPath(File));
  }
  Guard.lock();

  for (const std::string &Path : Found)
    Sources.try_emplace(Path);
  for (auto It = Sources.begin(); It != Sources.end();) {
    if (Found.contains(It->first)) {
      ++It;
      continue;
    }
    Analysis Nothing;
    Nothing.Path = It->first;
    Nothing.Open = documentsWith(Nothing.Path, "");
    Nothing.Found.Files.emplace_back().Outcome = FileReport::State::Analysed;
    tellSurveys(Nothing);
    It = Sources.erase(It);
  }
}

/// What is open, and \p Path with this text.
std::shared_ptr<const Documents>
Session::documentsWith(const std::string &Path, std::string Text) const {
  auto Result = std::make_shared<Documents>(*snapshot());
  Document D;
  D.Uri = cantFail(llvm::lsp::URIForFile::fromFile(Path));
  D.Path = Path;
  D.Text = std::make_shared<std::string>(std::move(Text));
  Result->emplace(Path, std::move(D));
  return Result;
}

void Session::surveySource(const std::string &Path,
                           std::unique_lock<std::mutex> &Guard) {
  Analysis Result;
  Result.Path = Path;
  forgetFiles();
  Sources[Path].OutOfDate = false;
  const auto Left = count_if(Sources, [&](const auto &Each) {
    return Each.second.OutOfDate && !Entries.contains(Each.first);
  });
  auto Text = MemoryBuffer::getFile(Path);
  Result.Open =
      documentsWith(Path, Text ? (*Text)->getBuffer().str() : std::string());

  Guard.unlock();
  Working(("reading " + sys::path::filename(Path) +
           (Left ? " (" + Twine(Left) + " more)" : Twine()))
              .str());
  // A copy of the document: none of what follows may change it.
  const Document D = Result.document();
  if (Error E = analyseInto(Result, D, /*Preambles=*/nullptr))
    fail(Result, std::move(E));
  Working({});
  Guard.lock();

  if (auto It = Sources.find(Result.Path); It != Sources.end())
    It->second.UserFiles = Result.Found.Files.front().UserFiles;
  tellSurveys(Result);
}

} // namespace barricade::lsp
