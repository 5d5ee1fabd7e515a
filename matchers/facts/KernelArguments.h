// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc takes for template arguments of kernels, whose names it writes into
// files of its own (CUDA C++ Programming Guide, "Template Arguments" of
// `__global__` function templates).

#ifndef BARRICADE_MATCHERS_FACTS_KERNELARGUMENTS_H
#define BARRICADE_MATCHERS_FACTS_KERNELARGUMENTS_H

namespace clang {
class FunctionDecl;
class QualType;
} // namespace clang

namespace barricade::facts {

/// \p Type can be named outside of what declares it, by letters of ASCII: it
/// has no part that is a lambda's, has no name, is declared in a function, or
/// is private or protected. Types that are not known cannot.
bool isNamedByAnyone(clang::QualType Type);

/// A kernel could be a template with the parameters of \p Function's, which is
/// an instance or no template, and be called with the same arguments: types
/// that anyone can name, and whole numbers.
bool mayBeKernelOf(const clang::FunctionDecl &Function);

/// A kernel may be named after \p Function, if that has a name, beside it: nvcc
/// takes no letters beyond ASCII in names of the device's.
bool mayGiveKernelsItsName(const clang::FunctionDecl &Function);

} // namespace barricade::facts

#endif
