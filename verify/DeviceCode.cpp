// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/DeviceCode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <map>

using namespace llvm;

namespace barricade {

static std::string pathOf(const DILocation &At) {
  SmallString<128> Path(At.getFilename());
  if (!sys::path::is_absolute(Path)) {
    Path = At.getDirectory();
    sys::path::append(Path, At.getFilename());
  }
  return std::string(Path);
}

std::vector<CodePlace> placesOf(const Instruction &I) {
  std::vector<CodePlace> Result;
  for (const DILocation *At = I.getDebugLoc().get(); At;
       At = At->getInlinedAt())
    Result.push_back({pathOf(*At), At->getLine(), At->getColumn()});
  return Result;
}

static DeviceCall classifyRegister(StringRef Register) {
  return StringSwitch<DeviceCall>(
             Register.take_until([](char C) { return C == '.'; }))
      .Cases({"ntid", "ctaid", "nctaid", "gridid", "warpsize"},
             DeviceCall::Uniform)
      .Cases({"smid", "nsmid", "nwarpid", "clusterid", "nclusterid"},
             DeviceCall::Uniform)
      .Default(Register.starts_with("cluster") ||
                       Register.ends_with("smem_size")
                   ? DeviceCall::Uniform
                   : DeviceCall::Varying);
}

static DeviceCall classifyIntrinsic(const IntrinsicInst &Call) {
  StringRef Name = Intrinsic::getBaseName(Call.getIntrinsicID());
  if (!Name.consume_front("llvm.nvvm.")) {
    if (isa<DbgInfoIntrinsic>(Call) || Call.isLifetimeStartOrEnd() ||
        Call.isAssumeLikeIntrinsic() ||
        Call.getIntrinsicID() == Intrinsic::trap)
      return DeviceCall::Silent;
    return Call.doesNotAccessMemory() ? DeviceCall::Computes
                                      : DeviceCall::Unknown;
  }
  if (Name.consume_front("read.ptx.sreg."))
    return classifyRegister(Name);
  // Barriers of some threads only (`count`) are the program's own affair.
  if (Name.starts_with("barrier.cta.sync") ||
      Name.starts_with("barrier.cta.red"))
    return Name.ends_with(".count") ? DeviceCall::Varying
                                    : DeviceCall::BlockBarrier;
  if (Name.starts_with("barrier") || Name.starts_with("bar.") ||
      Name.starts_with("fence") || Name.starts_with("membar") ||
      Name == "nanosleep" || Name == "exit")
    return Call.getType()->isVoidTy() ? DeviceCall::Silent
                                      : DeviceCall::Varying;
  if (Name.starts_with("ldg.") || Name.starts_with("ldu.") ||
      Name.starts_with("tex."))
    return DeviceCall::Reads;
  if (Name.starts_with("shfl") || Name.starts_with("vote") ||
      Name.starts_with("match") || Name.starts_with("activemask") ||
      Name.starts_with("redux"))
    return DeviceCall::Varying;
  return Call.doesNotAccessMemory() && !Call.isConvergent()
             ? DeviceCall::Computes
             : DeviceCall::Unknown;
}

/// Instructions that tell threads apart, or that others take part in.
static bool namesOthers(StringRef Assembly) {
  return any_of(ArrayRef<StringRef>({"%", "shfl", "vote", "match", "activemask",
                                     "redux", "elect", "bar", "atom", "red.",
                                     "ld", "tex", "clock"}),
                [&](StringRef Each) { return Assembly.contains(Each); });
}

/// Assembly that reads one register, loads through one pointer, or computes, as
/// the toolkit's headers do, or that ends the thread.
static DeviceCall classifyAssembly(const CallBase &Call) {
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  const bool Writes = Call.mayWriteToMemory();
  StringRef Text = StringRef(Asm.getAsmString()).trim("{} \t\n");
  if (Text.empty()) // hides a value, or what memory holds, from compilers
    return DeviceCall::Computes;
  if (Text == "trap;" || Text == "exit;" || Text == "griddepcontrol.wait;")
    return DeviceCall::Silent;
  // Where a grid barrier has them the cluster is the grid.
  if ((Text == "barrier.cluster.arrive;" || Text == "barrier.cluster.wait;") &&
      isInGridBarrier(Call))
    return DeviceCall::BlockBarrier;
  if (!Writes && Text.starts_with("ld.global.") && Call.arg_size() == 1 &&
      Call.getArgOperand(0)->getType()->isPointerTy())
    return DeviceCall::Reads;
  if (!Writes && !namesOthers(Text))
    return DeviceCall::Computes;
  if (Text.consume_front("mov.u32 ") || Text.consume_front("mov.u64 ")) {
    StringRef Source = Text.split(',').second.trim("; \t\n");
    while (Source.consume_front("$") || Source.consume_front("%"))
      ;
    if (Source.starts_with("envreg") && !Source.contains(';'))
      return DeviceCall::Uniform; // set for the whole launch
  }
  return Writes ? DeviceCall::Unknown : DeviceCall::Varying;
}

DeviceCall classify(const CallBase &Call) {
  if (const auto *Known = dyn_cast<IntrinsicInst>(&Call))
    return classifyIntrinsic(*Known);
  if (Call.isInlineAsm())
    return classifyAssembly(Call);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return DeviceCall::Unknown;
  const std::string Whole = demangle(Callee->getName());
  const StringRef Name =
      StringRef(Whole).take_until([](char C) { return C == '('; });
  StringRef Scopeless = Name;
  (void)(Scopeless.consume_back("_block") || Scopeless.consume_back("_system"));
  // Without a toolkit these are declared only.
  static const StringSet<> Atomics = {"atomicAdd", "atomicSub", "atomicExch",
                                      "atomicMin", "atomicMax", "atomicInc",
                                      "atomicDec", "atomicAnd", "atomicOr",
                                      "atomicXor", "atomicCAS"};
  if (Atomics.contains(Scopeless))
    return DeviceCall::Varying;
  return StringSwitch<DeviceCall>(Name)
      .Cases({"__syncthreads", "__syncthreads_or", "__syncthreads_and",
              "__syncthreads_count"},
             DeviceCall::BlockBarrier)
      .Cases({"vprintf", "printf", "__assertfail", "__trap", "__brkpt"},
             DeviceCall::Silent)
      .StartsWith("__threadfence", DeviceCall::Silent)
      // The device's mathematics: pointers that it is given are its results.
      .StartsWith("__nv_", DeviceCall::Computes)
      .Default(DeviceCall::Unknown);
}

bool isSameInGrid(const CallBase &Call) {
  if (Call.isInlineAsm()) // environment registers are the launch's
    return classify(Call) == DeviceCall::Uniform;
  StringRef Name = Intrinsic::getBaseName(Call.getIntrinsicID());
  if (!isa<IntrinsicInst>(Call) ||
      !Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return false;
  return is_contained({"ntid", "nctaid", "warpsize", "gridid"},
                      Name.take_until([](char C) { return C == '.'; }));
}

bool mayBeOfBlock(const Value &Pointer) {
  return any_of(objectsOf(Pointer), [](const Value *Object) {
    const auto *Variable = dyn_cast<GlobalVariable>(Object);
    return Variable &&
           Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

bool isBlockBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && classify(*Call) == DeviceCall::BlockBarrier;
}

bool waitsForOthers(const CallBase &Call) {
  const DeviceCall Kind = classify(Call);
  if (Kind == DeviceCall::BlockBarrier || Kind == DeviceCall::Unknown)
    return true;
  StringRef Name;
  if (Call.isInlineAsm())
    Name = cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
  else if (Call.getIntrinsicID() != Intrinsic::not_intrinsic)
    Name = Intrinsic::getBaseName(Call.getIntrinsicID());
  // Not cp.async.
  return Name.starts_with("sync") || Name.contains(".sync") ||
         Name.contains("cluster.wait");
}

bool isInGridBarrier(const Instruction &I) {
  for (const DILocation *At = I.getDebugLoc().get(); At;
       At = At->getInlinedAt()) {
    StringRef Name = At->getScope()->getSubprogram()->getName();
    // A template.
    if (Name.consume_front("__gpu_sync") && !Name.starts_with("_"))
      return true;
  }
  return false;
}

bool isPartOfGridBarrier(const Instruction &I) {
  return isBlockBarrier(I) && isInGridBarrier(I);
}

/// Lets everything be inlined that can be.
static void openForInlining(Function &F) {
  F.removeFnAttr(Attribute::NoInline);
  F.removeFnAttr(Attribute::OptimizeNone);
  if (F.getCallingConv() == CallingConv::PTX_Kernel)
    return;
  F.addFnAttr(Attribute::AlwaysInline);
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setComdat(nullptr);
}

/// The inliner leaves alone what is not said to be inlined at the call.
static void openCalls(Function &F) {
  for (BasicBlock &B : F)
    for (Instruction &I : B)
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->removeFnAttr(Attribute::NoInline);
}

/// Puts callees before their callers, the order in which functions are inlined:
/// accesses keep what `__restrict__` parameters of a caller say of them only if
/// they stand in it when it is inlined itself.
static void orderBottomUp(Module &M) {
  CallGraph Calls(M);
  for (auto Component = scc_begin(&Calls); !Component.isAtEnd(); ++Component)
    for (const CallGraphNode *Node : *Component)
      if (Function *F = Node->getFunction())
        M.getFunctionList().splice(M.end(), M.getFunctionList(),
                                   F->getIterator());
}

/// Lets the paths that bring the same values to a block meet before it. Where
/// an empty block was folded into the next one, whichever way threads took
/// within a step would seem to decide between values that only steps differ in.
class JoinAlikePaths : public PassInfoMixin<JoinAlikePaths> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    SmallVector<BasicBlock *, 32> Blocks;
    for (BasicBlock &B : F)
      if (!B.phis().empty() && B.hasNPredecessorsOrMore(3))
        Blocks.push_back(&B);
    for (BasicBlock *B : Blocks)
      join(*B);
    return PreservedAnalyses::none();
  }

private:
  static void join(BasicBlock &B) {
    MapVector<SmallVector<const Value *, 4>, SmallVector<BasicBlock *, 4>,
              std::map<SmallVector<const Value *, 4>, unsigned>>
        Alike;
    SmallPtrSet<const BasicBlock *, 8> Seen;
    for (BasicBlock *From : predecessors(&B)) {
      if (!Seen.insert(From).second ||
          !isa<BranchInst, SwitchInst>(From->getTerminator()))
        return;
      SmallVector<const Value *, 4> Values;
      for (const PHINode &Phi : B.phis())
        Values.push_back(Phi.getIncomingValueForBlock(From));
      Alike[Values].push_back(From);
    }
    if (Alike.size() > 1)
      for (const auto &[Values, Paths] : Alike)
        if (Paths.size() > 1)
          SplitBlockPredecessors(&B, Paths, ".alike");
  }
};

DeviceCode::DeviceCode(Module &M, bool RestrictParams) {
  PassBuilder Builder;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);

  for (Function &F : M)
    if (!F.isDeclaration()) {
      openForInlining(F);
      openCalls(F);
      if (RestrictParams && F.getCallingConv() == CallingConv::PTX_Kernel)
        for (Argument &Arg : F.args())
          if (Arg.getType()->isPointerTy() && !Arg.hasByValAttr())
            Arg.addAttr(Attribute::NoAlias);
    }

  orderBottomUp(M);
  // Parameters must be seen as such for the inliner to keep what their
  // `__restrict__` says.
  FunctionPassManager Before;
  Before.addPass(SROAPass(SROAOptions::ModifyCFG));
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(InstSimplifyPass());
  Simplify.addPass(SimplifyCFGPass());
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(JoinAlikePaths());
  // Where a loop is left into the header of another, threads that leave at
  // different times would seem to bring different values to that.
  Simplify.addPass(LoopSimplifyPass());
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Before)));
  Passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  Passes.addPass(GlobalDCEPass());
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Simplify)));
  Passes.run(M, Modules);

  for (Function &F : M)
    if (!F.isDeclaration())
      (F.getCallingConv() == CallingConv::PTX_Kernel ? Kernels : Others)
          .push_back(&F);
}

