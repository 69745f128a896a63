# The Lua modules of the exercises become part of the executable.
foreach(module exercise messages)
  set(file ${PROJECT_SOURCE_DIR}/stdlib/exercise/${module}.lua)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(TOUPPER ${module} name)
  set(${name}_TEXT "${text}")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/lua/exercise/modules.cpp.in ${PROJECT_BINARY_DIR}/exercise_modules.cpp @ONLY)
