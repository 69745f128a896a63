# What functional mock-up units contain a copy of: the binding and an interpreter of its own, behind the functions of FMI.
# Only these can be seen from outside, and nothing of the host's is taken for its own.
add_library(perilune_fmi MODULE ${PROJECT_SOURCE_DIR}/lua/exchange/fmi3.cpp
  ${PROJECT_SOURCE_DIR}/lua/exchange/fmi3_absent.cpp)
target_link_libraries(perilune_fmi PRIVATE perilune_lua perilune_flags PkgConfig::LUA)
target_link_options(perilune_fmi PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic
  $<$<CONFIG:Release>:-s>)
set_target_properties(perilune_fmi PROPERTIES CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
add_dependencies(perilune perilune_fmi)
install(TARGETS perilune_fmi DESTINATION ${CMAKE_INSTALL_LIBDIR}/perilune COMPONENT program)
