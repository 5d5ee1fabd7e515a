// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/SourcePlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade {

Place placeOf(SourceLocation Where, const SourceManager &SM) {
  Place P;
  if (Where.isInvalid())
    return P;
  SourceLocation File = SM.getExpansionLoc(Where);
  auto [Id, Offset] = SM.getDecomposedLoc(File);
  P.Offset = Offset;
  P.Line = SM.getLineNumber(Id, Offset);
  P.Column = SM.getColumnNumber(Id, Offset);
  if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Id)) {
    llvm::StringRef Real = Entry->getFileEntry().tryGetRealPathName();
    llvm::SmallString<256> Path(Real.empty() ? Entry->getName() : Real);
    SM.getFileManager().makeAbsolutePath(Path);
    llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    P.File = Path.str().str();
  }
  return P;
}

Place placeAfterToken(SourceLocation Where, const SourceManager &SM,
                      const LangOptions &Lang) {
  SourceLocation End = SM.getExpansionRange(Where).getEnd();
  return placeOf(End.getLocWithOffset(Lexer::MeasureTokenLength(End, SM, Lang)),
                 SM);
}

SourceLocation writtenAt(SourceLocation Where, const SourceManager &SM) {
  while (Where.isMacroID()) {
    if (!SM.isMacroArgExpansion(Where))
      return {};
    Where = SM.getImmediateSpellingLoc(Where);
  }
  return Where;
}

bool isInLibraryMacro(SourceLocation Where, const SourceManager &SM) {
  llvm::SmallVector<SourceLocation> Work = {Where};
  while (!Work.empty()) {
    Where = Work.pop_back_val();
    if (!Where.isMacroID()) {
      if (SM.isInSystemHeader(Where))
        return true;
      continue;
    }
    // Where what stands there is spelled, and what it stands in.
    Work.push_back(SM.getImmediateSpellingLoc(Where));
    Work.push_back(SM.getImmediateExpansionRange(Where).getBegin());
  }
  return false;
}

bool isBelow(llvm::StringRef File, llvm::StringRef Folder) {
  return File.consume_front(Folder) &&
         (Folder.empty() || llvm::sys::path::is_separator(File.front()));
}

bool isInRuntimeHeader(SourceLocation Where, const SourceManager &SM) {
  return llvm::sys::path::filename(SM.getFilename(SM.getExpansionLoc(Where))) ==
         "gpu_sync.cuh";
}

bool isOfPrelude(llvm::StringRef File, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (const NamedDecl *D : Context.getTranslationUnitDecl()->lookup(
           &Context.Idents.get("__barricade_value")))
    if (isa<ClassTemplateDecl>(D))
      return isBelow(File, llvm::sys::path::parent_path(SM.getFilename(
                               SM.getExpansionLoc(D->getLocation()))));
  return false;
}

const FunctionDecl &spelledFunction(const FunctionDecl &Function) {
  const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
  return Pattern ? *Pattern : Function;
}

SourceLocation spelledLocation(const FunctionDecl &Function) {
  if (const FunctionDecl &Spelled = spelledFunction(Function);
      &Spelled != &Function)
    return Spelled.getLocation();
  const FunctionDecl *Definition = nullptr;
  return Function.hasBody(Definition) ? Definition->getLocation()
                                      : Function.getLocation();
}

} // namespace barricade
