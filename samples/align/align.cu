// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Align (papers: P1, system 5): aligns DNA queries against a reference by the
// reference's suffix tree, as MUMmerGPU does. One thread takes one query. For
// each suffix of the query it walks child edges while they match, notes how far
// it came, and follows the suffix link. The host turns this into all maximal
// matches of a minimum length.

#include "../common/sample.h"
#include "suffix_tree.h"

#include <atomic>
#include <cctype>
#include <fstream>
#include <thread>
#include <tuple>

/// What the walk needs of a node of the suffix tree: one sector of memory, 32
/// bytes.
struct alignas(32) Node {
  int begin, end; ///< The edge from the parent, in the reference.
  int link;
  int child[SuffixTree::Letters];
};

/// The longest match of a suffix of a query.
struct Match {
  int length;
  int node; ///< The node at the match's end, or next below it.
};

__global__ void align(const Node *nodes, const uint8_t *reference,
                      const uint8_t *queries, const int *offsets,
                      int numQueries, int longest, int minMatch,
                      Match *matches) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= numQueries)
    return;
  const uint8_t *query = queries + offsets[id];
  Match *match = matches + offsets[id];
  int length = offsets[id + 1] - offsets[id];

  int node = SuffixTree::Root;
  int at = 0;      // Where in the query the path to the node ends.
  int matched = 0; // Where in the query the match ends.
  for (int start = 0; start + minMatch <= longest; ++start) {
    if (start + minMatch <= length) {
      int below = node;
      while (at < length) {
        int child = nodes[node].child[query[at]];
        if (child == SuffixTree::None)
          break;
        below = child;
        int begin = nodes[child].begin;
        int edge = nodes[child].end - begin;
        // What matched for the suffix before matches for this one.
        int k = min(matched - at, edge);
        while (k < edge && at + k < length &&
               reference[begin + k] == query[at + k])
          ++k;
        matched = max(matched, at + k);
        if (k < edge)
          break;
        node = child;
        at += edge;
      }
      match[start].length = matched - start;
      match[start].node = below;
      node = nodes[node].link;
      at = max(at, start + 1);
      matched = max(matched, start + 1);
    }
  }
}

using Letters = std::vector<uint8_t>;

struct Queries {
  Letters letters;
  std::vector<int> offsets = {0}; ///< Query q is [offsets[q], offsets[q + 1]).

  int count() const { return int(offsets.size()) - 1; }
  int longest() const {
    int most = 0;
    for (int q = 0; q < count(); ++q)
      most = std::max(most, offsets[q + 1] - offsets[q]);
    return most;
  }
};

/// query[start .. start + length) == reference[at .. at + length), and neither
/// end can be moved outwards.
struct MaximalMatch {
  int start, at, length;

  bool operator<(const MaximalMatch &other) const {
    return std::tie(start, at, length) <
           std::tie(other.start, other.at, other.length);
  }
  bool operator==(const MaximalMatch &other) const {
    return std::tie(start, at, length) ==
           std::tie(other.start, other.at, other.length);
  }
};

/// Random letters with repeats: half of the text is copied, with one letter in
/// fifty changed, from before.
static Letters makeReference(int n, sample::Random &random) {
  Letters text;
  while (int(text.size()) < n) {
    const int length =
        int(std::min<uint64_t>(n - text.size(), 100 + random.below(900)));
    const bool copy = !text.empty() && random.below(2) == 0;
    size_t from = copy ? random.below(text.size()) : 0;
    for (int i = 0; i < length; ++i) {
      const bool keep = copy && random.below(50) != 0;
      text.push_back(keep ? text[from + i] : uint8_t(random.below(4)));
    }
  }
  return text;
}

