// SPDX-License-Identifier: Apache-2.0

/// @file
/// From parts to model: first the tree that the names make, then the arrays of the model.

#pragma once

#include "model/layout.h"
#include "model/parts.h"

/// The tree of a robot. Indices of links and joints without "described" are those of the model:
/// depth first. Joint i leads to link i + 1; link 0 is the root.
typedef struct atemi_topology {
    int        *described_link;  ///< [links] index in the builder
    int        *described_joint; ///< [links - 1] index in the builder
    int        *link_index;      ///< [links] inverse of described_link
    int        *joint_index;     ///< [joints] inverse of described_joint
    int        *parent;          ///< [links] parent link, ATEMI_NONE for the root
    atemi_name *link_names;      ///< sorted, with builder indices
    atemi_name *joint_names;     ///< sorted, with builder indices
    void       *memory;
} atemi_topology;

/// Resolves the names, finds the root and walks the tree. Refuses what is not one tree.
atemi_status atemi_topology_create(const atemi_model_builder *builder, atemi_topology *topology,
                                   atemi_error *error);
void         atemi_topology_destroy(atemi_topology *topology);

/// Makes the model.
atemi_status atemi_assemble(const atemi_model_builder *builder, const atemi_topology *topology,
                            const atemi_model_options *options, atemi_model **model,
                            atemi_error *error);
