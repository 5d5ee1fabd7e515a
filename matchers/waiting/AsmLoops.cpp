// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly that branches back by itself is a loop, wherever it stands:
//
//   W: ld.acquire.sys.u32 v, [%0]; setp.eq.u32 p, v, 0; @p bra W;
//
// One that looks at nothing but the block's own memory waits for no more than
// the block: so threads wait for the copies of an mbarrier (PTX ISA,
// "mbarrier": "shared memory").

#include "matchers/waiting/Impl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::waiting {
namespace {

struct Word {
  llvm::StringRef Text;
  bool IsLabel; ///< `L:`, as far as can be seen.
};
using Words = llvm::SmallVector<Word, 16>;

/// What names and opcodes are made of, `L_%=` and `%1` included.
bool isOfWord(char C) {
  return llvm::isAlnum(C) || llvm::StringRef("_$%=.").contains(C);
}

Words wordsOf(llvm::StringRef Code) {
  Words All;
  while (!(Code = Code.drop_until(isOfWord)).empty()) {
    const llvm::StringRef Text = Code.take_while(isOfWord);
    Code = Code.drop_front(Text.size());
    const llvm::StringRef Next = Code.ltrim();
    All.push_back({Text, Next.starts_with(":") && !Next.starts_with("::")});
  }
  return All;
}

bool isOpcode(llvm::StringRef Text, llvm::StringRef Name) {
  return Text.consume_front(Name) && (Text.empty() || Text.front() == '.');
}

bool holdsOpcode(const Words &All, llvm::StringRef Name) {
  return llvm::any_of(
      All, [&](const Word &Each) { return isOpcode(Each.Text, Name); });
}

/// A branch to what does not stand behind it, or to one of several places.
bool branchesBack(llvm::ArrayRef<Word> All) {
  for (; !All.empty(); All = All.drop_front()) {
    const auto IsTarget = [&](Word Label) {
      return Label.IsLabel && Label.Text == All[1].Text;
    };
    if (isOpcode(All.front().Text, "brx") ||
        (isOpcode(All.front().Text, "bra") &&
         (All.size() == 1 || llvm::none_of(All.drop_front(2), IsTarget))))
      return true;
  }
  return false;
}

/// Nothing says of an address in \p Instruction that it is of the block's
/// memory.
bool reachesOthers(llvm::StringRef Instruction) {
  return Instruction.contains("[") && !Instruction.contains(".shared") &&
         !holdsOpcode(wordsOf(Instruction), "mbarrier");
}

} // namespace

bool loopsByItself(const Stmt &S) {
  const auto *Asm = dyn_cast<GCCAsmStmt>(&S);
  if (!Asm)
    return false;
  const std::string Text = Asm->getAsmString();
  const llvm::StringRef Code = Text;
  const Words All = wordsOf(Code);
  // Who is called may come back here.
  if (holdsOpcode(All, "call"))
    return true;
  // Comments could hide what a reader as simple as this one looks for.
  const bool HasComments = Code.contains("//") || Code.contains("/*");
  if (HasComments ? !holdsOpcode(All, "bra") && !holdsOpcode(All, "brx")
                  : !branchesBack(All))
    return false;
  llvm::SmallVector<llvm::StringRef, 8> Instructions;
  Code.split(Instructions, ';');
  return HasComments || llvm::any_of(Instructions, reachesOthers);
}

} // namespace barricade::waiting
