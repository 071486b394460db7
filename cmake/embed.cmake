# SPDX-License-Identifier: Apache-2.0
#
# Puts files of any bytes inside the library, as a table of struct atemi_embedded_file
# (src/io/bytes/embedded.h) with its length, sorted by name:
#
#     include(cmake/embed.cmake)
#     atemi_embed(OUTPUT robots_data.c SYMBOL atemi_embedded_robots FILES robots/a.urdf ...)
#
# OUTPUT is made again when one of FILES changes, and depends on nothing but their names and bytes.
# The same file is the script of that step (cmake -P), so that cross builds need no host compiler.

if(CMAKE_SCRIPT_MODE_FILE)
    set(entries "")
    set(arrays "")
    set(count 0)
    foreach(file IN LISTS FILES)
        cmake_path(GET file STEM LAST_ONLY name)
        file(SIZE "${file}" size)
        file(READ "${file}" bytes HEX)
        string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
        string(REGEX REPLACE " +\n" "\n" bytes "${bytes}")
        string(APPEND arrays
            "static const unsigned char file_${count}[] = {\n    ${bytes}0x00};\n\n")
        string(APPEND entries
            "    {\"${name}\", (const char *)file_${count}, ${size}},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    if(count EQUAL 0)
        set(entries "    {0, 0, 0},\n") # C knows no empty array
    endif()
    file(WRITE "${OUTPUT}"
        "// Made by cmake/embed.cmake.\n\n"
        "#include \"io/bytes/embedded.h\"\n\n"
        "${arrays}"
        "const struct atemi_embedded_file ${SYMBOL}[] = {\n${entries}};\n\n"
        "const int ${SYMBOL}_count = ${count};\n")
    return()
endif()

set(ATEMI_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(atemi_embed)
    cmake_parse_arguments(PARSE_ARGV 0 EMBED "" "OUTPUT;SYMBOL" "FILES")
    # The table is sorted by names without extension, which is not the order of the paths.
    set(keyed "")
    foreach(file IN LISTS EMBED_FILES)
        cmake_path(ABSOLUTE_PATH file)
        cmake_path(GET file STEM LAST_ONLY name)
        if(NOT name MATCHES "^[A-Za-z0-9_.-]+$")
            message(FATAL_ERROR "cannot embed ${file}: letters, digits and _ . - only, please")
        endif()
        list(APPEND keyed "${name}|${file}")
    endforeach()
    list(SORT keyed)
    list(TRANSFORM keyed REPLACE "^[^|]*[|]" "" OUTPUT_VARIABLE files)
    add_custom_command(
        OUTPUT "${EMBED_OUTPUT}"
        COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${EMBED_OUTPUT}" "-DSYMBOL=${EMBED_SYMBOL}"
                "-DFILES=${files}" -P "${ATEMI_EMBED_SCRIPT}"
        DEPENDS ${files} "${ATEMI_EMBED_SCRIPT}"
        COMMENT "Embedding ${EMBED_SYMBOL}"
        VERBATIM)
endfunction()
