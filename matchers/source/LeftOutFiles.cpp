// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/LeftOutFiles.h"
#include "matchers/source/MacroDefinitions.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

using namespace clang;

namespace barricade {

OptionalFileEntryRef findIncluded(llvm::StringRef Name, bool IsAngled,
                                  OptionalFileEntryRef From,
                                  const Preprocessor &PP,
                                  ConstSearchDirIterator *Folder) {
  llvm::SmallVector<std::pair<OptionalFileEntryRef, DirectoryEntryRef>, 1>
      Includers;
  if (From)
    Includers.push_back({*From, From->getDir()});
  ConstSearchDirIterator Ignored = nullptr;
  return PP.getHeaderSearchInfo().LookupFile(
      Name, SourceLocation(), IsAngled, /*FromDir=*/nullptr,
      Folder ? Folder : &Ignored, Includers, /*SearchPath=*/nullptr,
      /*RelativePath=*/nullptr, /*RequestingModule=*/nullptr,
      /*SuggestedModule=*/nullptr, /*IsMapped=*/nullptr,
      /*IsFrameworkFound=*/nullptr);
}

namespace {

class LeftOutFinder {
public:
  LeftOutFinder(ASTContext &Context, Preprocessor &PP)
      : SM(Context.getSourceManager()), PP(PP), Conditions(Context) {}

  void addAll() {
    // Those that it adds are gone over in their turn.
    Conditions.forEachUserFile([&](FileID File) {
      if (isPassedOver(File))
        Conditions.leaveOut(File, /*IsIncluded=*/true);
      for (const Inclusion &Each : inclusionsIn(File))
        add(Each, SM.getFileEntryRefForID(File));
    });
    replaceByGuards();
  }

private:
  struct Inclusion {
    SourceLocation Hash;
    llvm::StringRef Name;
    bool IsAngled;
  };

  /// Of files with the same guard, builds compile the first alone.
  void replaceByGuards() const {
    llvm::StringMap<llvm::SmallVector<FileID, 1>> Guarded;
    Conditions.forEachUserFile([&](FileID File) {
      if (const llvm::StringRef Guard = Conditions.guardOf(File);
          !Guard.empty())
        Guarded[Guard].push_back(File);
    });
    for (const auto &Each : Guarded)
      for (const FileID File : Each.getValue())
        if (llvm::any_of(Each.getValue(), [&](FileID Other) {
              return SM.getFileEntryRefForID(Other) !=
                     SM.getFileEntryRefForID(File);
            }))
          Conditions.replace(File);
  }

  /// The file was included behind another one with the same guard.
  bool isPassedOver(FileID File) const {
    const llvm::StringRef Guard = Conditions.guardOf(File);
    const IdentifierInfo *Info =
        Guard.empty() ? nullptr
                      : knownIdentifier(Guard, PP.getIdentifierTable());
    if (!Info || !Info->hadMacroDefinition())
      return false;
    bool IsRead = false;
    forEachDefinition(*Info, PP, [&](const MacroInfo &Each) {
      IsRead |=
          SM.getFileEntryRefForID(SM.getFileID(Each.getDefinitionLoc())) ==
          SM.getFileEntryRefForID(File);
    });
    return !IsRead;
  }

  /// Those that name a file. Which ones macros name is asked of OtherBuilds.
  std::vector<Inclusion> inclusionsIn(FileID File) const {
    std::vector<Inclusion> Result;
    const auto Read = [&](SourceLocation Hash, llvm::StringRef Directive) {
      if ((!Directive.starts_with("include") && Directive != "import") ||
          Conditions.isNeverCompiled(Hash))
        return;
      const llvm::StringRef Name = Conditions.nameIncludedAt(Hash);
      if (!Name.empty())
        Result.push_back({Hash, Name, /*IsAngled=*/*Name.end() == '>'});
    };
    Conditions.forEachDirective(SM.getLocForStartOfFile(File),
                                SM.getLocForEndOfFile(File), Read);
    return Result;
  }

  void add(const Inclusion &Its, OptionalFileEntryRef From) {
    ConstSearchDirIterator Folder = nullptr;
    const OptionalFileEntryRef Found =
        findIncluded(Its.Name, Its.IsAngled, From, PP, &Folder);
    if (Found && !SM.hasFileInfo(&Found->getFileEntry()) &&
        (!Folder || !isOfLibrary(*Folder)) && isOfUser(*Found))
      Conditions.leaveOut(SM.createFileID(*Found, Its.Hash, SrcMgr::C_User),
                          /*IsIncluded=*/false);
  }

  /// Builds have CUDA's among the user's folders, too.
  bool isOfLibrary(const DirectoryLookup &Folder) const {
    return Folder.getDirCharacteristic() != SrcMgr::C_User ||
           SM.getFileManager().getOptionalFileRef(
               (Folder.getName() + "/cuda_runtime_api.h").str());
  }

  /// \p File can be read, and does not say itself that it is a system's.
  bool isOfUser(FileEntryRef File) const {
    const auto Text = SM.getFileManager().getBufferForFile(File);
    if (!Text)
      return false;
    llvm::SmallVector<llvm::StringRef, 0> Lines;
    (*Text)->getBuffer().split(Lines, '\n');
    return llvm::none_of(Lines, [](llvm::StringRef Line) {
      return Line.ltrim().starts_with("#") && Line.contains("pragma") &&
             Line.contains("system_header");
    });
  }

  SourceManager &SM;
  Preprocessor &PP;
  const SourceConditions Conditions;
};

} // namespace

void addLeftOutFiles(ASTContext &Context, Preprocessor &PP) {
  LeftOutFinder(Context, PP).addAll();
}

} // namespace barricade
