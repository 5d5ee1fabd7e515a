// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/OptionalCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

using Tokens = llvm::ArrayRef<CodeToken>;

bool isAt(Tokens All, size_t At, tok::TokenKind Kind) {
  return At < All.size() && All[At].is(Kind);
}
bool isWordAt(Tokens All, size_t At, llvm::StringRef Word) {
  return At < All.size() && All[At].isWord() && All[At].Text == Word;
}

/// +1 for what opens a bracket of any kind, -1 for what closes one.
int nesting(const CodeToken &T) {
  switch (T.Kind) {
  case tok::l_paren:
  case tok::l_square:
  case tok::l_brace:
    return 1;
  case tok::r_paren:
  case tok::r_square:
  case tok::r_brace:
    return -1;
  default:
    return 0;
  }
}

/// The token that closes what \p All opens at \p At; its size if none does.
size_t closing(Tokens All, size_t At) {
  int Depth = 0;
  for (; At < All.size(); ++At)
    if ((Depth += nesting(All[At])) == 0)
      break;
  return At;
}

bool isBalanced(Tokens All) {
  int Depth = 0;
  for (const CodeToken &T : All)
    if ((Depth += nesting(T)) < 0)
      return false;
  return Depth == 0;
}

/// Has threads meet or wait, or may.
bool isWaitingWord(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Parts[] = {
      "sync", "barrier", "shfl", "ballot", "vote", "wait", "arrive"};
  return llvm::is_contained({"asm", "__asm__", "__asm"}, Word) ||
         llvm::any_of(Parts, [&](llvm::StringRef Part) {
           return Word.contains_insensitive(Part);
         });
}

/// Leads out of the code, or has threads wait in it.
bool isHarmfulWord(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {
      "for",     "do",      "continue", "break",    "case",
      "default", "return",  "goto",     "while",    "operator",
      "exit",    "__exit",  "co_await", "co_yield", "co_return",
      "setjmp",  "longjmp", "try",      "throw",    "catch"};
  return llvm::is_contained(Words, Word) || isWaitingWord(Word);
}

enum class Block { Plain, Loop, Switch, Once };

/// The one whose brace opens at \p At.
Block blockAt(Tokens All, size_t At) {
  if (At == 0 || isWordAt(All, At - 1, "do"))
    return At ? Block::Once : Block::Plain;
  if (!All[At - 1].is(tok::r_paren))
    return Block::Plain;
  int Depth = 0;
  while (At-- > 0 && (!nesting(All[At]) || (Depth -= nesting(All[At])) > 0))
    ;
  if (At == 0 || At >= All.size())
    return Block::Plain;
  return isWordAt(All, At - 1, "for")      ? Block::Loop
         : isWordAt(All, At - 1, "switch") ? Block::Switch
                                           : Block::Plain;
}

/// How many tokens are behind the brace of `do { ... } while (0)`.
constexpr size_t OnceEnd = 4;

/// The brace at \p At ends such a block, as macros have it.
bool endsOnce(Tokens All, size_t At) {
  return isWordAt(All, At + 1, "while") &&
         isAt(All, At + OnceEnd, tok::r_paren) &&
         (All[At + 3].Text == "0" || All[At + 3].Text == "false");
}

/// The word at \p At begins a loop that counts, or another block, or jumps
/// within one of \p Blocks. A loop that does not count may wait.
bool staysIn(Tokens All, size_t At, llvm::ArrayRef<Block> Blocks) {
  const llvm::StringRef Word = All[At].Text;
  const bool InLoop = llvm::is_contained(Blocks, Block::Loop);
  const bool InSwitch = llvm::is_contained(Blocks, Block::Switch);
  if (Word == "for")
    return isAt(All, At + 1, tok::l_paren) &&
           !All[closing(All, At + 1) - 1].is(tok::semi);
  return Word == "switch" ||
         (Word == "do" && isAt(All, At + 1, tok::l_brace)) ||
         (Word == "continue" && InLoop) ||
         (Word == "break" && (InLoop || InSwitch)) ||
         (llvm::is_contained({"case", "default"}, Word) && InSwitch);
}

