// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade {
namespace {

/// CUDA's built-in functions whose meaning their names settle.
std::optional<CallKind> classifyName(llvm::StringRef Name) {
  auto Kind =
      llvm::StringSwitch<std::optional<CallKind>>(Name)
          .Cases({"__syncthreads", "__syncthreads_or", "__syncthreads_and",
                  "__syncthreads_count"},
                 CallKind::BlockBarrier)
          .StartsWith("__nvvm_bar0", CallKind::BlockBarrier)
          .Cases({"__nvvm_bar_warp_sync", "__syncwarp"}, CallKind::WarpSync)
          .Cases({"__barrier_sync", "__barrier_sync_count"},
                 CallKind::NamedBarrier)
          .StartsWith("__nvvm_bar", CallKind::NamedBarrier)
          .StartsWith("__nvvm_mbarrier", CallKind::NamedBarrier)
          .StartsWith("__mbarrier", CallKind::NamedBarrier)
          .StartsWith("__pipeline_", CallKind::NamedBarrier)
          .StartsWith("__cluster_barrier", CallKind::NamedBarrier)
          .Case("__gpu_sync", CallKind::GridBarrier)
          .StartsWith("__threadfence", CallKind::Fence)
          .StartsWith("__nvvm_membar", CallKind::Fence)
          .StartsWith("__nvvm_fence", CallKind::Fence)
          .StartsWith("__shfl", CallKind::Exchange)
          .StartsWith("__ballot", CallKind::Exchange)
          .Cases({"__any", "__all", "__any_sync", "__all_sync", "__uni_sync",
                  "__activemask", "__lanemask_eq", "__lanemask_lt",
                  "__lanemask_le", "__lanemask_gt", "__lanemask_ge"},
                 CallKind::Exchange)
          .StartsWith("__match_", CallKind::Exchange)
          .StartsWith("__reduce_", CallKind::Exchange)
          .StartsWith("__nvvm_shfl", CallKind::Exchange)
          .StartsWith("__nvvm_vote", CallKind::Exchange)
          .StartsWith("__nvvm_match", CallKind::Exchange)
          .StartsWith("__nvvm_redux", CallKind::Exchange)
          .StartsWith("__nvvm_activemask", CallKind::Exchange)
          .StartsWith("__nvvm_atom", CallKind::Atomic)
          .Case("__nv_atomic_thread_fence", CallKind::Fence)
          .StartsWith("__nv_atomic_", CallKind::Atomic)
          .StartsWith("__atomic_", CallKind::Atomic)
          .StartsWith("__sync_", CallKind::Atomic)
          .StartsWith("__iAtomic", CallKind::Atomic)
          .StartsWith("__uAtomic", CallKind::Atomic)
          .StartsWith("__illAtomic", CallKind::Atomic)
          .StartsWith("__ullAtomic", CallKind::Atomic)
          .StartsWith("__fAtomic", CallKind::Atomic)
          .StartsWith("__dAtomic", CallKind::Atomic)
          // A load that must fetch anew each time may see another's store.
          .Case("__ldcv", CallKind::Atomic)
          .Cases({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu"},
                 CallKind::Load)
          .StartsWith("__nvvm_ldg", CallKind::Load)
          .StartsWith("__nvvm_ldu", CallKind::Load)
          .Cases({"__stcg", "__stcs", "__stwb", "__stwt"}, CallKind::Store)
          .Cases({"clock", "clock64", "__clock", "__clock64", "__globaltimer",
                  "__nanosleep", "__nvvm_nanosleep"},
                 CallKind::Clock)
          .StartsWith("__nvvm_read_ptx_sreg_clock", CallKind::Clock)
          .StartsWith("__nvvm_read_ptx_sreg_globaltimer", CallKind::Clock)
          .StartsWith("__nvvm_read_ptx_sreg_ctaid", CallKind::UniformIndex)
          .StartsWith("__nvvm_read_ptx_sreg_ntid", CallKind::UniformIndex)
          .StartsWith("__nvvm_read_ptx_sreg_nctaid", CallKind::UniformIndex)
          .StartsWith("__nvvm_read_ptx_sreg_warpsize", CallKind::UniformIndex)
          .StartsWith("__nvvm_read_ptx_sreg_", CallKind::ThreadIndex)
          .Cases({"printf", "vprintf", "__assert_fail", "__assertfail",
                  "_wassert", "__assert"},
                 CallKind::Print)
          .Cases({"__trap", "__brkpt", "__builtin_trap", "abort",
                  "__builtin_unreachable"},
                 CallKind::Trap)
          .Default(std::nullopt);
  if (!Kind && Name.size() > 6 && Name.starts_with("atomic") &&
      Name[6] >= 'A' && Name[6] <= 'Z')
    return CallKind::Atomic;
  return Kind;
}

/// The outermost named namespace that \p D lies in, or nothing.
llvm::StringRef outermostNamespace(const Decl &D) {
  llvm::StringRef Name;
  for (const DeclContext *C = D.getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C);
        N && N->getDeclName() && !N->isInline())
      Name = N->getName();
  return Name;
}

/// The library's class whose object a function of cooperative groups is called
/// for: `block.sync()`, or `sync(block)`, which takes others' classes, too.
llvm::StringRef groupOf(const FunctionDecl &Callee) {
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Callee))
    return Method->getParent()->getName();
  if (Callee.getNumParams() != 1)
    return {};
  const QualType Type = Callee.getParamDecl(0)->getType();
  const CXXRecordDecl *Group = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Group && outermostNamespace(*Group) == "cooperative_groups"
             ? Group->getName()
             : "";
}

