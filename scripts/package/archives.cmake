# What `cpack` makes: an archive that works wherever it is unpacked, and a Debian package.
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_VENDOR poolproof)
set(CPACK_PACKAGE_CONTACT "The authors of poolproof")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Decides whether a neural-network library pools correctly")
set(CPACK_PACKAGE_FILE_NAME poolproof-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_VERBATIM_VARIABLES ON)
# The libraries it is linked to are those of the distribution, in their versions.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGING_INSTALL_PREFIX /usr)
# A linker for another machine has stripped already, and the strip at hand would not know its files.
if(NOT CMAKE_CROSSCOMPILING)
  set(CPACK_STRIP_FILES ON)
endif()
include(CPack)
