# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX as the tests look at it: kernels, instructions, control flow."""
import re


def kernels(ptx):
    """Names of the kernels with their directives and bodies."""
    text = re.sub(r"//.*", "", ptx)
    for found in re.finditer(r"\.entry\s+(\w+)\s*\(.*?\)([^{]*)\{(.*?)\n\}", text, re.S):
        yield found.group(1), found.group(2), found.group(3)


def instructions(body):
    """A kernel's labels and instructions, in order."""
    for line in re.split(r"[;\n]", body):
        line = line.strip()
        while label := re.match(r"(\$?\w+):\s*", line):
            yield label.group(1) + ":"
            line = line[label.end():]
        line = line.strip("{} \t")
        if line and not line.startswith("."):
            yield line


def successors(code, labels, at):
    """Where the instruction code[at] may lead; labels[name] is an index."""
    branch = re.match(r"(@!?%?\w+\s+)?bra(\.uni)?\s+(\$?\w+)", code[at])
    if branch:
        to = [labels[branch.group(3)]]
        return to + [at + 1] if branch.group(1) else to
    if re.match(r"(ret|exit|trap)\b", code[at]):
        return []
    return [at + 1]
