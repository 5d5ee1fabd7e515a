//===- CommandLine.cpp - How nvcc reads its command line ------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/CommandLine.h"
#include "frontend/NvccOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace barricade;

//===--- The compiler behind its launchers --------------------------------===//

/// The program's name without folder, ".exe" and version suffix.
static StringRef programName(StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  Name.consume_back(".exe");
  return Name.rtrim("0123456789.").rtrim('-');
}

static bool isLauncher(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"ccache", "sccache", "distcc", "icecc", "colorgcc"}, true)
      .Cases({"nice", "time", "env"}, true)
      .Default(false);
}

static bool isAssignment(StringRef Word) {
  static const Regex Assignment("^[A-Za-z_][A-Za-z_0-9]*=");
  return Assignment.match(Word);
}

/// Drops one launcher with its own options from the front of \p Words. CMake
/// launches with `cmake -E __run_co_compile --launcher=... -- compiler ...` and
/// `cmake -E env VAR=value compiler ...`.
static bool dropLauncher(ArrayRef<std::string> &Words) {
  StringRef Name = programName(Words.front());
  if (Name == "cmake" && Words.size() > 3 && Words[1] == "-E") {
    const std::string *Dashes = find(Words, "--");
    if (Words[2] == "__run_co_compile" && Dashes != Words.end())
      Words = Words.drop_front(Dashes - Words.begin() + 1);
    else
      Words = Words.drop_front(3);
  } else if (isLauncher(Name)) {
    Words = Words.drop_front();
  } else {
    return false;
  }
  while (!Words.empty() && (isAssignment(Words.front()) ||
                            StringRef(Words.front()).starts_with("-")))
    Words = Words.drop_front();
  return true;
}

