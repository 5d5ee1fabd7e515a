// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes HTML in which every text and every attribute's value is escaped: there
// is no way to write anything else. Names of elements and attributes are ours.

#ifndef BARRICADE_TOOL_HTML_HTML_H
#define BARRICADE_TOOL_HTML_HTML_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <initializer_list>
#include <string>

namespace barricade::html {

struct Attribute {
  llvm::StringLiteral Name;
  std::string Value;
};
using Attributes = std::initializer_list<Attribute>;

/// What a reader is to see of \p Text, whatever bytes it has: UTF-8, control
/// characters as their pictures, markup escaped.
std::string escaped(llvm::StringRef Text);

class Writer {
public:
  explicit Writer(llvm::raw_ostream &OS) : OS(OS) {}

  void text(const llvm::Twine &Text) { OS << escaped(Text.str()); }
  void element(llvm::StringLiteral Tag, Attributes Having,
               llvm::function_ref<void()> Content);
  void element(llvm::StringLiteral Tag, Attributes Having,
               const llvm::Twine &Text);
  /// An element that has no content and no end, as `meta`.
  void empty(llvm::StringLiteral Tag, Attributes Having);
  /// A style sheet or a script of our own, byte by byte.
  void asset(llvm::StringLiteral Tag, llvm::StringRef Source);
  void documentType() { OS << "<!DOCTYPE html>\n"; }

private:
  void begin(llvm::StringLiteral Tag, Attributes Having);
  void end(llvm::StringLiteral Tag);

  llvm::raw_ostream &OS;
};

} // namespace barricade::html

#endif
