//===- Parse.cpp - Host and device ASTs of a translation unit -------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parse.h"
#include "frontend/Precompile.h"
#include "frontend/SkipHostInstantiations.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

using namespace llvm;
using namespace barricade;

namespace {
/// Parses and keeps what it parsed; with \p IR, compiles it, too.
class KeepASTAction : public clang::ASTFrontendAction {
public:
  KeepASTAction(bool Quick, LLVMContext *IR) : Quick(Quick), IR(IR) {}

  std::unique_ptr<Module> takeModule() {
    return std::unique_ptr<Module>(Generator ? Generator->ReleaseModule()
                                             : nullptr);
  }

private:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef File) override {
    auto Parsing = Quick ? makeSkipHostInstantiations()
                         : std::make_unique<clang::ASTConsumer>();
    if (!IR)
      return Parsing;
    prepareCodeGen(CI, File);
    auto Compiling = clang::CreateLLVMCodeGen(CI, File, *IR);
    Generator = Compiling.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> Both;
    Both.push_back(std::move(Parsing));
    Both.push_back(std::move(Compiling));
    return std::make_unique<clang::MultiplexConsumer>(std::move(Both));
  }

  static void prepareCodeGen(clang::CompilerInstance &CI, StringRef File) {
    clang::CodeGenOptions &Options = CI.getCodeGenOpts();
    Options.setDebugInfo(codegenoptions::DebugLineTablesOnly);
    Options.DebugColumnInfo = true;
    Options.MainFileName = File;
    // Type-based aliasing is told to those only who optimise.
    Options.OptimizationLevel = 1;
    // They would make every scope one that has something to clean up.
    Options.DisableLifetimeMarkers = true;
  }

  bool Quick;
  LLVMContext *IR;
  clang::CodeGenerator *Generator = nullptr; ///< Owned by the instance.
};

/// Where a diagnostic is, and what it says; nothing for one without a place.
std::optional<SourceError> describe(const clang::Diagnostic &Info) {
  if (Info.getLocation().isInvalid() || !Info.hasSourceManager())
    return std::nullopt;
  clang::SourceManager &SM = Info.getSourceManager();
  auto [FileId, Offset] = SM.getDecomposedExpansionLoc(Info.getLocation());
  auto File = SM.getFileEntryRefForID(FileId);
  if (!File)
    return std::nullopt;
  SmallString<128> Path(File->getName()), Message;
  SM.getFileManager().makeAbsolutePath(Path);
  Info.FormatDiagnostic(Message);
  return SourceError{std::string(Path), Offset,
                     SM.getLineNumber(FileId, Offset),
                     SM.getColumnNumber(FileId, Offset), std::string(Message)};
}

/// Prints errors and their notes, and remembers the first one; keeps warnings.
class ErrorPrinter : public clang::TextDiagnosticPrinter {
public:
  ErrorPrinter(raw_ostream &OS, clang::DiagnosticOptions &Options,
               std::optional<SourceError> &First,
               std::vector<SourceError> &Warnings)
      : TextDiagnosticPrinter(OS, Options), First(First), Warnings(Warnings) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    if (Level != clang::DiagnosticsEngine::Note)
      OfWarning = Level == clang::DiagnosticsEngine::Warning;
    if (Level == clang::DiagnosticsEngine::Warning)
      if (auto Warning = describe(Info))
        Warnings.push_back(std::move(*Warning));
    if (OfWarning)
      return;
    TextDiagnosticPrinter::HandleDiagnostic(Level, Info);
    if (Level >= clang::DiagnosticsEngine::Error && !First)
      First = describe(Info);
  }

private:
  std::optional<SourceError> &First;
  std::vector<SourceError> &Warnings;
  bool OfWarning = false; ///< Notes belong to what came before them.
};
} // namespace

struct ParsedPass::State {
  /// What the AST reads from as long as it lives.
  std::shared_ptr<const Preamble> Beginning;
  std::shared_ptr<const PrecompiledHeaders> Headers;
  // Clang tears a source down in EndSourceFile; it comes when the pass dies.
  LLVMContext IR;
  clang::CompilerInstance Instance;
  KeepASTAction Action;
  std::unique_ptr<Module> Compiled;
  bool Begun = false;

