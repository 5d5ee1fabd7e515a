// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of FactDumps.def, each in the file of its theme, and what they
// share: ways through a program, and words.

#ifndef BARRICADE_MATCHERS_DUMPS_DUMPS_H
#define BARRICADE_MATCHERS_DUMPS_DUMPS_H

#include "matchers/Blocker.h"
#include "matchers/Program.h"
#include "matchers/dumps/FactDumps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace barricade {
struct KernelEffects;
} // namespace barricade

namespace barricade::dumps {

#define FACT_DUMP(Name, Function)                                              \
  void Function(const PassView &Pass, const Program &Whole, Annotate Tell);
#include "matchers/dumps/FactDumps.def"
#undef FACT_DUMP

/// Every function with a body, of templates the instances.
void forEachFunction(
    clang::ASTContext &Context,
    llvm::function_ref<void(const clang::FunctionDecl &)> Visit);

/// Those of the host's pass that the host may run.
void forEachHostFunction(
    const PassView &Pass,
    llvm::function_ref<void(const clang::FunctionDecl &)> Visit);

/// Every kernel of the device, and then every function of its that is none.
void forEachDeviceFunction(
    const PassView &Pass,
    llvm::function_ref<void(const clang::FunctionDecl &)> Visit);

/// Every statement of \p Function and of lambdas in it.
void forEachStatement(const clang::FunctionDecl &Function,
                      llvm::function_ref<void(const clang::Stmt &)> Visit);
void forEachStatement(clang::ASTContext &Context,
                      llvm::function_ref<void(const clang::Stmt &)> Visit);

/// Every expression that is not part of another one: conditions, initialisers
/// and the like.
void forEachFullExpression(clang::ASTContext &Context,
                           llvm::function_ref<void(const clang::Expr &)> Visit);

/// Every local variable and parameter of \p Function.
void forEachLocal(const clang::FunctionDecl &Function,
                  llvm::function_ref<void(const clang::VarDecl &)> Visit);

/// Every kernel of the device.
void forEachKernel(const PassView &Pass, const Program &Whole,
                   llvm::function_ref<void(const KernelEffects &)> Visit);

/// The name in quotes.
std::string quoted(const clang::NamedDecl *D);

/// "the loop at line 5"
std::string loopAt(const clang::Stmt &Loop, const clang::ASTContext &Context);

/// Says what blocks and where, with \p Prefix before it.
void tellAll(llvm::ArrayRef<Blocker> Blockers, llvm::StringRef Prefix,
             Annotate Tell);

} // namespace barricade::dumps

#endif
