# Weights inside the binary: the bytes of safetensors files in a read-only section, under the symbols
# that src/solver/embedded_weights.cpp names. A problem (a folder of src/problems) without a file gets
# an empty range.

enable_language(ASM)

# eco_embed_weights(NAME FILE...): a static library of files named PROBLEM-best.safetensors. An executable
# that has the objects of another such library ($<TARGET_OBJECTS:NAME>) uses those instead.
function(eco_embed_weights name)
  set(text "    .section .note.GNU-stack,\"\",@progbits\n    .section .rodata.eco_weights,\"a\",@progbits\n")
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_SOURCE_DIR}/src/problems/*)
  foreach(folder ${folders})
    if(NOT IS_DIRECTORY ${folder})
      continue()
    endif()
    get_filename_component(problem ${folder} NAME)
    set(own ${ARGN})
    list(FILTER own INCLUDE REGEX "/${problem}-best\\.safetensors$")
    string(APPEND text "    .balign 64\n    .global eco_weights_${problem}_begin\neco_weights_${problem}_begin:\n")
    if(own)
      string(APPEND text "    .incbin \"${own}\"\n")
    endif()
    string(APPEND text "    .global eco_weights_${problem}_end\neco_weights_${problem}_end:\n    .byte 0\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.S)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}")
  add_library(${name} STATIC ${source})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# eco_embed_weights_of(NAME FOLDER): what is in FOLDER of PROBLEM-best.safetensors.
function(eco_embed_weights_of name folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*-best.safetensors)
  eco_embed_weights(${name} ${files})
endfunction()
