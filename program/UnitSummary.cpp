// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/UnitSummary.h"
#include "matchers/facts/AssemblyNames.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/LeftOutCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace clang;

namespace barricade::program {
namespace {

/// The records of one unit, while they are made.
class Records {
public:
  explicit Records(std::string Unit) : Unit(std::move(Unit)) {}
  void add(llvm::StringRef Kind, llvm::StringRef Key, llvm::json::Object Says) {
    Record &R = All[{Kind.str(), Key.str()}];
    R.Kind = Kind.str();
    R.Key = Key.str();
    R.add(Claim(std::move(Says), {Unit}));
  }
  std::vector<Record> take() {
    std::vector<Record> Result;
    for (auto &[Key, R] : All)
      Result.push_back(std::move(R));
    return Result;
  }

  const std::string Unit;

private:
  std::map<std::pair<std::string, std::string>, Record> All;
};

bool isDeviceCode(const FunctionDecl &Function) {
  return Function.hasAttr<CUDAGlobalAttr>() ||
         Function.hasAttr<CUDADeviceAttr>();
}

bool isLambdaCall(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  return Method && Method->getParent()->isLambda();
}

/// `external` is defined once in a program, `inline` in each unit that has the
/// text, `internal` is each unit's own.
llvm::StringRef linkageOf(const FunctionDecl &Function) {
  if (!Function.isExternallyVisible())
    return "internal";
  return Function.isInlined() || Function.isTemplated() ||
                 Function.isTemplateInstantiation()
             ? "inline"
             : "external";
}

/// Of the text as the compiler sees it: macros are expanded, blanks and
/// comments gone, types spelled out.
std::string hashOfDefinition(const FunctionDecl &Function) {
  PrintingPolicy Policy(Function.getASTContext().getPrintingPolicy());
  Policy.PrintAsCanonical = true;
  Policy.FullyQualifiedName = true;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Function.print(OS, Policy);
  return hashOf(Text);
}

/// Adds what one pass says.
class PassVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  PassVisitor(const PassView &Pass, bool IsRelocatable, Records &Into)
      : Pass(Pass), Context(*Pass.Context), SM(Context.getSourceManager()),
        Names(Context), IsRelocatable(IsRelocatable), Into(Into) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(const Decl *D) override {
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    const FunctionDecl *Outer = Current;
    // A lambda's calls are those of the function that it stands in.
    if (Function && Function->doesThisDeclarationHaveABody() &&
        !(Current && isLambdaCall(*Function)))
      Current = Function;
    const bool Continue = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    Current = Outer;
    return Continue;
  }

  bool VisitFunctionDecl(const FunctionDecl *Function) override {
    if (isDeviceCode(*Function) && !isLambdaCall(*Function))
      addDeclared(*Function);
    addAliases(*Function);
    return true;
  }

  bool VisitVarDecl(const VarDecl *Var) override {
    const bool IsConstant = Var->hasAttr<CUDAConstantAttr>();
    if (Var->hasGlobalStorage() && !Var->isTemplated() &&
        (IsConstant || Var->hasAttr<CUDADeviceAttr>()))
      addGlobal(*Var, IsConstant ? "constant" : "device");
    return true;
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    if (const auto *Ref =
            dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()))
      Called.insert(Ref);
    // Launches are told of as such.
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && !isa<CUDAKernelCallExpr>(Call))
      addUse(*Callee, "call", Call->getBeginLoc());
    return true;
  }

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && !Called.contains(Ref))
      addUse(*Function, "address", Ref->getLocation());
    return true;
  }

  void addAssembly() {
    facts::forEachNameInAssembly(
        Context, [&](llvm::StringRef Word, bool GoesOn, SourceLocation Where) {
          addSymbolInText(Word, GoesOn, "assembly", Where);
        });
  }

  void addLaunches() {
    for (const KernelLaunch &Each : collectUserCode(Context).Launches) {
      if (!Each.Kernel)
        continue;
      llvm::json::Object Says = at(Each.Call     ? Each.Call->getBeginLoc()
                                   : Each.Caller ? Each.Caller->getLocation()
                                                 : SourceLocation());
      if (Each.BlockThreads)
        Says["threads"] = int64_t(*Each.BlockThreads);
      addBy(Each.Caller, Says);
      addTo(*Each.Kernel, "launch", std::move(Says));
      Explained.insert(Each.Kernel->getCanonicalDecl());
    }
  }

  /// What Clang knows to be referenced, by whom nobody saw.
  void addUnexplained() {
    for (const FunctionDecl *Each : Declared)
      if (!Explained.contains(Each) &&
          (Each->isUsed(/*CheckUsedAttr=*/false) ||
           llvm::any_of(Each->redecls(), [](const FunctionDecl *D) {
             return D->isReferenced();
           })))
        addUse(*Each, "unseen", Each->getLocation());
  }