/// The letters of a FASTA file; nothing where it cannot be read or has other
/// letters than A, C, G and T.
static Letters readFasta(const std::string &path) {
  std::ifstream file(path);
  Letters text;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '>')
      continue;
    for (char c : line) {
      static const char known[] = "ACGT";
      if (std::isspace(static_cast<unsigned char>(c)))
        continue;
      const char *found =
          std::strchr(known, std::toupper(static_cast<unsigned char>(c)));
      if (!found || !*found)
        return {};
      text.push_back(uint8_t(found - known));
    }
  }
  return text;
}

/// Pieces of the reference in which each letter is replaced by a random one
/// with a probability of errors / 1000. Their lengths differ from `length` by
/// up to `vary` per cent.
static Queries makeQueries(const Letters &reference, int count, int length,
                           int vary, int errors, sample::Random &random) {
  Queries queries;
  const int most = int(int64_t(length) * vary / 100);
  for (int q = 0; q < count; ++q) {
    const int size = length - most + int(random.below(2 * most + 1));
    const size_t from = random.below(reference.size());
    for (int i = 0; i < size; ++i) {
      const bool keep = int(random.below(1000)) >= errors;
      // A query that hangs over the reference's end goes on at its beginning.
      queries.letters.push_back(keep ? reference[(from + i) % reference.size()]
                                     : uint8_t(random.below(4)));
    }
    queries.offsets.push_back(int(queries.letters.size()));
  }
  return queries;
}

/// Whether the match could begin one letter earlier.
static bool extendsLeft(const Letters &reference, const uint8_t *query,
                        int start, int at) {
  return start > 0 && at > 0 && query[start - 1] == reference[at - 1];
}

/// Adds the maximal matches that begin at query[start], given the suffix's
/// longest match: the leaves below it match as far, those that branch off
/// higher match up to the branch.
static void collect(const SuffixTree &tree, const uint8_t *query, int start,
                    Match longest, int minMatch,
                    std::vector<MaximalMatch> &found) {
  const auto addLeaves = [&](int first, int end, int length) {
    for (int leaf = first; leaf < end; ++leaf) {
      const int at = tree.leafSuffixes()[leaf];
      if (!extendsLeft(tree.text(), query, start, at))
        found.push_back({start, at, length});
    }
  };
  const SuffixTree::Node *node = &tree.allNodes()[longest.node];
  int length = longest.length;
  int doneFirst = node->firstLeaf, doneEnd = node->firstLeaf;
  while (length >= minMatch) {
    addLeaves(node->firstLeaf, doneFirst, length);
    addLeaves(doneEnd, node->endLeaf, length);
    if (node->parent == SuffixTree::None)
      break;
    doneFirst = node->firstLeaf;
    doneEnd = node->endLeaf;
    node = &tree.allNodes()[node->parent];
    length = node->depth;
  }
}

/// What every query should give.
struct Reference {
  std::vector<int> lengths; ///< Longest matches, -1 where none is asked for.
  std::vector<std::vector<MaximalMatch>> matches; ///< Per query, in order.
};

/// A plain search that knows no tree: bisection over the sorted suffixes.
class SortedSuffixes {
public:
  explicit SortedSuffixes(const Letters &text)
      : text(text), suffixes(text.size()) {
    for (size_t i = 0; i < text.size(); ++i)
      suffixes[i] = int(i);
    std::sort(suffixes.begin(), suffixes.end(), [&](int a, int b) {
      const int order =
          std::memcmp(&text[a], &text[b], text.size() - std::max(a, b));
      return order != 0 ? order < 0 : a > b;
    });
  }

  /// The length of the longest match of query[start .. length); adds all
  /// maximal matches.
  int search(const uint8_t *query, int length, int start, int minMatch,
             std::vector<MaximalMatch> &found) const {
    const int place = firstNotBelow(query + start, length - start);
    int longest = 0;
    // Matches get shorter on both sides of the place.
    for (int step : {-1, 1}) {
      for (int i = step < 0 ? place - 1 : place;
           i >= 0 && i < int(suffixes.size()); i += step) {
        const int same = common(query + start, length - start, suffixes[i]);
        longest = std::max(longest, same);
        if (same < minMatch)
          break;
        if (!extendsLeft(text, query, start, suffixes[i]))
          found.push_back({start, suffixes[i], same});
      }
    }
    return longest;
  }

private:
  /// How many letters a piece and a suffix have in common.
  int common(const uint8_t *piece, int length, int suffix) const {
    const int most = std::min(length, int(text.size()) - suffix);
    return int(std::mismatch(piece, piece + most, &text[suffix]).first - piece);
  }

