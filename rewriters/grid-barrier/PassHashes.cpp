// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/PassHashes.h"
#include "matchers/SourcePlaces.h"
#include "matchers/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ODRHash.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

void addWithConstants(const Stmt &S, ODRHash &Hash) {
  Hash.AddStmt(&S);
  (void)holds(&S, [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && Var->hasGlobalStorage() && Var->getInit())
      Hash.AddStmt(Var->getInit());
    return false;
  });
}

unsigned hashOf(llvm::ArrayRef<const Stmt *> Code) {
  ODRHash Hash;
  for (const Stmt *S : Code)
    addWithConstants(*S, Hash);
  return Hash.CalculateHash();
}

Place placeOf(llvm::ArrayRef<const Stmt *> Code, const SourceManager &SM) {
  return barricade::placeOf(Code.front()->getBeginLoc(), SM);
}

} // namespace

PassHashes::PassHashes(
    const Program &P,
    llvm::function_ref<void(const PassView &Pass, AddCode Add)> FindCode) {
  for (const PassView &Pass : P.Passes) {
    if (!Pass.IsDevice)
      continue;
    std::map<Place, unsigned> &Hashes = OfPasses.emplace_back();
    FindCode(Pass, [&](llvm::ArrayRef<const Stmt *> Code) {
      Hashes[placeOf(Code, Pass.Context->getSourceManager())] = hashOf(Code);
    });
  }
}

bool PassHashes::agreeOn(llvm::ArrayRef<const Stmt *> Code,
                         const SourceManager &SM) const {
  const Place Where = placeOf(Code, SM);
  const unsigned Hash = hashOf(Code);
  return llvm::all_of(OfPasses, [&](const std::map<Place, unsigned> &Hashes) {
    const auto Found = Hashes.find(Where);
    return Found != Hashes.end() && Found->second == Hash;
  });
}

} // namespace barricade::grid_barrier
