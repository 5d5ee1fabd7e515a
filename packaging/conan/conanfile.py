# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime header, from the source tree that this recipe lies in."""

import pathlib
import re

from conan import ConanFile
from conan.tools.files import copy


class Barricade(ConanFile):
    name = "barricade"
    description = "Grid-wide barriers for CUDA, barricade/gpu_sync.cuh"
    license = "Apache-2.0 WITH LLVM-exception"
    package_type = "header-library"
    no_copy_source = True

    def _root(self):
        return pathlib.Path(self.recipe_folder).parents[1]

    def set_version(self):
        project = (self._root() / "CMakeLists.txt").read_text()
        self.version = re.search(r"project\(barricade VERSION (\S+)", project)[1]

    def export_sources(self):
        for pattern in ("LICENSE", "runtime/barricade/*.cuh"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def package(self):
        package = pathlib.Path(self.package_folder)
        copy(self, "LICENSE", self.source_folder, package / "licenses")
        copy(self, "barricade/*.cuh", pathlib.Path(self.source_folder, "runtime"),
             package / "include")

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_target_name", "barricade::gpu_sync")
        self.cpp_info.set_property("pkg_config_name", "barricade")