CallKind classifyCooperativeGroups(const FunctionDecl &Callee) {
  llvm::StringRef Name =
      Callee.getDeclName().isIdentifier() ? Callee.getName() : "";
  if (Name.contains("sync") || Name.contains("arrive") ||
      Name.contains("wait")) {
    const llvm::StringRef Group = groupOf(Callee);
    if (Group == "grid_group" || Group == "multi_grid_group")
      return CallKind::GridBarrier;
    return Group == "thread_block" && Name == "sync" ? CallKind::BlockBarrier
                                                     : CallKind::NamedBarrier;
  }
  return llvm::StringSwitch<CallKind>(Name)
      // By __activemask(): which lanes happen to be there.
      .Case("coalesced_threads", CallKind::Exchange)
      .Cases({"this_thread_block", "this_grid", "tiled_partition",
              "thread_rank", "thread_index", "group_index", "size",
              "num_threads"},
             CallKind::ThreadIndex)
      .Cases({"group_dim", "dim_threads", "meta_group_rank", "meta_group_size",
              "num_blocks", "block_rank", "is_valid"},
             CallKind::ThreadIndex)
      .Default(CallKind::Unknown);
}

/// libcu++: its bodies are inline PTX. Nothing where the name does not settle
/// the meaning.
std::optional<CallKind> classifyLibcu(const FunctionDecl &Callee) {
  llvm::StringRef Name =
      Callee.getDeclName().isIdentifier() ? Callee.getName() : "";
  if (Name == "atomic_thread_fence")
    return CallKind::Fence;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  if (Method && Method->getParent()->getName().contains("atomic") &&
      !isa<CXXConstructorDecl>(Method))
    return Name.starts_with("wait") ? CallKind::Unknown : CallKind::Atomic;
  // Barriers, pipelines and copies that are waited for, whose bodies hold PTX.
  const bool Waits = Name.contains("arrive") || Name.contains("wait") ||
                     Name.contains("memcpy_async") ||
                     Name.contains("pipeline") || Name.contains("acquire");
  return Waits ? std::optional(CallKind::NamedBarrier) : std::nullopt;
}

bool takesOnlyValues(const FunctionDecl &Callee) {
  return Callee.getNumParams() > 0 && !Callee.isVariadic() &&
         !Callee.getReturnType()->isVoidType() &&
         llvm::all_of(Callee.parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isArithmeticType() ||
                  P->getType()->isVectorType() ||
                  P->getType()->isRecordType() ||
                  P->getType()->isEnumeralType();
         });
}

