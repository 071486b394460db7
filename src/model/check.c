// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "model/parts.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

// An inertia may break the triangle inequality by rounding of its printed digits.
static const double triangle_tolerance = 1e-6;

// No part of a robot has less inertia than this, in kg m^2, unless it stands for none at all.
static const double negligible_inertia = 1e-12;

atemi_status atemi_fail_at(const atemi_model_builder *builder, atemi_place place,
                           atemi_error *error, atemi_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    atemi_fail_list(error, status, format, arguments);
    va_end(arguments);
    atemi_error_locate(error, builder->file, place.line, place.column);
    return status;
}

// Warns, naming a place in the builder's file.
ATEMI_PRINTF(3, 4)
static void warn_at(const atemi_model_builder *builder, atemi_place place, const char *format, ...)
{
    atemi_error warning;
    va_list     arguments;
    va_start(arguments, format);
    atemi_fail_list(&warning, ATEMI_OK, format, arguments);
    va_end(arguments);
    atemi_error_locate(&warning, builder->file, place.line, place.column);

    char text[ATEMI_ERROR_FILE_SIZE + ATEMI_ERROR_MESSAGE_SIZE];
    atemi_error_format(&warning, text, (int)sizeof text);
    atemi_log(ATEMI_LOG_WARNING, "%s", text);
}

static bool transform_is_finite(const atemi_transform *pose)
{
    return atemi_vec3_is_finite(pose->rotation.x) && atemi_vec3_is_finite(pose->rotation.y) &&
           atemi_vec3_is_finite(pose->rotation.z) && atemi_vec3_is_finite(pose->position);
}

static bool inertia_is_finite(const atemi_inertia *inertia)
{
    const atemi_symmetric3 *I = &inertia->rotational;
    return isfinite(inertia->mass) && atemi_vec3_is_finite(inertia->com) && isfinite(I->xx) &&
           isfinite(I->yy) && isfinite(I->zz) && isfinite(I->xy) && isfinite(I->xz) &&
           isfinite(I->yz);
}

static atemi_status check_name(const atemi_model_builder *builder, const char *kind,
                               const char *name, atemi_place place, atemi_error *error)
{
    if (!name || !name[0]) {
        return atemi_fail_at(builder, place, error, ATEMI_ERROR_INPUT,
                             "a %s has no name; every %s needs one", kind, kind);
    }
    if (strlen(name) > ATEMI_MAX_NAME) {
        return atemi_fail_at(builder, place, error, ATEMI_ERROR_LIMIT,
                             "the name of %s '%.40s...' is longer than %d bytes", kind, name,
                             ATEMI_MAX_NAME);
    }
    return ATEMI_OK;
}

// The principal moments of a real body are as the sides of a triangle: none exceeds the sum of the
// other two.
static void warn_of_impossible_inertia(const atemi_model_builder    *builder,
                                       const atemi_link_description *link)
{
    const atemi_vec3 moment = atemi_symmetric3_eigenvalues(&link->inertia.rotational);
    const double     excess = moment.z - moment.x - moment.y;
    if (excess > triangle_tolerance * fabs(moment.z) && excess > negligible_inertia) {
        warn_at(builder, link->place,
                "inertia of link '%s': no body has the principal moments %.4g, %.4g, %.4g "
                "kg m^2, the largest exceeds the sum of the others by %.3g (triangle "
                "inequality)",
                link->name, moment.x, moment.y, moment.z, excess);
    }
}

atemi_status atemi_check_link(const atemi_model_builder    *builder,
                              const atemi_link_description *link, atemi_error *error)
{
    const atemi_status named = check_name(builder, "link", link->name, link->place, error);
    if (named) {
        return named;
    }
    if (!inertia_is_finite(&link->inertia)) {
        return atemi_fail_at(builder, link->place, error, ATEMI_ERROR_INPUT,
                             "inertia of link '%s' has a value that is not a finite number",
                             link->name);
    }
    if (link->inertia.mass < 0.0) {
        return atemi_fail_at(builder, link->place, error, ATEMI_ERROR_INPUT,
                             "mass of link '%s' is %g kg; give a mass of 0 or more", link->name,
                             link->inertia.mass);
    }
    warn_of_impossible_inertia(builder, link);
    return ATEMI_OK;
}

