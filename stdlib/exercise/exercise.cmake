# The Lua modules of the exercises become part of the executable; their checks too, since what is installed lies open.
foreach(module exercise messages)
  set(file ${PROJECT_SOURCE_DIR}/stdlib/exercise/${module}.lua)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(TOUPPER ${module} name)
  set(${name}_TEXT "${text}")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/lua/exercise/modules.cpp.in ${PROJECT_BINARY_DIR}/exercise_modules.cpp @ONLY)

# Sealed, so that nobody finds them by looking at what strings the executable has.
file(GLOB CHECKS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/exercises/*/checks.lua)
add_executable(seal_checks ${PROJECT_SOURCE_DIR}/stdlib/exercise/seal_checks.cpp
  ${PROJECT_SOURCE_DIR}/lua/exercise/seal.cpp)
target_include_directories(seal_checks PRIVATE ${PROJECT_SOURCE_DIR}/lua ${PROJECT_SOURCE_DIR}/engine)
target_link_libraries(seal_checks PRIVATE perilune_flags)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/sealed_checks.cpp
  COMMAND seal_checks ${PROJECT_BINARY_DIR}/sealed_checks.cpp ${CHECKS}
  DEPENDS seal_checks ${CHECKS} VERBATIM)
