// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/WriteFiles.h"
#include "Support.h"
#include "gmock/gmock.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string message(llvm::Error E) { return llvm::toString(std::move(E)); }

TEST(ReplaceFile, ReplacesAndLeavesNothingElse) {
  TemporaryFolder Folder;
  std::string File = Folder.write("a.cu", "old");
  EXPECT_EQ(message(replaceFile(File, "old", "new")), "");
  EXPECT_EQ(readFile(File), "new");
  EXPECT_THAT(Folder.entries(), ElementsAre("a.cu"));
}

TEST(ReplaceFile, KeepsPermissions) {
  TemporaryFolder Folder;
  std::string File = Folder.write("a.cu", "old");
  for (mode_t Mode : {0600, 0640, 0755, 0666}) {
    ASSERT_EQ(chmod(File.c_str(), Mode), 0);
    ASSERT_EQ(message(replaceFile(File, readFile(File), "new")), "");
    struct stat Status;
    ASSERT_EQ(stat(File.c_str(), &Status), 0);
    EXPECT_EQ(Status.st_mode & 0777, Mode);
  }
}

TEST(ReplaceFile, WritesThroughLinks) {
  TemporaryFolder Folder;
  std::string Target = Folder.write("sub/target.cu", "old");
  std::string Link = Folder / "link.cu", Second = Folder / "second.cu";
  ASSERT_EQ(symlink("sub/target.cu", Link.c_str()), 0);
  ASSERT_EQ(symlink("link.cu", Second.c_str()), 0);
  EXPECT_EQ(message(replaceFile(Second, "old", "new")), "");
  EXPECT_EQ(readFile(Target), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(Link));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(Second));
}

TEST(ReplaceFile, IsAtomic) {
  TemporaryFolder Folder;
  std::string File = Folder.write("a.cu", "old");
  // Who has the file open sees its old content to the end: the new content is
  // another file that took its name.
  auto Open = llvm::sys::fs::openNativeFileForRead(File);
  ASSERT_TRUE(bool(Open));
  ASSERT_EQ(message(replaceFile(File, "old", "new")), "");
  char Buffer[8];
  auto Size = llvm::sys::fs::readNativeFile(*Open, Buffer);
  ASSERT_TRUE(bool(Size));
  EXPECT_EQ(llvm::StringRef(Buffer, *Size), "old");
  llvm::sys::fs::closeFile(*Open);
}

TEST(ReplaceFile, RefusesWhatChangedMeanwhile) {
  TemporaryFolder Folder;
  std::string File = Folder.write("a.cu", "edited by hand");
  EXPECT_THAT(message(replaceFile(File, "old", "new")),
              HasSubstr("changed while barricade ran; not written"));
  EXPECT_EQ(readFile(File), "edited by hand");
}

TEST(ReplaceFile, RefusesReadOnlyFiles) {
  TemporaryFolder Folder;
  std::string File = Folder.write("a.cu", "old");
  ASSERT_EQ(chmod(File.c_str(), 0444), 0);
  EXPECT_THAT(message(replaceFile(File, "old", "new")),
              HasSubstr("a.cu': Permission denied"));
  EXPECT_EQ(readFile(File), "old");
}

TEST(ReplaceFile, RefusesMissingFiles) {
  TemporaryFolder Folder;
  EXPECT_THAT(message(replaceFile(Folder / "a.cu", "old", "new")),
              HasSubstr("No such file"));
  EXPECT_THAT(Folder.entries(), ElementsAre());
}

/// Lets no file grow beyond some bytes, as a full disk would.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t Bytes) {
    OldHandler = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &Old);
    rlimit New = Old;
    New.rlim_cur = Bytes;
    setrlimit(RLIMIT_FSIZE, &New);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &Old);
    std::signal(SIGXFSZ, OldHandler);
  }

private:
  rlimit Old;
  void (*OldHandler)(int);
};

TEST(ReplaceFile, KeepsTheOldContentWhereTheNewDoesNotFit) {
  TemporaryFolder Folder;
  std::string File = Folder.write("a.cu", "old");
  std::string Failure;
  {
    FileSizeLimit Limit(1000);
    Failure = message(replaceFile(File, "old", std::string(5000, 'x')));
  }
  EXPECT_THAT(Failure, HasSubstr("a.cu': File too large"));
  EXPECT_EQ(readFile(File), "old");
  EXPECT_THAT(Folder.entries(), ElementsAre("a.cu"));
}

TEST(WriteNewFile, CreatesFolders) {
  TemporaryFolder Folder;
  std::string File = Folder / "x/y/a.cu";
  EXPECT_EQ(message(writeNewFile(File, "text")), "");
  EXPECT_EQ(readFile(File), "text");
  EXPECT_EQ(message(writeNewFile(File, "again")), "");
  EXPECT_EQ(readFile(File), "again");
}

