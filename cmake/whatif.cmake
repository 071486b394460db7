# SPDX-License-Identifier: Apache-2.0
#
# Builds the core of atemi for WebAssembly, for the sliders of the report page (viewer/whatif), with
# clang and Debian's wasi-libc:
#
#     include(cmake/whatif.cmake)
#     atemi_whatif_core(file)  # the path of whatif.wasm, made when it is needed; empty without tools
#
# Without them the page is built without sliders. Only what the estimate of a blow needs stays: the
# linker drops the rest.

find_program(ATEMI_WASM_CLANG NAMES clang-19 clang DOC "clang that can make WebAssembly")
mark_as_advanced(ATEMI_WASM_CLANG)

set(whatif_flags --target=wasm32-wasi -O2 -DNDEBUG -std=c17 -D_POSIX_C_SOURCE=200809L
    -ffunction-sections -fdata-sections -ffp-contract=off -Wall -Wextra -Werror)
set(whatif_links -nostartfiles -Wl,--no-entry -Wl,--gc-sections -Wl,-s)

# Whether a program with the mathematics of libc links.
function(atemi_whatif_can_build result)
    set(${result} OFF PARENT_SCOPE)
    if(NOT ATEMI_WASM_CLANG)
        return()
    endif()
    set(probe "${PROJECT_BINARY_DIR}/generated/whatif_probe.c")
    file(WRITE "${probe}" "#include <math.h>\n__attribute__((export_name(\"f\"))) double f(double x);\n"
        "double f(double x) { return sin(x); }\n")
    execute_process(COMMAND "${ATEMI_WASM_CLANG}" ${whatif_flags} ${whatif_links} "${probe}"
            -o "${probe}.wasm"
        RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(code EQUAL 0)
        set(${result} ON PARENT_SCOPE)
    endif()
endfunction()

function(atemi_whatif_core result)
    set(${result} "" PARENT_SCOPE)
    atemi_whatif_can_build(can)
    if(NOT can)
        message(STATUS "no clang with wasi-libc: the page of reports is built without 'what if'")
        return()
    endif()
    set(sources "${PROJECT_SOURCE_DIR}/viewer/whatif/whatif.c")
    foreach(layer IN ITEMS base math model dynamics contact motion impact)
        file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.c")
        list(APPEND sources ${found})
    endforeach()
    set(objects "")
    foreach(source IN LISTS sources)
        file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${source}")
        set(object "${PROJECT_BINARY_DIR}/whatif/${name}.o")
        cmake_path(GET object PARENT_PATH folder)
        file(MAKE_DIRECTORY "${folder}")
        add_custom_command(
            OUTPUT "${object}"
            COMMAND ${CMAKE_C_COMPILER_LAUNCHER} "${ATEMI_WASM_CLANG}" ${whatif_flags}
                    "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_BINARY_DIR}/include"
                    "-I${PROJECT_SOURCE_DIR}/src" -MD -MF "${object}.d" -c "${source}" -o "${object}"
            DEPENDS "${source}"
            DEPFILE "${object}.d"
            COMMENT "Compiling ${name} for WebAssembly"
            VERBATIM)
        list(APPEND objects "${object}")
    endforeach()
    set(core "${PROJECT_BINARY_DIR}/whatif/whatif.wasm")
    add_custom_command(
        OUTPUT "${core}"
        COMMAND "${ATEMI_WASM_CLANG}" --target=wasm32-wasi -O2 ${whatif_links} ${objects} -o "${core}"
        DEPENDS ${objects}
        COMMENT "Linking the core for WebAssembly"
        VERBATIM)
    set(${result} "${core}" PARENT_SCOPE)
endfunction()
