// SPDX-License-Identifier: Apache-2.0

/// @file
/// From parts to model: first the tree that the names make, then the arrays of the model.

#pragma once

#include "atemi/base.h"
#include "model/layout.h"
#include "model/parts.h"

/// The tree of a robot. Indices of links and joints without "described" are those of the model:
/// depth first. Joint i leads to link i + 1; link 0 is the root.
typedef struct atemi_topology {
    int                     *described_link;  ///< [links] index in the builder
    int                     *described_joint; ///< [links - 1] index in the builder
    atemi_joint_description *joints;      ///< [links - 1] as described, but for those kept as fixed
    bool                    *weighs;      ///< [links] something from there on has mass or inertia
    int                     *link_index;  ///< [links] inverse of described_link
    int                     *parent;      ///< [links] parent link, ATEMI_NONE for the root
    atemi_name              *link_names;  ///< sorted, with builder indices
    atemi_name              *joint_names; ///< sorted, with builder indices
    void                    *memory;
} atemi_topology;

/// Resolves the names, finds the root and walks the tree. Refuses what is not one tree.
atemi_status atemi_topology_create(const atemi_model_builder *builder, atemi_topology *topology,
                                   atemi_error *error);
void         atemi_topology_destroy(atemi_topology *topology);

/// Keeps as fixed all joints that move nothing with a mass or a rotor, unless one that moves more
/// mimics them, and warns of them: M would be singular. A robot of which no joint would be left
/// stays as it is.
void atemi_topology_keep_massless(const atemi_model_builder *builder, atemi_topology *topology);

/// Makes the model.
atemi_status atemi_assemble(const atemi_model_builder *builder, const atemi_topology *topology,
                            const atemi_model_options *options, atemi_model **model,
                            atemi_error *error);

/// A model being made.
typedef struct atemi_assembly {
    const atemi_model_builder *builder;
    const atemi_topology      *topology;
    const atemi_model_options *options;
    atemi_model               *model;
    atemi_arena               *arena;
    atemi_inertia             *bodies; ///< [node_count] what the links of a node weigh together
    int                       *depths; ///< [node_count]
    int                       *starts; ///< [node_count + 1]
} atemi_assembly;

static inline const atemi_joint_description *atemi_described_joint(const atemi_assembly *a,
                                                                   int                   joint)
{
    return &a->topology->joints[joint];
}

static inline bool atemi_is_coupled(const atemi_assembly *a, const atemi_joint_description *joint)
{
    return joint->mimic && a->options->mimic_as_coupled;
}

/// What base a joint with several coordinates is like; fixed for all others.
static inline atemi_base atemi_kind_of_multi(atemi_joint_type type)
{
    return type == ATEMI_JOINT_FLOATING ? ATEMI_BASE_FLOATING
           : type == ATEMI_JOINT_PLANAR ? ATEMI_BASE_PLANAR
                                        : ATEMI_BASE_FIXED;
}

static inline int atemi_joint_q_count(atemi_joint_type type)
{
    const atemi_base kind = atemi_kind_of_multi(type);
    return kind ? atemi_base_q_count(kind) : type != ATEMI_JOINT_FIXED;
}

static inline int atemi_joint_v_count(atemi_joint_type type)
{
    const atemi_base kind = atemi_kind_of_multi(type);
    return kind ? atemi_base_v_count(kind) : type != ATEMI_JOINT_FIXED;
}

/// Copies what the description says into the model: links, joints, sites, geometries, postures.
/// `text` is room for their names.
atemi_status atemi_describe(const atemi_assembly *a, char *text, atemi_error *error);

/// A copy of a text that may be NULL, on the arena.
const char *atemi_copy_text(atemi_arena *arena, const char *text);
