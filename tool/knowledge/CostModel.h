// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rewrite is expected to gain, before anything is measured: the model of
// Lo et al. (P1) for artificial barriers, that of Xiao and Feng (P3) for grid
// barriers, with constants of one GPU, which eval/calibrate measures.
// docs/cost-model.md describes both.

#ifndef BARRICADE_TOOL_KNOWLEDGE_COSTMODEL_H
#define BARRICADE_TOOL_KNOWLEDGE_COSTMODEL_H

#include "tool/Report.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace barricade {

/// Bounds of rho = (t - t_s) / t; below 0 is a loss.
struct ExpectedGain {
  double Low = 0, High = 0;
};

/// What a GPU's numbers say of a rewrite.
enum class Outlook {
  Gain,
  NoGain, ///< Neither faster nor slower.
  Loss,
  Unclear, ///< It may be either.
};

struct Expectation {
  Outlook What = Outlook::Unclear;
  ExpectedGain Gain;   ///< Of the loop's time, as far as the model knows it.
  std::string Because; ///< What decides where the bounds do not; else empty.
};

/// What a rule did to real programs, where nobody had measured before: decides
/// where the bounds do not.
struct Experience {
  std::string Rule;
  unsigned Programs = 0, Faster = 0, Slower = 0;
  ExpectedGain Gain; ///< Of those that changed.
};

/// What the steps of a relaunch loop take beside their work, in microseconds
/// for each launch of the source.
struct StepCosts {
  double Relaunch = 0;    ///< Launched one after the other.
  double GraphNode = 0;   ///< As nodes of a CUDA graph; 0: not measured.
  double GridBarrier = 0; ///< In one persistent kernel.
};

class CostModel {
public:
  /// How far, in gain, loops are apart that are alike in the model's eyes:
  /// widens the bounds of artificial barriers. On an H200 no loop of
  /// eval/experiments that it then said to lose was faster
  /// (docs/cost-model.md).
  static constexpr double Uncertainty = 0.03;

  /// Reads what eval/calibrate wrote.
  static llvm::Expected<CostModel> read(llvm::StringRef Path);
  static llvm::Expected<CostModel> parse(llvm::StringRef Json);
  static llvm::Expected<CostModel> fromJSON(const llvm::json::Value &Root);

  llvm::StringRef gpu() const { return Gpu; }
  /// `sm_90`; empty in older files.
  llvm::StringRef architecture() const { return Architecture; }

  /// Nothing where the model knows nothing of such a rewrite.
  std::optional<Expectation> expect(const Finding &F) const;

  /// Those of a launch of \p Blocks blocks; where that is not known, of one
  /// block on each multiprocessor.
  StepCosts stepCosts(std::optional<uint64_t> Blocks) const;

  /// Whether the persistent kernel of \p F, of the rule grid-barrier, has a
  /// constant grid that is more than the GPU can hold, whatever the kernel.
  bool exceedsGpu(const Finding &F) const;

  /// Puts what the launches of an iteration of \p F take by each way into its
  /// facts, and, where its iterations are known, what that is for the whole
  /// loop. Returns that in words.
  std::string addStepCosts(Finding &F) const;

private:
  /// Measured with grids of one size.
  struct GridSample {
    unsigned Blocks = 0;
    StepCosts Costs;
  };

  static bool readExperience(const llvm::json::Object &Root,
                             llvm::json::Path Where,
                             std::vector<Experience> &Experiences);
  static bool readGridSteps(const llvm::json::Object &Root,
                            llvm::json::Path Where,
                            std::vector<GridSample> &Samples);

  /// A loop of one access, with and without a barrier every K-th iteration.
  struct Sample {
    std::string Locality;
    unsigned BlockThreads = 0;
    std::string Form; ///< `barrier`, `vote`, or `shape`, which is not used.
    unsigned Interval = 0;
    double Gain = 0;        ///< (m + c - m_s - c - d - s) / (m + c) of P1.
    double NsPerAccess = 0; ///< m of P1, all threads of the GPU at work.
  };

  Expectation expectStretches(const Finding &F) const;
  Expectation expectGridBarrier(const Finding &F) const;
  Expectation expectFusion(const Finding &F) const;
  std::optional<Expectation> expectOverlap(const Finding &F) const;
  std::optional<Expectation> expectReplay(const Finding &F) const;
  std::optional<Expectation> expectArtificialBarrier(const Finding &F) const;
  std::optional<ExpectedGain> boundsOfLoads(const Finding &F) const;
  const Experience *experienceOf(llvm::StringRef Rule) const;
  double onceUs(bool Repeated) const;

  std::vector<const Sample *> samplesFor(llvm::StringRef Locality,
                                         llvm::StringRef Form,
                                         unsigned Interval,
                                         std::optional<unsigned> Block) const;

  std::string Gpu, Architecture;
  double NsPerInstruction = 0; ///< Of one thread, all of them at work.
  StepCosts Costs;             ///< Of one block on each multiprocessor.
  std::optional<unsigned> Multiprocessors;
  std::vector<GridSample> GridSteps; ///< By the number of blocks; may be empty.
  std::vector<Sample> Samples;
  std::vector<Experience> Experiences; ///< By rule; may be empty.
  /// What a persistent launch takes more than another, and what the first one
  /// of a process takes besides, with the loading of its kernel; 0: not known.
  double PersistentLaunchUs = 0, FirstUseUs = 0;
  /// What a launch that overlaps the grid before saves at least; 0: not known.
  double OverlapSavedUs = 0;
};

/// By how much, or why: `-20.3 % .. +4.0 %`.
std::string figuresText(const Expectation &E);

/// What \p Model, of some GPU, promises: a gain, a loss, or to measure.
std::string expectationText(const Expectation &E, const CostModel &Model);

/// Puts \p E into the facts of \p F, and returns it in words.
std::string addExpectation(Finding &F, const Expectation &E,
                           const CostModel &Model);

} // namespace barricade

#endif
