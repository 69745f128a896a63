# The vehicles become part of the binding: require "perilune.iltis", require "perilune.hmmwv".
foreach(vehicle ILTIS HMMWV)
  string(TOLOWER ${vehicle} name)
  set(file ${PROJECT_SOURCE_DIR}/stdlib/vehicle/${name}.lua)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} ${vehicle}_TEXT)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/lua/stdlib_modules.cpp.in ${PROJECT_BINARY_DIR}/stdlib_modules.cpp @ONLY)
