// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/Server.h"
#include "tool/Config.h"
#include "tool/Paths.h"
#include "tool/lsp/MessageInput.h"
#include "tool/lsp/Session.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using llvm::lsp::Callback;

namespace barricade::lsp {

//===--- Parameters that LLVM's library lacks, or reads too strictly ------===//

/// Anything; taken apart by hand.
struct Raw {
  json::Value Value = nullptr;
};
static bool fromJSON(const json::Value &V, Raw &Result, json::Path) {
  Result.Value = V;
  return true;
}

struct DocumentParams {
  llvm::lsp::TextDocumentIdentifier textDocument;
};
static bool fromJSON(const json::Value &V, DocumentParams &Result,
                     json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("textDocument", Result.textDocument);
}

struct DiagnosticParams {
  llvm::lsp::TextDocumentIdentifier textDocument;
  std::string previousResultId;
};
static bool fromJSON(const json::Value &V, DiagnosticParams &Result,
                     json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("textDocument", Result.textDocument) &&
         O.mapOptional("previousResultId", Result.previousResultId);
}

struct CodeActionContext {
  std::vector<std::string> only;
};
static bool fromJSON(const json::Value &V, CodeActionContext &Result,
                     json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.mapOptional("only", Result.only);
}

/// Without the context's diagnostics, which may be any server's.
struct CodeActionParams {
  llvm::lsp::TextDocumentIdentifier textDocument;
  llvm::lsp::Range range;
  CodeActionContext context;
};
static bool fromJSON(const json::Value &V, CodeActionParams &Result,
                     json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("textDocument", Result.textDocument) &&
         O.map("range", Result.range) &&
         O.mapOptional("context", Result.context);
}

/// The boolean at the end of \p Path in nested objects; false where missing.
static const json::Value *valueAt(const json::Value &V,
                                  ArrayRef<StringRef> Path) {
  const json::Value *At = &V;
  for (StringRef Name : Path) {
    const json::Object *O = At->getAsObject();
    At = O ? O->get(Name) : nullptr;
    if (!At)
      return nullptr;
  }
  return At;
}

static bool flagAt(const json::Value &V, ArrayRef<StringRef> Path) {
  const json::Value *At = valueAt(V, Path);
  return At && At->getAsBoolean().value_or(false);
}

static bool listsAt(const json::Value &V, ArrayRef<StringRef> Path,
                    StringRef Wanted) {
  const json::Value *At = valueAt(V, Path);
  const json::Array *List = At ? At->getAsArray() : nullptr;
  return List && any_of(*List, [&](const json::Value &Each) {
           return Each.getAsString() == Wanted;
         });
}

static std::optional<std::string> stringIn(const json::Value &V,
                                           StringRef Name) {
  const json::Value *At = valueAt(V, {Name});
  std::optional<StringRef> Text = At ? At->getAsString() : std::nullopt;
  return Text ? std::optional(Text->str()) : std::nullopt;
}

/// The path of a file whose URI is there; editors spell one in several ways.
static std::optional<std::string> fileIn(const json::Value &V, StringRef Name) {
  std::optional<std::string> Uri = stringIn(V, Name);
  if (!Uri)
    return std::nullopt;
  Expected<llvm::lsp::URIForFile> File = llvm::lsp::URIForFile::fromURI(*Uri);
  if (File)
    return canonicalPath(File->file());
  consumeError(File.takeError());
  return std::nullopt;
}

/// What `initialize` says of the folders that the editor has open.
static std::vector<std::string> workspaceFolders(const json::Value &Params) {
  std::vector<std::string> Result;
  auto Add = [&](const json::Value &Of, StringRef Name) {
    if (auto Folder = fileIn(Of, Name))
      Result.push_back(*Folder);
  };
  const json::Value *Folders = valueAt(Params, {"workspaceFolders"});
  if (const json::Array *List = Folders ? Folders->getAsArray() : nullptr)
    for (const json::Value &Each : *List)
      Add(Each, "uri");
  else
    Add(Params, "rootUri");
  return Result;
}

/// By path, what the editor has of the workspace.
static StringMap<std::string> previousResults(const json::Value &Params) {
  StringMap<std::string> Result;
  const json::Value *Ids = valueAt(Params, {"previousResultIds"});
  if (const json::Array *List = Ids ? Ids->getAsArray() : nullptr)
    for (const json::Value &Each : *List)
      if (auto File = fileIn(Each, "uri"))
        Result[*File] = stringIn(Each, "value").value_or("");
  return Result;
}

//===--- Server -----------------------------------------------------------===//

namespace {

class Server {
public:
  Server(Settings &PerFile, ArrayRef<std::unique_ptr<Rule>> Rules,
         std::FILE *In, raw_ostream &Out)
      : Input(new MessageInput(In)),
        Transport(std::unique_ptr<MessageInput>(Input), Out),
        Handler(Transport), Ids(*Input),
        Send(Handler.outgoingNotification<json::Value>(
            "textDocument/publishDiagnostics")),
        ShowMessage(Handler.outgoingNotification<llvm::lsp::ShowMessageParams>(
            "window/showMessage")),
        ShowDocument(Handler.outgoingRequest<json::Value, Raw>(
            "window/showDocument", passOver)),
        Refresh(Handler.outgoingRequest<json::Value, Raw>(
            "workspace/diagnostic/refresh", passOver)),
        CreateProgress(Handler.outgoingRequest<json::Value, Raw>(
            "window/workDoneProgress/create", passOver)),
        ShowProgress(Handler.outgoingNotification<json::Value>("$/progress")),
        Open(
            PerFile, Rules, [this](const Analysis &A) { publish(A); },
            [this](StringRef Work) { showWork(Work); }) {
    Handler.method("initialize", this, &Server::initialize);
    Handler.method("shutdown", this, &Server::shutdown);
    Handler.method("textDocument/diagnostic", this, &Server::diagnose);
    Handler.method("workspace/diagnostic", this, &Server::diagnoseWorkspace);
    Handler.method("textDocument/codeAction", this, &Server::codeAction);
    Handler.method("textDocument/codeLens", this, &Server::codeLens);
    Handler.method("textDocument/hover", this, &Server::hover);
    Handler.method("workspace/executeCommand", this, &Server::execute);
    Handler.notification("textDocument/didOpen", this, &Server::didOpen);
    Handler.notification("textDocument/didChange", this, &Server::didChange);
    Handler.notification("textDocument/didSave", this, &Server::didSave);
    Handler.notification("textDocument/didClose", this, &Server::didClose);
    Handler.notification("workspace/didChangeWatchedFiles", this,
                         &Server::didChangeFiles);
    // The options come with the command and from files: these are read anew.
    Handler.notification("workspace/didChangeConfiguration", this,
                         &Server::didChangeFiles);
    Handler.notification("$/cancelRequest", this, &Server::cancel);
  }