  State(std::unique_ptr<clang::CompilerInvocation> Invocation, bool Quick,
        bool Compile)
      : Instance(std::move(Invocation)),
        Action(Quick, Compile ? &IR : nullptr) {}
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
llvm::Module *ParsedPass::deviceIR() const { return S->Compiled.get(); }

namespace barricade {

/// Parses the passes of one command.
class PassParser {
public:
  PassParser(const TranslatedCommand &Command,
             IntrusiveRefCntPtr<vfs::FileSystem> FS,
             const ParseOptions &Options, bool WithTextures)
      : Command(Command), FS(std::move(FS)), Options(Options),
        WithTextures(WithTextures) {
    DiagOpts.ShowColors = Options.Color;
    DiagOpts.AbsolutePath = true;
  }

  /// The pass, or null where it has errors.
  std::unique_ptr<ParsedPass> parse(Pass P, unsigned Sm);

  std::string Diagnostics;
  std::optional<SourceError> FirstError;
  std::vector<SourceError> Warnings;
  /// What the passes read, with errors or without.
  UserFiles Files;
  /// A fatal error ended a pass before it had read all of its source.
  bool EndedEarly = false;
  /// A pass began after headers that were kept.
  bool UsedHeaders = false;

private:
  std::unique_ptr<clang::CompilerInvocation>
  createInvocation(const TranslatedCommand &Command, Pass P, unsigned Sm,
                   IntrusiveRefCntPtr<vfs::FileSystem> FS);
  std::shared_ptr<const Preamble>
  usePreamble(Pass P, unsigned Sm, clang::CompilerInvocation &Invocation,
              IntrusiveRefCntPtr<vfs::FileSystem> &PassFS) const;
  std::shared_ptr<const PrecompiledHeaders>
  useHeaders(Pass P, unsigned Sm, clang::CompilerInvocation &Invocation,
             IntrusiveRefCntPtr<vfs::FileSystem> &PassFS);

