# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Puts what was installed for the package to the places that Debian's policy has
# for it. CPack runs this on the package's tree.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share")
set(doc "${share}/doc/barricade")

file(RENAME "${share}/zsh/site-functions" "${share}/zsh/vendor-completions")

file(READ "${doc}/LICENSE" license)
string(REGEX REPLACE "^.*(---- LLVM Exceptions|--- LLVM Exceptions)" "\\1"
  exceptions "${license}")
file(WRITE "${doc}/copyright" "\
Copyright 2026 the barricade developers

License: Apache-2.0 WITH LLVM-exception. Debian has the text of the first as
/usr/share/common-licenses/Apache-2.0; the second is:

${exceptions}")
file(REMOVE "${doc}/LICENSE")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${doc}/changelog" "\
barricade (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages "${share}/man/man1/*.1")
execute_process(COMMAND gzip -9 -n ${pages} "${doc}/changelog"
  COMMAND_ERROR_IS_FATAL ANY)