AAResults &DeviceCode::aliases(Function &F) {
  return Functions.getResult<AAManager>(F);
}

SmallPtrSet<const Value *, 4> objectsOf(const Value &Pointer) {
  SmallVector<const Value *, 4> Found;
  getUnderlyingObjects(&Pointer, Found, /*LI=*/nullptr, /*MaxLookup=*/0);
  return {Found.begin(), Found.end()};
}

bool isOpaque(const Value &Object) {
  const Value *Address = &Object;
  while (const auto *Cast = dyn_cast<CastInst>(Address))
    Address = Cast->getOperand(0);
  const auto *Call = dyn_cast<CallBase>(Address);
  return Call && Call->isInlineAsm();
}

Users terminatorsOf(const Function &F) {
  Users Result;
  for (const BasicBlock &B : F)
    Result.push_back(B.getTerminator());
  return Result;
}

ValueSet valuesBehind(Users Of) {
  ValueSet Result;
  while (!Of.empty())
    for (const Value *Operand : Of.pop_back_val()->operands())
      if (const auto *I = dyn_cast<Instruction>(Operand);
          I && Result.insert(I).second)
        Of.push_back(I);
  return Result;
}

bool isReadOnlySpace(const Value &Pointer) {
  const unsigned Space = Pointer.getType()->getPointerAddressSpace();
  return Space == NVPTXAS::ADDRESS_SPACE_CONST ||
         Space == NVPTXAS::ADDRESS_SPACE_PARAM;
}

bool isConstant(const Value &Object) {
  const auto *Variable = dyn_cast<GlobalVariable>(&Object);
  return isReadOnlySpace(Object) || (Variable && Variable->isConstant());
}

} // namespace barricade