/// `surf2Dread(surface, x, y)`: memory that anybody may write.
bool accessesSurface(const FunctionDecl &Callee) {
  return Callee.getDeclName().isIdentifier() &&
         Callee.getName().starts_with("surf");
}

/// CUDA's and the C library's functions of values: nothing but arguments in,
/// nothing but a result out.
bool isLibraryFunctionOfValues(const FunctionDecl &Callee) {
  ASTContext &Context = Callee.getASTContext();
  if (unsigned Builtin = Callee.getBuiltinID())
    if (Context.BuiltinInfo.isConst(Builtin) ||
        Context.BuiltinInfo.isConstWithoutErrnoAndExceptions(Builtin))
      return true;
  if (!facts::isLibraryCode(Callee) || !takesOnlyValues(Callee) ||
      accessesSurface(Callee))
    return false;
  llvm::StringRef Namespace = outermostNamespace(Callee);
  return !isa<CXXMethodDecl>(Callee) &&
         (Namespace.empty() || Namespace == "std");
}

/// The runtime's functions that give what they are given.
bool isHiding(const FunctionDecl &Callee) {
  const std::string Name = Callee.getQualifiedNameAsString();
  return Name == "barricade::coherent" || Name == "barricade::anew";
}

} // namespace

bool loadsAnew(const FunctionDecl &Function) {
  const llvm::StringRef Name = facts::nameOf(&Function);
  return llvm::is_contained({"__ldcv", "__ldcg", "__ldca", "__ldcs", "__ldlu"},
                            Name);
}

CallKind classifyCall(const CallExpr &Call, const SourceManager &) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || isa<CUDAKernelCallExpr>(Call))
    return CallKind::Unknown;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee)) {
    // The call behind `threadIdx.x` in Clang's headers.
    if (Method->getParent()->getName() == "__cuda_builtin_threadIdx_t")
      return CallKind::ThreadIndex;
    if (Method->getParent()->getName().starts_with("__cuda_builtin_"))
      return CallKind::UniformIndex;
    if (Method->isTrivial() && (Method->isCopyAssignmentOperator() ||
                                Method->isMoveAssignmentOperator()))
      return CallKind::Assignment;
    if (Method->isVirtual() || Method->getParent()->isLambda())
      return CallKind::Unknown;
  }
  llvm::StringRef Namespace = outermostNamespace(*Callee);
  if (Namespace == "cooperative_groups")
    return classifyCooperativeGroups(*Callee);
  if (Namespace == "cuda")
    if (auto Kind = classifyLibcu(*Callee))
      return *Kind;
  if (Namespace == "cub" || Namespace == "thrust" || Namespace == "nvcuda")
    return CallKind::Unknown;

  bool Ours =
      !facts::isLibraryCode(*Callee) && calleeDefinition(Call) != nullptr;
  // A user's function may carry a built-in's name; its body then says more.
  const bool IsKnown = Callee->getBuiltinID() || facts::isLibraryCode(*Callee);
  if (!Ours && IsKnown && Callee->getDeclName().isIdentifier())
    if (auto Kind = classifyName(Callee->getName()))
      return *Kind;
  if (isLibraryFunctionOfValues(*Callee) || isHiding(*Callee))
    return CallKind::Pure;
  return calleeDefinition(Call) ? CallKind::Visible : CallKind::Unknown;
}

bool isBlockVote(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Callee->getDeclName().isIdentifier() &&
         llvm::StringSwitch<bool>(Callee->getName())
             .Cases({"__syncthreads_or", "__syncthreads_and",
                     "__syncthreads_count", "__nvvm_bar0_or", "__nvvm_bar0_and",
                     "__nvvm_bar0_popc"},
                    true)
             .Default(false);
}

bool fetchesTexture(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getDeclName().isIdentifier() ||
      !Callee->getASTContext().getSourceManager().isInSystemHeader(
          Callee->getLocation()))
    return false;
  llvm::StringRef Name = Callee->getName();
  return Name.consume_front("tex") &&
         (Name.starts_with("Cubemap") ||
          (Name.size() > 1 && llvm::isDigit(Name[0]) && Name[1] == 'D'));
}

