// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that the editor has open, as it has them, and a view of the file
// system in which they take the place of what is on the disk.

#ifndef BARRICADE_TOOL_LSP_DOCUMENTS_H
#define BARRICADE_TOOL_LSP_DOCUMENTS_H

#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <memory>
#include <string>

namespace barricade::lsp {

/// One open file. Its text is shared, so that a copy is cheap.
struct Document {
  llvm::lsp::URIForFile Uri; ///< As the editor spells it.
  std::string Path;          ///< Canonical.
  int64_t Version = 0;       ///< The editor's.
  /// Grows with every change of any document: two equal stamps are one text.
  uint64_t Stamp = 0;
  std::shared_ptr<const std::string> Text;
};

/// By canonical path.
using Documents = std::map<std::string, Document, std::less<>>;

/// Applies the editor's changes, in order, to \p Text. Fails where one names a
/// place that the text does not have; the editor and we then disagree.
llvm::Expected<std::string>
applyChanges(std::string Text,
             llvm::ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> Changes);

/// The real file system, a view of its own, with \p Open over it. A document
/// is found by every path that leads to its file, links included, and whether
/// or not it was ever saved. Its modification time is its stamp, so that
/// whoever compares times sees every edit.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
fileSystemWith(std::shared_ptr<const Documents> Open);

} // namespace barricade::lsp

#endif
