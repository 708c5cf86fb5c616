# Weights inside the binary: the bytes of safetensors files in a read-only section, under the symbols
# that src/solver/embedded_weights.cpp names. A problem without a file gets an empty range.

enable_language(ASM)

# eco_embed_weights(NAME TSP_FILE CVRP_FILE): a static library; "" for none. An executable that has the
# objects of another such library ($<TARGET_OBJECTS:NAME>) uses those instead.
function(eco_embed_weights name tsp cvrp)
  set(text "    .section .note.GNU-stack,\"\",@progbits\n    .section .rodata.eco_weights,\"a\",@progbits\n")
  set(files)
  foreach(problem tsp cvrp)
    string(APPEND text "    .balign 64\n    .global eco_weights_${problem}_begin\neco_weights_${problem}_begin:\n")
    if(${problem})
      string(APPEND text "    .incbin \"${${problem}}\"\n")
      list(APPEND files ${${problem}})
    endif()
    string(APPEND text "    .global eco_weights_${problem}_end\neco_weights_${problem}_end:\n    .byte 0\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.S)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(${name} STATIC ${source})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# eco_embed_weights_of(NAME FOLDER): what is in FOLDER of tsp-best.safetensors and cvrp-best.safetensors.
function(eco_embed_weights_of name folder)
  foreach(problem tsp cvrp)
    file(GLOB ${problem} CONFIGURE_DEPENDS ${folder}/${problem}-best.safetensors)
  endforeach()
  eco_embed_weights(${name} "${tsp}" "${cvrp}")
endfunction()
