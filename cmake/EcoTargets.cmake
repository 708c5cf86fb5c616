# Compiler settings shared by every target, and eco_library(): one static library per folder of src/.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(ECO_CCACHE ccache)
if(ECO_CCACHE)
  # Paths below the project count as relative ones, so that every clone finds what another one has compiled.
  set(ECO_CCACHE_ENV ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ECO_CCACHE_ENV} ${ECO_CCACHE})
  # ccache only caches users of a precompiled header when told that its macros need no second look.
  set(ECO_CCACHE_PCH ${ECO_CCACHE_ENV} CCACHE_SLOPPINESS=pch_defines,time_macros ${ECO_CCACHE})
endif()

# Headers that cost seconds a file are compiled once for the target. A unity build has few files, and
# gains nothing by it.
function(eco_precompile target)
  if(CMAKE_UNITY_BUILD OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${ECO_CCACHE_PCH}")
endfunction()

add_library(eco_settings INTERFACE)
target_compile_options(eco_settings INTERFACE -Wall -Wextra -Wshadow -Wpedantic -Werror)
target_compile_options(eco_settings INTERFACE -march=${ECO_ARCH} -ffp-contract=off -fno-math-errno)
if(ECO_SANITIZE)
  target_compile_options(eco_settings INTERFACE -fsanitize=${ECO_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=all)
  target_link_options(eco_settings INTERFACE -fsanitize=${ECO_SANITIZE})
endif()

# In a unity build, each folder of the target's sources is compiled as one file: what names have to be
# unique in does not change when a file is added elsewhere.
function(eco_unity_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# Files in a folder `wide` are compiled for AVX-512 and run only where the CPU has it: they hold the
# kernels of 16 lanes (src/core/kernels/lanes.h).
function(eco_compile_wide)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  set(wide ${ARGN})
  list(FILTER wide INCLUDE REGEX "/wide/[^/]*$")
  set_source_files_properties(${wide} PROPERTIES
    COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mavx512bw" SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# A user may link our static libraries into a shared one. GCC then would no longer inline what could be
# replaced at load time; nobody replaces it.
function(eco_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endfunction()

# The sources of a folder of src/, and of every problem what belongs to it (docs: CONTRIBUTING, "The
# tree"): src/problems/NAME/io goes to io, NAME/solver to solver, and the rest to core.
function(eco_sources name result)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp
                                              ${CMAKE_SOURCE_DIR}/src/problems/*.cpp)
  if(name STREQUAL core)
    list(FILTER sources EXCLUDE REGEX "/src/problems/[^/]+/(io|solver)/")
  else()
    list(FILTER sources INCLUDE REGEX "/src/(problems/[^/]+/)?${name}/")
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# LINKS: libraries below this one. COLD: patterns of files that are not worth optimising.
function(eco_library name)
  cmake_parse_arguments(ARG "" "" "LINKS;COLD" ${ARGN})
  eco_sources(${name} sources)
  if(ARG_COLD)
    file(GLOB cold ${ARG_COLD})
    list(REMOVE_ITEM sources ${cold})
    add_library(eco_${name}_cold OBJECT ${cold})
    target_compile_options(eco_${name}_cold PRIVATE $<$<CONFIG:Release>:-O1>)
    target_include_directories(eco_${name}_cold PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(eco_${name}_cold PRIVATE eco_settings ${ARG_LINKS})
    eco_position_independent(eco_${name}_cold)
    set(cold_objects $<TARGET_OBJECTS:eco_${name}_cold>)
  endif()
  if(sources)
    add_library(eco_${name} STATIC ${sources} ${cold_objects})
    eco_unity_by_folder(eco_${name} ${sources})
    eco_compile_wide(${sources})
    eco_position_independent(eco_${name})
    set(scope PUBLIC)
  else()
    add_library(eco_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  # Settings and the folder of sources are for this build alone, not for users of the installed library.
  target_include_directories(eco_${name} ${scope} $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>)
  target_link_libraries(eco_${name} ${scope} $<BUILD_INTERFACE:eco_settings> ${ARG_LINKS})
endfunction()
