// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/FenceRaces.h"
#include "matchers/facts/Constants.h"
#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace barricade::fence_as_barrier {
namespace {

constexpr unsigned MaxThreadsPerBlock = 1024;
/// Scalars whose values are all combined. Further ones follow these.
constexpr unsigned FreeScalars = 4;
/// Values that are tried for each.
constexpr unsigned Choices = 3;
/// Threads of a block that are looked at for one access to one place.
constexpr unsigned MaxPerPlace = 4;
/// Accesses are compared where they share so many bytes of memory: few are
/// narrower.
constexpr int64_t Granule = 4;

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

/// The dimensions of grid and block that a kernel asks for.
struct IndexUse {
  unsigned Dimensions = 1;
  bool ReadsBlock = false; ///< It can tell its blocks apart.
  /// By dimension: a constant that the block's index is multiplied by, which is
  /// most often the size of a block.
  std::array<std::optional<unsigned>, 3> Multiplier;
};

std::optional<unsigned> dimensionOf(const Expr &E, llvm::StringRef Variable) {
  char Member = 0;
  if (builtinIndexVariable(E, Member) != Variable || Member > 'z' ||
      Member < 'x')
    return std::nullopt;
  return Member - 'x';
}

void noteMultiplier(const BinaryOperator &Op, IndexUse &Use,
                    const ASTContext &Context) {
  for (auto [Index, Factor] : {std::pair(Op.getLHS(), Op.getRHS()),
                               std::pair(Op.getRHS(), Op.getLHS())}) {
    auto Dim = dimensionOf(*Index, "blockIdx");
    const auto Size = facts::integerOf(*Factor, Context);
    if (Dim && Size && *Size > 1 && *Size <= MaxThreadsPerBlock)
      Use.Multiplier[*Dim] = Size->getZExtValue();
  }
}

IndexUse indexUse(const KernelEffects &Effects) {
  IndexUse Use;
  const ASTContext &Context = Effects.Kernel->getASTContext();
  for (const FunctionDecl *F : Effects.Functions)
    (void)holds(F->getBody(), [&](const Stmt &S) {
      if (const auto *Op = dyn_cast<BinaryOperator>(&S);
          Op && Op->getOpcode() == BO_Mul)
        noteMultiplier(*Op, Use, Context);
      const auto *E = dyn_cast<Expr>(&S);
      char Member = 0;
      llvm::StringRef Variable = E ? builtinIndexVariable(*E, Member) : "";
      if (Member >= 'x' && Member <= 'z')
        Use.Dimensions = std::max<unsigned>(Use.Dimensions, Member - 'x' + 1);
      const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
      Use.ReadsBlock |= Variable == "blockIdx" ||
                        (Call && Call->getRecordDecl() &&
                         Call->getRecordDecl()->getName() == "grid_group");
      return false;
    });
  return Use;
}

/// Replaces an extent by what all launches in sight agree on.
void narrow(std::array<unsigned, 3> &Extents, bool AtMost,
            llvm::ArrayRef<Extents3> Launched) {
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    auto Agreed = Launched.front()[Dim];
    if (!Agreed || llvm::any_of(Launched, [&](const Extents3 &E) {
          return E[Dim] != Agreed;
        }))
      continue;
    unsigned Extent = std::clamp<uint64_t>(*Agreed, 1, MaxThreadsPerBlock);
    Extents[Dim] = AtMost ? std::min(Extents[Dim], Extent) : Extent;
  }
}

/// A grid of a few blocks as the kernel expects them.
LaunchShape shapeFor(const FunctionDecl &Kernel, const IndexUse &Use,
                     const UserCode &Code) {
  // Several warps in a block, and several blocks in each direction.
  static constexpr LaunchShape Shapes[] = {
      {{3, 1, 1}, {64, 1, 1}}, {{3, 3, 1}, {8, 8, 1}}, {{2, 2, 2}, {4, 4, 4}}};
  LaunchShape Shape = Shapes[Use.Dimensions - 1];
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (Use.Multiplier[Dim])
      Shape.Block[Dim] = *Use.Multiplier[Dim];
  std::vector<Extents3> Grids, Blocks;
  for (const KernelLaunch &L : Code.Launches)
    if (L.Kernel && L.Kernel->getCanonicalDecl() == Kernel.getCanonicalDecl() &&
        L.Call && L.Call->getConfig() &&
        L.Call->getConfig()->getNumArgs() > 1) {
      Grids.push_back(constantExtents(*L.Call->getConfig()->getArg(0),
                                      Kernel.getASTContext()));
      Blocks.push_back(constantExtents(*L.Call->getConfig()->getArg(1),
                                       Kernel.getASTContext()));
    }
  bool AllInSight =
      !Grids.empty() && !Code.AddressTaken.contains(Kernel.getCanonicalDecl());
  if (AllInSight) {
    narrow(Shape.Grid, /*AtMost=*/true, Grids);
    narrow(Shape.Block, /*AtMost=*/false, Blocks);
  }
  return Shape;
}