  int firstNotBelow(const uint8_t *piece, int length) const {
    const auto below = [&](int suffix, const uint8_t *) {
      const int same = common(piece, length, suffix);
      if (same == length)
        return false;
      return suffix + same == int(text.size()) ||
             text[suffix + same] < piece[same];
    };
    return int(
        std::lower_bound(suffixes.begin(), suffixes.end(), piece, below) -
        suffixes.begin());
  }

  const Letters &text;
  std::vector<int> suffixes;
};

/// Searches every query; as many threads share the queries as there are cores.
static Reference searchAll(const Letters &text, const Queries &queries,
                           int minMatch) {
  const SortedSuffixes suffixes(text);
  Reference reference;
  reference.lengths.assign(queries.letters.size(), -1);
  reference.matches.resize(queries.count());
  const auto searchQuery = [&](int q) {
    const int offset = queries.offsets[q];
    const int length = queries.offsets[q + 1] - offset;
    std::vector<MaximalMatch> &matches = reference.matches[q];
    for (int start = 0; start + minMatch <= length; ++start)
      reference.lengths[offset + start] = suffixes.search(
          &queries.letters[offset], length, start, minMatch, matches);
    std::sort(matches.begin(), matches.end());
  };
  std::atomic<int> next{0};
  std::vector<std::thread> workers(
      std::max(1u, std::thread::hardware_concurrency()));
  for (std::thread &worker : workers)
    worker = std::thread([&] {
      for (int q; (q = next++) < queries.count();)
        searchQuery(q);
    });
  for (std::thread &worker : workers)
    worker.join();
  return reference;
}

/// The matches of query q that follow from what the kernel wrote. Nodes that
/// are none are left out: what they should have given is then missing.
static std::vector<MaximalMatch> collectQuery(const SuffixTree &tree,
                                              const Queries &queries, int q,
                                              const std::vector<Match> &got,
                                              int minMatch) {
  std::vector<MaximalMatch> matches;
  const int offset = queries.offsets[q];
  for (int i = offset; i < queries.offsets[q + 1]; ++i)
    if (got[i].node >= 0 && got[i].node < int(tree.allNodes().size()))
      collect(tree, &queries.letters[offset], i - offset, got[i], minMatch,
              matches);
  std::sort(matches.begin(), matches.end());
  return matches;
}

/// Compares every length that the kernel wrote and every maximal match.
static size_t check(const SuffixTree &tree, const Queries &queries,
                    const std::vector<Match> &got, const Reference &want,
                    int minMatch) {
  std::vector<int> lengths;
  for (const Match &match : got)
    lengths.push_back(match.length);
  size_t mismatches =
      sample::countMismatches("longest match", lengths, want.lengths);
  for (int q = 0; q < queries.count(); ++q) {
    if (collectQuery(tree, queries, q, got, minMatch) == want.matches[q])
      continue;
    if (mismatches++ == 0)
      std::fprintf(stderr, "query %d: its maximal matches are wrong\n", q);
  }
  return mismatches;
}

/// A number that two different results share only by chance (FNV-1a).
static double digestOf(const std::vector<Match> &matches) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const Match &match : matches)
    for (int value : {match.length, match.node})
      hash = (hash ^ unsigned(value)) * 0x100000001b3u;
  return double(hash >> 32);
}

static void print(const Reference &reference) {
  std::printf("query\tstart\treference\tlength\n");
  for (size_t q = 0; q < reference.matches.size(); ++q)
    for (const MaximalMatch &match : reference.matches[q])
      std::printf("%zu\t%d\t%d\t%d\n", q, match.start, match.at, match.length);
}

