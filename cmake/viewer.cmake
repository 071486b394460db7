# SPDX-License-Identifier: Apache-2.0
#
# Builds the page of reports from viewer/, with npm, in a copy under the build folder:
#
#     include(cmake/viewer.cmake)
#     atemi_viewer_can_build(can)  # ON or OFF: whether npm is there and accepts viewer/
#     atemi_viewer_page(page CORE)  # the path of the page, made when it is needed, with the core for
#                                  # WebAssembly inside (cmake/whatif.cmake), or "" for none
#
# The same file is the script of that step (cmake -P). Packages are installed again only when
# package-lock.json changes.

if(CMAKE_SCRIPT_MODE_FILE)
    # Scripts of packages start the node that belongs to npm.
    cmake_path(GET NPM PARENT_PATH folder)
    set(ENV{PATH} "${folder}:$ENV{PATH}")

    function(run_npm)
        execute_process(COMMAND "${NPM}" ${ARGN} WORKING_DIRECTORY "${COPY}"
            RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
        if(NOT code EQUAL 0)
            list(JOIN ARGN " " command)
            message(FATAL_ERROR "${output}\n`npm ${command}` failed in ${COPY}. Without a network, or "
                "without the page of reports, build with -DATEMI_VIEWER=OFF, or name a page made "
                "elsewhere with -DATEMI_VIEWER_PAGE=FILE.")
        endif()
    endfunction()

    file(REMOVE_RECURSE "${COPY}/src")
    file(COPY "${SOURCE}/" DESTINATION "${COPY}"
        PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE PATTERN test EXCLUDE
        PATTERN whatif EXCLUDE)
    file(REMOVE "${COPY}/whatif.wasm")
    if(CORE)
        file(COPY "${CORE}" DESTINATION "${COPY}")
    endif()
    file(SHA256 "${COPY}/package-lock.json" wanted)
    set(installed "")
    if(EXISTS "${COPY}/.installed")
        file(READ "${COPY}/.installed" installed)
    endif()
    if(NOT installed STREQUAL wanted)
        run_npm(ci --no-audit --no-fund --prefer-offline)
        file(WRITE "${COPY}/.installed" "${wanted}")
    endif()
    run_npm(run build)
    file(TOUCH "${COPY}/dist/index.html")
    return()
endif()

set(ATEMI_VIEWER_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

find_program(ATEMI_NPM npm DOC "npm, which builds viewer/")
mark_as_advanced(ATEMI_NPM)

function(atemi_viewer_can_build result)
    set(${result} OFF PARENT_SCOPE)
    if(NOT ATEMI_NPM)
        message(STATUS "no npm: atemi is built without the page of reports")
        return()
    endif()
    execute_process(COMMAND "${ATEMI_NPM}" ci --dry-run --no-audit --no-fund --prefer-offline
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/viewer"
        RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(code EQUAL 0)
        set(${result} ON PARENT_SCOPE)
    else()
        message(STATUS "npm does not accept viewer/ (see `npm ci --dry-run` there): atemi is built "
            "without the page of reports")
    endif()
endfunction()

function(atemi_viewer_page result core)
    set(source "${PROJECT_SOURCE_DIR}/viewer")
    set(copy "${PROJECT_BINARY_DIR}/viewer")
    file(GLOB files CONFIGURE_DEPENDS "${source}/*.json" "${source}/*.html" "${source}/*.js")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${source}/src/*")
    add_custom_command(
        OUTPUT "${copy}/dist/index.html"
        COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${source}" "-DCOPY=${copy}" "-DNPM=${ATEMI_NPM}"
                "-DCORE=${core}" -P "${ATEMI_VIEWER_SCRIPT}"
        DEPENDS ${core} ${files} ${sources} "${ATEMI_VIEWER_SCRIPT}"
        COMMENT "Building the page of reports"
        VERBATIM)
    set(${result} "${copy}/dist/index.html" PARENT_SCOPE)
endfunction()
