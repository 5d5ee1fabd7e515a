// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suffix tree of a text over a small alphabet, built in linear time.

#ifndef BARRICADE_SAMPLES_ALIGN_SUFFIX_TREE_H
#define BARRICADE_SAMPLES_ALIGN_SUFFIX_TREE_H

#include <algorithm>
#include <cstdint>
#include <vector>

/// Built by Ukkonen's algorithm ("On-line construction of suffix trees",
/// Algorithmica 14, 1995). Letters are 0 .. Letters - 1; a terminator that is
/// no letter is added, so that every suffix ends in a leaf of its own.
class SuffixTree {
public:
  static constexpr int Letters = 4;
  static constexpr int Root = 0;
  static constexpr int None = -1;

  struct Node {
    int begin, end; ///< The edge from the parent is text()[begin .. end).
    int link;       ///< Suffix link; the root's leads to the root.
    int parent;     ///< None for the root.
    int depth;      ///< Letters on the path from the root.
    int firstLeaf, endLeaf; ///< The leaves below, in leafSuffixes().
    int child[Letters + 1]; ///< By the edge's first letter, or None.
  };

  explicit SuffixTree(const std::vector<uint8_t> &letters) : letters(letters) {
    this->letters.push_back(Letters);
    nodes.reserve(2 * this->letters.size());
    addNode(0, 0, None);
    for (int i = 0; i < int(this->letters.size()); ++i)
      extend(i);
    numberLeaves();
  }

  /// The letters and the terminator.
  const std::vector<uint8_t> &text() const { return letters; }
  const std::vector<Node> &allNodes() const { return nodes; }
  /// Where the suffixes begin, in the order in which a walk from left to right
  /// meets their leaves.
  const std::vector<int> &leafSuffixes() const { return suffixes; }

private:
  int addNode(int begin, int end, int parent) {
    nodes.push_back(
        {begin, end, Root, parent, 0, 0, 0, {None, None, None, None, None}});
    return int(nodes.size()) - 1;
  }

  /// Inserts the suffixes of text[0 .. i] that are not in the tree. The active
  /// point (node, first letter of an edge, letters along it) is the end of the
  /// longest suffix that is.
  void extend(int i) {
    const int end = int(letters.size());
    ++remaining;
    int needsLink = None;
    while (remaining > 0) {
      if (activeLength == 0)
        activeEdge = i;
      const int next = nodes[activeNode].child[letters[activeEdge]];
      if (next == None) {
        nodes[activeNode].child[letters[activeEdge]] =
            addNode(i, end, activeNode);
        linkTo(activeNode, needsLink);
      } else {
        const int length = std::min(nodes[next].end, i + 1) - nodes[next].begin;
        if (activeLength >= length) {
          activeNode = next;
          activeEdge += length;
          activeLength -= length;
          continue;
        }
        if (letters[nodes[next].begin + activeLength] == letters[i]) {
          ++activeLength;
          linkTo(activeNode, needsLink);
          return;
        }
        const int inner = split(next);
        nodes[inner].child[letters[i]] = addNode(i, end, inner);
        linkTo(inner, needsLink);
        needsLink = inner;
      }
      --remaining;
      if (activeNode != Root) {
        activeNode = nodes[activeNode].link;
      } else if (activeLength > 0) {
        --activeLength;
        activeEdge = i - remaining + 1;
      }
    }
  }

  /// Puts a node into the edge to `below`, activeLength letters down.
  int split(int below) {
    const int begin = nodes[below].begin, middle = begin + activeLength;
    const int inner = addNode(begin, middle, activeNode);
    nodes[activeNode].child[letters[begin]] = inner;
    nodes[inner].child[letters[middle]] = below;
    nodes[below].begin = middle;
    nodes[below].parent = inner;
    return inner;
  }

  /// Sets the suffix link of the node that was made last in this extension.
  void linkTo(int node, int &needsLink) {
    if (needsLink != None)
      nodes[needsLink].link = node;
    needsLink = None;
  }

  /// Walks the tree from left to right, without recursion since it may be
  /// deep, and sets depth and leaves.
  void numberLeaves() {
    std::vector<int> path = {Root};
    std::vector<int> nextChild = {0};
    while (!path.empty()) {
      Node &node = nodes[path.back()];
      if (nextChild.back() == 0)
        enter(node);
      while (nextChild.back() <= Letters &&
             node.child[nextChild.back()] == None)
        ++nextChild.back();
      if (nextChild.back() > Letters) {
        node.endLeaf = int(suffixes.size());
        path.pop_back();
        nextChild.pop_back();
      } else {
        path.push_back(node.child[nextChild.back()++]);
        nextChild.push_back(0);
      }
    }
  }

  void enter(Node &node) {
    if (node.parent != None)
      node.depth = nodes[node.parent].depth + node.end - node.begin;
    node.firstLeaf = int(suffixes.size());
    if (node.end == int(letters.size()))
      suffixes.push_back(int(letters.size()) - node.depth);
  }

  std::vector<uint8_t> letters;
  std::vector<Node> nodes;
  std::vector<int> suffixes;
  int activeNode = Root, activeEdge = 0, activeLength = 0;
  int remaining = 0; ///< Suffixes of the text so far that have no leaf yet.
};

#endif // BARRICADE_SAMPLES_ALIGN_SUFFIX_TREE_H