  ExitCode run() {
    Error E = Transport.run(Handler);
    Shown.clear();
    if (E) {
      // The editor is gone without a word.
      consumeError(std::move(E));
      return ExitCode::Failure;
    }
    return ShutDown ? ExitCode::Success : ExitCode::Failure;
  }

private:
  /// Of requests whose replies say nothing.
  static void passOver(json::Value, Expected<Raw> Reply) {
    if (!Reply)
      consumeError(Reply.takeError());
  }

  void initialize(const Raw &Params, Callback<json::Value> Reply) {
    Client.RelatedInformation =
        flagAt(Params.Value, {"capabilities", "textDocument",
                              "publishDiagnostics", "relatedInformation"});
    Client.VersionedEdits =
        flagAt(Params.Value, {"capabilities", "workspace", "workspaceEdit",
                              "documentChanges"});
    Client.CreatesFiles = Client.VersionedEdits &&
                          listsAt(Params.Value,
                                  {"capabilities", "workspace", "workspaceEdit",
                                   "resourceOperations"},
                                  "create");
    Client.CodeDescriptions =
        flagAt(Params.Value, {"capabilities", "textDocument",
                              "publishDiagnostics", "codeDescriptionSupport"});
    Client.Progress =
        flagAt(Params.Value, {"capabilities", "window", "workDoneProgress"});
    Client.ShowsDocuments = flagAt(
        Params.Value, {"capabilities", "window", "showDocument", "support"});
    // A header that changes changes what is found in other files.
    Client.PullsDiagnostics =
        valueAt(Params.Value, {"capabilities", "textDocument", "diagnostic"}) &&
        flagAt(Params.Value,
               {"capabilities", "workspace", "diagnostics", "refreshSupport"});
    Open.setWorkspace(workspaceFolders(Params.Value));
    Initialized = true;
    json::Object Capabilities{
        {"positionEncoding", "utf-16"},
        {"textDocumentSync",
         json::Object{
             {"openClose", true},
             {"change", int(llvm::lsp::TextDocumentSyncKind::Incremental)},
             {"save", true}}},
        {"codeActionProvider",
         json::Object{{"codeActionKinds",
                       json::Array{"quickfix", "source.fixAll.barricade"}}}},
        {"codeLensProvider", json::Object{{"resolveProvider", false}}},
        {"executeCommandProvider",
         json::Object{
             {"commands", json::Array{ShowReasonsCommand, ShowChangeCommand}}}},
        {"hoverProvider", true}};
    if (Client.PullsDiagnostics)
      Capabilities["diagnosticProvider"] =
          json::Object{{"identifier", "barricade"},
                       {"interFileDependencies", true},
                       {"workspaceDiagnostics",
                        flagAt(Params.Value, {"initializationOptions",
                                              "workspaceDiagnostics"})}};
    Reply(json::Object{
        {"serverInfo",
         json::Object{{"name", "barricade"}, {"version", BARRICADE_VERSION}}},
        {"capabilities", std::move(Capabilities)}});
  }

