// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/SymbolNames.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade {

static bool isOfWord(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$';
}

/// Takes an operand from the beginning of \p Rest: `%0`, `%c1`, `%[name]`,
/// `%=`. A register, as in `%%tid`, is none.
static bool consumeOperand(llvm::StringRef &Rest) {
  llvm::StringRef After = Rest;
  if (!After.consume_front("%") || After.empty())
    return false;
  if (llvm::isAlpha(After[0]) && After.size() > 1 &&
      (llvm::isDigit(After[1]) || After[1] == '['))
    After = After.drop_front();
  const llvm::StringRef Digits = After.take_while(llvm::isDigit);
  if (!Digits.empty())
    After = After.drop_front(Digits.size());
  else if (After.consume_front("["))
    After = After.substr(After.find(']')).drop_front(After.contains(']'));
  else if (!After.consume_front("="))
    return false;
  Rest = After;
  return true;
}

void forEachSymbolIn(llvm::StringRef Rest,
                     llvm::function_ref<void(llvm::StringRef, bool)> Visit) {
  while (!Rest.empty()) {
    const llvm::StringRef Word = Rest.take_while(isOfWord);
    Rest = Rest.drop_front(Word.size());
    unsigned Parts = !Word.empty();
    bool HasOperand = false;
    for (size_t Left = 0; Left != Rest.size();) {
      Left = Rest.size();
      if (consumeOperand(Rest))
        HasOperand = ++Parts;
      else if (HasOperand && !Rest.empty() && isOfWord(Rest.front()))
        Rest = Rest.drop_while(isOfWord), ++Parts;
    }
    const bool GoesOn = HasOperand && Parts > 1;
    // What begins with a digit is a number.
    if (Word.empty() ? GoesOn : !llvm::isDigit(Word.front()))
      Visit(Word, GoesOn);
    if (Word.empty() && !HasOperand)
      Rest = Rest.drop_front(Rest.starts_with("%%") ? 2 : 1);
  }
}

bool mayBeSymbolOf(const FunctionDecl &Function, llvm::StringRef Word,
                   bool GoesOn) {
  const auto IsCalled = [&](llvm::StringRef Name) {
    return GoesOn ? Name.starts_with(Word) : Name == Word;
  };
  const FunctionDecl &Last = *Function.getMostRecentDecl();
  if (const auto *Label = Last.getAttr<AsmLabelAttr>())
    return IsCalled(Label->getLabel());
  const IdentifierInfo *Name = Function.getIdentifier();
  if (Name && Function.isExternC())
    return IsCalled(Name->getName());
  if (GoesOn)
    return Word.starts_with("_Z") || llvm::StringRef("_Z").starts_with(Word);
  return Word.starts_with("_Z") &&
         (!Name || Word.contains(std::to_string(Name->getLength()) +
                                 Name->getName().str()));
}

} // namespace barricade
