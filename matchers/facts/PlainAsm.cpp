// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/PlainAsm.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::facts {

bool isPlainAsm(const AsmStmt &Asm) {
  const auto *Gcc = dyn_cast<GCCAsmStmt>(&Asm);
  if (!Gcc || Gcc->isAsmGoto())
    return false;
  std::string Text = Gcc->getAsmString();
  // Comments could hide instructions from a reader as simple as this one.
  if (llvm::StringRef(Text).contains("//") ||
      llvm::StringRef(Text).contains("/*"))
    return false;
  llvm::SmallVector<llvm::StringRef, 8> Lines;
  llvm::StringRef(Text).split(Lines, ';');
  size_t Opened = 0, Closed = 0;
  for (llvm::StringRef Line : Lines) {
    Opened += Line.count('{');
    Closed += Line.count('}');
    Line = Line.trim(" \t\r\n{}");
    // What is declared outside of braces is so once in a function.
    if (Line.starts_with(".reg") && Opened <= Closed)
      return false;
    if (Line.empty() || Line.starts_with(".reg"))
      continue;
    llvm::StringRef Opcode = Line.take_until(
        [](char C) { return C == ' ' || C == '\t' || C == '\n'; });
    auto [Name, Modifiers] = Opcode.split('.');
    bool Computes =
        llvm::StringSwitch<bool>(Name)
            .Cases({"mov", "add", "sub", "mul", "mad", "fma", "div", "rem"},
                   true)
            .Cases({"neg", "abs", "min", "max", "and", "or", "xor", "not"},
                   true)
            .Cases({"shl", "shr", "shf", "prmt", "bfe", "bfi", "lop3", "bfind"},
                   true)
            .Cases(
                {"cvt", "setp", "set", "selp", "slct", "popc", "clz", "brev"},
                true)
            .Cases({"ex2", "lg2", "rcp", "sqrt", "rsqrt", "sin", "cos", "tanh"},
                   true)
            .Cases({"dp4a", "dp2a", "mul24", "mad24", "sad", "addc", "subc",
                    "madc"},
                   true)
            .Cases({"prefetch", "prefetchu", "cvta", "isspacep"}, true)
            .Default(false);
    bool Accesses =
        (Name == "ld" || Name == "st") && !Modifiers.contains("volatile") &&
        !Modifiers.contains("acquire") && !Modifiers.contains("release") &&
        !Modifiers.contains("relaxed") && !Modifiers.contains("mmio") &&
        !Modifiers.contains(".c") && !Modifiers.starts_with("c");
    if (!Computes && !Accesses)
      return false;
  }
  return true;
}

} // namespace barricade::facts
