// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breadth-first search, level by level: one launch takes the frontier to its
// neighbours and raises a flag if there were new ones; the host looks at the
// flag after each launch.

#include "../common/sample.h"

constexpr int Unreached = -1;

/// Node v's neighbours are neighbours[first[v] .. first[v + 1]). The nodes
/// whose byte in `frontier` is set are at level `current`; new ones get theirs
/// set in `next`.
__global__ void expand(const int *first, const int *neighbours, int *level,
                       char *frontier, char *next, int nodes, int current,
                       int *changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !frontier[v])
    return;
  frontier[v] = 0;
  for (int e = first[v]; e < first[v + 1]; ++e) {
    int w = neighbours[e];
    if (atomicCAS(&level[w], Unreached, current + 1) == Unreached) {
      next[w] = 1;
      atomicExch(changed, 1);
    }
  }
}

/// Before, `level` is 0 for the source and Unreached elsewhere, `frontier` is
/// set for the source only, and `next` nowhere. `flag` is in device memory.
static void search(const int *first, const int *neighbours, int *level,
                   char *frontier, char *next, int nodes, int *flag,
                   int threads) {
  const int blocks = (nodes + threads - 1) / threads;
  int changed;
  int current = 0;
  do {
    changed = 0;
    cudaMemcpy(flag, &changed, sizeof(int), cudaMemcpyHostToDevice);
    expand<<<blocks, threads>>>(first, neighbours, level, frontier, next, nodes,
                                current, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(frontier, next);
    ++current;
  } while (changed);
}

/// A directed graph in compressed sparse rows.
struct Graph {
  std::vector<int> first = {0};
  std::vector<int> neighbours;

  int nodes() const { return int(first.size()) - 1; }
  void endNode() { first.push_back(int(neighbours.size())); }
};

/// Each node has `degree` neighbours at random. With a skew of s, a neighbour
/// is the lowest of s + 1 nodes, so that low nodes are neighbours of many.
static Graph makeRandomGraph(int nodes, int degree, int skew,
                             sample::Random &random) {
  Graph graph;
  for (int v = 0; v < nodes; ++v) {
    for (int e = 0; e < degree; ++e) {
      uint64_t w = random.below(nodes);
      for (int s = 0; s < skew; ++s)
        w = std::min(w, random.below(nodes));
      graph.neighbours.push_back(int(w));
    }
    graph.endNode();
  }
  return graph;
}

/// Nodes in rows of a given width; neighbours lie left, right, above, below.
/// Has many levels.
static Graph makeMesh(int nodes, int width) {
  Graph graph;
  for (int v = 0; v < nodes; ++v) {
    const int candidates[] = {v % width > 0 ? v - 1 : -1,
                              v % width < width - 1 ? v + 1 : -1, v - width,
                              v + width};
    for (int w : candidates)
      if (w >= 0 && w < nodes)
        graph.neighbours.push_back(w);
    graph.endNode();
  }
  return graph;
}

static std::vector<int> searchOnHost(const Graph &graph, int source) {
  std::vector<int> level(graph.nodes(), Unreached);
  level[source] = 0;
  std::vector<int> queue = {source};
  for (size_t next = 0; next < queue.size(); ++next) {
    const int v = queue[next];
    for (int e = graph.first[v]; e < graph.first[v + 1]; ++e) {
      const int w = graph.neighbours[e];
      if (level[w] == Unreached) {
        level[w] = level[v] + 1;
        queue.push_back(w);
      }
    }
  }
  return level;
}

int main(int argc, char **argv) {
  sample::Program program("bfs", "breadth-first search in a graph");
  int nodes = 1 << 16, degree = 4, skew = 0, width = 0, threads = 256;
  program.option("n", nodes, "nodes", 1, 1 << 26);
  program.option("degree", degree, "neighbours of a node", 0, 1000);
  program.option("skew", skew, "how much low nodes are preferred", 0, 10);
  program.option("mesh", width,
                 "width of a two-dimensional mesh, 0: a random graph", 0,
                 1 << 26);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.parse(argc, argv);
  if (int64_t(nodes) * std::max(degree, 4) > INT32_MAX)
    program.usageError("n x degree is above 2^31");
  program.requireGpu();

  sample::Random random(program.randomSeed());
  const Graph graph = width > 0 ? makeMesh(nodes, width)
                                : makeRandomGraph(nodes, degree, skew, random);
  const int source = int(random.below(nodes));
  const std::vector<int> want =
      program.sequential([&] { return searchOnHost(graph, source); });

  sample::DeviceArray<int> dFirst(graph.first), dNeighbours(graph.neighbours);
  sample::DeviceArray<int> dLevel(nodes), flag(1);
  sample::DeviceArray<char> frontier(nodes), next(nodes);
  std::vector<int> startLevel(nodes, Unreached);
  startLevel[source] = 0;
  std::vector<char> startFrontier(nodes, 0);
  startFrontier[source] = 1;
  program.fact("edges", double(graph.neighbours.size()));
  program.fact("levels", *std::max_element(want.begin(), want.end()) + 1);
  program.fact("unreached",
               double(std::count(want.begin(), want.end(), Unreached)));
  return program.run(
      [&] {
        dLevel.upload(startLevel);
        frontier.upload(startFrontier);
        next.fill(0);
      },
      [&] {
        search(dFirst.data(), dNeighbours.data(), dLevel.data(),
               frontier.data(), next.data(), nodes, flag.data(), threads);
      },
      [&] {
        return sample::countMismatches("level", dLevel.download(), want);
      });
}