  void shutdown(const Raw &, Callback<json::Value> Reply) {
    ShutDown = true;
    Reply(nullptr);
  }

  /// Refuses requests outside of the editor's session.
  bool isReady(Callback<json::Value> &Reply) const {
    if (Initialized && !ShutDown)
      return true;
    Reply(make_error<llvm::lsp::LSPError>(
        Initialized ? "the server was shut down" : "not initialized",
        Initialized ? llvm::lsp::ErrorCode::InvalidRequest
                    : llvm::lsp::ErrorCode::ServerNotInitialized));
    return false;
  }

  /// Replies with what \p Answer makes of an analysis of \p Document.
  void answer(const llvm::lsp::TextDocumentIdentifier &Document, bool Verified,
              Callback<json::Value> Reply,
              unique_function<json::Value(const Analysis &)> Answer) {
    if (!isReady(Reply))
      return;
    Open.ask(Document.uri.file(), Ids.lastId(), Verified,
             [Reply = std::move(Reply), Answer = std::move(Answer)](
                 Expected<const Analysis &> A) mutable {
               if (A)
                 Reply(Answer(*A));
               else
                 Reply(A.takeError());
             });
  }

  /// What was last told of a document, or of a source that is not open.
  struct Told {
    std::string Uri;
    json::Array Items;
    unsigned Id = 0; ///< Another one for other items.
    std::string id() const { return std::to_string(Id); }
  };

  /// Takes note of what is found now, and whether that is something else.
  bool note(const Analysis &A) {
    Told &Before = ToldOf[A.Path];
    Before.Uri = A.document().Uri.uri().str();
    json::Array Items = diagnostics(A, Client);
    if (Before.Id && Before.Items == Items)
      return false;
    Before.Items = std::move(Items);
    Before.Id = ++LastTold;
    return true;
  }

  void publish(const Analysis &A) {
    if (Client.PullsDiagnostics) {
      if (note(A))
        Refresh(nullptr, "refresh-" + std::to_string(LastTold));
      return;
    }
    const Document &D = A.document();
    Send(json::Object{{"uri", D.Uri.uri()},
                      {"version", D.Version},
                      {"diagnostics", diagnostics(A, Client)}});
  }

  /// \p Known: the id of what the editor has; empty for nothing.
  static json::Object report(const Told &Found, StringRef Known) {
    json::Object Result{{"kind", "unchanged"}, {"resultId", Found.id()}};
    if (Known != Found.id()) {
      Result["kind"] = "full";
      Result["items"] = json::Array(Found.Items);
    }
    return Result;
  }

