// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/MessageInput.h"

using namespace llvm;

namespace barricade::lsp {

/// Far deeper than any message of the protocol.
static constexpr unsigned DeepestNesting = 200;

/// Whether the brackets outside of strings nest no deeper than is sensible.
static bool isShallow(StringRef Json) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Json.size(); ++I) {
    char C = Json[I];
    if (InString) {
      if (C == '\\')
        ++I;
      else if (C == '"')
        InString = false;
    } else if (C == '"') {
      InString = true;
    } else if (C == '{' || C == '[') {
      if (++Depth > DeepestNesting)
        return false;
    } else if ((C == '}' || C == ']') && Depth > 0) {
      --Depth;
    }
  }
  return true;
}

LogicalResult MessageInput::readDelimitedMessage(std::string &Json) {
  return check(In.readDelimitedMessage(Json), Json);
}

LogicalResult MessageInput::readStandardMessage(std::string &Json) {
  return check(In.readStandardMessage(Json), Json);
}

LogicalResult MessageInput::check(LogicalResult WasRead, StringRef Message) {
  if (failed(WasRead))
    return failure();
  auto Reject = [](const Twine &Why) {
    llvm::lsp::Logger::error("message passed over: {0}", Why.str());
    return failure();
  };
  if (!isShallow(Message))
    return Reject("nested too deep");
  Expected<json::Value> Parsed = json::parse(Message);
  if (!Parsed)
    return Reject(toString(Parsed.takeError()));
  const json::Object *Object = Parsed->getAsObject();
  if (!Object || Object->getString("jsonrpc") != StringRef("2.0"))
    return Reject("this is not JSON-RPC 2.0");
  const json::Value *Id = Object->get("id");
  if (!Object->getString("method") && !Id)
    return Reject("neither a request nor a response");
  LastId = Id ? *Id : json::Value(nullptr);
  return success();
}

} // namespace barricade::lsp
