// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/DeclaredNames.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/OperatorKinds.h"

using namespace clang;

namespace barricade {

/// What stands before a name where it is used, and never where it is declared.
static bool mayPrecedeDeclared(const Token &T) {
  if (T.is(tok::raw_identifier))
    return !llvm::is_contained({"return", "else", "do", "case", "goto", "ifdef",
                                "ifndef", "defined", "co_return", "co_yield"},
                               T.getRawIdentifier());
  return T.isOneOf(tok::greater, tok::greatergreater, tok::star, tok::amp,
                   tok::ampamp, tok::coloncolon, tok::r_paren, tok::r_square);
}

/// What stands behind a name, or behind `operator`, where \p D is declared.
static bool mayFollowDeclared(const Token &T, const NamedDecl &D) {
  if (D.getDeclName().getNameKind() == DeclarationName::CXXLiteralOperatorName)
    return tok::isStringLiteral(T.getKind());
  const auto *Function = D.getAsFunction();
  if (Function && Function->isOverloadedOperator()) {
    const char *Spelled = tok::getPunctuatorSpelling(T.getKind());
    return !Spelled || llvm::StringRef(getOperatorSpelling(
                                           Function->getOverloadedOperator()))
                           .starts_with(Spelled);
  }
  // `kernel<<<...>>>` launches, `Type name` and `Type *` use a type.
  if (T.is(tok::raw_identifier))
    return T.getRawIdentifier() == "final";
  return !T.isOneOf(tok::lesslessless, tok::lessless, tok::star, tok::amp,
                    tok::ampamp, tok::greater, tok::coloncolon);
}

DeclaredNames::DeclaredNames(const NamedDecl &D,
                             llvm::ArrayRef<llvm::StringRef> Names,
                             llvm::function_ref<bool(llvm::StringRef)> IsMacro)
    : D(D), Names(Names), IsMacro(IsMacro) {
  Before.startToken();
  BeforeLast.startToken();
  BeforeDirective.startToken();
  Candidate.startToken();
  BeforeQualified.startToken();
}

void DeclaredNames::add(const Token &T) {
  passDirectives(T);
  // `void (name)(...)`: not before what stands behind the parenthesis.
  const bool IsEnclosed = Found == Enclosed && T.is(tok::r_paren);
  Found = IsEnclosed ? EnclosedAll : isName(T) ? shapeHere() : Nothing;
  if (!IsEnclosed)
    Candidate = T;
  FollowsQualifier = Before.is(tok::coloncolon);
  if (InDirective == 0)
    followStatement(T);
  followQualifiers(T);
  if (T.is(tok::l_paren))
    Open.push_back(opensParameters(T) ? Parenthesis::OfCode
                                      : parenthesisBehind(Before));
  else if (T.is(tok::r_paren) && !Open.empty())
    Closed = Open.pop_back_val();
  followExpression(T);
  if (T.isOneOf(tok::star, tok::amp, tok::ampamp) && Before.is(tok::l_paren))
    ClosesPointer = Open.size() == 1 && mayPrecedeDeclared(BeforeLast);
  else if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
    ClosesPointer = false;
  BeforeLast = Before;
  Before = T;
  if (isMacroDefined())
    Before.startToken();
}

DeclaredNames::Parenthesis
DeclaredNames::parenthesisBehind(const Token &T) const {
  if (T.isNot(tok::raw_identifier))
    return Parenthesis::OfCode;
  const llvm::StringRef Word = T.getRawIdentifier();
  if (llvm::is_contained({"if", "for", "while", "switch", "return"}, Word))
    return Parenthesis::OfCode;
  return IsMacro(Word) ? Parenthesis::OfMacro : Parenthesis::OfName;
}

void DeclaredNames::passDirectives(const Token &T) {
  if (T.isAtStartOfLine()) {
    if (InDirective > 0)
      Before = BeforeDirective;
    if (InDirective > 0 || T.is(tok::hash))
      ValueDepth = 0;
    InDirective = T.is(tok::hash);
    BeforeDirective = Before;
  } else if (InDirective > 0 && ++InDirective == 2) {
    IsDefinition =
        T.is(tok::raw_identifier) && T.getRawIdentifier() == "define";
  }
}

void DeclaredNames::followStatement(const Token &T) {
  if (T.is(tok::l_brace)) {
    // `type other = {...}, name;`, `type other{...}, name;`
    const bool GoesOn =
        Before.isOneOf(tok::equal, tok::raw_identifier, tok::r_square);
    Around.push_back({Opens, GoesOn ? Says : Unknown});
    begin(Unknown);
  } else if (T.is(tok::r_brace)) {
    const auto [What, Was] = Around.empty() ? std::pair(Braces::Other, Unknown)
                                            : Around.pop_back_val();
    Ended = What;
    begin(Was);
  } else if (T.is(tok::semi)) {
    begin(Unknown);
  } else if (T.is(tok::l_paren) && Open.empty() && !isAttribute(Before)) {
    // A function's or a call's, and behind them no class's; but of
    // `type (*other)(...), name(...);` a declarator's.
    Opens = Braces::Other;
    if (Before.is(tok::r_paren) && ClosesPointer)
      Says = Declares;
    else if (Says == Unknown)
      Says = Computes;
  } else if (T.isOneOf(tok::equal, tok::question, tok::period, tok::arrow)) {
    Opens = Braces::Other;
    if (Says == Unknown)
      Says = Computes;
  } else if (T.is(tok::raw_identifier)) {
    followWord(T.getRawIdentifier());
  }
  if (T.is(tok::l_square))
    InBinding = isAuto(Before) ||
                (Before.isOneOf(tok::amp, tok::ampamp) && isAuto(BeforeLast));
  else if (T.is(tok::r_square))
    InBinding = false;
}

void DeclaredNames::followWord(llvm::StringRef Word) {
  if (Word == "enum")
    Opens = Braces::OfEnum;
  else if (Opens != Braces::OfEnum &&
           llvm::is_contained({"struct", "class", "union"}, Word))
    Opens = Braces::OfClass;
  if (Says == Unknown && Open.empty() && followsType())
    Says = Declares;
}

void DeclaredNames::followExpression(const Token &T) {
  const bool IsWord = T.is(tok::raw_identifier);
  const size_t Depth = Open.size() + 1;
  if (T.is(tok::equal) ||
      (IsWord && llvm::is_contained({"return", "throw"}, T.getRawIdentifier())))
    ValueDepth = Depth;
  else if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::greater,
                     tok::greatergreater) ||
           (T.is(tok::comma) && Depth <= ValueDepth) || Depth < ValueDepth)
    ValueDepth = 0; // `template <int I = 1>` as well.
}