  void diagnose(const DiagnosticParams &Params, Callback<json::Value> Reply) {
    if (!isReady(Reply))
      return;
    const StringRef File = Params.textDocument.uri.file();
    Open.ask(File, Ids.lastId(), /*Verified=*/false,
             [this, Path = canonicalPath(File), Known = Params.previousResultId,
              Reply = std::move(Reply)](Expected<const Analysis &> A) mutable {
               if (A)
                 note(*A);
               // Editors ask once more for what they have just closed.
               else if (Error E = exceptNotOpen(A.takeError()))
                 return Reply(std::move(E));
               Reply(report(ToldOf[Path], Known));
             });
  }

  static Error exceptNotOpen(Error E) {
    return handleErrors(std::move(E),
                        [](std::unique_ptr<llvm::lsp::LSPError> Why) -> Error {
                          if (Why->code == llvm::lsp::ErrorCode::InvalidParams)
                            return Error::success();
                          return Error(std::move(Why));
                        });
  }

  /// A report of one source for the workspace's.
  static json::Object reportOf(const Told &Found, StringRef Known) {
    json::Object Result = report(Found, Known);
    Result["uri"] = Found.Uri;
    Result["version"] = nullptr;
    return Result;
  }

  /// Answers what is new, once there is anything: editors ask again and again.
  void diagnoseWorkspace(const Raw &Params, Callback<json::Value> Reply) {
    if (!isReady(Reply))
      return;
    auto Known =
        std::make_shared<StringMap<std::string>>(previousResults(Params.Value));
    std::optional<json::Value> Token;
    if (const json::Value *Given =
            valueAt(Params.Value, {"partialResultToken"}))
      Token = *Given;
    Survey S;
    S.Id = Ids.lastId();
    S.Each = [this, Known, Token](const Analysis &A) {
      note(A);
      const Told &Found = ToldOf[A.Path];
      std::string &Before = (*Known)[A.Path];
      if (!Token || Before == Found.id())
        return;
      json::Array Items{reportOf(Found, std::exchange(Before, Found.id()))};
      ShowProgress(
          json::Object{{"token", *Token},
                       {"value", json::Object{{"items", std::move(Items)}}}});
    };
    S.Done = [this, Known, IsFirst = Known->empty(),
              Reply = std::move(Reply)](Error E) mutable {
      if (E) {
        Reply(std::move(E));
        return true;
      }
      json::Array Items;
      for (const auto &[Path, Found] : ToldOf)
        if (Known->lookup(Path) != Found.id())
          Items.push_back(reportOf(Found, Known->lookup(Path)));
      if (Items.empty() && !IsFirst)
        return false;
      Reply(json::Object{{"items", std::move(Items)}});
      return true;
    };
    Open.survey(std::move(S));
  }

  void codeAction(const CodeActionParams &Params, Callback<json::Value> Reply) {
    answer(Params.textDocument, /*Verified=*/true, std::move(Reply),
           [this, Params](const Analysis &A) {
             return codeActions(A, Params.range, Params.context.only, Client);
           });
  }

  void codeLens(const DocumentParams &Params, Callback<json::Value> Reply) {
    // Editors ask while one types, and nothing is done by it.
    answer(Params.textDocument, /*Verified=*/false, std::move(Reply),
           codeLenses);
  }

  void hover(const llvm::lsp::TextDocumentPositionParams &Params,
             Callback<json::Value> Reply) {
    answer(Params.textDocument, /*Verified=*/true, std::move(Reply),
           [Where = Params.position](const Analysis &A) {
             return barricade::lsp::hover(A, Where);
           });
  }

  void execute(const Raw &Params, Callback<json::Value> Reply) {
    if (!isReady(Reply))
      return;
    const json::Object *O = Params.Value.getAsObject();
    const json::Array *Arguments = O ? O->getArray("arguments") : nullptr;
    std::optional<StringRef> Text;
    if (Arguments && Arguments->size() == 1)
      Text = Arguments->front().getAsString();
    const std::optional<StringRef> Command =
        O ? O->getString("command") : std::nullopt;
    const bool IsChange = Command == StringRef(ShowChangeCommand);
    if (!Text || (!IsChange && Command != StringRef(ShowReasonsCommand)))
      return Reply(make_error<llvm::lsp::LSPError>(
          "no such command, or not its arguments",
          llvm::lsp::ErrorCode::InvalidParams));
    if (!IsChange || !Client.ShowsDocuments || !showAsFile(*Text))
      ShowMessage({llvm::lsp::MessageType::Info, Text->str()});
    Reply(nullptr);
  }

