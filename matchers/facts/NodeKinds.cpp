// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/NodeKinds.h"

using namespace clang;

namespace barricade::facts {

std::optional<NodeUse> listedUse(Stmt::StmtClass Kind) {
  switch (Kind) {
#define KIND(Node, Use)                                                        \
  case Stmt::Node##Class:                                                      \
    return NodeUse::Use;
#include "matchers/facts/NodeKinds.def"
  default:
    return std::nullopt;
  }
}

NodeUse useOf(const Stmt &S) {
  return listedUse(S.getStmtClass()).value_or(NodeUse::Unknown);
}

std::optional<CastUse> listedUse(CastKind Kind) {
  switch (Kind) {
  case CK_LValueToRValue:
  case CK_LValueToRValueBitCast:
    return CastUse::Load;
  case CK_ToVoid:
    return CastUse::Discard;
  case CK_NoOp:
  case CK_LValueBitCast:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
    return CastUse::Same;
  case CK_ArrayToPointerDecay:
    return CastUse::Decay;
  case CK_BitCast:
  case CK_FunctionToPointerDecay:
  case CK_NullToPointer:
  case CK_NullToMemberPointer:
  case CK_BaseToDerivedMemberPointer:
  case CK_DerivedToBaseMemberPointer:
  case CK_MemberPointerToBoolean:
  case CK_ReinterpretMemberPointer:
  case CK_UserDefinedConversion:
  case CK_ConstructorConversion:
  case CK_IntegralToPointer:
  case CK_PointerToIntegral:
  case CK_PointerToBoolean:
  case CK_MatrixCast:
  case CK_VectorSplat:
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToFixedPoint:
  case CK_FixedPointToFloating:
  case CK_FixedPointCast:
  case CK_FixedPointToIntegral:
  case CK_IntegralToFixedPoint:
  case CK_FixedPointToBoolean:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_BooleanToSignedIntegral:
  case CK_FloatingCast:
  case CK_FloatingRealToComplex:
  case CK_FloatingComplexToReal:
  case CK_FloatingComplexToBoolean:
  case CK_FloatingComplexCast:
  case CK_FloatingComplexToIntegralComplex:
  case CK_IntegralRealToComplex:
  case CK_IntegralComplexToReal:
  case CK_IntegralComplexToBoolean:
  case CK_IntegralComplexCast:
  case CK_IntegralComplexToFloatingComplex:
  case CK_AtomicToNonAtomic:
  case CK_NonAtomicToAtomic:
  case CK_BuiltinFnToFnPtr:
    return CastUse::Value;
  case CK_Dependent:
  case CK_Dynamic:
  case CK_ToUnion:
  case CK_AddressSpaceConversion:
  case CK_CPointerToObjCPointerCast:
  case CK_BlockPointerToObjCPointerCast:
  case CK_AnyPointerToBlockPointerCast:
  case CK_ObjCObjectLValueCast:
  case CK_ARCProduceObject:
  case CK_ARCConsumeObject:
  case CK_ARCReclaimReturnedObject:
  case CK_ARCExtendBlockObject:
  case CK_CopyAndAutoreleaseBlockObject:
  case CK_ZeroToOCLOpaqueType:
  case CK_IntToOCLSampler:
  case CK_HLSLVectorTruncation:
  case CK_HLSLMatrixTruncation:
  case CK_HLSLArrayRValue:
  case CK_HLSLElementwiseCast:
  case CK_HLSLAggregateSplatCast:
    return CastUse::Unknown;
  default:
    return std::nullopt;
  }
}

} // namespace barricade::facts
