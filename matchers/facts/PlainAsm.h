// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that does nothing but what an expression could do.

#ifndef BARRICADE_MATCHERS_FACTS_PLAINASM_H
#define BARRICADE_MATCHERS_FACTS_PLAINASM_H

namespace clang {
class AsmStmt;
} // namespace clang

namespace barricade::facts {

/// True where \p Asm only computes, loads or stores: it neither synchronises
/// nor branches nor reads what other threads signal with, nor declares what a
/// function that it is in twice, by inlined calls, would declare twice.
bool isPlainAsm(const clang::AsmStmt &Asm);

} // namespace barricade::facts

#endif