static std::vector<Node> deviceNodes(const SuffixTree &tree) {
  std::vector<Node> nodes;
  for (const SuffixTree::Node &from : tree.allNodes()) {
    Node node = {from.begin, from.end, from.link, {}};
    std::copy_n(from.child, SuffixTree::Letters, node.child);
    nodes.push_back(node);
  }
  return nodes;
}

int main(int argc, char **argv) {
  // The shapes of the five query sets of P1.
  const int lengths[] = {100, 700, 29, 120, 36};
  const int minMatches[] = {50, 100, 14, 20, 14};

  sample::Program program("align", "aligns queries by a suffix tree");
  int n = 1 << 20, count = 1 << 15, set = 1, length = 100, minMatch = 50;
  int vary = 0, errors = 10, threads = 256;
  bool printMatches = false, digest = false;
  std::string fasta;
  program.option("n", n, "letters of the random reference", 1, 1 << 28);
  program.text("reference", fasta, "FASTA file to take the reference from");
  program.option("queries", count, "queries", 1, 1 << 24);
  program.option("set", set,
                 "query set of the paper, 0: by --length, --min-match", 0, 5);
  program.option("length", length, "letters of a query", 1, 1 << 16);
  program.option("min-match", minMatch, "shortest match to report", 1, 1 << 16);
  program.option("vary", vary, "per cent by which lengths vary", 0, 100);
  program.option("errors", errors, "letters in 1000 that queries change", 0,
                 1000);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.flag("print", printMatches, "print all maximal matches");
  program.flag("digest", digest,
               "instead of the CPU's search, print a digest of "
               "the result to compare with another program's");
  program.parse(argc, argv);
  if (set != 0) {
    length = lengths[set - 1];
    minMatch = minMatches[set - 1];
  }
  if (minMatch > length)
    program.usageError("--min-match is above --length");
  if (double(count) * length * (1 + vary / 100.0) > INT32_MAX)
    program.usageError("queries x length is above 2^31");
  if (printMatches && (program.wantsJson() || digest))
    program.usageError("--print excludes --json and --digest");

  sample::Random random(program.randomSeed());
  const Letters text =
      fasta.empty() ? makeReference(n, random) : readFasta(fasta);
  if (text.empty())
    program.usageError(fasta + ": no FASTA file of A, C, G and T only");
  program.requireGpu();

  const Queries queries =
      makeQueries(text, count, length, vary, errors, random);
  const SuffixTree tree(text);
  Reference want;
  if (digest)
    program.leaveUnchecked();
  else
    want = searchAll(text, queries, minMatch);

  sample::DeviceArray<Node> dNodes(deviceNodes(tree));
  sample::DeviceArray<uint8_t> dText(tree.text()), dQueries(queries.letters);
  sample::DeviceArray<int> dOffsets(queries.offsets);
  sample::DeviceArray<Match> dMatches(queries.letters.size());
  size_t matches = 0;
  for (const auto &ofQuery : want.matches)
    matches += ofQuery.size();
  program.fact("letters", double(text.size()));
  program.fact("nodes", double(tree.allNodes().size()));
  if (!digest)
    program.fact("matches", double(matches));
  const int blocks = (count + threads - 1) / threads;
  const int exitCode = program.run(
      [&] { dMatches.poison(); },
      [&] {
        align<<<blocks, threads>>>(dNodes.data(), dText.data(), dQueries.data(),
                                   dOffsets.data(), count, queries.longest(),
                                   minMatch, dMatches.data());
      },
      [&] {
        const std::vector<Match> got = dMatches.download();
        if (!digest)
          return check(tree, queries, got, want, minMatch);
        program.fact("digest", digestOf(got));
        return size_t(0);
      });
  if (printMatches && exitCode == sample::Right)
    print(want);
  return exitCode;
}
