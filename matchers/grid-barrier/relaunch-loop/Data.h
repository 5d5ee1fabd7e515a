// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May data of a type be copied to the device, and be assigned there and back.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_DATA_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_DATA_H

namespace clang {
class ASTContext;
class CXXRecordDecl;
class QualType;
class SourceManager;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

/// A part of \p Type has another size on the device.
bool holdsLongDouble(clang::QualType Type);

/// Of a type whose copies are the same on host and device, and need no code.
bool isPlainData(clang::QualType Type, const clang::ASTContext &Context);

/// An array of such data, of one dimension.
bool isPlainArray(clang::QualType Type, const clang::ASTContext &Context);

/// Such data has an assignment, by which a copy's target gets its value.
bool hasAssignment(clang::QualType Type, const clang::ASTContext &Context);

/// `dim3` and the like: made from whole numbers, on host and device alike.
bool isDim3(const clang::CXXRecordDecl &Record, const clang::SourceManager &SM);

} // namespace barricade::grid_barrier::relaunch_loop

#endif
