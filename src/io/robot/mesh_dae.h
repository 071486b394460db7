// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a COLLADA file says, before its parts are put together (mesh_dae_parts.c).

#pragma once

#include "atemi/math.h"
#include "io/robot/mesh.h"
#include "model/names.h"

/// x -> matrix x + shift, where the matrix may scale and mirror.
typedef struct atemi_dae_transform {
    atemi_mat3 matrix;
    atemi_vec3 shift;
} atemi_dae_transform;

/// Numbers of a <source>.
typedef struct atemi_dae_source {
    const char *id;
    double     *values; ///< [count]
    int         count, capacity, stride;
} atemi_dae_source;

/// The triangles of a <geometry>.
typedef struct atemi_dae_geometry {
    const char *id;
    atemi_mesh  mesh;
} atemi_dae_geometry;

/// A geometry, or a node of a library, that stands somewhere.
typedef struct atemi_dae_instance {
    const char         *of;      ///< the id of a geometry, or of a node of a library
    const char         *library; ///< the node of a library that it is part of; NULL in a scene
    bool                is_node;
    atemi_dae_transform pose;
} atemi_dae_instance;

typedef struct atemi_dae_parts {
    atemi_dae_source   *sources; ///< of the geometry that is read
    atemi_dae_geometry *geometries;
    atemi_dae_instance *instances;
    int source_count, source_capacity, geometry_count, geometry_capacity, instance_count,
        instance_capacity;
    double            unit; ///< m
    atemi_string_pool names;
} atemi_dae_parts;

atemi_dae_transform atemi_dae_identity(void);
/// First b, then a.
atemi_dae_transform atemi_dae_compose(const atemi_dae_transform *a, const atemi_dae_transform *b);

/// Forgets the sources of a geometry; forgets all.
void atemi_dae_forget_sources(atemi_dae_parts *parts);
void atemi_dae_parts_destroy(atemi_dae_parts *parts);

/// Puts all that stands in the scene into a mesh, in metres; without a scene, all geometries.
atemi_status atemi_dae_assemble(const atemi_dae_parts *parts, atemi_mesh *mesh, atemi_error *error);
