// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "atemi/model_builder.h"
#include "model/copying.h"
#include "model/parts.h"

#include <math.h>

// Masses times m and lengths times l: inertias times m l^2.

atemi_model_variation atemi_model_variation_none(void)
{
    return (atemi_model_variation){.masses = 1.0, .lengths = 1.0};
}

static bool is_positive(double x)
{
    return x > 0.0 && isfinite(x);
}

static atemi_status check(const atemi_model *model, const atemi_model_variation *v,
                          atemi_error *error)
{
    if (!is_positive(v->masses) || !is_positive(v->lengths)) {
        return atemi_fail(error, ATEMI_ERROR_INPUT,
                          "masses are varied by a factor of %g and lengths by %g; give positive "
                          "ones",
                          v->masses, v->lengths);
    }
    for (int i = 0; i < v->payload_count; ++i) {
        const atemi_payload *load = &v->payloads[i];
        if (load->link < 0 || load->link >= atemi_model_link_count(model)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT, "payload %d is on link %d of %d", i,
                              load->link, atemi_model_link_count(model));
        }
        if (!is_positive(load->mass)) {
            return atemi_fail(error, ATEMI_ERROR_INPUT,
                              "payload %d weighs %g kg; give a positive mass", i, load->mass);
        }
    }
    return ATEMI_OK;
}

static void scale_links(atemi_model_builder *b, double m, double l)
{
    const double of_inertia = m * l * l;
    for (int i = 0; i < b->link_count; ++i) {
        atemi_inertia    *inertia = &b->links[i].inertia;
        atemi_symmetric3 *I = &inertia->rotational;
        inertia->mass *= m;
        inertia->com = atemi_vec3_scale(l, inertia->com);
        *I = (atemi_symmetric3){.xx = of_inertia * I->xx,
                                .xy = of_inertia * I->xy,
                                .xz = of_inertia * I->xz,
                                .yy = of_inertia * I->yy,
                                .yz = of_inertia * I->yz,
                                .zz = of_inertia * I->zz};
    }
}

static void scale_place(atemi_transform *pose, double l)
{
    pose->position = atemi_vec3_scale(l, pose->position);
}

static void scale_places(atemi_model_builder *b, double l)
{
    for (int i = 0; i < b->joint_count; ++i) {
        scale_place(&b->joints[i].origin, l);
    }
    for (int i = 0; i < b->site_count; ++i) {
        scale_place(&b->sites[i].pose, l);
    }
    for (int i = 0; i < b->geometry_count; ++i) {
        scale_place(&b->geometries[i].pose, l);
    }
    for (int i = 0; i < b->loop_count; ++i) {
        scale_place(&b->loops[i].on_first, l);
        scale_place(&b->loops[i].on_second, l);
    }
}

static void load_links(atemi_model_builder *b, const atemi_model_variation *v)
{
    for (int i = 0; i < v->payload_count; ++i) {
        const atemi_payload *load = &v->payloads[i];
        const atemi_inertia  point = {.mass = load->mass, .com = load->position};
        atemi_inertia       *inertia = &b->links[load->link].inertia;
        *inertia = atemi_inertia_add(inertia, &point);
    }
}

atemi_status atemi_model_vary(const atemi_model *model, const atemi_model_variation *variation,
                              atemi_model **varied, atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && variation && varied, ATEMI_ERROR_CONTRACT);
    const atemi_model_options options = {.base = atemi_model_base(model),
                                         .gravity = atemi_model_gravity(model),
                                         .mimic_as_coupled = atemi_model_is_coupled(model)};
    atemi_model_builder      *builder = NULL;
    *varied = NULL;
    atemi_status status = check(model, variation, error);
    status = status ? status
                    : atemi_model_builder_create(atemi_model_name(model), NULL, &builder, error);
    status = status ? status : atemi_parts_copy(model, builder, error);
    if (!status) {
        scale_links(builder, variation->masses, variation->lengths);
        scale_places(builder, variation->lengths);
        load_links(builder, variation);
        status = atemi_model_builder_finish(builder, &options, varied, error);
    }
    atemi_model_builder_destroy(builder);
    return status;
}
