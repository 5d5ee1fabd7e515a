//===- NvccOptionsTest.cpp - One case per option of nvcc ------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs every row of nvcc_options.tsv in each spelling that nvcc takes.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "frontend/CommandLine.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/LineIterator.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace barricade;
using namespace barricade::test;

namespace {

struct Row {
  std::string Long, Short, Value, Expected;
};

std::vector<Row> loadRows() {
  std::vector<Row> Rows;
  auto Buffer = MemoryBuffer::getFile("nvcc_options.tsv");
  if (!Buffer)
    return Rows;
  for (line_iterator Line(**Buffer, /*SkipBlanks=*/true, '#');
       !Line.is_at_end(); ++Line) {
    SmallVector<StringRef, 4> Cells;
    Line->split(Cells, '\t');
    for (StringRef &Cell : Cells)
      if (Cell == "-")
        Cell = "";
    Rows.push_back(
        {Cells[0].str(), Cells[1].str(), Cells[2].str(), Cells[3].str()});
  }
  return Rows;
}

/// The ways to write the row's option on a command line.
std::vector<std::vector<std::string>> spellings(const Row &R) {
  std::vector<std::vector<std::string>> Result;
  for (const std::string &Name : {R.Long, R.Short}) {
    if (Name.empty())
      continue;
    if (R.Value.empty()) {
      Result.push_back({Name});
      continue;
    }
    Result.push_back({Name, R.Value});
    Result.push_back({Name + "=" + R.Value});
  }
  static const std::set<std::string> Joined = {"-D", "-U", "-I", "-L",
                                               "-l", "-O", "-t"};
  if (Joined.count(R.Short))
    Result.push_back({R.Short + R.Value});
  return Result;
}

class NvccOption : public testing::TestWithParam<Row> {};

TEST_P(NvccOption, TranslatesInEverySpelling) {
  TranslateOptions Options = optionsFor(machine());
  for (std::vector<std::string> Words : spellings(GetParam())) {
    std::string Shown = join(Words, " ");
    Words.insert(Words.begin(), "/cuda/bin/nvcc");
    EXPECT_EQ(translate(Words, Options), GetParam().Expected) << Shown;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, NvccOption, testing::ValuesIn(loadRows()),
                         [](const testing::TestParamInfo<Row> &Info) {
                           std::string Name;
                           const Row &R = Info.param;
                           for (char C : R.Long.empty() ? R.Short : R.Long)
                             Name += isAlnum(C) ? C : '_';
                           return StringRef(Name).ltrim('_').str();
                         });

/// The option table and the test's table hold the same options.
TEST(NvccOptions, TableIsCovered) {
  std::set<std::string> Tested, Known;
  for (const Row &R : loadRows())
    for (const std::string &Name : {R.Long, R.Short})
      if (!Name.empty())
        Tested.insert(Name);
  const opt::OptTable &Table = nvccOptTable();
  for (unsigned ID = 1; ID <= Table.getNumOptions(); ++ID) {
    opt::Option O = Table.getOption(ID);
    if (O.getKind() == opt::Option::GroupClass ||
        O.getKind() == opt::Option::InputClass ||
        O.getKind() == opt::Option::UnknownClass)
      continue;
    StringRef Name = O.getPrefixedName();
    Known.insert(Name.rtrim('=').str());
  }
  EXPECT_EQ(Tested, Known);
  EXPECT_EQ(loadRows().size(), 146u);
}

} // namespace
