//===- Parse.cpp - Host and device ASTs of a translation unit -------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parse.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace barricade;

namespace {
/// Parses and keeps what it parsed.
class KeepASTAction : public clang::ASTFrontendAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, StringRef) override {
    return std::make_unique<clang::ASTConsumer>();
  }
};
} // namespace

struct ParsedPass::State {
  // Clang tears a source down in EndSourceFile; it comes when the pass dies.
  clang::CompilerInstance Instance;
  KeepASTAction Action;
  bool Begun = false;

  explicit State(std::unique_ptr<clang::CompilerInvocation> Invocation)
      : Instance(std::move(Invocation)) {}
  ~State() {
    if (Begun)
      Action.EndSourceFile();
  }
};

ParsedPass::ParsedPass(Pass P, unsigned Sm) : P(P), Sm(Sm) {}
ParsedPass::~ParsedPass() = default;

clang::ASTContext &ParsedPass::context() const {
  return S->Instance.getASTContext();
}
clang::Preprocessor &ParsedPass::preprocessor() const {
  return S->Instance.getPreprocessor();
}
clang::Sema &ParsedPass::sema() const { return S->Instance.getSema(); }
clang::SourceManager &ParsedPass::sourceManager() const {
  return S->Instance.getSourceManager();
}
const clang::LangOptions &ParsedPass::langOpts() const {
  return S->Instance.getLangOpts();
}

namespace barricade {

/// Parses the passes of one command.
class PassParser {
public:
  PassParser(const TranslatedCommand &Command,
             IntrusiveRefCntPtr<vfs::FileSystem> FS,
             const ParseOptions &Options)
      : Command(Command), FS(std::move(FS)), Options(Options) {
    DiagOpts.ShowColors = Options.Color;
  }

  /// The pass, or null where it has errors.
  std::unique_ptr<ParsedPass> parse(Pass P, unsigned Sm);

  std::string Diagnostics;
  /// Non-system files that a pass with errors read.
  std::vector<std::string> FilesOfFailure;

private:
  std::unique_ptr<clang::CompilerInvocation> createInvocation(Pass P,
                                                              unsigned Sm);
  static void collectUserFiles(ParsedPass &Parsed);

  const TranslatedCommand &Command;
  IntrusiveRefCntPtr<vfs::FileSystem> FS;
  ParseOptions Options;
  clang::DiagnosticOptions DiagOpts;
};

std::unique_ptr<clang::CompilerInvocation>
PassParser::createInvocation(Pass P, unsigned Sm) {
  std::vector<std::string> Args = Command.argsFor(P, Sm);
  std::vector<const char *> Pointers;
  for (const std::string &Arg : Args)
    Pointers.push_back(Arg.c_str());

  raw_string_ostream OS(Diagnostics);
  clang::TextDiagnosticPrinter Printer(OS, DiagOpts);
  auto Diags = clang::CompilerInstance::createDiagnostics(
      *FS, DiagOpts, &Printer, /*ShouldOwnClient=*/false);
  // The translated command says -w, but the driver's warnings come before
  // anyone reads it.
  Diags->setIgnoreAllWarnings(true);
  clang::CreateInvocationOptions Create;
  Create.Diags = Diags;
  Create.VFS = FS;
  auto Invocation = clang::createInvocation(Pointers, std::move(Create));
  if (Invocation) {
    Invocation->getDiagnosticOpts().ShowColors = Options.Color;
    Invocation->getFrontendOpts().DisableFree = Options.DisableFree;
  }
  return Invocation;
}

std::unique_ptr<ParsedPass> PassParser::parse(Pass P, unsigned Sm) {
  auto Invocation = createInvocation(P, Sm);
  if (!Invocation)
    return nullptr;

  std::unique_ptr<ParsedPass> Result(new ParsedPass(P, Sm));
  Result->S = std::make_unique<ParsedPass::State>(std::move(Invocation));
  clang::CompilerInstance &Instance = Result->S->Instance;
  raw_string_ostream OS(Diagnostics);
  clang::TextDiagnosticPrinter Printer(OS, Instance.getDiagnosticOpts());
  Instance.setVirtualFileSystem(FS);
  Instance.createDiagnostics(&Printer, /*ShouldOwnClient=*/false);
  KeepASTAction &Action = Result->S->Action;
  bool Ok = Instance.createTarget() &&
            (Result->S->Begun = Action.BeginSourceFile(
                 Instance, Instance.getFrontendOpts().Inputs.front()));
  if (Ok) {
    if (Error E = Action.Execute()) {
      OS << "error: " << toString(std::move(E)) << '\n';
      Ok = false;
    }
    Printer.EndSourceFile();
  }
  Ok = Ok && !Instance.getDiagnostics().hasErrorOccurred();
  if (Result->S->Begun)
    collectUserFiles(*Result);
  if (!Ok) {
    FilesOfFailure = Result->userFiles();
    // Torn down while the printer still lives.
    Result.reset();
    return nullptr;
  }
  // The AST outlives this function's printer.
  Instance.getDiagnostics().setClient(new clang::IgnoringDiagConsumer);
  return Result;
}

void PassParser::collectUserFiles(ParsedPass &Parsed) {
  clang::SourceManager &SM = Parsed.sourceManager();
  StringSet<> Seen;
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I != E; ++I) {
    const clang::SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() ||
        Entry.getFile().getFileCharacteristic() != clang::SrcMgr::C_User)
      continue;
    const clang::SrcMgr::ContentCache &Content =
        Entry.getFile().getContentCache();
    if (!Content.OrigEntry)
      continue;
    SmallString<128> Path(Content.OrigEntry->getName());
    SM.getFileManager().makeAbsolutePath(Path);
    if (!Seen.insert(Path).second)
      continue;
    Parsed.UserFiles.push_back(std::string(Path));
    // Any mention will do: a macro may carry the condition elsewhere.
    if (auto Buffer = Content.getBufferIfLoaded())
      Parsed.CudaArchMentioned |= Buffer->getBuffer().contains("__CUDA_ARCH");
  }
}

} // namespace barricade

