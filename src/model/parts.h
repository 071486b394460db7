// SPDX-License-Identifier: Apache-2.0

/// @file
/// The parts of a robot as they were described, before they are a model.

#pragma once

#include "atemi/model_builder.h"
#include "model/names.h"

struct atemi_model_builder {
    const char       *robot;
    const char       *file; ///< or NULL
    atemi_string_pool strings;

    atemi_link_description     *links;
    atemi_joint_description    *joints;
    atemi_site_description     *sites;
    atemi_geometry_description *geometries;
    atemi_posture_description  *postures;
    atemi_loop_description     *loops;
    atemi_apart_description    *aparts;

    int link_count, joint_count, site_count, geometry_count, posture_count, loop_count, apart_count;
    int link_capacity, joint_capacity, site_capacity, geometry_capacity, posture_capacity,
        loop_capacity, apart_capacity;
};

/// Fills an error that points into the builder's file.
atemi_status atemi_fail_at(const atemi_model_builder *builder, atemi_place place,
                           atemi_error *error, atemi_status status, const char *format, ...)
    ATEMI_PRINTF(5, 6);

/// Checks the values of one part by itself.
atemi_status atemi_check_link(const atemi_model_builder    *builder,
                              const atemi_link_description *link, atemi_error *error);
atemi_status atemi_check_joint(const atemi_model_builder     *builder,
                               const atemi_joint_description *joint, atemi_error *error);
atemi_status atemi_check_site(const atemi_model_builder    *builder,
                              const atemi_site_description *site, atemi_error *error);
atemi_status atemi_check_geometry(const atemi_model_builder        *builder,
                                  const atemi_geometry_description *geometry, atemi_error *error);
atemi_status atemi_check_loop(const atemi_model_builder    *builder,
                              const atemi_loop_description *loop, atemi_error *error);
