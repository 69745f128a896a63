# `cmake --install` and the packages that CPack makes of it: the program with its data in the component `program`, what
# C++ programs need in `development`.
include(CMakePackageConfigHelpers)

set(program_data ${CMAKE_INSTALL_DATADIR}/perilune)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/perilune)

# The module for the stock interpreter, where Debian's looks for it. Its own code must not meet that of other modules:
# only luaopen_perilune can be seen.
add_library(perilune_module MODULE ${PROJECT_SOURCE_DIR}/lua/module.cpp)
target_link_libraries(perilune_module PRIVATE perilune_lua perilune_flags)
target_link_options(perilune_module PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(perilune_module PROPERTIES PREFIX "" OUTPUT_NAME perilune CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/module)

install(TARGETS perilune COMPONENT program)
install(TARGETS perilune_module DESTINATION ${CMAKE_INSTALL_LIBDIR}/lua/5.4 COMPONENT program)
# Where lua/session/data_folder.hpp looks for them. What only teachers want stays behind: solutions, right and wrong
# ones, and checks, which the program contains.
install(DIRECTORY scripts DESTINATION ${program_data} COMPONENT program PATTERN teacher EXCLUDE PATTERN right EXCLUDE
  PATTERN wrong EXCLUDE PATTERN checks.lua EXCLUDE)
install(FILES stdlib/vehicle/iltis.lua stdlib/vehicle/hmmwv.lua DESTINATION ${program_data}/vehicle
  COMPONENT program)  # to read and alter
install(DIRECTORY stdlib/meta DESTINATION ${program_data} COMPONENT program)
install(DIRECTORY docs/howto/embedding DESTINATION ${program_data}/examples COMPONENT program)
install(FILES docs/perilune.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT program
  PATTERN status.md EXCLUDE PATTERN perilune.1 EXCLUDE)
# Links from pages to scripts work as in the sources.
file(RELATIVE_PATH to_scripts ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/perilune/scripts)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/doc_links)
file(CREATE_LINK ${to_scripts} ${PROJECT_BINARY_DIR}/doc_links/scripts SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/doc_links/scripts DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES README.md CITATION.cff engine/install/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# Headers include each other as <perilune/...> once they are installed, so that a host's own "error.hpp" is safe.
install(CODE "set(sources [==[${PROJECT_SOURCE_DIR}]==])" COMPONENT development)
install(CODE "set(header_folder [==[${CMAKE_INSTALL_INCLUDEDIR}/perilune]==])" COMPONENT development)
install(SCRIPT engine/install/headers.cmake COMPONENT development)
install(TARGETS perilune_engine EXPORT perilune-engine COMPONENT development)
install(TARGETS perilune_lua EXPORT perilune-lua COMPONENT development)
foreach(part engine lua)
  install(EXPORT perilune-${part} NAMESPACE perilune:: DESTINATION ${config_folder} COMPONENT development)
endforeach()
configure_package_config_file(engine/install/perilune-config.cmake.in ${PROJECT_BINARY_DIR}/perilune-config.cmake
  INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/perilune-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perilune-config.cmake ${PROJECT_BINARY_DIR}/perilune-config-version.cmake
  DESTINATION ${config_folder} COMPONENT development)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Perilune developers <perilune@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
if(MPI_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME perilune)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "lua5.4, gnuplot, perilune-mpi")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "multibody dynamics with exact gradients, in Lua
Simulates, differentiates and optimizes mechanisms that short Lua scripts describe. All numerics are compiled.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libperilune-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libsuitesparse-dev, libnlopt-dev, libpugixml-dev, libminizip-dev, liblua5.4-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "multibody dynamics with exact gradients, for C++ programs
The engine of Perilune as a static library, and its Lua module for interpreters inside of C++ programs.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME perilune-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "perilune, openmpi-bin")
set(CPACK_COMPONENT_MPI_DESCRIPTION "multibody dynamics with exact gradients, in several processes
What joins the processes that mpirun starts of one Perilune script, so that they share its work.")
include(CPack)