//===--- What nvcc accepts and Clang does not -----------------------------===//

/// nvcc reads `kernel << <grid, block>> >(...)` as a launch. Joins the brackets
/// of each such pair and keeps every other character's place, so that the AST's
/// positions are those of the user's file. Nothing else in C++ has a `<` after
/// a `<<`, but for operator<< with template arguments.
static std::string joinLaunchBrackets(StringRef Text) {
  std::string Joined = Text.str();
  for (size_t Open = 0; (Open = Joined.find("<< <", Open)) != std::string::npos;
       ++Open) {
    size_t Close = Joined.find(">> >", Open);
    if (Close == std::string::npos)
      break;
    if (StringRef(Joined).take_front(Open).rtrim().ends_with("operator"))
      continue;
    Joined.replace(Open, 4, "<<< ");
    Joined.replace(Close, 4, ">>> ");
  }
  return Joined;
}

/// \p BaseFS with the launches in \p Files repaired; null where there is
/// nothing to repair. \p Unrepaired gets the texts of the files that are.
static IntrusiveRefCntPtr<vfs::FileSystem>
repairLaunches(IntrusiveRefCntPtr<vfs::FileSystem> BaseFS,
               ArrayRef<std::string> Files,
               std::map<std::string, std::string> &Unrepaired) {
  auto Repaired = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const std::string &File : Files) {
    auto Buffer = BaseFS->getBufferForFile(File);
    if (!Buffer)
      continue;
    std::string Joined = joinLaunchBrackets((*Buffer)->getBuffer());
    if (Joined == (*Buffer)->getBuffer())
      continue;
    Unrepaired[File] = (*Buffer)->getBuffer().str();
    Repaired->addFile(File, 0, MemoryBuffer::getMemBufferCopy(Joined, File));
  }
  if (Unrepaired.empty())
    return nullptr;
  ErrorOr<std::string> Directory = BaseFS->getCurrentWorkingDirectory();
  if (Directory)
    Repaired->setCurrentWorkingDirectory(*Directory);
  auto Overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(BaseFS);
  Overlay->pushOverlay(Repaired);
  return Overlay;
}

/// What the user should know beside Clang's errors.
static void explainErrors(TranslationUnit &TU) {
  static constexpr struct {
    StringLiteral Error, Note;
  } Notes[] = {
      {"initialization is not supported for __shared__ variables",
       "nvcc only warns where it can leave out a __shared__ variable's "
       "constructor; Clang has no option for that, so the file cannot be "
       "analysed"},
      {"requires relocatable device code",
       "give -rdc=true after '--', as the file's build must do, too"},
  };
  for (const auto &[Error, Note] : Notes)
    if (StringRef(TU.Diagnostics).contains(Error))
      TU.Diagnostics += ("note: " + Note + "\n").str();
  if (TU.Command.IsCuda && TU.Command.Facts.CudaPath.empty())
    TU.Diagnostics +=
        "note: no CUDA toolkit is used; barricade's own declarations cover the "
        "language and the runtime API only, and this file may need more\n";
}

//===--- Translation units ------------------------------------------------===//

/// Parses the passes into \p TU; whether all went well. Where not, \p Failed
/// has the user files that were read.
static bool parsePasses(TranslationUnit &TU,
                        IntrusiveRefCntPtr<vfs::FileSystem> FS,
                        const ParseOptions &Options,
                        std::vector<std::string> &Failed) {
  PassParser Parser(TU.Command, std::move(FS), Options);
  auto ParseInto = [&](Pass P, unsigned Sm) {
    std::unique_ptr<ParsedPass> Parsed = Parser.parse(P, Sm);
    bool Ok = Parsed != nullptr;
    if (Ok)
      TU.Passes.push_back(std::move(Parsed));
    else
      TU.Passes.clear();
    return Ok;
  };

  bool Ok = ParseInto(Pass::Host, 0);
  if (Ok && TU.Command.IsCuda) {
    const std::vector<unsigned> &Archs = TU.Command.Facts.Archs;
    Ok = ParseInto(Pass::Device, Archs.back());
    bool More =
        Ok && Options.AllArchs &&
        (TU.Passes[0]->mentionsCudaArch() || TU.Passes[1]->mentionsCudaArch());
    for (size_t I = Archs.size() - 1; More && I-- > 0;)
      More = Ok = ParseInto(Pass::Device, Archs[I]);
  }
  TU.Diagnostics = std::move(Parser.Diagnostics);
  Failed = std::move(Parser.FilesOfFailure);
  return Ok;
}

TranslationUnit
barricade::parseTranslationUnit(TranslatedCommand Command,
                                IntrusiveRefCntPtr<vfs::FileSystem> BaseFS,
                                const ParseOptions &Options) {
  TranslationUnit TU;
  TU.Command = std::move(Command);
  if (!BaseFS)
    BaseFS = vfs::createPhysicalFileSystem();
  if (std::error_code EC =
          BaseFS->setCurrentWorkingDirectory(TU.Command.Directory)) {
    TU.Diagnostics = "error: cannot enter '" + TU.Command.Directory +
                     "': " + EC.message() + "\n";
    return TU;
  }

  std::vector<std::string> Failed;
  if (parsePasses(TU, BaseFS, Options, Failed))
    return TU;
  if (auto Repaired = repairLaunches(BaseFS, Failed, TU.UnrepairedTexts))
    if (parsePasses(TU, Repaired, Options, Failed))
      return TU;
  explainErrors(TU);
  return TU;
}
