# SPDX-License-Identifier: Apache-2.0
#
# ARKODE and the serial vectors of SUNDIALS: gives ARKODE::ARKODE. SUNDIALS' own package file asks
# for MPI, PETSc and others that we do not use.

find_path(ARKODE_INCLUDE_DIR arkode/arkode_erkstep.h)
find_library(ARKODE_LIBRARY sundials_arkode)
find_library(ARKODE_VECTOR_LIBRARY sundials_nvecserial)
mark_as_advanced(ARKODE_INCLUDE_DIR ARKODE_LIBRARY ARKODE_VECTOR_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ARKODE
    REQUIRED_VARS ARKODE_LIBRARY ARKODE_VECTOR_LIBRARY ARKODE_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "SUNDIALS 6 is needed. On Debian: apt-get install libsundials-dev")

if(ARKODE_FOUND AND NOT TARGET ARKODE::ARKODE)
    add_library(ARKODE::ARKODE INTERFACE IMPORTED GLOBAL)
    set_target_properties(ARKODE::ARKODE PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${ARKODE_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${ARKODE_LIBRARY};${ARKODE_VECTOR_LIBRARY}")
endif()
