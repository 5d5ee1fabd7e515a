// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loads and stores are left, and at which loop: one that is known already
// is not made again, one that nothing in a loop changes leaves it.

#include "matchers/cost/Execution.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

/// Whether one instruction moves a whole \p T: CUDA's vector types, and
/// structs that are aligned like them.
static bool isMovedAsOne(QualType T, const ASTContext &Ctx) {
  if (!isRecord(T))
    return true;
  TypeInfo Info = Ctx.getTypeInfo(T);
  return Info.Width <= 128 && Info.Align >= Info.Width;
}

bool Execution::mayOverlap(const Location &A, const Location &B) const {
  if (A.At.Exact && B.At.Exact)
    if (auto Distance = (*A.At.Exact - *B.At.Exact).asConstant()) {
      auto Size = [&](const Location &L) {
        return int64_t(Ctx.getTypeSizeInChars(L.Type).getQuantity());
      };
      if (*Distance >= Size(B) || *Distance <= -Size(A))
        return false;
    }
  return mayAlias({A.Type, A.Root}, {B.Type, B.Root}, Ctx);
}

/// The level at which \p What can be read once for all iterations of the loops
/// below it, or null where that is before the counted loop. For a store: where
/// it can be done once after them.
const LoopLevel *Execution::hoisted(const Location &What, bool IsStore) const {
  const LoopLevel *Home = Level;
  const LoopLevel *Varies =
      What.At.Exact ? levelOf(*What.At.Exact) : Graph.level(What.At.Value);
  if (ConditionDepth || !Known || What.Type.isVolatileQualified())
    return Home;
  while (Home && Home != Varies) {
    auto It = Known->find(Home->Loop);
    if (It == Known->end())
      return Home;
    for (const Effect &E : It->second.Effects) {
      if (E.IsBarrier)
        return Home;
      if ((IsStore || E.IsStore) && !E.What.At.isSame(What.At) &&
          mayOverlap(E.What, What))
        return Home;
    }
    if (Home->Conditional)
      return Home->Parent;
    Home = Home->Parent;
  }
  return Home;
}

/// The innermost loop below \p Home that stores to \p What, or null.
const LoopLevel *Execution::changedIn(const Location &What,
                                      const LoopLevel *Home) const {
  const LoopLevel *L = Known ? Level : Home;
  for (; L != Home; L = L->Parent)
    if (auto It = Known->find(L->Loop); It != Known->end())
      if (llvm::any_of(It->second.Effects, [&](const Effect &E) {
            return E.IsStore && mayOverlap(E.What, What);
          }))
        return L;
  return nullptr;
}

/// Notes an effect for all loops around; null \p What stands for a barrier.
void Execution::noteEffect(bool IsStore, const Location *What) {
  Effect E;
  E.IsStore = IsStore;
  E.IsBarrier = !What;
  if (What)
    E.What = *What;
  for (LoopLevel *L = Level; L; L = L->Parent)
    Summaries[L->Loop].Effects.push_back(E);
  SideEffects += IsStore || !What;
}

/// Where pointers find the exposed variable \p V.
static Location inMemory(const VarDecl &V) {
  Location L;
  L.Kind = Location::Memory;
  L.Root.Space = MemorySpace::Local;
  L.Root.Object = &V;
  // A part of a record may be what is named: its own type does not tell.
  if (!V.getType()->isRecordType())
    L.Type = V.getType();
  return L;
}

/// Forgets the values of memory that a change of \p Changed may change; of all
/// memory, if null.
void Execution::forget(const Location *Changed) {
  llvm::erase_if(Available, [&](const AvailableValue &A) {
    return !Changed || mayOverlap(A.Where, *Changed);
  });
  for (const VarDecl *V : Exposed)
    if (!Changed || mayOverlap(inMemory(*V), *Changed))
      Env[V] = Graph.fresh(Level, {}, 0);
}

void Execution::addOperation(MemoryOperation::KindTy Kind, const Location &What,
                             Id Value, const LoopLevel &At) {
  MemoryOperation M;
  M.Kind = Kind;
  M.Where = What.Where;
  M.Type = What.Type;
  M.Address = What.Printed;
  M.Root = What.Root;
  M.Times = At.Times;
  M.Nested = At.Parent != nullptr;
  Operations.push_back({std::move(M), Value});
}

Id Execution::load(const Location &From) {
  if (From.Kind == Location::Memory)
    return loadMemory(From);
  if (From.Kind == Location::Register)
    return From.Known ? *From.Known : Graph.fresh(Level, {}, 0);
  auto It = Env.find(From.Var);
  Id Value =
      It != Env.end() ? It->second : Graph.value("variable", {}, 0, From.Var);
  for (const FieldDecl *Field : From.Path)
    Value = fieldOf(Value, Field);
  return Value;
}

Id Execution::loadMemory(const Location &From) {
  if (!isMovedAsOne(From.Type, Ctx)) {
    Id Struct = Graph.fresh(Level, {}, 0);
    Deferred[Struct] = From;
    return Struct;
  }
  bool IsVolatile = From.Type.isVolatileQualified();
  if (!IsVolatile)
    for (const AvailableValue &A : Available)
      if (A.Where.At.isSame(From.At) &&
          Ctx.hasSameUnqualifiedType(A.Where.Type, From.Type))
        return A.Value;
  const LoopLevel *At = hoisted(From, false);
  Id Value = Graph.fresh(At, {From.At.Value}, 1);
  noteEffect(false, &From);
  if (At)
    addOperation(MemoryOperation::Load, From, Value, *At);
  // In a register from then on, which the loop's own stores change.
  if (const LoopLevel *Changes = changedIn(From, At))
    Value = Graph.fresh(Changes, {Value}, 0);
  if (IsVolatile)
    Graph.require(Value);
  else
    Available.push_back({From, Value});
  return Value;
}

void Execution::store(const Location &To, Id Value) {
  if (To.Kind == Location::Memory)
    return storeMemory(To, Value);
  if (To.Kind == Location::Variable) {
    Location Whole = To;
    Whole.Path.clear();
    if (!To.Path.empty())
      Value = withField(load(Whole), To.Path, Value);
    if (Exposed.contains(To.Var)) {
      const Location Memory = inMemory(*To.Var);
      noteEffect(true, &Memory);
      forget(&Memory);
    }
    Env[To.Var] = Value;
    return;
  }
  // A register that has no name here: what it gets is used somewhere.
  Graph.require(Graph.fresh(Level, {Value}, 0));
}

void Execution::storeMemory(const Location &To, Id Value) {
  if (!isMovedAsOne(To.Type, Ctx)) {
    const auto *Record = To.Type->getAsRecordDecl();
    for (const FieldDecl *Field : Record->fields())
      if (!Field->getType()->isArrayType() && !Field->isBitField())
        storeMemory(fieldIn(To, Field), fieldOf(Value, Field));
    return;
  }
  noteEffect(true, &To);
  const LoopLevel *At = hoisted(To, true);
  Id Stored = Graph.fresh(At, {To.At.Value, Value}, 1);
  Graph.require(Stored);
  if (At)
    addOperation(MemoryOperation::Store, To, Stored, *At);
  forget(&To);
  if (!To.Type.isVolatileQualified())
    Available.push_back({To, Value});
}
