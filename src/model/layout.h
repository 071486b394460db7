// SPDX-License-Identifier: Apache-2.0

/// @file
/// The inside of a model: what the description said, and the tree of nodes the kernels run on.
///
/// A node is one degree of freedom: a turn about, or a slide along, one axis fixed in its frame. A
/// joint with several coordinates is a chain of nodes that share one pose, of which only the last
/// carries mass. So nodes are numbered as v is, except that a coupled (mimic) joint has a node but
/// no entry in v. Parents come before children. A node's frame is the joint's, turned so that the
/// axis of a joint with one coordinate is z.
///
/// Nodes are stored in blocks of ATEMI_LANES. Lanes beyond the last node are massless, have no
/// axis and stand at the origin: padding lanes, computed and never read.

#pragma once

#include "atemi/model.h"
#include "math/pack.h"
#include "model/names.h"

/// The constants of a block of nodes, in the nodes' own frames.
typedef struct atemi_node_block {
    lanes3 frame_x, frame_y, frame_z; ///< axes of the node's frame at q = 0, in the parent node
    lanes3 offset;                    ///< its origin at q = 0, in the parent node
    lanes3 axis;                      ///< unit vector
    lanes  revolute, prismatic;       ///< 1 where the node turns, or slides; 0 otherwise
    lanes  turn, slide;               ///< as above, but 0 in joints with several coordinates
    lanes  mass;
    lanes3 com;
    lanes3 first_moment;                         ///< mass times com
    lanes3 inertia, product;                     ///< about the com: (xx, yy, zz), (yz, xz, xy)
    lanes3 inertia_at_origin, product_at_origin; ///< about the node's origin
    lanes  armature;
    lanes  end; ///< one past the last node that this one carries
} atemi_node_block;

/// How a node's coordinate and rate follow from q and v: by `scale`, and `shift` for the
/// coordinate.
typedef struct atemi_node_drive {
    int    q, v;
    double scale, shift;
} atemi_node_drive;

/// A joint with several coordinates, the base included.
typedef struct atemi_multi_joint {
    atemi_base kind; ///< what of a base it is like: planar, sagittal or floating
    int        first_node, last_node;
    int        first_q;
} atemi_multi_joint;

/// A link's place in the body that carries it.
typedef struct atemi_mounting {
    int             node; ///< ATEMI_NONE for the world
    atemi_transform pose; ///< of the link in the node's frame, or in the world
} atemi_mounting;

struct atemi_model {
    const char *name;
    atemi_base  base;
    atemi_vec3  gravity;
    double      mass;

    int q_count, v_count;
    int link_count, joint_count, site_count, geometry_count, posture_count, loop_count, apart_count;

    atemi_link      *links;
    atemi_joint     *joints;
    atemi_site      *sites;
    atemi_geometry  *geometries;
    atemi_loop      *loops;
    atemi_link_pair *aparts;
    const char     **posture_names;
    double          *postures; ///< [posture_count x q_count]

    atemi_name *link_names, *joint_names, *site_names, *posture_index; ///< sorted by name

    int               node_count, block_count;
    atemi_node_block *blocks;
    atemi_node_drive *drives;  ///< [node_count]
    int              *parents; ///< [node_count] parent node, or ATEMI_NONE
    int *schedule; ///< [node_count] nodes by depth: neighbours in it are on different limbs
    int *ends;     ///< [node_count] one past the last node that this one carries
    atemi_mounting *mountings;   ///< [link_count]
    int            *joint_nodes; ///< [joint_count] last node of a joint that moves, or ATEMI_NONE
    int             multi_joint_count;
    atemi_multi_joint *multi_joints;

    bool scene;          ///< the root is the world; what hangs from it, robots and bodies
    bool coupled;        ///< some node has no entry of its own in v
    int *factor_parents; ///< [v_count] the tree that M has its zeros from; a chain if coupled

    void *memory; ///< the one block that holds all of the above
};

/// Which nodes of a block are `node` or carry it.
static inline pack_mask atemi_carriers(const atemi_model *model, int block, int node)
{
    const pack index = pack_indices() + (double)(block * ATEMI_LANES);
    return (index <= (double)node) & (pack_load(&model->blocks[block].end) > (double)node);
}

/// The block of a node, and its lane there. (Unsigned, so that dividing is shifting.)
static inline int atemi_block(int node)
{
    return (int)((unsigned)node / ATEMI_LANES);
}
static inline int atemi_lane(int node)
{
    return (int)((unsigned)node % ATEMI_LANES);
}
