# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import shutil


def copy(_, pattern, src, dst):
    for file in pathlib.Path(src).glob(pattern):
        target = pathlib.Path(dst, file.relative_to(src))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
