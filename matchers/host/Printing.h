// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host code tells the user by the library's streams, and its clocks. What
// a user's header says is none of these, whether or not the build calls it a
// system's (matchers/facts/LibraryCode.h).
//
//   std::cerr << "step " << std::setw(6) << step << std::endl;
//   fprintf(stderr, "step %d\n", step);
//   auto begin = std::chrono::steady_clock::now();

#ifndef BARRICADE_MATCHERS_HOST_PRINTING_H
#define BARRICADE_MATCHERS_HOST_PRINTING_H

namespace clang {
class CallExpr;
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace barricade::host {

/// std::string, std::string_view and their like.
bool isText(const clang::CXXRecordDecl &Class);

/// The library's `stream << value`, of a stream that the library has, where the
/// value is a number, a text, or a manipulator of the library's; such a
/// manipulator; or what prints to, or flushes, stdout or stderr. Whether
/// somebody has put a buffer of his own below std::cout is not asked here
/// (UnitUses::redirectsStreams()).
bool isPrinting(const clang::CallExpr &Call);

/// \p F is of std::chrono, where nothing waits, and computes with numbers and
/// the library's types alone.
bool isOfClocks(const clang::FunctionDecl &F);

} // namespace barricade::host

#endif