//===----------------------------------------------------------------------===//
// The host's scalars
//===----------------------------------------------------------------------===//

/// Values for the host's scalars, another choice in each round. All are sizes
/// that more than one block, and not more than all threads, can cover.
class Scalars {
public:
  explicit Scalars(const LaunchShape &Shape) {
    unsigned Dim = 0;
    auto Threads = [&](unsigned D) { return Shape.Grid[D] * Shape.Block[D]; };
    for (unsigned D : {1, 2})
      if (Threads(D) > Threads(Dim))
        Dim = D;
    int64_t All = Threads(Dim), Block = Shape.Block[Dim];
    Values = {All / 2 + 4, All - Block / 2, All};
  }

  int64_t choose(const HostValue &Which, QualType Type) {
    auto [It, New] = Known.try_emplace(Which, Known.size());
    IsBoolean[Which] = Type->isBooleanType();
    unsigned Digit = digit(It->second % FreeScalars);
    if (It->second >= FreeScalars)
      Digit += digit((It->second + 1) % FreeScalars);
    return IsBoolean[Which] ? Digit % 2 : Values[Digit % Choices];
  }

  /// Goes on to the next choice. False after the last.
  bool next() {
    unsigned Rounds = 1;
    for (unsigned I = 0; I < std::min<size_t>(Known.size(), FreeScalars); ++I)
      Rounds *= Choices;
    return ++Round < Rounds;
  }

  /// What was asked for in this round.
  std::map<HostValue, int64_t> current() {
    std::map<HostValue, int64_t> Result;
    for (const auto &[Which, Number] : Known)
      Result[Which] =
          choose(Which, IsBoolean[Which] ? Which.Var->getASTContext().BoolTy
                                         : Which.Var->getASTContext().IntTy);
    return Result;
  }

private:
  unsigned digit(unsigned Number) const {
    unsigned Rest = Round;
    while (Number--)
      Rest /= Choices;
    return Rest % Choices;
  }

  std::array<int64_t, Choices> Values;
  std::map<HostValue, unsigned> Known; ///< In the order of their first use.
  std::map<HostValue, bool> IsBoolean;
  unsigned Round = 0;
};

