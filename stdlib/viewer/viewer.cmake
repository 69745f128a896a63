# Bundles the viewer when the build is configured: sets PERILUNE_VIEWER_PAGE and PERILUNE_HAS_VIEWER. Without Node, or
# without the npm registry, the build goes on; run:view then says how to get it.
#
# The bundle lies in build/viewer, where all presets find it, and is made again only when its sources change.
set(viewer_sources ${PROJECT_SOURCE_DIR}/stdlib/viewer)
set(viewer_folder ${PROJECT_SOURCE_DIR}/build/viewer)
set(PERILUNE_VIEWER_PAGE ${viewer_folder}/viewer.html)

file(GLOB viewer_files CONFIGURE_DEPENDS ${viewer_sources}/*.json ${viewer_sources}/*.mjs ${viewer_sources}/src/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${viewer_files})
set(viewer_state "")
foreach(file ${viewer_files})
  file(SHA256 ${file} hash)
  string(APPEND viewer_state "${hash} ${file}\n")
endforeach()
set(viewer_known "")
if(EXISTS ${PERILUNE_VIEWER_PAGE} AND EXISTS ${viewer_folder}/state)
  file(READ ${viewer_folder}/state viewer_known)
endif()

set(PERILUNE_HAS_VIEWER 1)
if(NOT viewer_state STREQUAL viewer_known)
  find_program(NODE_PROGRAM NAMES node nodejs)
  find_program(NPM_PROGRAM npm)
  set(viewer_problem "")
  if(NODE_PROGRAM AND NPM_PROGRAM)
    message(STATUS "Bundling the viewer")
    file(MAKE_DIRECTORY ${viewer_folder})
    file(COPY ${viewer_sources}/package.json ${viewer_sources}/package-lock.json DESTINATION ${viewer_folder})
    execute_process(COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
      WORKING_DIRECTORY ${viewer_folder} RESULT_VARIABLE viewer_failed OUTPUT_QUIET ERROR_VARIABLE viewer_problem)
    if(NOT viewer_failed)
      execute_process(COMMAND ${NODE_PROGRAM} ${viewer_sources}/build.mjs ${viewer_folder} ${PERILUNE_VIEWER_PAGE}
        RESULT_VARIABLE viewer_failed ERROR_VARIABLE viewer_problem)
    endif()
  else()
    set(viewer_failed TRUE)
    set(viewer_problem "node or npm is missing")
  endif()
  if(viewer_failed)
    set(PERILUNE_HAS_VIEWER 0)
    string(STRIP "${viewer_problem} ${viewer_failed}" viewer_problem)
    message(WARNING "The viewer is left out (${viewer_problem}); run:view will say so. To get it: "
      "apt-get install nodejs npm, and configure again.")
  else()
    file(WRITE ${viewer_folder}/state "${viewer_state}")
  endif()
endif()

configure_file(${PROJECT_SOURCE_DIR}/engine/output/scene/viewer_bundle.cpp.in ${PROJECT_BINARY_DIR}/viewer_bundle.cpp @ONLY)
if(PERILUNE_HAS_VIEWER)
  set_source_files_properties(${PROJECT_BINARY_DIR}/viewer_bundle.cpp PROPERTIES OBJECT_DEPENDS ${PERILUNE_VIEWER_PAGE})
endif()
