# The vehicle becomes part of the binding: require "perilune.iltis".
set(ILTIS_FILE ${PROJECT_SOURCE_DIR}/stdlib/vehicle/iltis.lua)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ILTIS_FILE})
file(READ ${ILTIS_FILE} ILTIS_TEXT)
configure_file(${PROJECT_SOURCE_DIR}/lua/stdlib_modules.cpp.in ${PROJECT_BINARY_DIR}/stdlib_modules.cpp @ONLY)
