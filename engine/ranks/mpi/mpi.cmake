# What joins the processes of a launcher, where there is MPI: a library beside the program, which loads it only there.
set_source_files_properties(lua/session/launcher.cpp PROPERTIES
  COMPILE_DEFINITIONS PERILUNE_MPI_FOLDER="${CMAKE_INSTALL_LIBDIR}/perilune")
pkg_check_modules(MPI IMPORTED_TARGET mpi-c)
if(MPI_FOUND)
  add_library(perilune_mpi MODULE ${PROJECT_SOURCE_DIR}/engine/ranks/mpi/transport.cpp)
  target_include_directories(perilune_mpi PRIVATE ${PROJECT_SOURCE_DIR}/engine)
  target_link_libraries(perilune_mpi PRIVATE PkgConfig::MPI)
  set_target_properties(perilune_mpi PROPERTIES CXX_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  add_dependencies(perilune perilune_mpi)
  install(TARGETS perilune_mpi DESTINATION ${CMAKE_INSTALL_LIBDIR}/perilune COMPONENT mpi)
endif()
