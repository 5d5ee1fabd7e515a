// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard before LLVM's transport, which ends at the first message that is no
// request, and whose JSON parser recurses as deep as its input.

#ifndef BARRICADE_TOOL_LSP_MESSAGEINPUT_H
#define BARRICADE_TOOL_LSP_MESSAGEINPUT_H

#include "llvm/Support/LSP/Transport.h"

namespace barricade::lsp {

/// Passes on what is a JSON-RPC message, and nothing else.
class MessageInput : public llvm::lsp::JSONTransportInput {
public:
  explicit MessageInput(std::FILE *In) : In(In) {}

  bool hasError() const override { return In.hasError(); }
  bool isEndOfInput() const override { return In.isEndOfInput(); }
  llvm::LogicalResult readDelimitedMessage(std::string &Json) override;
  llvm::LogicalResult readStandardMessage(std::string &Json) override;

  /// The id of the request that was passed on last; null for a notification.
  const llvm::json::Value &lastId() const { return LastId; }

private:
  llvm::LogicalResult check(llvm::LogicalResult WasRead,
                            llvm::StringRef Message);

  llvm::lsp::JSONTransportInputOverFile In;
  llvm::json::Value LastId = nullptr;
};

} // namespace barricade::lsp

#endif