private:
  llvm::json::Object at(SourceLocation Where) const {
    if (Where.isInvalid())
      return {};
    const Place P = barricade::placeOf(Where, SM);
    return llvm::json::Object{{"file", P.File},
                              {"offset", P.Offset},
                              {"line", P.Line},
                              {"column", P.Column}};
  }

  static void addBy(const FunctionDecl *Caller, llvm::json::Object &Says) {
    if (!Caller)
      return;
    Says["by"] = functionId(*Caller);
    Says["from"] = Caller->getQualifiedNameAsString();
  }

  void addTo(const FunctionDecl &Function, llvm::StringRef Is,
             llvm::json::Object Says) {
    Says["is"] = Is;
    Into.add(FunctionKind, keyOf(Function, Into.Unit), std::move(Says));
  }

  void addSymbol(const FunctionDecl &Function, llvm::StringRef Is) {
    if (std::string Symbol = symbolOf(Function, Names); !Symbol.empty())
      Into.add(SymbolKind, Symbol,
               llvm::json::Object{{"is", Is},
                                  {"function", keyOf(Function, Into.Unit)}});
  }

  /// Some text, which nobody checks, may name what the linker knows.
  void addSymbolInText(llvm::StringRef Symbol, bool GoesOn, llvm::StringRef Is,
                       SourceLocation Where) {
    llvm::json::Object Says = at(Where);
    Says["is"] = Is;
    Into.add(SymbolKind, textKey(Symbol, GoesOn), std::move(Says));
  }

  void addAliases(const FunctionDecl &Function) {
    if (const auto *Alias = Function.getAttr<AliasAttr>())
      addSymbolInText(Alias->getAliasee(), /*GoesOn=*/false, "alias",
                      Alias->getLocation());
    if (const auto *Weak = Function.getAttr<WeakRefAttr>())
      addSymbolInText(Weak->getAliasee(), /*GoesOn=*/false, "alias",
                      Weak->getLocation());
  }

  void addDeclared(const FunctionDecl &Function) {
    Declared.insert(Function.getCanonicalDecl());
    if (!Function.doesThisDeclarationHaveABody())
      addTo(Function, "declaration", descriptionOf(Function));
    else if (Pass.IsDevice)
      addDefinition(Function);
    // Whoever has an object may call it.
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
        Method && Method->isVirtual())
      addUse(Function, "virtual", Function.getLocation());
  }

  llvm::json::Object descriptionOf(const FunctionDecl &Function) const {
    const FunctionDecl &Spelled = spelledFunction(Function);
    llvm::json::Object Says = at(Spelled.getLocation());
    Says["name"] = Spelled.getQualifiedNameAsString();
    Says["role"] = Function.hasAttr<CUDAGlobalAttr>() ? "kernel" : "device";
    Says["linkage"] = linkageOf(Spelled);
    return Says;
  }

  /// Which text the device runs, its own pass says.
  void addDefinition(const FunctionDecl &Function) {
    llvm::json::Object Says = descriptionOf(Function);
    Says["hash"] = hashOfDefinition(spelledFunction(Function));
    Says["sm"] = Pass.Sm;
    Says["rdc"] = IsRelocatable;
    addTo(Function, "definition", std::move(Says));
    addSymbol(Function, "definition");
  }

  void addUse(const FunctionDecl &Function, llvm::StringRef Is,
              SourceLocation Where) {
    if (!isDeviceCode(Function) || facts::isLibraryCode(Function))
      return;
    llvm::json::Object Says = at(Where);
    addBy(Current, Says);
    addTo(Function, Is, std::move(Says));
    addSymbol(Function, "use");
    Explained.insert(Function.getCanonicalDecl());
  }

  void addGlobal(const VarDecl &Var, llvm::StringRef Space) {
    llvm::SmallString<128> Usr;
    if (index::generateUSRForDecl(&Var, Usr))
      return;
    llvm::json::Object Says = at(Var.getLocation());
    Says["name"] = Var.getQualifiedNameAsString();
    Says["space"] = Space;
    Says["is"] = Var.isThisDeclarationADefinition() == VarDecl::DeclarationOnly
                     ? "declaration"
                     : "definition";
    const bool IsInternal = !Var.isExternallyVisible();
    Says["linkage"] = IsInternal ? "internal" : "external";
    Into.add(GlobalKind,
             IsInternal ? (Usr + "@" + Into.Unit).str() : Usr.str().str(),
             std::move(Says));
  }

  const PassView &Pass;
  ASTContext &Context;
  const SourceManager &SM;
  ASTNameGenerator Names;
  const bool IsRelocatable;
  Records &Into;
  const FunctionDecl *Current = nullptr;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Called;
  /// Device functions that are declared, and those of which a use was seen.
  llvm::SetVector<const FunctionDecl *> Declared;
  llvm::SmallPtrSet<const FunctionDecl *, 32> Explained;
};

