# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts several rewrites of one project together, as barricade itself would."""


class Conflict(Exception):
    """Two rewrites cannot stand in one file; the text says which."""


def apply_edits(text, edits):
    """`text` (bytes) with edits made that are given as in a manifest. Insertions
    at one place keep their order."""
    result, at = [], 0
    for _, edit in sorted(enumerate(edits), key=lambda pair: (pair[1]["offset"], pair[0])):
        if edit["offset"] < at:
            raise Conflict("two edits touch the same text")
        result += [text[at : edit["offset"]], edit["text"].encode()]
        at = edit["offset"] + edit["length"]
    return b"".join([*result, text[at:]])


def is_include(edit):
    """Rewrites that need the same header insert it once."""
    return not edit["length"] and edit["text"].lstrip().startswith("#include")


def meets(a, b):
    """What one edit touches the other touches, too."""
    if a["file"] != b["file"] or (a == b and is_include(a)):
        return False
    first, second = sorted((a, b), key=lambda edit: edit["offset"])
    if first["offset"] == second["offset"]:
        return True
    return second["offset"] < first["offset"] + first["length"]


def nested(a, b):
    """One of two findings lies within the other."""
    if a["place"]["file"] != b["place"]["file"]:
        return False
    outer, inner = sorted((a, b), key=lambda f: (f["place"]["offset"], -f["end"]["offset"]))
    return inner["place"]["offset"] < outer["end"]["offset"]


def compatible(a, b):
    """Whether two variants can stand together: they were proved legal one by
    one, so no loop may lie within the other, and no text be touched twice."""
    if "nested" in (a.kind, b.kind):  # some of its edits are of a changed text
        return set(a.files).isdisjoint(b.files)
    return not any(
        nested(f, g) or any(meets(x, y) for x in f["edits"] for y in g["edits"])
        for f in a.rewrites
        for g in b.rewrites
    )


def texts(manifest, variants):
    """{path below the root: bytes} of the files that the variants change
    together. Raises Conflict where they are not compatible."""
    result = {}
    for index, variant in enumerate(variants):
        if not all(compatible(variant, other) for other in variants[:index]):
            raise Conflict(f"{variant.id} does not go with the others")
    for path in {path for variant in variants for path in variant.files}:
        of_file = [v for v in variants if path in v.files]
        if len(of_file) == 1:
            result[path] = (manifest.folder / of_file[0].files[path]).read_bytes()
            continue
        edits = []
        for variant in of_file:
            for rewrite in variant.rewrites:
                for edit in rewrite["edits"]:
                    if manifest.relative(edit["file"]) == path and not (
                        is_include(edit) and edit in edits
                    ):
                        edits.append(edit)
        original = (manifest.folder / "original" / path).read_bytes()
        result[path] = apply_edits(original, edits)
    return result
