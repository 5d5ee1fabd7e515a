# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the recipe uses of Conan, for machines without it: folders and copies."""

import types


class ConanFile:
    def __init__(self, recipe_folder, work_folder):
        self.recipe_folder = str(recipe_folder)
        self.export_sources_folder = self.source_folder = str(work_folder / "sources")
        self.package_folder = str(work_folder / "package")
        self.cpp_info = types.SimpleNamespace(set_property=lambda name, value: None)
