// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Link.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include <map>
#include <random>

using namespace barricade::program;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

RecordFile file(const std::string &Text) {
  return cantFail(
      RecordFile::read(llvm::MemoryBuffer::getMemBufferCopy(Text, "some")));
}

std::string fileOf(const std::map<std::string, Record> &Records) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  RecordWriter Writer(OS);
  for (const auto &[Key, R] : Records)
    Writer.add(R);
  Writer.finish();
  return Text;
}

struct Linked {
  std::string Text, Error;
  std::vector<DefinitionConflict> Conflicts;
};

Linked linked(const std::vector<std::string> &Texts) {
  Linked Result;
  std::vector<RecordFile> Files;
  for (const std::string &Each : Texts)
    Files.push_back(file(Each));
  llvm::raw_string_ostream OS(Result.Text);
  if (llvm::Error E = link(Files, OS, [&](const DefinitionConflict &C) {
        Result.Conflicts.push_back(C);
      }))
    Result.Error = toString(std::move(E));
  return Result;
}

/// A unit that calls functions of the program and defines its own.
std::string someUnit(unsigned Number) {
  const std::string Unit = "unit" + std::to_string(Number);
  std::map<std::string, Record> Records;
  std::minstd_rand Random(Number);
  for (int I = 0; I < 8; ++I) {
    const std::string Key = "f" + std::to_string(Random() % 12);
    Record &R =
        Records.try_emplace(Key, Record{"function", Key, {}}).first->second;
    R.add(Claim(llvm::json::Object{{"is", "call"}, {"line", Random() % 3}},
                {Unit}));
  }
  Record Own{"unit", Unit, {}};
  Own.add(Claim(llvm::json::Object{{"contents", Unit}, {"file", Unit}}));
  Records.try_emplace("z", Own);
  return fileOf(Records);
}

TEST(Link, DoesNotDependOnOrderOrGrouping) {
  std::vector<std::string> Units;
  for (unsigned I = 0; I < 9; ++I)
    Units.push_back(someUnit(I));
  const std::string Whole = linked(Units).Text;
  std::minstd_rand Random(1);
  for (int Round = 0; Round < 50; ++Round) {
    std::vector<std::string> Parts = Units;
    std::shuffle(Parts.begin(), Parts.end(), Random);
    // Links some of them before, and takes one of those twice.
    const size_t First = 1 + Random() % 8;
    const std::string Part =
        linked({Parts.begin(), Parts.begin() + First}).Text;
    Parts.erase(Parts.begin() + 1, Parts.begin() + First);
    Parts.push_back(Part);
    EXPECT_EQ(linked(Parts).Text, Whole);
  }
}

TEST(Link, OfNothingIsEmpty) {
  EXPECT_THAT(linked({}).Text,
              StartsWith("{\"barricade-index\":2}\n{\"crc32\":"));
  EXPECT_EQ(linked({linked({}).Text}).Text, linked({}).Text);
}

TEST(Link, RefusesAUnitWithTwoContents) {
  std::map<std::string, Record> A, B;
  for (auto [Records, Contents] : {std::pair(&A, "1"), std::pair(&B, "2")}) {
    Record Own{"unit", "u", {}};
    Own.add(
        Claim(llvm::json::Object{{"contents", Contents}, {"file", "a.cu"}}));
    Records->try_emplace("u", Own);
  }
  EXPECT_THAT(linked({fileOf(A), fileOf(B)}).Error,
              HasSubstr("'a.cu' was indexed with different contents"));
  EXPECT_EQ(linked({fileOf(A), fileOf(A)}).Text, fileOf(A));
}

struct Definition {
  const char *Unit, *Linkage, *Hash;
  bool IsRelocatable = true;
  const char *Role = "device";
  int Sm = 90;
  int Line = 1;
};

Record defined(std::initializer_list<Definition> All) {
  Record R{"function", "f", {}};
  for (const Definition &D : All)
    R.add(Claim(llvm::json::Object{{"is", "definition"},
                                   {"linkage", D.Linkage},
                                   {"hash", D.Hash},
                                   {"rdc", D.IsRelocatable},
                                   {"role", D.Role},
                                   {"sm", D.Sm},
                                   {"line", D.Line}},
                {D.Unit}));
  return R;
}

