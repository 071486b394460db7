// SPDX-License-Identifier: Apache-2.0

/// @file
/// Where the mesh files of a robot lie. Names are looked at, contents never.

#pragma once

#include "atemi/base.h"

#include <stdbool.h>

/// Longer paths are not found, longer names of packages are cut, and packages inside more packages
/// are not looked at.
enum { ATEMI_PATH_SIZE = 4096, ATEMI_PACKAGE_SIZE = 256, ATEMI_MAX_NESTED_PACKAGES = 4 };

/// A folder above the robot's file that holds a package.xml.
typedef struct atemi_mesh_package {
    int  folder_length; ///< of the search's folder
    char name[ATEMI_PACKAGE_SIZE];
} atemi_mesh_package;

typedef struct atemi_mesh_search {
    const char        *package_path;            ///< folders separated by ':', or NULL
    const char        *ros_package_path;        ///< the same, from the environment
    char               folder[ATEMI_PATH_SIZE]; ///< of the robot's file, absolute; or empty
    atemi_mesh_package packages[ATEMI_MAX_NESTED_PACKAGES];
    int                package_count;
    int                looks_left; ///< files that may still be looked for
} atemi_mesh_search;

/// Begins the search for the meshes of one robot. `package_path` must outlive it. `file` is the
/// path of the robot's file; without one (NULL) no folder is searched but those of the two paths.
/// @return ATEMI_OK or ATEMI_ERROR_MEMORY
atemi_status atemi_mesh_search_begin(atemi_mesh_search *search, const char *file,
                                     const char *package_path, atemi_error *error);

/// Finds the file of a package://, model:// or file:// address or of a relative or absolute path.
/// @return false where there is none, or after 100,000 looks for files
bool atemi_mesh_search_find(atemi_mesh_search *search, const char *address,
                            char path[ATEMI_PATH_SIZE]);
