// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loads of a kernel may read: memory that no thread of the launch
// writes, or local variables.

#ifndef BARRICADE_VERIFY_KERNELMEMORY_H
#define BARRICADE_VERIFY_KERNELMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Metadata.h"
#include <vector>

namespace llvm {
class AAResults;
class CallBase;
class Function;
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace barricade {

/// An instruction that writes memory that threads share.
struct MemoryWrite {
  const llvm::Instruction *By;
  const llvm::Value *Pointer; ///< Null: anywhere.
  llvm::AAMDNodes Tags;
};

class KernelMemory {
public:
  KernelMemory(const llvm::Function &F, llvm::AAResults &Aliases);

  /// Threads that load from one address get one value: nothing in the kernel
  /// writes it, or only what barriers keep apart from the load; or it is a
  /// local variable that holds the same in each thread.
  bool isUniform(const llvm::LoadInst &Load) const;
  /// No thread of the launch writes what \p Load reads, whatever barriers keep
  /// apart, and nobody else is said to.
  bool isNeverWritten(const llvm::LoadInst &Load) const;
  /// As the first, for a call that loads through its first operand.
  bool isUniform(const llvm::CallBase &Load) const;

  /// Asks \p Varies of all that writes to local variables which count as
  /// holding the same in all threads. Whether one no longer does.
  bool
  reconsiderLocals(llvm::function_ref<bool(const llvm::Instruction &)> Varies);

  llvm::ArrayRef<MemoryWrite> writes() const { return Writes; }
  /// Calls \p Visit with all that writes to local variables.
  void forEachLocalWriter(
      llvm::function_ref<void(const llvm::Instruction &)> Visit) const;

private:
  /// Memory of a thread's own: an array on the stack, or a structure that a
  /// kernel is given by value.
  struct Local {
    llvm::SmallVector<const llvm::Instruction *, 4> Writers;
    bool Varies = false;
  };

  void collectLocal(const llvm::Value &Object);
  void collectWrite(const llvm::Instruction &I);
  void collectCallWrites(const llvm::CallBase &Call);
  void addWrite(const llvm::Instruction &I, const llvm::Value *Pointer);
  bool isUniform(const llvm::Value &Pointer, const llvm::AAMDNodes &Tags,
                 const llvm::Instruction &At) const;
  bool mayBeWritten(const llvm::Value &Pointer, const llvm::AAMDNodes &Tags,
                    const llvm::Instruction &At) const;
  /// What writes to memory that \p Pointer may lead to.
  llvm::SmallVector<const llvm::Instruction *, 4>
  writersOf(const llvm::Value &Pointer, const llvm::AAMDNodes &Tags) const;

  llvm::AAResults &Aliases;
  llvm::DenseMap<const llvm::Value *, Local> Locals;
  std::vector<MemoryWrite> Writes;
  /// The writes that alias analysis does not tell apart: into one object (null:
  /// anywhere), with the same promises.
  llvm::MapVector<std::pair<const llvm::Value *, llvm::AAMDNodes>,
                  llvm::SmallVector<const llvm::Instruction *, 4>>
      WritesTo;
};

} // namespace barricade

#endif
