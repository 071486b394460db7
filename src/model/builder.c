// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "base/growing.h"
#include "model/assembly.h"
#include "model/parts.h"

#include <math.h>

static atemi_status out_of_memory(atemi_error *error)
{
    return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory to build the robot");
}

// Makes room for one more element of `size` bytes.
static bool ensure_capacity(void **array, int count, int *capacity, size_t size)
{
    void *grown = atemi_grown(*array, size, count, capacity);
    *array = grown ? grown : *array;
    return grown != NULL;
}

// Copies a string that may be absent. False without memory.
static bool keep(atemi_model_builder *builder, const char **text)
{
    if (*text) {
        *text = atemi_string_pool_copy(&builder->strings, *text);
        return *text != NULL;
    }
    return true;
}

atemi_model_options atemi_model_options_default(void)
{
    return (atemi_model_options){
        .base = ATEMI_BASE_FLOATING, .gravity = {0.0, 0.0, -9.81}, .mimic_as_coupled = true};
}

atemi_joint_description atemi_joint_description_default(void)
{
    return (atemi_joint_description){
        .type = ATEMI_JOINT_FIXED,
        .origin = atemi_transform_identity(),
        .axis = {1.0, 0.0, 0.0},
        .limits = {.lower = -INFINITY, .upper = INFINITY, .velocity = INFINITY, .effort = INFINITY},
        .mimic_multiplier = 1.0,
    };
}

atemi_status atemi_model_builder_create(const char *robot, const char *file,
                                        atemi_model_builder **builder, atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder, ATEMI_ERROR_CONTRACT);
    *builder = NULL;
    atemi_model_builder *made = (atemi_model_builder *)atemi_allocate(sizeof *made);
    if (!made) {
        return out_of_memory(error);
    }
    *made = (atemi_model_builder){.robot = robot ? robot : "", .file = file};
    if (!keep(made, &made->robot) || !keep(made, &made->file)) {
        atemi_model_builder_destroy(made);
        return out_of_memory(error);
    }
    *builder = made;
    return ATEMI_OK;
}

void atemi_model_builder_destroy(atemi_model_builder *builder)
{
    if (builder) {
        atemi_release(builder->links);
        atemi_release(builder->joints);
        atemi_release(builder->sites);
        atemi_release(builder->geometries);
        atemi_release(builder->postures);
        atemi_release(builder->loops);
        atemi_release(builder->aparts);
        atemi_string_pool_destroy(&builder->strings);
        atemi_release(builder);
    }
}