/// The statement so far, up to a token of it.
struct Before {
  bool InBrackets = false; ///< That token is in some that opened there.
  bool Assigns = false;    ///< To one variable, whose value it is a part of.
  bool Chooses = false;    ///< By `?`.
};

Before statementBefore(Tokens All, size_t At, size_t Begin) {
  Before Result;
  int Depth = 0;
  bool Comma = false;
  for (size_t I = At; I-- > Begin;) {
    const CodeToken &T = All[I];
    if (Depth == 0 &&
        (T.is(tok::l_brace) || (T.is(tok::semi) && !Result.InBrackets) ||
         (T.is(tok::r_brace) && !Result.InBrackets)))
      break;
    Depth -= nesting(T);
    if (Depth < 0) {
      Result.InBrackets = true;
      Depth = 0;
    }
    if (Depth > 0)
      continue;
    Comma |= T.is(tok::comma) && !Result.InBrackets;
    Result.Assigns |= T.assigns() && !Comma;
    Result.Chooses |= T.is(tok::question);
  }
  return Result;
}

} // namespace

bool OptionalCode::isHarmless(Tokens All, size_t Begin, size_t End) {
  if (Begin >= End)
    return true;
  const Tokens Own = All.slice(Begin, End - Begin);
  const auto EndsStatement = [](const CodeToken &T) {
    return T.is(tok::semi) || T.is(tok::r_brace);
  };
  const bool StandsAlone = (Begin == 0 || EndsStatement(All[Begin - 1]) ||
                            All[Begin - 1].is(tok::l_brace)) &&
                           EndsStatement(Own.back()) &&
                           !isWordAt(All, Begin, "else") &&
                           !isWordAt(All, End, "else");
  return StandsAlone && isBalanced(Own) && areHarmlessWords(All, Begin, End);
}

bool OptionalCode::isHarmlessElsewhere(Tokens All, size_t Begin, size_t End) {
  const auto Waits = [](const CodeToken &T) {
    return T.isWord() && isWaitingWord(T.Text);
  };
  for (size_t I = Begin; I < End; ++I) {
    if (KeepsMemory && !isHarmlessWrite(All, I, Begin))
      return false;
    if (!All[I].isWord())
      continue;
    const std::vector<MacroText> Known = Others.definitionsOf(All[I].Text);
    if (Waits(All[I]) || llvm::any_of(Known, [&](const MacroText &Macro) {
          return !Macro.OfSystem && llvm::any_of(Macro.Tokens, Waits);
        }))
      return false;
    if (KeepsMemory && !(Known.empty() ? !isAt(All, I + 1, tok::l_paren) ||
                                             isHarmlessCall(All, I)
                                       : isHarmlessMacro(All, I)))
      return false;
  }
  return true;
}

bool OptionalCode::isHarmlessInHead(Tokens All, size_t Begin, size_t End) {
  const Tokens Own = All.slice(Begin, End - Begin);
  return isBalanced(Own) && !namesAny(Own) &&
         llvm::none_of(Own,
                       [](const CodeToken &T) { return T.is(tok::l_brace); });
}

bool OptionalCode::namesAny(Tokens Own) const {
  return llvm::any_of(Own, [&](const CodeToken &T) {
    return T.isWord() && Names.contains(T.Text);
  });
}

