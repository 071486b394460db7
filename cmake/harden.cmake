# SPDX-License-Identifier: Apache-2.0
#
# What a compiler adds so that a fault of memory ends the program instead of obeying an attacker:
#
#     include(cmake/harden.cmake)
#     atemi_harden(target PRIVATE)
#
# - canaries on the stack, checked lengths in the C library (_FORTIFY_SOURCE=3)
# - tables of addresses that are read-only once the program is loaded (full RELRO), a stack that is
#   not executable
# Code that may lie anywhere (PIE) is a property of targets: CMakeLists.txt sets it. What this costs
# is in docs/hardening.md.

include(CheckCCompilerFlag)
include(CheckLinkerFlag)

check_c_compiler_flag(-fstack-protector-strong ATEMI_HAS_STACK_PROTECTOR)
check_linker_flag(C -Wl,-z,relro,-z,now,-z,noexecstack ATEMI_HAS_RELRO)

# _FORTIFY_SOURCE needs a compiler that optimizes, and a name that the compiler may have defined.
function(atemi_harden target scope)
    if(NOT ATEMI_HARDEN)
        return()
    endif()
    target_compile_options(${target} ${scope}
        $<$<BOOL:${ATEMI_HAS_STACK_PROTECTOR}>:-fstack-protector-strong>
        "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
    target_link_options(${target} ${scope}
        $<$<BOOL:${ATEMI_HAS_RELRO}>:-Wl,-z,relro,-z,now,-z,noexecstack>)
endfunction()
