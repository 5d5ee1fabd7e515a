// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is open, and the one thread that analyses it. While the user types, the
// thread waits for a short pause; of several edits it sees the last text only,
// and what it finds in a text that has changed meanwhile it drops. A question
// about a document is answered from an analysis of the text that it has then.
// Where somebody waits for all sources of the workspace, those that are not
// open are read in between, as they are on the disk.

#ifndef BARRICADE_TOOL_LSP_SESSION_H
#define BARRICADE_TOOL_LSP_SESSION_H

#include "frontend/CommandSource.h"
#include "frontend/Preamble.h"
#include "rewriters/Rule.h"
#include "tool/Analyze.h"
#include "tool/Configuration.h"
#include "tool/knowledge/Profit.h"
#include "tool/lsp/Present.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/thread.h"
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace barricade::lsp {

/// Gets an analysis, or why there is none.
using Question = llvm::unique_function<void(llvm::Expected<const Analysis &>)>;

/// What waits for the sources of the workspace that are not open.
struct Survey {
  llvm::json::Value Id = nullptr; ///< The request's, for cancel().
  /// Gets each analysis as it is made.
  std::function<void(const Analysis &)> Each;
  /// Called when all sources were read: whether that is an answer. If not, it
  /// is called again after a change. Gets an error where there is none to come.
  llvm::unique_function<bool(llvm::Error)> Done;
};

class Session {
public:
  /// Each document is read and judged by its own options of \p PerFile, as its
  /// configuration files are then. \p Publish gets every analysis that is not
  /// out of date, one call at a time. \p Working gets what takes long when it
  /// begins, and nothing when it has ended.
  Session(Settings &PerFile, llvm::ArrayRef<std::unique_ptr<Rule>> Rules,
          std::function<void(const Analysis &)> Publish,
          std::function<void(llvm::StringRef)> Working);
  /// Waits for the analysis that is running.
  ~Session();

  void open(llvm::lsp::URIForFile Uri, int64_t Version, std::string Text);
  /// A document whose changes cannot be applied is closed: we no longer know
  /// its text. Fails then, and for one that is not open.
  llvm::Error
  change(llvm::StringRef File, int64_t Version,
         llvm::ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> Changes);
  /// Calls \p Done before anything else is published.
  void close(llvm::StringRef File, llvm::function_ref<void()> Done);
  /// Files on the disk changed, and with them, perhaps, what any document
  /// includes and how it is compiled. \p File: the only one; empty: any.
  void filesChanged(llvm::StringRef File = {});

  /// \p Id is the request's, for cancel(). Who does not ask what can be done is
  /// answered before that is verified.
  void ask(llvm::StringRef File, llvm::json::Value Id, bool Verified,
           Question Q);
  void cancel(const llvm::json::Value &Id);

  /// The folders that survey() is about.
  void setWorkspace(std::vector<std::string> Folders);
  void survey(Survey S);

private:
  using Clock = std::chrono::steady_clock;

  struct Waiting {
    llvm::json::Value Id;
    bool Verified; ///< Waits for the verification.
    Question Q;
  };

  struct Entry {
    Document Now;
    bool OutOfDate = true; ///< No analysis of this text was begun.
    Clock::time_point Due;
    std::shared_ptr<const Analysis> Last; ///< Of `Now`, unless out of date.
    std::shared_ptr<PreambleCache> Preambles;
    std::vector<Waiting> Questions;
  };

  /// A source of the workspace.
  struct Source {
    bool OutOfDate = true;
    std::vector<std::string> UserFiles; ///< That it is made of.
  };

  void work();
  Entry *next(std::unique_lock<std::mutex> &Guard);
  void cancelSurvey(const llvm::json::Value &Id);
  void sourcesChanged(llvm::StringRef Path);
  bool hasSurveyWork() const;
  const std::string *nextSource() const;
  void surveyFurther(std::unique_lock<std::mutex> &Guard);
  void listSources(std::unique_lock<std::mutex> &Guard);
  llvm::Expected<std::vector<std::string>> sourcesIn(llvm::StringRef Folder);
  void surveySource(const std::string &Path,
                    std::unique_lock<std::mutex> &Guard);
  void tellSurveys(const Analysis &A);
  std::shared_ptr<const Documents> documentsWith(const std::string &Path,
                                                 std::string Text) const;
  void bringUpToDate(Entry &E, std::unique_lock<std::mutex> &Guard);
  void forgetFiles();
  void verify(Entry &E, std::unique_lock<std::mutex> &Guard);
  bool adopt(const Document &D, std::shared_ptr<const Analysis> Result);
  std::shared_ptr<const Documents> snapshot() const;
  Analysis analyse(std::shared_ptr<const Documents> Open, const Document &D,
                   std::shared_ptr<PreambleCache> &Preambles);
  void touch(Entry &E, Clock::duration Delay);
  static void refuse(Entry &E, llvm::StringRef Why);

  llvm::Error useCommandsOf(const Options &Opts);
  llvm::Error useKnowledgeOf(const Options &Opts);
  AnalysisOptions optionsFor(const InputFile &File, const Analysis &Of,
                             PreambleCache *Preambles);
  llvm::Expected<InputFile> prepare(const Document &D);
  Analysis verified(Analysis A);
  llvm::Error analyseInto(Analysis &Result, const Document &D,
                          PreambleCache *Preambles);

  Settings &PerFile; ///< The thread's own.
  const llvm::ArrayRef<std::unique_ptr<Rule>> Rules;
  const std::function<void(const Analysis &)> Publish;
  const std::function<void(llvm::StringRef)> Working;

  std::mutex Lock; ///< Guards what follows, but for what is the thread's own.
  std::condition_variable Changed;
  std::map<std::string, Entry, std::less<>> Entries; ///< By canonical path.
  uint64_t LastStamp = 0;
  bool FilesOutOfDate = true; ///< Of what is read of the disk beside sources.
  bool Stopping = false;

  std::vector<std::string> Workspace; ///< Folders.
  bool SourcesUnknown = true;
  std::map<std::string, Source, std::less<>> Sources; ///< By canonical path.
  std::vector<Survey> Surveys;
  bool SurveysTold = true; ///< Of all that was read.

  std::optional<CommandSource> Commands; ///< The thread's own.
  /// The options that Commands were made of: build folder and flags.
  std::pair<std::string, std::optional<std::vector<std::string>>> CommandsFor;
  std::unique_ptr<HeaderCache> Headers; ///< The thread's own; may be null.
  std::optional<Profit> WhatPays;       ///< The thread's own, as the next one.
  /// The options that WhatPays was made of.
  std::tuple<KnownGain, std::string, std::string, std::string> WhatPaysFor;
  llvm::thread Thread; ///< Last: it uses all of the above.
};

/// Makes \p Result say why there is none.
void fail(Analysis &Result, llvm::Error E);

} // namespace barricade::lsp

#endif