bool OptionalCode::areHarmlessWords(Tokens All, size_t Begin, size_t End) {
  llvm::SmallVector<Block, 8> Blocks;
  for (size_t I = Begin; I < End; ++I) {
    const CodeToken &T = All[I];
    if (KeepsMemory && !isHarmlessWrite(All, I, Begin))
      return false;
    if (T.is(tok::l_brace)) {
      Blocks.push_back(blockAt(All, I));
    } else if (T.is(tok::r_brace) && !Blocks.empty()) {
      if (Blocks.pop_back_val() != Block::Once)
        continue;
      if (!endsOnce(All, I))
        return false;
      I += OnceEnd;
    } else if (T.is(tok::l_square)) {
      // A lambda, or a binding of several names.
      if (I == Begin || !(All[I - 1].isWord() || All[I - 1].is(tok::r_square) ||
                          All[I - 1].is(tok::r_paren)))
        return false;
    } else if (T.isWord() && !staysIn(All, I, Blocks) &&
               !isHarmlessWord(All, I, Begin)) {
      return false;
    }
  }
  return true;
}

bool OptionalCode::isHarmlessWord(Tokens All, size_t At, size_t Begin) {
  const llvm::StringRef Word = All[At].Text;
  if (isHarmfulWord(Word) || (Names.contains(Word) && !isRead(All, At, Begin)))
    return false;
  if (!Others.definitionsOf(Word).empty())
    return isHarmlessMacro(All, At);
  return !isAt(All, At + 1, tok::l_paren) || isHarmlessCall(All, At);
}

bool OptionalCode::isHarmlessMacro(Tokens All, size_t At) {
  const llvm::StringRef Word = All[At].Text;
  if (!Open.insert(Word).second)
    return true;
  const size_t Close =
      isAt(All, At + 1, tok::l_paren) ? closing(All, At + 1) : At;
  const bool IsGivenNames = namesAny(All.slice(At, Close - At));
  const bool Result =
      llvm::all_of(Others.definitionsOf(Word), [&](const MacroText &Macro) {
        if (Macro.OfSystem)
          return true;
        llvm::StringSet<> Inner = Names;
        if (IsGivenNames)
          for (llvm::StringRef Parameter : Macro.Parameters)
            Inner.insert(Parameter);
        OptionalCode Body(Inner, KeepsMemory, Others, Context);
        Body.Open = Open;
        int Depth = 0;
        const bool ReachesOut =
            llvm::any_of(Macro.Tokens, [&](const CodeToken &T) {
              Depth += nesting(T);
              return Depth == 0 && T.isWord() &&
                     llvm::is_contained({"if", "else", "for", "switch"},
                                        T.Text);
            });
        return !ReachesOut && isBalanced(Macro.Tokens) &&
               Body.areHarmlessWords(Macro.Tokens, 0, Macro.Tokens.size());
      });
  Open.erase(Word);
  return Result;
}

bool OptionalCode::isHarmlessCall(Tokens All, size_t At) {
  const IdentifierInfo &Name = Context.Idents.get(All[At].Text);
  if (Name.isKeyword(Context.getLangOpts()) ||
      llvm::is_contained({"printf", "assert", "__launch_bounds__"},
                         All[At].Text))
    return true;
  if (At > 0 && (All[At - 1].is(tok::period) || All[At - 1].is(tok::arrow) ||
                 All[At - 1].is(tok::coloncolon)))
    return false;
  // `float x(1)`
  if (At > 0 && All[At - 1].isWord() && All[At - 1].Text != "else")
    return Context.Idents.get(All[At - 1].Text)
        .isKeyword(Context.getLangOpts());
  const SourceManager &SM = Context.getSourceManager();
  const auto Found = Context.getTranslationUnitDecl()->lookup(&Name);
  const auto ChangesArgument = [&](const ParmVarDecl *Parameter) {
    const QualType Type = Parameter->getType();
    return (Type->isReferenceType() ||
            (KeepsMemory && Type->isPointerType())) &&
           !Type->getPointeeType().isConstQualified();
  };
  return !Found.empty() && llvm::all_of(Found, [&](const NamedDecl *Each) {
    const NamedDecl *D = Each->getUnderlyingDecl();
    if (const auto *Type = dyn_cast<TypedefNameDecl>(D))
      return Type->getUnderlyingType()->isArithmeticType();
    const FunctionDecl *Function = D->getAsFunction();
    return Function &&
           SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())) &&
           llvm::none_of(Function->parameters(), ChangesArgument);
  });
}