TEST(Link, FindsTwoStrongDefinitions) {
  const Record Two = defined({{"a", "external", "1"}, {"b", "external", "1"}});
  ASSERT_TRUE(conflictIn(Two));
  EXPECT_TRUE(conflictIn(Two)->AreBothStrong);
  EXPECT_TRUE(conflictIn(
      defined({{"a", "external", "1"},
               {"b", "external", "2", true, "device", 90, /*Line=*/2}})));
  EXPECT_TRUE(conflictIn(
      defined({{"a", "external", "1", false, "kernel"},
               {"b", "external", "1", false, "kernel", 90, /*Line=*/2}})));
}

TEST(Link, FindsDefinitionsOfDifferentTexts) {
  const Record Two = defined({{"a", "inline", "1"}, {"b", "inline", "2"}});
  ASSERT_TRUE(conflictIn(Two));
  EXPECT_FALSE(conflictIn(Two)->AreBothStrong);
}

TEST(Link, LetsBeWhatAProgramMayHave) {
  // One text in many units, each unit's own, other texts for other GPUs,
  // device code that no linker sees.
  for (const Record &R :
       {defined({{"a", "inline", "1"}, {"b", "inline", "1"}}),
        defined({{"a", "internal", "1"}, {"b", "internal", "2"}}),
        defined({{"a", "inline", "1"},
                 {"b", "inline", "2", true, "device", /*Sm=*/80}}),
        defined({{"a", "external", "1"},
                 {"a", "external", "2", true, "device", /*Sm=*/80}}),
        defined({{"a", "external", "1", false},
                 {"b", "external", "2", false, "device", 90, /*Line=*/2}})})
    EXPECT_FALSE(conflictIn(R));
}

TEST(RecordFile, FindsRecordsByKey) {
  std::map<std::string, Record> Records;
  for (int I = 0; I < 100; I += 2) {
    const std::string Key = "f" + std::to_string(100 + I);
    Record R{I < 50 ? "function" : "symbol", Key, {}};
    R.add(Claim(llvm::json::Object{{"line", I}}, {"u"}));
    Records.try_emplace(R.Kind + Key, R);
  }
  const RecordFile File = file(fileOf(Records));
  for (int I = 0; I < 100; ++I) {
    const std::string Key = "f" + std::to_string(100 + I);
    const auto Found = cantFail(File.find(I < 50 ? "function" : "symbol", Key));
    EXPECT_EQ(Found.has_value(), I % 2 == 0) << Key;
    EXPECT_FALSE(cantFail(File.find(I < 50 ? "symbol" : "function", Key)));
  }
  int Count = 0;
  cantFail(
      File.forEach("function", [&](const Record &) { return ++Count > 0; }));
  EXPECT_EQ(Count, 25);
  cantFail(File.forEach("unit", [&](const Record &) { return ++Count > 0; }));
  EXPECT_EQ(Count, 25);
}

TEST(RecordFile, NoticesEveryChange) {
  const std::string Whole = someUnit(3);
  for (size_t Offset = 0; Offset < Whole.size(); ++Offset) {
    std::string Changed = Whole;
    Changed[Offset] ^= 1;
    auto Read = RecordFile::read(
        llvm::MemoryBuffer::getMemBufferCopy(Changed, "changed"));
    EXPECT_FALSE(bool(Read)) << Offset;
    if (!Read)
      consumeError(Read.takeError());
  }
}

TEST(RecordFile, IsReadInOrder) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  RecordWriter Writer(OS);
  for (const char *Key : {"b", "a"}) {
    Record R{"function", Key, {}};
    R.add(Claim(llvm::json::Object{{"is", "call"}}, {"u"}));
    Writer.add(R);
  }
  Writer.finish();
  EXPECT_THAT(linked({Text}).Error, HasSubstr("its records are in disorder"));
}

// Wherever a file is cut, it is no summary any more.
TEST(RecordFile, NoticesEveryCut) {
  const std::string Whole = someUnit(3);
  for (size_t Size = 0; Size < Whole.size(); ++Size) {
    auto Cut = RecordFile::read(
        llvm::MemoryBuffer::getMemBufferCopy(Whole.substr(0, Size), "cut"));
    EXPECT_FALSE(bool(Cut)) << Size;
    if (!Cut)
      consumeError(Cut.takeError());
  }
}

} // namespace
