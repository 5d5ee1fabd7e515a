// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report in the language server protocol's words: what an editor shows of a
// document, and what it can do about it.

#ifndef BARRICADE_TOOL_LSP_PRESENT_H
#define BARRICADE_TOOL_LSP_PRESENT_H

#include "tool/Report.h"
#include "tool/Verification.h"
#include "tool/lsp/Documents.h"
#include "llvm/Support/JSON.h"

namespace barricade::lsp {

/// The commands that actions name to have their text shown: a message, and a
/// diff.
inline constexpr llvm::StringLiteral ShowReasonsCommand =
    "barricade.showReasons";
inline constexpr llvm::StringLiteral ShowChangeCommand = "barricade.showChange";

/// What the editor said it understands.
struct ClientAbilities {
  bool RelatedInformation = false; ///< Places beside a diagnostic's own.
  bool VersionedEdits = false;     ///< Edits that name the version they are of.
  bool CreatesFiles = false;       ///< Edits that create a file.
  bool CodeDescriptions = false;   ///< A diagnostic's link to its page.
  bool Progress = false;           ///< What takes long, as it goes on.
  bool ShowsDocuments = false;     ///< Opens files that it is told to.
  /// Asks for diagnostics, and asks again when it is told that others hold.
  bool PullsDiagnostics = false;
};

/// What one analysis of a document says. Ranges refer to the texts that were
/// analysed: \p Open.
struct Analysis {
  std::string Path; ///< The document's.
  Report Found;
  std::shared_ptr<const Documents> Open;
  bool Explain = false; ///< The document's options ask for what is refused.
  /// What it applies was verified, or shall not be. Only then it is offered.
  bool Verified = false;
  std::shared_ptr<WorkByFile> Work; ///< For the verification.

  const Document &document() const { return Open->find(Path)->second; }
};

/// The document's diagnostics: faults as errors; findings that apply or are
/// held back as information; where it is to be explained those refused and not
/// profitable, too, as hints; and why it could not be analysed, if so.
llvm::json::Array diagnostics(const Analysis &A, const ClientAbilities &Client);

/// What can be done about the loops and launches that meet the lines of
/// \p Where: apply, show the change, show why not, suppress, apply all of the
/// document. \p Only
/// has the kinds that are asked for; empty: all.
llvm::json::Value codeActions(const Analysis &A, llvm::lsp::Range Where,
                              llvm::ArrayRef<std::string> Only,
                              const ClientAbilities &Client);

/// What is gained, at the head of each loop or launch that the document's
/// rewrites change; of those that lose, too, where it is to be explained.
llvm::json::Value codeLenses(const Analysis &A);

/// The facts of the finding at whose head \p Where is, the innermost of
/// several; null where there is none.
llvm::json::Value hover(const Analysis &A, llvm::lsp::Position Where);

} // namespace barricade::lsp

#endif
