// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/html/IntervalPlot.h"
#include "tool/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace barricade::html {
namespace {

/// In the plot's own units.
constexpr double Left = 250, Right = 590, Width = 600, RowHeight = 20;

std::string number(double Value) { return formatv("{0:F1}", Value); }

class Plot {
public:
  Plot(Writer &W, ArrayRef<Measurement> Measured) : W(W), Measured(Measured) {
    // The original is among them.
    for (const Measurement &M : Measured)
      for (double Gain :
           {M.Gain, M.Low.value_or(M.Gain), M.High.value_or(M.Gain)}) {
        Least = std::min(Least, Gain);
        Most = std::max(Most, Gain);
      }
    if (Least == Most)
      Most = 0.01;
  }

  void write() {
    const std::string Bottom = number(RowHeight * double(Measured.size()));
    const std::string Height = number(RowHeight * double(Measured.size() + 1));
    W.element("svg",
              {{"class", "plot"},
               {"role", "img"},
               {"aria-label", "Measured gains; the table has the numbers"},
               {"viewBox", "0 0 " + number(Width) + " " + Height}},
              [&] {
                line("original", 0, 0, "0", Bottom);
                for (const auto &[Index, M] : enumerate(Measured))
                  writeRow(M, RowHeight * (double(Index) + 0.5));
                tick(Least, "start", Height);
                tick(Most, "end", Height);
              });
  }

private:
  double place(double Gain) const {
    return Left + (Right - Left) * (Gain - Least) / (Most - Least);
  }

  void line(const char *Class, double From, double To, const std::string &Top,
            const std::string &Bottom) {
    W.element("line",
              {{"class", Class},
               {"x1", number(place(From))},
               {"x2", number(place(To))},
               {"y1", Top},
               {"y2", Bottom}},
              "");
  }

  void writeRow(const Measurement &M, double Middle) {
    const char *Class = M.Verdict == "faster"   ? "faster"
                        : M.Verdict == "slower" ? "slower"
                                                : "same";
    const std::string Y = number(Middle);
    W.element("text", {{"x", "0"}, {"y", number(Middle + 4)}},
              M.Setting + ", " + M.Case);
    // An open interval goes on to the plot's edge.
    line(Class, M.Low.value_or(Least), M.High.value_or(Most), Y, Y);
    W.element("circle",
              {{"class", Class},
               {"cx", number(place(M.Gain))},
               {"cy", Y},
               {"r", "4"}},
              "");
  }

  void tick(double Gain, const char *Anchor, const std::string &Bottom) {
    W.element(
        "text",
        {{"x", number(place(Gain))}, {"y", Bottom}, {"text-anchor", Anchor}},
        percentText(Gain));
  }

  Writer &W;
  ArrayRef<Measurement> Measured;
  double Least = 0, Most = 0;
};

} // namespace

void writeIntervalPlot(Writer &W, ArrayRef<Measurement> Measured) {
  Plot(W, Measured).write();
}

} // namespace barricade::html
