# The Lua modules of stdlib become part of the binding: require "perilune.iltis", require "perilune.files.mjcf". A
# string literal holds 64 KiB at least everywhere, which none of them comes near to.
file(GLOB STDLIB_MODULES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/stdlib/vehicle/*.lua ${PROJECT_SOURCE_DIR}/stdlib/files/*.lua
  ${PROJECT_SOURCE_DIR}/stdlib/bench/*.lua)
set(STDLIB_TEXTS "")
foreach(file ${STDLIB_MODULES})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(module ${file} NAME_WE)
  if(file MATCHES "/stdlib/files/")
    set(module files.${module})
  elseif(file MATCHES "/stdlib/bench/")
    set(module bench.${module})
  endif()
  file(READ ${file} text)
  string(APPEND STDLIB_TEXTS "    {\"perilune.${module}\", \"=perilune.${module}\", R\"LUA(${text})LUA\"},\n")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/lua/stdlib_modules.cpp.in ${PROJECT_BINARY_DIR}/stdlib_modules.cpp @ONLY)
