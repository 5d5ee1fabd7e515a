// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/Server.h"
#include "tool/Config.h"
#include "tool/lsp/MessageInput.h"
#include "tool/lsp/Session.h"
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
        CreateProgress(Handler.outgoingRequest<json::Value, Raw>(
            "window/workDoneProgress/create",
            [](json::Value, Expected<Raw> Reply) {
              if (!Reply)
                consumeError(Reply.takeError());
            })),
        ShowProgress(Handler.outgoingNotification<json::Value>("$/progress")),
        Open(
            PerFile, Rules,
            [this](const Analysis &A) { Send(diagnostics(A, Client)); },
            [this](StringRef Work) { showWork(Work); }) {
    Handler.method("initialize", this, &Server::initialize);
    Handler.method("shutdown", this, &Server::shutdown);
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
    if (Error E = Transport.run(Handler)) {
      // The editor is gone without a word.
      consumeError(std::move(E));
      return ExitCode::Failure;
    }
    return ShutDown ? ExitCode::Success : ExitCode::Failure;
  }

private:
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
         json::Object{{"commands", json::Array{ShowReasonsCommand}}}},
        {"hoverProvider", true}};
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
    if (!Text || O->getString("command") != StringRef(ShowReasonsCommand))
      return Reply(make_error<llvm::lsp::LSPError>(
          "no such command, or not its arguments",
          llvm::lsp::ErrorCode::InvalidParams));
    ShowMessage({llvm::lsp::MessageType::Info, Text->str()});
    Reply(nullptr);
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

  void didSave(const DocumentParams &) { Open.filesChanged(); }
  void didChangeFiles(const Raw &) { Open.filesChanged(); }

  void didClose(const DocumentParams &Params) {
    Open.close(Params.textDocument.uri.file(), [&] {
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
  llvm::lsp::OutgoingRequest<json::Value> CreateProgress;
  llvm::lsp::OutgoingNotification<json::Value> ShowProgress;
  unsigned LastWork = 0; ///< The session's thread's own.
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
