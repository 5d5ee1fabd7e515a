// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/ProgramIndex.h"
#include "matchers/source/LeftOutCode.h"
#include "matchers/source/SourcePlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace barricade::program {
namespace {

/// What a claim of another unit means for a function; empty: nothing.
std::string meaningOf(const json::Object &Says) {
  const std::string From = Says.getString("from").value_or("").str();
  const std::string By = From.empty() ? "another file" : "'" + From + "'";
  return StringSwitch<std::string>(Says.getString("is").value_or(""))
      .Case("declaration", "")
      .Case("call", By + " calls it")
      .Case("address", By + " takes its address")
      .Case("definition", "another file defines it, too")
      .Case("use", "another file names what the linker calls the same")
      .Case("assembly", "this names what the linker calls the same")
      .Case("alias", "this is an alias of what the linker calls the same")
      .Case("left-out", "code that another file's build leaves out may use it")
      .Default("another file uses it");
}

/// Adds to \p Notes what \p C, of another unit, means. A damaged one means that
/// the function is used.
void addMeaning(const Claim &C, std::vector<Note> &Notes) {
  const json::Object Says = C.says();
  if (std::string Meaning = meaningOf(Says); !Meaning.empty())
    Notes.push_back({placeOf(Says), std::move(Meaning)});
}

bool hasHash(const Record &File, StringRef Hash) {
  return all_of(File.Claims, [&](const Claim &Each) {
    return Each.says().getString("hash") == Hash;
  });
}

/// Why what \p File says of a file is not so; empty: it is.
std::string whyStaleOf(const Record &File) {
  auto Text = MemoryBuffer::getFile(File.Key, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!Text)
    return "'" + File.Key + "' cannot be read: " + Text.getError().message();
  if (!hasHash(File, hashOf((*Text)->getBuffer())))
    return "'" + File.Key + "' has changed";
  return {};
}

} // namespace

std::string ProgramIndex::whyStale() const {
  std::string Why;
  if (Error E = File.forEach(FileKind, [&](const Record &Each) {
        Why = whyStaleOf(Each);
        return Why.empty();
      }))
    return toString(std::move(E));
  return Why;
}

std::string ProgramIndex::firstMissing(ArrayRef<std::string> Files) const {
  StringSet<> Listed;
  if (Error E = File.forEach(UnitKind, [&](const Record &Unit) {
        for (const Claim &Each : Unit.Claims)
          Listed.insert(Each.says().getString("file").value_or(""));
        return true;
      }))
    consumeError(std::move(E)); // What was not read is missing.
  const auto *Missing = find_if(
      Files, [&](const std::string &Each) { return !Listed.contains(Each); });
  return Missing == Files.end() ? "" : *Missing;
}

bool ProgramIndex::lists(const UnitSummary &Own) const {
  Expected<std::optional<Record>> Found = File.find(UnitKind, Own.Unit);
  if (!Found) {
    consumeError(Found.takeError());
    return false;
  }
  return *Found && (*Found)->Claims.size() == 1 &&
         (*Found)->Claims.front().says("contents", Own.Contents);
}

/// Whether \p C speaks of the word \p Name. Only what is put together from
/// parts need not.
static bool isOfName(const Claim &C, StringRef Name) {
  const json::Object Says = C.says();
  const json::Array *Parts = Says.getArray("parts");
  return !Parts || isMadeOf(Name, [&](StringRef Part) {
    return is_contained(*Parts, json::Value(Part));
  });
}

/// The kinds and keys of all records that may speak of \p Function.
static std::vector<std::pair<StringRef, std::string>>
recordsOf(const ProgramIndex::Asked &Function) {
  std::vector<std::pair<StringRef, std::string>> Result = {
      {FunctionKind, Function.Key},
      {SymbolKind, Function.Symbol},
      {NameKind, Function.Name},
      {NameKind, PastedName.str()},
      {NameKind, AnyName.str()}};
  // What texts name by its beginning.
  for (size_t N = 0; N <= Function.Symbol.size(); ++N)
    Result.push_back(
        {SymbolKind,
         textKey(StringRef(Function.Symbol).take_front(N), /*GoesOn=*/true)});
  return Result;
}

std::vector<Note> ProgramIndex::usesOf(const Asked &Function,
                                       StringRef Unit) const {
  std::vector<Note> Notes;
  for (const auto &[Kind, Key] : recordsOf(Function)) {
    Expected<std::optional<Record>> Found = File.find(Kind, Key);
    if (!Found)
      return {{{}, toString(Found.takeError())}};
    // One way of naming it needs no second word.
    if (!*Found || !Notes.empty())
      continue;
    for (const Claim &Each : (*Found)->Claims)
      if (Each.isOfOthersThan(Unit) && isOfName(Each, Function.Name))
        addMeaning(Each, Notes);
  }
  return Notes;
}

bool ProgramIndex::mayBeReadByOthers(StringRef Path, StringRef Unit) const {
  Expected<std::optional<Record>> Found = File.find(FileKind, Path);
  if (!Found) {
    consumeError(Found.takeError());
    return true;
  }
  return !*Found || any_of((*Found)->Claims, [&](const Claim &Each) {
    return Each.isOfOthersThan(Unit);
  });
}

static Place placeOfFunction(const clang::FunctionDecl &Function) {
  return barricade::placeOf(spelledLocation(Function),
                            Function.getASTContext().getSourceManager());
}

OtherUses IndexedUnits::usesOf(const clang::FunctionDecl &Function) const {
  clang::ASTNameGenerator Names(Function.getASTContext());
  const std::string Symbol = symbolOf(Function, Names);
  const Place Own = placeOfFunction(Function);
  OtherUses Result;
  if (Symbol.empty())
    return Result;
  const clang::IdentifierInfo *Name = Function.getIdentifier();
  Result.Known = Index.usesOf(
      {keyOf(Function, Unit), Symbol, Name ? Name->getName().str() : ""}, Unit);
  // The same text may be another function there, or be left out.
  if (Result.Known.empty() && Index.mayBeReadByOthers(Own.File, Unit))
    Result.Known.push_back({Own, "another file includes this one"});
  for (Note &Each : Result.Known)
    if (Each.Where.File.empty())
      Each.Where = Own;
  if (!Result.Known.empty())
    return Result;
  Result.AreNone = IsWorldClosed;
  if (!IsWorldClosed)
    Result.Known.push_back(
        {Own,
         "no other file of the index uses this; --closed-world says that the "
         "index is all there is"});
  return Result;
}

OtherUses UnknownUnits::usesOf(const clang::FunctionDecl &Function) const {
  return {/*AreNone=*/false, {{placeOfFunction(Function), Why}}};
}

} // namespace barricade::program
