// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-replay/LoopedText.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace barricade::launch_replay {

static llvm::StringRef comparisonName(BinaryOperatorKind Kind) {
  switch (Kind) {
  case BO_LT:
    return "Less";
  case BO_LE:
    return "LessOrEqual";
  case BO_GT:
    return "Greater";
  case BO_GE:
    return "GreaterOrEqual";
  case BO_EQ:
    return "Equal";
  default:
    return "NotEqual";
  }
}

/// As it is written, on one line.
static std::optional<std::string> textOf(const Expr &E,
                                         const SourceText &Source) {
  const auto Range = Source.fileRange(E);
  if (!Range)
    return std::nullopt;
  const std::string Text = Source.text(*Range).str();
  if (Text.find_first_of("\n\r") != std::string::npos ||
      Text.find("//") != std::string::npos)
    return std::nullopt;
  return Text;
}

/// What it is compared with where nothing is said.
static std::string zeroOf(QualType Type) {
  return Type->isBooleanType() ? "false" : "0";
}

/// The type of the number, by its name if that is the language's own: any other
/// may stand for another type in another build. Nothing where it cannot be
/// named before the loop.
static std::optional<std::string> typeOf(const launch_region::ReadLoop &Loop,
                                         const ASTContext &Context) {
  const VarDecl &Number = *Loop.Number;
  const TypeLoc Spelled =
      Number.getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.Bool = true;
  if (Spelled.getAs<BuiltinTypeLoc>() && Spelled.getBeginLoc().isFileID())
    return Number.getType().getUnqualifiedType().getAsString(Policy);
  if (Loop.IsNumberWithin)
    return std::nullopt;
  return "decltype(" + Number.getName().str() + ")";
}

/// \p NewLine: with the loop's indentation.
static std::optional<std::string>
declareLooped(const launch_region::ReadLoop &Loop, const std::string &Object,
              const std::string &NewLine, const SourceText &Source,
              const ASTContext &Context) {
  const auto With = Loop.With ? textOf(*Loop.With, Source)
                              : std::optional(zeroOf(Loop.Number->getType()));
  const auto Type = typeOf(Loop, Context);
  if (!With || !Type)
    return std::nullopt;
  return "barricade::LoopedLaunches " + Object + "(" + NewLine +
         "    barricade::" + (Loop.GoesOnIf ? "while" : "until") + "_read<" +
         *Type + ">(barricade::" + comparisonName(Loop.Comparison).str() +
         "(), " + *With + "));";
}

static std::optional<std::string>
nextIteration(const launch_region::ReadLoop &Loop, const std::string &Object,
              const SourceText &Source) {
  if (!Loop.Counter)
    return Object + ".next();";
  const auto Bound = textOf(*Loop.Bound, Source);
  if (!Bound)
    return std::nullopt;
  return Object + ".next(" + Loop.Counter->getName().str() + ", " + *Bound +
         ");";
}

std::optional<LoopedText> loopedText(const launch_region::ReadLoop &Loop,
                                     SourceLocation Begin,
                                     const std::string &Object,
                                     const SourceText &Source,
                                     const ASTContext &Context) {
  const std::string NewLine =
      Source.lineEnding(Begin).str() + Source.indentation(Begin).str();
  auto Declaration = declareLooped(Loop, Object, NewLine, Source, Context);
  auto Next = nextIteration(Loop, Object, Source);
  if (!Declaration || !Next ||
      !SourceText::isWritable(Loop.Body->getLBracLoc()))
    return std::nullopt;
  return LoopedText{std::move(*Declaration), std::move(*Next)};
}

} // namespace barricade::launch_replay
