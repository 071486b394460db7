// SPDX-License-Identifier: Apache-2.0

/// @file
/// A robot that is being written as MJCF: its parts, one source each.

#pragma once

#include "atemi/model.h"
#include "io/bytes/text.h"

#include <stdbool.h>

typedef struct mjcf_writing {
    const atemi_model *model;
    atemi_text        *text;
    int                unwritten_shapes, speed_limits, open_hinges, impossible, lumped;
} mjcf_writing;

/// The name of a link's body.
const char *mjcf_body_name(const mjcf_writing *w, int link);

/// Whether MuJoCo takes a shape: it refuses files whose meshes are not there, and shapes of size 0.
bool mjcf_takes_shape(const atemi_geometry *geometry);

/// Whether a joint is a hinge or a slide.
bool mjcf_has_one_coordinate(const atemi_joint *joint);

/// <worldbody>: links with their joints, shapes and sites.
void mjcf_put_bodies(mjcf_writing *w);

/// <contact>: pairs that may not touch. <equality>: mimic joints and closed loops. <actuator>: a
/// motor or servo of each joint. <keyframe>: postures.
void mjcf_put_excluded(const mjcf_writing *w);
void mjcf_put_equalities(mjcf_writing *w);
void mjcf_put_actuators(const mjcf_writing *w);
void mjcf_put_keys(const mjcf_writing *w);

/// <asset>: the files of meshes.
void mjcf_put_meshes(const mjcf_writing *w);