void addPass(const PassView &Pass, bool IsRelocatable, Records &Into) {
  PassVisitor Visitor(Pass, IsRelocatable, Into);
  for (const Decl *D : facts::declarationsOutsideLibraries(*Pass.Context))
    Visitor.TraverseDecl(D);
  Visitor.addAssembly();
  Visitor.addLaunches();
  Visitor.addUnexplained();
}

llvm::json::Object saysLeftOut(const PlaceInPass &Where) {
  const Place P = Where.place();
  return llvm::json::Object{{"is", "left-out"},
                            {"file", P.File},
                            {"offset", P.Offset},
                            {"line", P.Line},
                            {"column", P.Column}};
}

bool isKeyword(llvm::StringRef Word, const ASTContext &Context) {
  const IdentifierInfo *Known = knownIdentifier(Word, Context.Idents);
  return Known && Known->isKeyword(Context.getLangOpts());
}

/// What code may name of which no pass has a tree.
void addLeftOut(const Program &Unit, Records &Into) {
  const LeftOutNames &Names = leftOutNames(Unit);
  for (const auto &Each : Names.Words)
    if (!isKeyword(Each.getKey(), *Unit.Passes.front().Context))
      Into.add(NameKind, Each.getKey(), saysLeftOut(Each.getValue()));
  for (const auto &Each : Names.InStrings)
    Into.add(SymbolKind, Each.getKey(), saysLeftOut(Each.getValue()));
  if (Names.Including)
    Into.add(NameKind, AnyName, saysLeftOut(*Names.Including));
  if (!Names.Pasting)
    return;
  llvm::json::Object Says = saysLeftOut(*Names.Pasting);
  Says["parts"] = llvm::json::Array(Names.parts());
  Into.add(NameKind, PastedName, std::move(Says));
}

/// Of all that is told so far.
std::string contentsOf(const std::vector<Record> &All) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const Record &Each : All)
    write(Each, OS);
  return hashOf(Text);
}

} // namespace

std::string hashOf(llvm::StringRef Text) {
  const auto Hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(Text));
  return llvm::utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(Hash.low64, /*LowerCase=*/true, 16);
}

Place placeOf(const llvm::json::Object &Says) {
  auto Number = [&](llvm::StringRef Key) {
    return unsigned(Says.getInteger(Key).value_or(0));
  };
  return {Says.getString("file").value_or("").str(), Number("offset"),
          Number("line"), Number("column")};
}

std::string keyOf(const FunctionDecl &Function, llvm::StringRef Unit) {
  const std::string Usr = functionId(Function);
  return spelledFunction(Function).isExternallyVisible()
             ? Usr
             : Usr + "@" + Unit.str();
}

std::string symbolOf(const FunctionDecl &Function, ASTNameGenerator &Names) {
  if (Function.isDependentContext() || !Function.isExternallyVisible() ||
      isa<CXXConstructorDecl, CXXDestructorDecl>(Function))
    return {};
  return Names.getName(&Function);
}

std::string textKey(llvm::StringRef Symbol, bool GoesOn) {
  return (Symbol + (GoesOn ? "%" : "")).str();
}

UnitSummary summarise(const Program &Unit, const UnitOrigin &Origin) {
  UnitSummary Result;
  Result.Unit = hashOf(Origin.File + '\0' + Origin.Command);
  Records All(Result.Unit);
  for (const PassView &Pass : Unit.Passes)
    addPass(Pass, Unit.RelocatableDeviceCode, All);
  addLeftOut(Unit, All);
  for (const UnitInput &Each : Origin.Inputs)
    All.add(FileKind, Each.Path, llvm::json::Object{{"hash", Each.Hash}});
  Result.Records = All.take();
  Result.Contents = contentsOf(Result.Records);
  // The last kind, so that the order stays.
  Record Own{UnitKind.str(), Result.Unit, {}};
  Own.add(Claim(llvm::json::Object{{"file", Origin.File},
                                   {"command", Origin.Command},
                                   {"contents", Result.Contents},
                                   {"rdc", Unit.RelocatableDeviceCode}}));
  Result.Records.push_back(std::move(Own));
  return Result;
}

} // namespace barricade::program
