// A user's header that the build calls a system header.
__device__ inline int countForLane(int n) { return n + threadIdx.x; }
__device__ inline int countForBlock(int n) { return n + blockIdx.x; }
__device__ int countUnseen(int n);
__device__ inline int atomicLike(int n) { return n + 1; }
namespace std {
__device__ inline int countInStd(int n) { return n + threadIdx.x; }
} // namespace std
