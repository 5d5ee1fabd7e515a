// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code does to its variables: every use of every variable, told apart by
// the node that holds it. A use that the walk does not know is Unknown: the
// variable may be written anywhere, depend on the thread, and be kept by
// someone. So a question that is answered here fails closed.
//
//   i = 1; ++j; s.x = 2;           Assign, Step, Assign of a part
//   (c ? i : j) = 1;               Unknown, of both
//   reinterpret_cast<unsigned &>(i) = 1;    Unknown
//   const int &r = i; f(i);        Bind: to `r`, to f's parameter
//   asm("..." : "+r"(i));          AsmOutput
//   f(++i), &(i = 1)               a Step or an Assign, and an Unknown

#ifndef BARRICADE_MATCHERS_FACTS_VARIABLEFACTS_H
#define BARRICADE_MATCHERS_FACTS_VARIABLEFACTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace clang {
class Expr;
class FunctionDecl;
class LambdaExpr;
class ParmVarDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::facts {

enum class UseKind {
  Read,      ///< Its value is taken, or thrown away.
  Assign,    ///< `v = e`.
  Step,      ///< `++v`, `v--`, `v += e` and the like.
  Bind,      ///< A reference is bound to it, or a method called on it.
  Address,   ///< Its address is taken, or it decays to a pointer.
  AsmOutput, ///< Inline assembly writes it.
  Unknown,   ///< Anything may happen, now or later.
};

/// "read", "assign", ...
llvm::StringRef nameOf(UseKind Kind);

struct VariableUse {
  UseKind Kind = UseKind::Unknown;
  /// The name; for a variable that nobody names, what declares it.
  const clang::Stmt *Name = nullptr;
  /// What does it: the operator, the call, the declaration, the assembly.
  const clang::Stmt *By = nullptr;
  /// Bind: the reference. Null where a method is called on the variable.
  const clang::VarDecl *To = nullptr;
  /// Bind: only to read, unless someone casts that away.
  bool IsConst = false;
  /// Of a field or an element, not of the whole.
  bool IsPart = false;
  /// The innermost lambda around it, which may run at any time.
  const clang::LambdaExpr *In = nullptr;
};

/// \p V has no value where it is declared, so that one must be set later. What
/// is bound there has one: parameters, references, what a handler catches; and
/// so has what is zero from the program's or the thread's start.
bool beginsUnset(const clang::VarDecl &V);

/// "step", "bind part const r", ...
std::string describe(const VariableUse &U);

class VariableFacts {
public:
  /// Reads \p S, which must outlive this object; null: there are no uses.
  explicit VariableFacts(const clang::Stmt *S);
  /// Reads several statements, each of which may be null.
  explicit VariableFacts(llvm::ArrayRef<const clang::Stmt *> Parts);
  /// Reads the body of \p Function, and a constructor's initialisers.
  explicit VariableFacts(const clang::FunctionDecl &Function);

  /// All uses of \p V in the order of the source.
  llvm::ArrayRef<VariableUse> of(const clang::VarDecl &V) const;

  /// May \p U, one of the uses, change the variable, or let someone change it
  /// later? Const references are followed to what is done with them.
  bool mayChange(const VariableUse &U) const;

  /// Nothing here changes \p V after its declaration.
  bool isOnlyRead(const clang::VarDecl &V) const;

  /// All that changes \p V here are assignments and steps by its name, where
  /// they stand: no reference, no pointer, no lambda.
  bool changesByNameOnly(const clang::VarDecl &V) const;

  /// What is bound to \p Param, a reference of some function, is changed by
  /// that name only, if at all, and by nobody once the call is over.
  bool staysInCall(const clang::ParmVarDecl &Param) const;

  /// One line for each use: `i: step`, `s: bind part const r`.
  void dump(llvm::raw_ostream &Out) const;

  using Map = llvm::MapVector<const clang::VarDecl *,
                              llvm::SmallVector<VariableUse, 4>>;
  Map::const_iterator begin() const { return Uses.begin(); }
  Map::const_iterator end() const { return Uses.end(); }

private:
  bool mayChange(const VariableUse &U, unsigned Depth) const;
  bool isOnlyRead(const clang::VarDecl &V, unsigned Depth) const;
  bool staysHere(const clang::VarDecl &Reference, unsigned Depth) const;
  static bool staysInCall(const clang::ParmVarDecl &Param, unsigned Depth);
  bool parameterMayChange(const clang::ParmVarDecl &Param,
                          unsigned Depth) const;

  Map Uses;
  mutable std::map<const clang::ParmVarDecl *, bool> Parameters;
};

} // namespace barricade::facts

#endif
