// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function that is made from a function template repeats of it.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_TEMPLATETEXT_H
#define BARRICADE_REWRITERS_GRIDBARRIER_TEMPLATETEXT_H

#include "rewriters/SourceText.h"
#include <optional>
#include <string>

namespace clang {
class FunctionTemplateDecl;
} // namespace clang

namespace barricade::grid_barrier {

struct TemplateText {
  std::string Head;      ///< `template <typename T, int N>` and the line's end.
  std::string Arguments; ///< `<T, N>`
};

/// Nothing where a parameter has no name by which it could be given on, or a
/// macro spells the head.
std::optional<TemplateText>
templateText(const clang::FunctionTemplateDecl &Template,
             const SourceText &Source);

} // namespace barricade::grid_barrier

#endif