void DeclaredNames::followQualifiers(const Token &T) {
  const bool IsWord = T.is(tok::raw_identifier);
  if (IsWord ? Before.isNot(tok::coloncolon)
             : T.is(tok::coloncolon) && Before.isNot(tok::raw_identifier))
    BeforeQualified = Before;
  if (IsWord && T.getRawIdentifier() == "using")
    InUsing = true;
  else if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
    InUsing = false;
}

/// What stands here is a part of a value: declared there, it is known there
/// alone.
bool DeclaredNames::isOfValue() const {
  if (InUsing)
    return false;
  const bool IsOfMacro = !Open.empty() && Open.back() == Parenthesis::OfMacro;
  if (Before.is(tok::coloncolon) && !IsOfMacro &&
      !mayPrecedeDeclared(BeforeQualified))
    return true;
  const Token &First = Before.is(tok::coloncolon) ? BeforeQualified : Before;
  return ValueDepth > 0 && First.isOneOf(tok::star, tok::amp, tok::ampamp);
}

bool DeclaredNames::followsType() const {
  if (Before.is(tok::r_brace))
    return Ended != Braces::Other;
  const Token &Last =
      Before.isOneOf(tok::star, tok::amp, tok::ampamp) ? BeforeLast : Before;
  return Last.isOneOf(tok::raw_identifier, tok::greater) &&
         mayPrecedeDeclared(Last);
}

DeclaredNames::Shape DeclaredNames::shapeHere() const {
  // `if (debug) name();`
  if (Before.is(tok::r_paren) && Closed == Parenthesis::OfCode)
    return Nothing;
  if (isOfValue())
    return Nothing;
  if (mayPrecedeDeclared(Before))
    return Declarator;
  if (Before.is(tok::r_brace))
    return Ended != Braces::Other ? Declarator : Nothing;
  if (InBinding)
    return Bound;
  if (Before.isOneOf(tok::l_paren, tok::comma) && !Open.empty() &&
      Open.back() == Parenthesis::OfMacro)
    return Argument;
  if (Before.is(tok::l_paren) && !Open.empty() &&
      Open.back() == Parenthesis::OfName && mayPrecedeDeclared(BeforeLast))
    return Enclosed;
  if (!Before.isOneOf(tok::l_brace, tok::comma) || !Open.empty())
    return Nothing;
  if (Before.is(tok::comma) && Says == Declares)
    return OneOfMore;
  // A function's name is a value in `{ name }`.
  return !D.getAsFunction() ||
                 (!Around.empty() && Around.back().first == Braces::OfEnum)
             ? Listed
             : Nothing;
}

bool DeclaredNames::isAttribute(const Token &T) {
  return T.is(tok::raw_identifier) &&
         llvm::is_contained({"__attribute__", "__attribute", "__declspec",
                             "alignas", "__align__", "asm", "__asm__", "__asm"},
                            T.getRawIdentifier());
}

bool DeclaredNames::isAttributeOfName(const Token &T) const {
  return T.is(tok::raw_identifier) && !T.isAtStartOfLine() &&
         (D.getAsFunction() || isa<VarDecl>(D)) &&
         (isAttribute(T) || IsMacro(T.getRawIdentifier()));
}

bool DeclaredNames::mayFollow(const Token &T) const {
  switch (Found) {
  case Declarator:
  case OneOfMore:
    return mayFollowDeclared(T, D) || isAttributeOfName(T);
  case Argument:
    return T.isOneOf(tok::comma, tok::r_paren);
  case Listed:
    return T.isOneOf(tok::equal, tok::comma, tok::r_brace);
  case Bound:
    return T.isOneOf(tok::comma, tok::r_square);
  case EnclosedAll:
    return T.is(tok::l_paren);
  default:
    return false;
  }
}

} // namespace barricade
