# SPDX-License-Identifier: Apache-2.0
#
# Toolchain file: builds for aarch64 with Debian's cross compiler and runs the tests under qemu-user.
#
#   tools/make_arm64_root build/machines/arm64
#   cmake -B build/arm64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DATEMI_ARM64_ROOT=$PWD/build/machines/arm64

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ATEMI_ARM64_ROOT)

set(CMAKE_SYSROOT "${ATEMI_ARM64_ROOT}")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH "${ATEMI_ARM64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${ATEMI_ARM64_ROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${ATEMI_ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${ATEMI_ARM64_ROOT}/usr/share/pkgconfig")

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${ATEMI_ARM64_ROOT}")