std::string barricade::absolutePath(StringRef Directory, StringRef Path) {
  SmallString<128> Full(Path);
  sys::path::make_absolute(Directory, Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return std::string(Full);
}

Expected<CompilerCommand>
barricade::findCompiler(ArrayRef<std::string> CommandLine) {
  ArrayRef<std::string> Words = CommandLine;
  while (!Words.empty() && dropLauncher(Words))
    ;
  if (Words.empty())
    return createStringError("the command line names no compiler");

  CompilerCommand Result;
  Result.Program = Words.front();
  Result.Args = Words.drop_front();
  StringRef Name = programName(Result.Program);
  Result.MixesHostOptions = Name == "nvcc_wrapper";
  if (Name == "nvcc" || Result.MixesHostOptions)
    Result.Kind = CompilerKind::Nvcc;
  else if (Name == "clang" || Name == "clang++" || Name.ends_with("-clang") ||
           Name.ends_with("-clang++"))
    Result.Kind = CompilerKind::Clang;
  else
    Result.Kind = CompilerKind::Host;
  return Result;
}

//===--- Lists and quotes -------------------------------------------------===//

std::vector<std::string> barricade::splitList(StringRef Value, ListOf Kind) {
  std::vector<std::string> Items(1);
  bool Quoted = false;
  for (size_t I = 0; I != Value.size(); ++I) {
    char C = Value[I];
    if (C == '\\' && Kind == ListOf::Text && I + 1 != Value.size()) {
      Items.back() += Value[++I];
    } else if (C == ',' && !Quoted) {
      Items.emplace_back();
    } else if (C == '"') {
      Quoted = !Quoted;
      if (Kind == ListOf::Text)
        Items.back() += C;
    } else {
      Items.back() += C;
    }
  }
  erase_if(Items, [](const std::string &Item) { return Item.empty(); });
  return Items;
}

static std::vector<std::string> shellWords(StringRef Text) {
  BumpPtrAllocator Alloc;
  StringSaver Saver(Alloc);
  SmallVector<const char *, 16> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

std::vector<std::string> barricade::splitHostOptions(StringRef Value) {
  return shellWords(join(splitList(Value, ListOf::Text), " "));
}

std::vector<std::string> barricade::splitFlagsVariable(StringRef Value) {
  std::vector<std::string> Words;
  bool Quoted = false, InWord = false;
  for (char C : Value) {
    if (C == '"')
      Quoted = !Quoted;
    if (isSpace(C) && !Quoted) {
      InWord = false;
      continue;
    }
    if (!InWord)
      Words.emplace_back();
    InWord = true;
    Words.back() += C;
  }
  return Words;
}

//===--- The option table -------------------------------------------------===//

#define OPTTABLE_STR_TABLE_CODE
#include "frontend/NvccOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "frontend/NvccOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

// The generated rows name ids and flags bare.
using namespace barricade::nvcc;
using namespace llvm::opt;

static constexpr OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "frontend/NvccOptions.inc"
#undef OPTION
};

namespace {
class NvccOptTable : public GenericOptTable {
public:
  NvccOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {}
};
} // namespace

const OptTable &barricade::nvccOptTable() {
  static const NvccOptTable Table;
  return Table;
}

//===--- Options files ----------------------------------------------------===//

/// The words of an options file. nvcc reads it as a shell would, then takes
/// the quotes off once more.
static std::vector<std::string> optionsFileWords(StringRef Text) {
  std::vector<std::string> Words = shellWords(Text);
  for (std::string &Word : Words) {
    std::string Unquoted;
    for (size_t I = 0; I != Word.size(); ++I) {
      if (Word[I] == '\\' && I + 1 != Word.size())
        Unquoted += Word[I++];
      else if (Word[I] == '"')
        continue;
      Unquoted += Word[I];
    }
    Word = std::move(Unquoted);
  }
  return Words;
}

namespace {
class OptionsFileExpander {
public:
  OptionsFileExpander(StringRef Directory, vfs::FileSystem &FS)
      : Directory(Directory), FS(FS) {}

  Error expand(ArrayRef<std::string> Args) {
    std::vector<const char *> Pointers;
    for (const std::string &Arg : Args)
      Pointers.push_back(Arg.c_str());
    unsigned MissingIndex, MissingCount;
    InputArgList Parsed =
        nvccOptTable().ParseArgs(Pointers, MissingIndex, MissingCount);
    unsigned Copied = 0;
    for (const Arg *A : Parsed.filtered(OPT_options_file)) {
      append(Args.slice(Copied, A->getIndex() - Copied));
      // A joined value takes one word of the command line, a separate one two.
      bool Joined = StringRef(Args[A->getIndex()]).contains('=');
      Copied = A->getIndex() + (Joined ? 1 : 2);
      for (const std::string &Name : splitList(A->getValue(), ListOf::Paths))
        if (Error E = expandFile(Name))
          return E;
    }
    append(Args.drop_front(Copied));
    return Error::success();
  }

  std::vector<std::string> Result;

private:
  Error expandFile(StringRef Name) {
    const std::string Path = absolutePath(Directory, Name);
    if (!Open.insert(Path).second)
      return createStringError("options file '" + Name + "' includes itself");
    auto Buffer = FS.getBufferForFile(Path);
    if (!Buffer)
      return createStringError("cannot read options file '" + Name +
                               "': " + Buffer.getError().message());
    Error E = expand(optionsFileWords((*Buffer)->getBuffer()));
    Open.erase(Path);
    return E;
  }

  void append(ArrayRef<std::string> Words) {
    Result.insert(Result.end(), Words.begin(), Words.end());
  }

  StringRef Directory;
  vfs::FileSystem &FS;
  StringSet<> Open;
};
} // namespace

Expected<std::vector<std::string>>
barricade::expandOptionsFiles(ArrayRef<std::string> Args, StringRef Directory,
                              vfs::FileSystem &FS) {
  OptionsFileExpander Expander(Directory, FS);
  if (Error E = Expander.expand(Args))
    return E;
  return std::move(Expander.Result);
}