  /// Has the editor open a diff, of a file that is ours; whether that is there.
  bool showAsFile(StringRef Diff) {
    int Handle;
    SmallString<128> Path;
    if (sys::fs::createTemporaryFile("barricade", "diff", Handle, Path))
      return false;
    Shown.push_back(std::make_unique<FileRemover>(Path));
    raw_fd_ostream OS(Handle, /*shouldClose=*/true);
    OS << Diff;
    Expected<llvm::lsp::URIForFile> Uri = llvm::lsp::URIForFile::fromFile(Path);
    if (!Uri) {
      consumeError(Uri.takeError());
      return false;
    }
    ShowDocument(json::Object{{"uri", Uri->uri()}},
                 "show-" + std::to_string(Shown.size()));
    return true;
  }

  /// \p Work: what begins; empty: what was begun has ended.
  void showWork(StringRef Work) {
    if (!Client.Progress)
      return;
    if (!Work.empty()) {
      const std::string Token = "barricade-" + std::to_string(++LastWork);
      CreateProgress(json::Object{{"token", Token}}, Token);
    }
    json::Object Value{{"kind", Work.empty() ? "end" : "begin"}};
    if (!Work.empty()) {
      Value["title"] = "barricade";
      Value["message"] = Work;
    }
    ShowProgress(
        json::Object{{"token", "barricade-" + std::to_string(LastWork)},
                     {"value", std::move(Value)}});
  }

  void didOpen(const llvm::lsp::DidOpenTextDocumentParams &Params) {
    Open.open(Params.textDocument.uri, Params.textDocument.version,
              Params.textDocument.text);
  }

  void didChange(const llvm::lsp::DidChangeTextDocumentParams &Params) {
    if (Error E =
            Open.change(Params.textDocument.uri.file(),
                        Params.textDocument.version, Params.contentChanges))
      llvm::lsp::Logger::error("change passed over: {0}",
                               toString(std::move(E)));
  }

  void didSave(const DocumentParams &Params) {
    Open.filesChanged(Params.textDocument.uri.file());
  }
  void didChangeFiles(const Raw &) { Open.filesChanged(); }

  void didClose(const DocumentParams &Params) {
    Open.close(Params.textDocument.uri.file(), [&] {
      if (!Client.PullsDiagnostics)
        Send(json::Object{{"uri", Params.textDocument.uri.uri()},
                          {"diagnostics", json::Array()}});
    });
  }

  void cancel(const Raw &Params) {
    if (const json::Object *O = Params.Value.getAsObject())
      if (const json::Value *Id = O->get("id"))
        Open.cancel(*Id);
  }

  MessageInput *Input; ///< The transport's.
  llvm::lsp::JSONTransport Transport;
  llvm::lsp::MessageHandler Handler;
  const MessageInput &Ids;
  llvm::lsp::OutgoingNotification<json::Value> Send;
  llvm::lsp::OutgoingNotification<llvm::lsp::ShowMessageParams> ShowMessage;
  llvm::lsp::OutgoingRequest<json::Value> ShowDocument;
  llvm::lsp::OutgoingRequest<json::Value> Refresh;
  llvm::lsp::OutgoingRequest<json::Value> CreateProgress;
  llvm::lsp::OutgoingNotification<json::Value> ShowProgress;
  unsigned LastWork = 0;              ///< The session's thread's own.
  std::map<std::string, Told> ToldOf; ///< By path, under the session's lock.
  unsigned LastTold = 0;              ///< As that.
  std::vector<std::unique_ptr<FileRemover>> Shown; ///< Until the end.
  ClientAbilities Client;
  bool Initialized = false;
  bool ShutDown = false;
  Session Open; ///< Last: its thread uses the rest.
};

} // namespace
} // namespace barricade::lsp

void barricade::runLanguageServer(Settings &PerFile,
                                  ArrayRef<std::unique_ptr<Rule>> Rules,
                                  std::FILE *In, raw_ostream &Out) {
  lsp::Server Server(PerFile, Rules, In, Out);
  ExitCode Code = Server.run();
  // An analysis may be running, and nobody waits for it.
  sys::Process::Exit(int(Code), /*NoCleanup=*/true);
}
