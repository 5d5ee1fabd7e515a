# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run has done so far, one JSON object a line, on the disk at once."""

import json
import os
from pathlib import Path

from . import UsageError


class Journal:
    """Events in the order in which they came about. The first names what the
    run is of; a run of something else may not go on with it."""

    def __init__(self, path, about):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.events = self._read()
        if self.events and self.events[0] != {"event": "run", **about}:
            raise UsageError(
                f"'{self.path.parent}' holds a run of other variants, programs or options; "
                "name another folder, or --fresh to drop it"
            )
        self.stream = open(self.path, "ab")
        if not self.events:
            self.add("run", **about)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()

    def _read(self):
        """A kill may have cut off the last line: that never happened."""
        if not self.path.exists():
            return []
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            with open(self.path, "r+b") as stream:
                stream.truncate(len(whole))
        return [json.loads(line) for line in whole.splitlines()]

    def add(self, event, **facts):
        entry = {"event": event, **facts}
        # As it will be read again: a tuple is a list.
        self.events.append(json.loads(json.dumps(entry)))
        self.stream.write(json.dumps(entry).encode() + b"\n")
        self.stream.flush()
        os.fsync(self.stream.fileno())

    def all(self, event, **facts):
        return [
            e
            for e in self.events
            if e["event"] == event and all(e.get(k) == v for k, v in facts.items())
        ]

    def last(self, event, **facts):
        found = self.all(event, **facts)
        return found[-1] if found else None