/// The name at \p At is only read: it is not declared, nor assigned to, nor is
/// anything bound to it.
bool OptionalCode::isRead(Tokens All, size_t At, size_t Begin) const {
  size_t Behind = At + 1;
  while (Behind < All.size())
    if ((All[Behind].is(tok::period) || All[Behind].is(tok::arrow)) &&
        Behind + 1 < All.size())
      Behind += 2;
    else if (All[Behind].is(tok::l_square))
      Behind = closing(All, Behind) + 1;
    else
      break;
  const tok::TokenKind Next =
      Behind < All.size() ? All[Behind].Kind : tok::semi;
  switch (Next) {
  case tok::r_paren:
  case tok::r_square:
  case tok::r_brace:
  case tok::comma:
  case tok::semi:
  case tok::colon:
  case tok::question:
  case tok::plus:
  case tok::minus:
  case tok::star:
  case tok::slash:
  case tok::percent:
  case tok::amp:
  case tok::ampamp:
  case tok::pipe:
  case tok::pipepipe:
  case tok::caret:
  case tok::less:
  case tok::lessequal:
  case tok::lessless:
  case tok::greater:
  case tok::greaterequal:
  case tok::greatergreater:
  case tok::equalequal:
  case tok::exclaimequal:
    break;
  default:
    return false;
  }
  if (At == Begin)
    return true;
  const CodeToken &Last = All[At - 1];
  const Before Stated = statementBefore(All, At, Begin);
  const bool IsOperand =
      At >= Begin + 2 &&
      (All[At - 2].isWord() || All[At - 2].is(tok::numeric_constant) ||
       All[At - 2].is(tok::r_paren) || All[At - 2].is(tok::r_square));
  switch (Last.Kind) {
  case tok::period:
  case tok::arrow:
  case tok::l_paren:
  case tok::r_paren:
  case tok::l_square:
  case tok::semi:
  case tok::r_brace:
  case tok::hash:
  case tok::plus:
  case tok::minus:
  case tok::slash:
  case tok::percent:
  case tok::exclaim:
  case tok::tilde:
  case tok::question:
  case tok::pipe:
  case tok::pipepipe:
  case tok::caret:
  case tok::less:
  case tok::lessequal:
  case tok::lessless:
  case tok::greaterequal:
  case tok::equalequal:
  case tok::exclaimequal:
    return true;
  case tok::ampamp:
    return IsOperand;
  case tok::greater: // `T<1> name;`
    return Next != tok::semi && Next != tok::comma;
  case tok::comma: // `int i, name;`
    return Stated.InBrackets;
  case tok::star: // `T *name;`
    return Stated.InBrackets || Stated.Assigns;
  case tok::amp:
    return IsOperand && (Stated.InBrackets || Stated.Assigns);
  case tok::colon: // `for (auto &e : name)`
    return Stated.Chooses;
  default:
    // `T &other = name`
    return Last.assigns() &&
           !(At >= Begin + 3 &&
             (All[At - 3].is(tok::amp) || All[At - 3].is(tok::ampamp)));
  }
}

/// The operator at \p At, if it writes, writes a variable by its name.
bool OptionalCode::isHarmlessWrite(Tokens All, size_t At, size_t Begin) const {
  const auto IsPart = [&](size_t Of) {
    return Of >= Begin && Of < All.size() &&
           (All[Of].is(tok::period) || All[Of].is(tok::arrow) ||
            All[Of].is(tok::star) || All[Of].is(tok::amp) ||
            All[Of].is(tok::l_square));
  };
  const CodeToken &T = All[At];
  const bool Steps = T.is(tok::plusplus) || T.is(tok::minusminus);
  if (!Steps && !T.assigns())
    return true;
  if (Steps && isAt(All, At + 1, tok::identifier))
    return !IsPart(At + 2);
  return At > Begin && All[At - 1].isWord() && !IsPart(At - 2);
}

} // namespace barricade::artificial_barrier