atemi_status atemi_model_builder_add_link(atemi_model_builder          *builder,
                                          const atemi_link_description *link, atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder && link, ATEMI_ERROR_CONTRACT);
    const atemi_status checked = atemi_check_link(builder, link, error);
    if (checked) {
        return checked;
    }
    if (builder->link_count >= ATEMI_MAX_LINKS) {
        return atemi_fail_at(builder, link->place, error, ATEMI_ERROR_LIMIT,
                             "more than %d links; this is not a robot we can handle",
                             ATEMI_MAX_LINKS);
    }
    atemi_link_description kept = *link;
    if (!ensure_capacity((void **)&builder->links, builder->link_count, &builder->link_capacity,
                         sizeof kept) ||
        !keep(builder, &kept.name)) {
        return out_of_memory(error);
    }
    builder->links[builder->link_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_add_joint(atemi_model_builder           *builder,
                                           const atemi_joint_description *joint, atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder && joint, ATEMI_ERROR_CONTRACT);
    const atemi_status checked = atemi_check_joint(builder, joint, error);
    if (checked) {
        return checked;
    }
    if (builder->joint_count >= ATEMI_MAX_LINKS) {
        return atemi_fail_at(builder, joint->place, error, ATEMI_ERROR_LIMIT,
                             "more than %d joints; this is not a robot we can handle",
                             ATEMI_MAX_LINKS);
    }
    atemi_joint_description kept = *joint;
    if (!ensure_capacity((void **)&builder->joints, builder->joint_count, &builder->joint_capacity,
                         sizeof kept) ||
        !keep(builder, &kept.name) || !keep(builder, &kept.parent) || !keep(builder, &kept.child) ||
        !keep(builder, &kept.mimic)) {
        return out_of_memory(error);
    }
    builder->joints[builder->joint_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_add_site(atemi_model_builder          *builder,
                                          const atemi_site_description *site, atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder && site && site->link, ATEMI_ERROR_CONTRACT);
    const atemi_status checked = atemi_check_site(builder, site, error);
    if (checked) {
        return checked;
    }
    atemi_site_description kept = *site;
    if (!ensure_capacity((void **)&builder->sites, builder->site_count, &builder->site_capacity,
                         sizeof kept) ||
        !keep(builder, &kept.name) || !keep(builder, &kept.link)) {
        return out_of_memory(error);
    }
    builder->sites[builder->site_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_add_geometry(atemi_model_builder              *builder,
                                              const atemi_geometry_description *geometry,
                                              atemi_error                      *error)
{
    ATEMI_REQUIRE_OR(builder && geometry && geometry->link, ATEMI_ERROR_CONTRACT);
    const atemi_status checked = atemi_check_geometry(builder, geometry, error);
    if (checked) {
        return checked;
    }
    atemi_geometry_description kept = *geometry;
    if (!ensure_capacity((void **)&builder->geometries, builder->geometry_count,
                         &builder->geometry_capacity, sizeof kept) ||
        !keep(builder, &kept.link) || !keep(builder, &kept.uri) || !keep(builder, &kept.path)) {
        return out_of_memory(error);
    }
    builder->geometries[builder->geometry_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_add_posture(atemi_model_builder             *builder,
                                             const atemi_posture_description *posture,
                                             atemi_error                     *error)
{
    ATEMI_REQUIRE_OR(builder && posture && posture->posture && posture->joint,
                     ATEMI_ERROR_CONTRACT);
    if (!isfinite(posture->value)) {
        return atemi_fail_at(builder, posture->place, error, ATEMI_ERROR_INPUT,
                             "posture '%s': the value of joint '%s' is not finite",
                             posture->posture, posture->joint);
    }
    atemi_posture_description kept = *posture;
    if (!ensure_capacity((void **)&builder->postures, builder->posture_count,
                         &builder->posture_capacity, sizeof kept) ||
        !keep(builder, &kept.posture) || !keep(builder, &kept.joint)) {
        return out_of_memory(error);
    }
    builder->postures[builder->posture_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_add_loop(atemi_model_builder          *builder,
                                          const atemi_loop_description *loop, atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder && loop, ATEMI_ERROR_CONTRACT);
    const atemi_status checked = atemi_check_loop(builder, loop, error);
    if (checked) {
        return checked;
    }
    atemi_loop_description kept = *loop;
    if (!ensure_capacity((void **)&builder->loops, builder->loop_count, &builder->loop_capacity,
                         sizeof kept) ||
        !keep(builder, &kept.name) || !keep(builder, &kept.first) || !keep(builder, &kept.second)) {
        return out_of_memory(error);
    }
    builder->loops[builder->loop_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_add_apart(atemi_model_builder           *builder,
                                           const atemi_apart_description *pair, atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder && pair && pair->first && pair->second, ATEMI_ERROR_CONTRACT);
    atemi_apart_description kept = *pair;
    if (!ensure_capacity((void **)&builder->aparts, builder->apart_count, &builder->apart_capacity,
                         sizeof kept) ||
        !keep(builder, &kept.first) || !keep(builder, &kept.second)) {
        return out_of_memory(error);
    }
    builder->aparts[builder->apart_count++] = kept;
    return ATEMI_OK;
}

atemi_status atemi_model_builder_finish(const atemi_model_builder *builder,
                                        const atemi_model_options *options, atemi_model **model,
                                        atemi_error *error)
{
    ATEMI_REQUIRE_OR(builder && model, ATEMI_ERROR_CONTRACT);
    const atemi_model_options standard = atemi_model_options_default();
    *model = NULL;

    atemi_topology topology = {0};
    atemi_status   status = atemi_topology_create(builder, &topology, error);
    options = options ? options : &standard;
    if (!status && options->massless_as_fixed) {
        atemi_topology_keep_massless(builder, &topology);
    }
    if (!status) {
        status = atemi_assemble(builder, &topology, options, model, error);
    }
    atemi_topology_destroy(&topology);
    return status;
}
