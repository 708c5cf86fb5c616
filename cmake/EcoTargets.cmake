# Compiler settings shared by every target, and eco_library(): one static library per folder of src/.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(ECO_CCACHE ccache)
if(ECO_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ECO_CCACHE})
  # ccache only caches users of a precompiled header when told that its macros need no second look.
  set(ECO_CCACHE_PCH ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ECO_CCACHE})
endif()

# Headers that cost seconds a file are compiled once for the target.
function(eco_precompile target)
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

function(eco_library name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(eco_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(eco_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(eco_${name} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(eco_${name} ${scope} eco_settings ${ARG_LINKS})
endfunction()