  const TranslatedCommand &Command;
  IntrusiveRefCntPtr<vfs::FileSystem> FS;
  ParseOptions Options;
  bool WithTextures;
  clang::DiagnosticOptions DiagOpts;
};

std::unique_ptr<clang::CompilerInvocation>
PassParser::createInvocation(const TranslatedCommand &Command, Pass P,
                             unsigned Sm,
                             IntrusiveRefCntPtr<vfs::FileSystem> FS) {
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
    Invocation->getDiagnosticOpts().AbsolutePath = true;
    Invocation->getFrontendOpts().DisableFree = Options.DisableFree;
    // Has the places of what conditions leave out.
    Invocation->getPreprocessorOpts().DetailedRecord = true;
    if (!WithTextures)
      Invocation->getPreprocessorOpts().addMacroDef(
          "__BARRICADE_WITHOUT_TEXTURES");
  }
  return Invocation;
}

/// Lets \p Invocation begin after the source's preamble; null where that
/// cannot be done.
std::shared_ptr<const Preamble>
PassParser::usePreamble(Pass P, unsigned Sm,
                        clang::CompilerInvocation &Invocation,
                        IntrusiveRefCntPtr<vfs::FileSystem> &PassFS) const {
  if (!Options.Preambles)
    return nullptr;
  auto MainFile = PassFS->getBufferForFile(
      Invocation.getFrontendOpts().Inputs.front().getFile());
  if (!MainFile)
    return nullptr;
  auto Beginning = Options.Preambles->get(join(Command.argsFor(P, Sm), "\n"),
                                          Invocation, **MainFile, PassFS);
  if (Beginning)
    Beginning->apply(Invocation, PassFS, std::move(*MainFile));
  return Beginning;
}

/// The same with the headers that every source begins with.
std::shared_ptr<const PrecompiledHeaders>
PassParser::useHeaders(Pass P, unsigned Sm,
                       clang::CompilerInvocation &Invocation,
                       IntrusiveRefCntPtr<vfs::FileSystem> &PassFS) {
  if (!Options.Headers || Options.Preambles)
    return nullptr;
  auto AsInvocation = [&](const TranslatedCommand &Common,
                          IntrusiveRefCntPtr<vfs::FileSystem> In) {
    return createInvocation(Common, P, Sm, std::move(In));
  };
  auto Headers = Options.Headers->get(
      Command, P, Sm, WithTextures ? "textures" : "", AsInvocation, *PassFS);
  if (!Headers || !Headers->apply(Invocation, PassFS))
    return nullptr;
  UsedHeaders = true;
  if (Options.Seen)
    for (const Probe &Asked : Headers->probes())
      Options.Seen->add(Asked);
  return Headers;
}

std::unique_ptr<ParsedPass> PassParser::parse(Pass P, unsigned Sm) {
  auto Invocation = createInvocation(Command, P, Sm, FS);
  if (!Invocation)
    return nullptr;
  IntrusiveRefCntPtr<vfs::FileSystem> PassFS = FS;
  auto Beginning = usePreamble(P, Sm, *Invocation, PassFS);
  auto Headers = useHeaders(P, Sm, *Invocation, PassFS);

  std::unique_ptr<ParsedPass> Result(new ParsedPass(P, Sm));
  Result->S = std::make_unique<ParsedPass::State>(
      std::move(Invocation), /*Quick=*/Options.Preambles != nullptr,
      /*Compile=*/P == Pass::Device && Options.DeviceIR);
  Result->S->Beginning = Beginning;
  Result->S->Headers = Headers;
  clang::CompilerInstance &Instance = Result->S->Instance;
  raw_string_ostream OS(Diagnostics);
  ErrorPrinter Printer(OS, Instance.getDiagnosticOpts(), FirstError, Warnings);
  Instance.setVirtualFileSystem(PassFS);
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
  if (Beginning)
    Result->Files.append(Beginning->userFiles());
  if (Result->S->Begun)
    Result->Files.collect(Instance.getSourceManager());
  Files.append(Result->Files);
  if (!Ok) {
    EndedEarly =
        !Result->S->Begun || Instance.getDiagnostics().hasFatalErrorOccurred();
    // Torn down while the printer still lives.
    Result.reset();
    return nullptr;
  }
  if (Beginning)
    Beginning->limitTraversal(Instance);
  else if (Headers)
    limitTraversalTo({}, Instance);
  Result->S->Compiled = Action.takeModule();
  // The AST outlives this function's printer.
  Instance.getDiagnostics().setClient(new clang::IgnoringDiagConsumer);
  return Result;
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

/// Skips the words between `asm` and its parenthesis.
static StringRef afterAsmQualifiers(StringRef Rest) {
  static constexpr StringLiteral Qualifiers[] = {"__volatile__", "__volatile",
                                                 "volatile", "inline"};
  do
    Rest = Rest.ltrim();
  while (llvm::any_of(
      Qualifiers, [&](StringRef Word) { return Rest.consume_front(Word); }));
  return Rest;
}

/// Where the assembly statement's parenthesis stands open of the `asm` that
/// ends before \p After; npos where none does.
static size_t asmParenthesis(StringRef Text, size_t After) {
  StringRef Rest = afterAsmQualifiers(Text.drop_front(After).ltrim('_'));
  return Rest.starts_with("(") ? size_t(Rest.data() - Text.data())
                               : StringRef::npos;
}

/// nvcc takes operands of assembly without a comma between them, as in
/// `asm("..." :: "r"(a) "l"(b))`. Puts one into the space there. \p Open: the
/// statement's parenthesis.
static void separateAsmOperands(std::string &Text, size_t Open) {
  int Depth = 0;
  for (size_t At = Open; At < Text.size(); ++At) {
    if (Text[At] == '"')
      while (++At < Text.size() && Text[At] != '"')
        At += Text[At] == '\\';
    else if (Text[At] == '(')
      ++Depth;
    else if (Text[At] == ')' && --Depth == 0)
      return;
    else if (Text[At] == ')' && Depth == 1) {
      StringRef Gap = StringRef(Text).drop_front(At + 1);
      Gap = Gap.take_front(Gap.size() - Gap.ltrim().size());
      const size_t Space = Gap.find_first_of(" \t");
      if (Space != StringRef::npos &&
          StringRef(Text).substr(At + 1 + Gap.size()).starts_with("\""))
        Text[At + 1 + Space] = ',';
    }
  }
}

/// nvcc leaves PTX's registers alone where their % stands single, as in
/// `asm("mov.u32 %0, %smid;" ...)`; Clang takes that for an operand, which a
/// digit or a name in brackets would have to follow. Turns such a % into a $.
/// \p Open: the statement's parenthesis.
static void maskRegisters(std::string &Text, size_t Open) {
  StringRef Rest = StringRef(Text).drop_front(Open + 1);
  while ((Rest = Rest.ltrim()).consume_front("\"")) {
    size_t At = Rest.data() - Text.data();
    for (; At < Text.size() && Text[At] != '"'; ++At) {
      if (Text[At] == '\\')
        ++At;
      else if (StringRef(Text).substr(At, 2) == "%%")
        ++At;
      else if (Text[At] == '%' && At + 2 < Text.size() &&
               isAlpha(Text[At + 1]) && !isDigit(Text[At + 2]) &&
               Text[At + 2] != '[')
        Text[At] = '$';
    }
    Rest = StringRef(Text).substr(At + 1);
  }
}

static void repairAssembly(std::string &Text) {
  for (size_t Word = 0; (Word = Text.find("asm", Word)) != std::string::npos;) {
    Word += 3;
    const size_t Open = asmParenthesis(Text, Word);
    if (Open == StringRef::npos)
      continue;
    maskRegisters(Text, Open);
    separateAsmOperands(Text, Open);
  }
}

/// \p BaseFS with \p Files repaired, character by character; null where there
/// is nothing to repair. \p Unrepaired gets the texts of the files that are.
static IntrusiveRefCntPtr<vfs::FileSystem>
repairSources(IntrusiveRefCntPtr<vfs::FileSystem> BaseFS,
              ArrayRef<std::string> Files,
              std::map<std::string, std::string> &Unrepaired) {
  auto Repaired = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const std::string &File : Files) {
    auto Buffer = BaseFS->getBufferForFile(File);
    if (!Buffer)
      continue;
    std::string Text = joinLaunchBrackets((*Buffer)->getBuffer());
    repairAssembly(Text);
    if (Text == (*Buffer)->getBuffer())
      continue;
    Unrepaired[File] = (*Buffer)->getBuffer().str();
    Repaired->addFile(File, 0, MemoryBuffer::getMemBufferCopy(Text, File));
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
      {"variable-sized object may not be initialized",
       "nvcc accepts an initialised array of variable size, as GCC does; Clang "
       "has no option for that, so the file cannot be analysed. The same "
       "without '= {...}' can"},
      {"in __host__ __device__ function",
       "nvcc only warns where a __host__ __device__ function calls one of the "
       "host alone; Clang has no option for that, so the file cannot be "
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

/// Runs both at the same time. A crash of either comes to the caller's
/// CrashRecoveryContext, which threads do not inherit, after both have ended:
/// they use what is on the caller's stack.
static void runBoth(function_ref<void()> First, function_ref<void()> Second) {
  bool SecondCompleted = true;
  llvm::thread Beside(std::optional<unsigned>(clang::DesiredStackSize), [&] {
    SecondCompleted = CrashRecoveryContext().RunSafely(Second);
  });
  bool FirstCompleted = CrashRecoveryContext().RunSafely(First);
  Beside.join();
  if (!FirstCompleted || !SecondCompleted)
    std::abort();
}

/// Parses the passes into \p TU; whether all went well. \p UsedHeaders: one
/// began after headers that were kept.
static bool parsePasses(TranslationUnit &TU,
                        IntrusiveRefCntPtr<vfs::FileSystem> FS,
                        const ParseOptions &Options, bool WithTextures,
                        bool &UsedHeaders) {
  PassParser HostParser(TU.Command, FS, Options, WithTextures);
  PassParser DeviceParser(TU.Command, FS, Options, WithTextures);
  const std::vector<unsigned> &Archs = TU.Command.Facts.Archs;
  std::unique_ptr<ParsedPass> Host, Device;
  auto ParseHost = [&] { Host = HostParser.parse(Pass::Host, 0); };
  auto ParseDevice = [&] {
    Device = DeviceParser.parse(Pass::Device, Archs.back());
  };

  // Who keeps preambles is waited for; others have more files to read.
  const bool AtOnce = Options.Preambles && TU.Command.IsCuda;
  if (AtOnce)
    runBoth(ParseHost, ParseDevice);
  else
    ParseHost();
  if (Host && TU.Command.IsCuda && !AtOnce)
    ParseDevice();

  PassParser &Last = Host && TU.Command.IsCuda ? DeviceParser : HostParser;
  UsedHeaders = HostParser.UsedHeaders || DeviceParser.UsedHeaders;
  bool Ok = Host && (Device || !TU.Command.IsCuda);
  if (Ok) {
    TU.Passes.push_back(std::move(Host));
    if (Device)
      TU.Passes.push_back(std::move(Device));
    bool More =
        TU.Command.IsCuda && Options.AllArchs &&
        (TU.Passes[0]->mentionsCudaArch() || TU.Passes[1]->mentionsCudaArch());
    for (size_t I = Archs.size() - 1; More && I-- > 0;) {
      auto Parsed = Last.parse(Pass::Device, Archs[I]);
      More = Ok = Parsed != nullptr;
      TU.Passes.push_back(std::move(Parsed));
    }
  }
  if (!Ok)
    TU.Passes.clear();
  TU.Diagnostics = std::move(Last.Diagnostics);
  TU.FirstError = std::move(Last.FirstError);
  TU.Warnings.clear();
  for (const PassParser *Parser : {&HostParser, &DeviceParser}) {
    TU.Files.append(Parser->Files);
    append_range(TU.Warnings, Parser->Warnings);
  }
  // After an error, some passes are not begun.
  TU.MayIncludeMore = !Ok && (Last.EndedEarly || Last.Files.Paths.empty() ||
                              (TU.Command.IsCuda && TU.Files.MentionCudaArch));
  return Ok;
}

/// The same. What does not parse after headers that were kept is read as a
/// whole: its diagnostics tell of them, too.
static bool parsePasses(TranslationUnit &TU,
                        IntrusiveRefCntPtr<vfs::FileSystem> FS,
                        ParseOptions Options, bool WithTextures) {
  bool UsedHeaders = false;
  if (parsePasses(TU, FS, Options, WithTextures, UsedHeaders))
    return true;
  Options.Headers = nullptr;
  return UsedHeaders && parsePasses(TU, FS, Options, WithTextures, UsedHeaders);
}

/// The same, with the definitions of textures where they are used only. Who
/// keeps preambles reads them once.
static bool parseWhatIsUsed(TranslationUnit &TU,
                            IntrusiveRefCntPtr<vfs::FileSystem> FS,
                            const ParseOptions &Options) {
  if (Options.Preambles)
    return parsePasses(TU, FS, Options, /*WithTextures=*/true);
  if (parsePasses(TU, FS, Options, /*WithTextures=*/false))
    return true;
  return StringRef(TU.Diagnostics).contains("barricade left out textures") &&
         parsePasses(TU, FS, Options, /*WithTextures=*/true);
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
    TU.MayIncludeMore = true;
    return TU;
  }

  if (parseWhatIsUsed(TU, BaseFS, Options))
    return TU;
  if (auto Repaired = repairSources(BaseFS, TU.Files.Paths, TU.UnrepairedTexts))
    if (parseWhatIsUsed(TU, Repaired, Options))
      return TU;
  explainErrors(TU);
  return TU;
}