TEST(WriteNewFile, SaysWhatIsInTheWay) {
  TemporaryFolder Folder;
  std::string File = Folder.write("x", "a file");
  EXPECT_THAT(message(writeNewFile(Folder / "x/a.cu", "text")),
              HasSubstr("x/a.cu': Not a directory"));
}

TEST(WriteReport, ReplacesFilesAtOnce) {
  TemporaryFolder Folder;
  std::string File = Folder.write("r.json", "old");
  EXPECT_EQ(message(writeReport(File, "new")), "");
  EXPECT_EQ(readFile(File), "new");
  EXPECT_THAT(Folder.entries(), ElementsAre("r.json"));
  EXPECT_THAT(message(writeReport(Folder / "no/r.json", "new")),
              HasSubstr("No such file"));
}

TEST(WriteReport, WritesIntoPipesInstead) {
  TemporaryFolder Folder;
  std::string Pipe = Folder / "pipe";
  ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  int Reader = open(Pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(Reader, 0);
  EXPECT_EQ(message(writeReport(Pipe, "text")), "");
  char Buffer[8];
  EXPECT_EQ(read(Reader, Buffer, sizeof Buffer), 4);
  close(Reader);
  EXPECT_THAT(Folder.entries(), ElementsAre("pipe"));
}

Report reportOf(const std::string &File, llvm::StringRef Text,
                std::vector<Edit> Edits) {
  Report R;
  R.Texts.add(File, Text);
  R.Findings = {makeFinding(Verdict::Rewrite, File, 0, std::move(Edits))};
  return R;
}

TEST(WriteByParts, LeavesWhatIsThereWhereThePartsFail) {
  TemporaryFolder Folder;
  const std::string File = Folder.write("a.index", "old");
  EXPECT_EQ(message(writeByParts(File,
                                 [](llvm::raw_ostream &OS) {
                                   OS << "half";
                                   return llvm::createStringError("no more");
                                 })),
            "no more");
  EXPECT_EQ(readFile(File), "old");
  EXPECT_THAT(Folder.entries(), ElementsAre("a.index"));
  EXPECT_EQ(message(writeByParts(File,
                                 [](llvm::raw_ostream &OS) {
                                   OS << "whole";
                                   return llvm::Error::success();
                                 })),
            "");
  EXPECT_EQ(readFile(File), "whole");
  EXPECT_THAT(message(writeByParts(
                  Folder / "none/a",
                  [](llvm::raw_ostream &) { return llvm::Error::success(); })),
              HasSubstr("cannot write"));
}

TEST(ChangedFiles, MakesTheEditsThatApply) {
  Report R = reportOf("/a.cu", "ab", {{"/a.cu", 1, 0, "-"}});
  R.Findings.push_back(makeFinding(Verdict::NotProfitable, "/a.cu", 1,
                                   {{"/a.cu", 0, 0, "never"}}));
  auto Files =
      changedFiles(R, [](llvm::Error E) { FAIL() << message(std::move(E)); });
  ASSERT_EQ(Files.size(), 1u);
  EXPECT_EQ(Files[0].Old, "ab");
  EXPECT_EQ(Files[0].New, "a-b");
}

TEST(ChangedFiles, LeavesOutWhatChangedDuringTheRun) {
  Report R = reportOf("/a.cu", "ab", {{"/a.cu", 1, 0, "-"}});
  R.Texts.add("/a.cu", "abc");
  R.Texts.add("/b.cu", "b");
  R.Findings.push_back(
      makeFinding(Verdict::Rewrite, "/b.cu", 0, {{"/b.cu", 0, 0, "a"}}));
  std::string Failures;
  auto Files = changedFiles(
      R, [&](llvm::Error E) { Failures += message(std::move(E)); });
  EXPECT_THAT(Failures, HasSubstr("'/a.cu' changed while barricade ran"));
  ASSERT_EQ(Files.size(), 1u);
  EXPECT_EQ(Files[0].Path, "/b.cu");
}

TEST(OutputPaths, MirrorPathsBelowTheWorkingDirectory) {
  TemporaryFolder Folder;
  llvm::SmallString<128> Before;
  llvm::sys::fs::current_path(Before);
  llvm::sys::fs::set_current_path(Folder.path());
  auto Paths = outputPaths(
      "out", {{Folder / "src/a.cu", "", ""}, {"/elsewhere/b.cu", "", ""}});
  llvm::sys::fs::set_current_path(Before);
  ASSERT_TRUE(bool(Paths));
  EXPECT_THAT(*Paths, ElementsAre("out/src/a.cu", "out/b.cu"));
}

TEST(OutputPaths, DoNotMeet) {
  auto Paths =
      outputPaths("out", {{"/one/a.cu", "", ""}, {"/two/a.cu", "", ""}});
  ASSERT_FALSE(bool(Paths));
  EXPECT_EQ(message(Paths.takeError()),
            "'/one/a.cu' and '/two/a.cu' would both be written to 'out/a.cu'");
}

} // namespace