static atemi_status check_limits(const atemi_model_builder     *builder,
                                 const atemi_joint_description *joint, atemi_error *error)
{
    const atemi_limits *limits = &joint->limits;
    if (!(limits->lower <= limits->upper)) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "limits of joint '%s' are upside down: lower %g is above upper %g",
                             joint->name, limits->lower, limits->upper);
    }
    if (!(limits->velocity >= 0.0) || !(limits->effort >= 0.0)) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "limits of joint '%s': velocity %g and effort %g must be 0 or more",
                             joint->name, limits->velocity, limits->effort);
    }
    return ATEMI_OK;
}

static bool is_passive(double value)
{
    return isfinite(value) && value >= 0.0;
}

static bool has_axis(atemi_joint_type type)
{
    return type != ATEMI_JOINT_FIXED && type != ATEMI_JOINT_FLOATING;
}

static atemi_status check_drive(const atemi_model_builder     *builder,
                                const atemi_joint_description *joint, atemi_error *error)
{
    if (!is_passive(joint->armature) || !is_passive(joint->damping) ||
        !is_passive(joint->friction)) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "dynamics of joint '%s': armature %g, damping %g and friction %g must "
                             "be finite and 0 or more",
                             joint->name, joint->armature, joint->damping, joint->friction);
    }
    if (!is_passive(joint->servo_stiffness) || !is_passive(joint->servo_damping)) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "servo of joint '%s': stiffness %g and damping %g must be finite and "
                             "0 or more",
                             joint->name, joint->servo_stiffness, joint->servo_damping);
    }
    if (joint->mimic && (!isfinite(joint->mimic_multiplier) || !isfinite(joint->mimic_offset))) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "mimic of joint '%s': multiplier and offset must be finite",
                             joint->name);
    }
    return ATEMI_OK;
}

static atemi_status check_geometry_of_joint(const atemi_model_builder     *builder,
                                            const atemi_joint_description *joint,
                                            atemi_error                   *error)
{
    if (!transform_is_finite(&joint->origin) || !atemi_vec3_is_finite(joint->axis)) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "origin or axis of joint '%s' is not finite", joint->name);
    }
    const bool no_axis = joint->axis.x == 0.0 && joint->axis.y == 0.0 && joint->axis.z == 0.0;
    if (has_axis(joint->type) && no_axis) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                             "axis of joint '%s' is (%g, %g, %g); give a direction, e.g. 0 0 1",
                             joint->name, joint->axis.x, joint->axis.y, joint->axis.z);
    }
    return ATEMI_OK;
}

atemi_status atemi_check_joint(const atemi_model_builder     *builder,
                               const atemi_joint_description *joint, atemi_error *error)
{
    atemi_status status = check_name(builder, "joint", joint->name, joint->place, error);
    if (!status && (!joint->parent || !joint->child)) {
        status = atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_INPUT,
                               "joint '%s' has no %s link", joint->name,
                               joint->parent ? "child" : "parent");
    }
    if (!status) {
        status = check_geometry_of_joint(builder, joint, error);
    }
    if (!status) {
        status = check_limits(builder, joint, error);
    }
    if (!status) {
        status = check_drive(builder, joint, error);
    }
    return status;
}

atemi_status atemi_check_site(const atemi_model_builder    *builder,
                              const atemi_site_description *site, atemi_error *error)
{
    const atemi_status named = check_name(builder, "site", site->name, site->place, error);
    if (named) {
        return named;
    }
    if (!transform_is_finite(&site->pose) || !is_passive(site->size_x) ||
        !is_passive(site->size_y)) {
        return atemi_fail_at(builder, site->place, error, ATEMI_ERROR_INPUT,
                             "site '%s': pose and size must be finite, the size 0 or more",
                             site->name);
    }
    return ATEMI_OK;
}

atemi_status atemi_check_geometry(const atemi_model_builder        *builder,
                                  const atemi_geometry_description *geometry, atemi_error *error)
{
    if (!transform_is_finite(&geometry->pose) || !atemi_vec3_is_finite(geometry->size)) {
        return atemi_fail_at(builder, geometry->place, error, ATEMI_ERROR_INPUT,
                             "geometry of link '%s' is not finite", geometry->link);
    }
    return ATEMI_OK;
}

atemi_status atemi_check_loop(const atemi_model_builder    *builder,
                              const atemi_loop_description *loop, atemi_error *error)
{
    const atemi_status named = check_name(builder, "loop", loop->name, loop->place, error);
    if (named) {
        return named;
    }
    if (!transform_is_finite(&loop->on_first) || !transform_is_finite(&loop->on_second)) {
        return atemi_fail_at(builder, loop->place, error, ATEMI_ERROR_INPUT,
                             "the frames of loop '%s' are not finite", loop->name);
    }
    return ATEMI_OK;
}