bool waitsForLanes(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return false;
  CallKind Kind =
      classifyCall(Call, Callee->getASTContext().getSourceManager());
  return Kind == CallKind::WarpSync ||
         (Kind == CallKind::Exchange && Callee->getName().contains("sync"));
}

bool waitsForPreviousGrid(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return false;
  const std::string Name = Callee->getQualifiedNameAsString();
  return Name == "barricade::wait_for_previous_grid" ||
         (Name == "cudaGridDependencySynchronize" &&
          facts::isLibraryCode(*Callee));
}

/// \p S waits for the grid before, by whatever name.
static bool isGridWait(const Stmt &S) {
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(&S)) {
    const std::string Text = Asm->getAsmString();
    return Asm->isVolatile() &&
           llvm::StringRef(Text).trim("; \t\n") == "griddepcontrol.wait" &&
           Asm->getNumClobbers() == 1 && Asm->getClobber(0) == "memory";
  }
  const auto *Call = dyn_cast<CallExpr>(&S);
  return Call && waitsForPreviousGrid(*Call);
}

const Stmt *firstGridWait(const FunctionDecl &Kernel) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Kernel.getBody());
  return Body && !Body->body_empty() && isGridWait(*Body->body_front())
             ? Body->body_front()
             : nullptr;
}

bool isCoherentPointer(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Call.getNumArgs() == 1 &&
         Callee->getQualifiedNameAsString() == "barricade::coherent";
}

const FunctionDecl *calleeDefinition(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return nullptr;
  const FunctionDecl *Definition = nullptr;
  return Callee->hasBody(Definition) ? Definition : nullptr;
}

llvm::StringRef builtinIndexVariable(const Expr &E, char &Member) {
  const Expr *Base = nullptr;
  llvm::StringRef Accessor;
  const Expr *Plain = E.IgnoreParenImpCasts();
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(Plain))
    Plain = Pseudo->getSyntacticForm();
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(Plain)) {
    Base = Property->getBaseExpr();
    Accessor = Property->getPropertyDecl()->getName();
  } else if (const auto *Access = dyn_cast<MemberExpr>(Plain)) {
    Base = Access->getBase();
    Accessor = Access->getMemberDecl()->getDeclName().isIdentifier()
                   ? Access->getMemberDecl()->getName()
                   : "";
  } else {
    Base = Plain;
  }
  Base = Base->IgnoreParenImpCasts();
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base))
    Base = Opaque->getSourceExpr()->IgnoreParenImpCasts();
  const VarDecl *Var = variableNamedBy(*Base);
  // A local variable of that name is the user's own.
  if (!Var || !Var->getDeclContext()->getRedeclContext()->isTranslationUnit() ||
      !Var->getDeclName().isIdentifier())
    return {};
  llvm::StringRef Name = Var->getName();
  bool Known =
      llvm::StringSwitch<bool>(Name)
          .Cases({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"},
                 true)
          .Default(false);
  if (!Known)
    return {};
  Member = Accessor.size() == 1 && Accessor[0] >= 'x' && Accessor[0] <= 'z'
               ? Accessor[0]
               : 'w';
  return Name;
}

llvm::StringRef builtinIndexBinding(const Expr &E, char &Member,
                                    const VarDecl *&Holding) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenImpCasts());
  const auto *Binding = Ref ? dyn_cast<BindingDecl>(Ref->getDecl()) : nullptr;
  const auto *Whole =
      Binding ? dyn_cast<DecompositionDecl>(Binding->getDecomposedDecl())
              : nullptr;
  Holding = Binding ? Binding->getHoldingVar() : nullptr;
  const CXXRecordDecl *Type =
      Whole ? Whole->getType().getNonReferenceType()->getAsCXXRecordDecl()
            : nullptr;
  if (!Holding || !Type || !Type->getIdentifier())
    return {};
  // The types of the prelude's variables.
  llvm::StringRef Name = Type->getName();
  if (!Name.consume_front("__cuda_builtin_") || !Name.consume_back("_t"))
    return {};
  const auto Parts = Whole->bindings();
  Member = char('x' + (llvm::find(Parts, Binding) - Parts.begin()));
  return Name;
}

} // namespace barricade