/// `n`, or `grid.width` for a field.
std::string nameOf(const HostValue &V) {
  std::string Name = V.Var->getNameAsString();
  const RecordDecl *Record = V.Var->getType()->getAsRecordDecl();
  if (!Record)
    return Name;
  for (const FieldDecl *Field : Record->fields())
    if (!Field->isBitField() &&
        int64_t(Record->getASTContext().getFieldOffset(Field) / 8) == V.Offset)
      return Name + "." + Field->getNameAsString();
  return Name;
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

/// A fence in one grid epoch.
using FenceInEpoch = std::pair<const Stmt *, unsigned>;

/// When a fence is executed: by one thread, in its order; by a block, counted
/// in block barriers.
struct Span {
  unsigned First = UINT_MAX, Last = 0;
  void add(unsigned When) {
    First = std::min(First, When);
    Last = std::max(Last, When);
  }
};
using Spans = std::map<FenceInEpoch, Span>;

struct BlockFacts {
  Spans Fences;
  std::vector<Spans> OwnFences; ///< By thread, in the thread's order.
  /// The first interval in which the block writes a place.
  std::map<GlobalPlace, unsigned> Written;
};

/// An access and who did it.
struct Visit {
  unsigned Block, Thread;
  const MemoryEvent *Event;
};

/// A pair of accesses, the first before the fence, the second after it.
struct PairKey {
  const Stmt *Fence;
  RacingAccess Before, After;
  auto operator<=>(const PairKey &) const = default;
};

/// What the rounds have shown of a pair.
struct PairFacts {
  unsigned Possible = 0; ///< Rounds in which both came to pass.
  unsigned Met = 0;      ///< Rounds in which they met.
  unsigned Gap = 0;      ///< Events from the fence to the later access.
  const FunctionDecl *FenceFunction = nullptr;
  FenceRace::Meeting Example;
  /// From the thread after the fence to the one before it.
  std::set<int64_t> Distances;
};

RacingAccess racing(const MemoryEvent &E) {
  return {E.Access, E.Function, E.IsStore};
}

/// A granule of memory in one grid epoch.
using PlaceKey = std::tuple<HostValue, bool, int64_t, unsigned>;

/// The accesses of a round by the side of a fence that they are on.
struct Sides {
  std::map<PlaceKey, std::vector<Visit>> Before, After;
  std::map<std::tuple<PlaceKey, RacingAccess, unsigned, bool>, unsigned> Count;
  using Side = std::pair<const Stmt *, RacingAccess>;
  std::map<Side, std::set<unsigned>> BlocksBefore, BlocksAfter;
  std::map<RacingAccess, std::set<std::pair<HostValue, bool>>> Roots;
};

class RaceSearch {
public:
  RaceSearch(const KernelEffects &Effects, const LaunchShape &Shape)
      : Grid(Effects, Shape), Shape(Shape), Values(Shape) {}

  std::vector<FenceRace> find() {
    do {
      auto Traces = Grid.run([&](const HostValue &Which, QualType Type) {
        return Values.choose(Which, Type);
      });
      if (!Traces)
        return {};
      examine(*Traces);
    } while (Values.next());
    return races();
  }

private:
  void examine(llvm::ArrayRef<ThreadTrace> Traces);
  void learn(llvm::ArrayRef<ThreadTrace> Traces);
  void collect(unsigned Block, unsigned Thread, const ThreadTrace &Trace,
               Sides &S) const;
  void countRound(const Sides &S);
  void meet(const Visit &Before, const Visit &After);
  std::vector<const Stmt *> fencesBefore(const Visit &V) const;
  std::vector<const Stmt *> fencesAfter(const Visit &V) const;
  bool isOwn(const Visit &V, const ThreadTrace &Own) const;
  unsigned gap(const Stmt *Fence, const Visit &After) const;
  std::vector<FenceRace> races() const;
  std::optional<int64_t> distance(const PairFacts &Facts) const;

  SmallGrid Grid;
  LaunchShape Shape;
  Scalars Values;
  std::map<PairKey, PairFacts> Pairs;
  std::map<const Stmt *, const FunctionDecl *> FenceFunctions;

  // Of the present round.
  std::vector<BlockFacts> Blocks;
  std::set<PairKey> MetNow;
};

void RaceSearch::learn(llvm::ArrayRef<ThreadTrace> Traces) {
  Blocks.assign(Shape.blocks(), {});
  for (const auto &[I, Trace] : llvm::enumerate(Traces)) {
    BlockFacts &B = Blocks[I / Shape.threads()];
    Spans &Own = B.OwnFences.emplace_back();
    for (const FenceEvent &F : Trace.Fences) {
      FenceFunctions[F.Fence] = F.Function;
      FenceInEpoch Key(F.Fence, F.When.Epoch);
      B.Fences[Key].add(F.When.Interval);
      Own[Key].add(F.When.Order);
    }
    for (const MemoryEvent &E : Trace.Accesses)
      if (E.IsStore) {
        auto [It, New] = B.Written.try_emplace(E.Where, E.When.Interval);
        It->second = std::min(It->second, E.When.Interval);
      }
  }
}

/// Fences that the thread, or its block before the next block barrier, executes
/// after \p V.
std::vector<const Stmt *> RaceSearch::fencesAfter(const Visit &V) const {
  std::vector<const Stmt *> Result;
  const BlockFacts &B = Blocks[V.Block];
  const Moment &When = V.Event->When;
  for (const auto &[Key, Span] : B.Fences) {
    auto Own = B.OwnFences[V.Thread].find(Key);
    bool OwnLater =
        Own != B.OwnFences[V.Thread].end() && Own->second.Last > When.Order;
    if (Key.second == When.Epoch && (OwnLater || Span.Last > When.Interval))
      Result.push_back(Key.first);
  }
  return Result;
}

std::vector<const Stmt *> RaceSearch::fencesBefore(const Visit &V) const {
  std::vector<const Stmt *> Result;
  const BlockFacts &B = Blocks[V.Block];
  const Moment &When = V.Event->When;
  for (const auto &[Key, Span] : B.Fences) {
    auto Own = B.OwnFences[V.Thread].find(Key);
    bool OwnEarlier =
        Own != B.OwnFences[V.Thread].end() && Own->second.First < When.Order;
    if (Key.second == When.Epoch && (OwnEarlier || Span.First < When.Interval))
      Result.push_back(Key.first);
  }
  return Result;
}

unsigned RaceSearch::gap(const Stmt *Fence, const Visit &After) const {
  const Spans &Own = Blocks[After.Block].OwnFences[After.Thread];
  auto It = Own.find({Fence, After.Event->When.Epoch});
  return It == Own.end() ? UINT_MAX
                         : After.Event->When.Order - It->second.First;
}

/// The thread, or its block before the last block barrier, wrote the place
/// itself: what other blocks write there may well be the same.
bool RaceSearch::isOwn(const Visit &V, const ThreadTrace &Own) const {
  const auto &Written = Blocks[V.Block].Written;
  auto It = Written.find(V.Event->Where);
  if (It == Written.end() || It->second > V.Event->When.Interval)
    return false;
  if (It->second < V.Event->When.Interval)
    return true;
  return llvm::any_of(Own.Accesses, [&](const MemoryEvent &E) {
    return E.IsStore && E.Where == V.Event->Where &&
           E.When.Order < V.Event->When.Order;
  });
}

bool overlap(const MemoryEvent &A, const MemoryEvent &B) {
  return A.Where.Offset < B.Where.Offset + B.Width &&
         B.Where.Offset < A.Where.Offset + A.Width;
}

/// Both write, and the same.
bool writeTheSame(const MemoryEvent &A, const MemoryEvent &B) {
  return A.IsStore && B.IsStore && A.Stored && A.Stored == B.Stored;
}

/// The granules of memory that \p E touches.
std::pair<int64_t, int64_t> granules(const MemoryEvent &E) {
  auto Floor = [](int64_t Offset) {
    return Offset >= 0 ? Offset / Granule : (Offset + 1) / Granule - 1;
  };
  return {Floor(E.Where.Offset), Floor(E.Where.Offset + E.Width - 1)};
}

/// Adds the accesses of one thread to the sides of the fences they are on.
void RaceSearch::collect(unsigned Block, unsigned Thread,
                         const ThreadTrace &Trace, Sides &S) const {
  for (const MemoryEvent &E : Trace.Accesses) {
    Visit V{Block, Thread, &E};
    auto Fences = fencesAfter(V), Passed = fencesBefore(V);
    if (!Passed.empty() && isOwn(V, Trace))
      Passed.clear();
    RacingAccess Access = racing(E);
    for (const Stmt *F : Fences)
      S.BlocksBefore[{F, Access}].insert(Block);
    for (const Stmt *F : Passed)
      S.BlocksAfter[{F, Access}].insert(Block);
    S.Roots[Access].insert({E.Where.Root, E.Where.IsVariable});
    auto [First, Last] = granules(E);
    for (int64_t G = First; G <= Last; ++G) {
      PlaceKey Key(E.Where.Root, E.Where.IsVariable, G, E.When.Epoch);
      if (!Fences.empty() &&
          S.Count[{Key, Access, Block, true}]++ < MaxPerPlace)
        S.Before[Key].push_back(V);
      if (!Passed.empty() &&
          S.Count[{Key, Access, Block, false}]++ < MaxPerPlace)
        S.After[Key].push_back(V);
    }
  }
}

void RaceSearch::examine(llvm::ArrayRef<ThreadTrace> Traces) {
  learn(Traces);
  Sides S;
  for (const auto &[I, Trace] : llvm::enumerate(Traces))
    collect(I / Shape.threads(), I % Shape.threads(), Trace, S);
  MetNow.clear();
  for (const auto &[Key, Visits] : S.After)
    if (auto It = S.Before.find(Key); It != S.Before.end())
      for (const Visit &A : Visits)
        for (const Visit &B : It->second)
          if (A.Block != B.Block && (A.Event->IsStore || B.Event->IsStore) &&
              overlap(*A.Event, *B.Event) && !writeTheSame(*A.Event, *B.Event))
            meet(B, A);
  countRound(S);
}

/// What could have met, and did not, is no race for all choices of scalars.
void RaceSearch::countRound(const Sides &S) {
  for (const auto &[Late, LateBlocks] : S.BlocksAfter)
    for (const auto &[Early, EarlyBlocks] : S.BlocksBefore) {
      bool SharesRoot =
          llvm::any_of(S.Roots.at(Early.second), [&](const auto &R) {
            return S.Roots.at(Late.second).contains(R);
          });
      bool InTwoBlocks = EarlyBlocks.size() > 1 || LateBlocks.size() > 1 ||
                         *EarlyBlocks.begin() != *LateBlocks.begin();
      if (Early.first != Late.first || !SharesRoot || !InTwoBlocks ||
          (!Early.second.IsStore && !Late.second.IsStore))
        continue;
      PairKey Key{Early.first, Early.second, Late.second};
      PairFacts &Facts = Pairs[Key];
      ++Facts.Possible;
      Facts.Met += MetNow.contains(Key);
    }
}

void RaceSearch::meet(const Visit &Before, const Visit &After) {
  auto Late = fencesBefore(After);
  for (const Stmt *Fence : fencesAfter(Before)) {
    if (!llvm::is_contained(Late, Fence))
      continue;
    PairKey Key{Fence, racing(*Before.Event), racing(*After.Event)};
    PairFacts &Facts = Pairs[Key];
    Facts.Distances.insert(
        int64_t(Before.Block * Shape.threads() + Before.Thread) -
        int64_t(After.Block * Shape.threads() + After.Thread));
    if (!MetNow.insert(Key).second || Facts.Met)
      continue;
    Facts.FenceFunction = FenceFunctions[Fence];
    Facts.Gap = gap(Fence, After);
    Facts.Example = {Shape,
                     Before.Block,
                     Before.Thread,
                     After.Block,
                     After.Thread,
                     After.Event->Where.Offset / int64_t(After.Event->Width),
                     {}};
    for (const auto &[Which, Value] : Values.current())
      Facts.Example.Scalars.push_back({nameOf(Which), Value});
    llvm::sort(Facts.Example.Scalars); // for maps go by address
  }
}

/// The distance that all rounds have in common.
std::optional<int64_t> RaceSearch::distance(const PairFacts &Facts) const {
  if (!Shape.isOneDimensional() || Facts.Distances.size() != 1)
    return std::nullopt;
  return *Facts.Distances.begin();
}

std::vector<FenceRace> RaceSearch::races() const {
  // Of several fences between two accesses, the one before the later access is
  // the one that was meant to separate them.
  std::map<std::pair<RacingAccess, RacingAccess>,
           std::pair<unsigned, const PairKey *>>
      Nearest;
  for (const auto &[Key, Facts] : Pairs) {
    if (!Facts.Met || Facts.Met != Facts.Possible)
      continue;
    auto [It, New] = Nearest.try_emplace({Key.Before, Key.After},
                                         std::pair(Facts.Gap, &Key));
    if (Facts.Gap < It->second.first)
      It->second = {Facts.Gap, &Key};
  }
  std::vector<FenceRace> Result;
  for (const auto &[Accesses, Choice] : Nearest) {
    const PairFacts &Facts = Pairs.at(*Choice.second);
    FenceRace Race;
    Race.Fence = Choice.second->Fence;
    Race.Function = Facts.FenceFunction;
    Race.Kernel = Grid.effects().Kernel;
    Race.Before = Accesses.first;
    Race.After = Accesses.second;
    Race.Example = Facts.Example;
    Race.Distance = distance(Facts);
    Result.push_back(std::move(Race));
  }
  // By place, for maps go by address.
  llvm::sort(Result, [](const FenceRace &A, const FenceRace &B) {
    auto Key = [](const FenceRace &R) {
      return std::tuple(R.Fence->getBeginLoc(), R.After.Access->getExprLoc(),
                        R.After.IsStore, R.Before.Access->getExprLoc(),
                        R.Before.IsStore);
    };
    return Key(A) < Key(B);
  });
  return Result;
}

} // namespace

std::vector<FenceRace> findFenceRaces(const KernelEffects &Effects,
                                      const UserCode &Code) {
  const SourceManager &SM = Effects.Kernel->getASTContext().getSourceManager();
  // Those of the runtime's header are parts of barriers.
  auto HasFence = [&](const FunctionDecl *F) {
    return !isInRuntimeHeader(F->getLocation(), SM) &&
           holds(F->getBody(),
                 [&](const Stmt &S) { return isGridFence(S, SM); });
  };
  if (llvm::none_of(Effects.Functions, HasFence))
    return {};
  IndexUse Use = indexUse(Effects);
  LaunchShape Shape = shapeFor(*Effects.Kernel, Use, Code);
  // A kernel that does not tell its blocks apart is meant to run as one.
  if (!Use.ReadsBlock || Shape.blocks() == 1 ||
      Shape.threads() > MaxThreadsPerBlock)
    return {};
  return RaceSearch(Effects, Shape).find();
}

} // namespace barricade::fence_as_barrier
