// SPDX-License-Identifier: Apache-2.0

#include "jobs/blow_wish.h"

#include "io/syntax/suggestion.h"
#include "jobs/mesh_points.h"
#include "jobs/yaml_writing.h"

#include <math.h>
#include <string.h>

// ---- Names

static const char *link_name(const void *model, int index)
{
    return atemi_model_link((const atemi_model *)model, index)->name;
}

// The link of that name, or that carries the site of that name.
static atemi_status find_link(const atemi_model *model, const char *name, int *link,
                              atemi_error *error)
{
    const int site = name ? atemi_model_find_site(model, name) : ATEMI_NONE;
    *link = site != ATEMI_NONE ? atemi_model_site(model, site)->link
            : name             ? atemi_model_find_link(model, name)
                               : ATEMI_NONE;
    if (name && *link == ATEMI_NONE) {
        const char *meant =
            atemi_suggestion_find(name, atemi_model_link_count(model), link_name, model);
        return atemi_fail(error, ATEMI_ERROR_INPUT, "the robot has no link or site '%.64s'%s%s%s",
                          name, ATEMI_SUGGESTION_TEXT(meant));
    }
    return ATEMI_OK;
}

static atemi_status read_wish(const atemi_job_wish *wish, atemi_strike_wish *strike,
                              atemi_error *error)
{
    *strike = atemi_strike_wish_default();
    strike->humanoid.sole_x = wish->sole[0];
    strike->humanoid.sole_y = wish->sole[1];
    strike->height = wish->height;
    strike->mass = wish->mass;
    atemi_status status = ATEMI_OK;
    for (int i = 0; i < ATEMI_SIDES && !status; ++i) {
        status = find_link(wish->model, wish->feet[i], &strike->humanoid.feet[i], error);
    }
    return status ? status : find_link(wish->model, wish->hand, &strike->humanoid.hand, error);
}

// ---- The proposal

static bool is_estimate(atemi_outline_source source)
{
    return source == ATEMI_OUTLINE_INERTIA || source == ATEMI_OUTLINE_LENGTH;
}

// Where a sole or a fist is an estimate and there are meshes, it is found from these.
static atemi_status look_at_meshes(const atemi_job_wish *wish, atemi_strike_wish *strike,
                                   mesh_points *points, atemi_strike_proposal *proposal,
                                   atemi_error *error)
{
    const atemi_humanoid *h = &proposal->humanoid;
    atemi_status          status = ATEMI_OK;
    for (int i = 0; i < ATEMI_SIDES && !status; ++i) {
        if (is_estimate(h->soles[i].source)) {
            status = mesh_points_add(wish->model, h->legs[i].end, points, error);
        }
        if (!status && i < h->arm_count && is_estimate(h->fists[i].source)) {
            status = mesh_points_add(wish->model, h->arms[i].end, points, error);
        }
    }
    if (!status && points->count > 0) {
        strike->humanoid.points = points->list;
        strike->humanoid.point_count = points->count;
        atemi_strike_proposal_destroy(proposal);
        status = atemi_strike_proposal_create(wish->model, strike, proposal, error);
    }
    return status;
}

atemi_status blow_wish_propose(const atemi_job_wish *wish, atemi_strike_proposal *proposal,
                               atemi_error *error)
{
    atemi_strike_wish strike;
    mesh_points       points = {0};
    *proposal = (atemi_strike_proposal){0};
    atemi_status status = read_wish(wish, &strike, error);
    status = status ? status : atemi_strike_proposal_create(wish->model, &strike, proposal, error);
    status = status ? status : look_at_meshes(wish, &strike, &points, proposal, error);
    mesh_points_destroy(&points);
    return status;
}

// ---- Soles

static atemi_vec3 rpy_of(const atemi_mat3 *R)
{
    return (atemi_vec3){atan2(R->y.z, R->z.z), atan2(-R->x.z, hypot(R->y.z, R->z.z)),
                        atan2(R->x.y, R->x.x)};
}

static const char *sole_name(const atemi_strike_proposal *p, int side)
{
    return p->bolted                 ? "bolted_plate"
           : side == ATEMI_SIDE_LEFT ? "left_foot_sole"
                                     : "right_foot_sole";
}

void blow_wish_put_sole(const atemi_job_wish *wish, const atemi_strike_proposal *p, int side,
                        atemi_text *yaml)
{
    const int site = p->humanoid.soles[side].site;
    yaml_put_name(yaml, site != ATEMI_NONE ? atemi_model_site(wish->model, site)->name
                                           : sole_name(p, side));
}

static void write_site(const atemi_job_wish *wish, const atemi_strike_proposal *p, int side,
                       atemi_text *yaml)
{
    const atemi_sole *sole = &p->humanoid.soles[side];
    const atemi_vec3  rpy = rpy_of(&sole->pose.rotation);
    atemi_text_append(yaml, "  - name: %s\n    link: ", sole_name(p, side));
    yaml_put_name(yaml, atemi_model_link(wish->model, p->humanoid.legs[side].end)->name);
    atemi_text_put_string(yaml, "\n    point: ");
    yaml_put_vec3(yaml, sole->pose.position);
    if (atemi_vec3_norm(rpy) > 1e-9) {
        atemi_text_put_string(yaml, "\n    rpy: ");
        yaml_put_vec3(yaml, rpy);
    }
    atemi_text_put_string(yaml, "\n    size: [");
    yaml_put(yaml, sole->size_x);
    atemi_text_put_string(yaml, ", ");
    yaml_put(yaml, sole->size_y);
    atemi_text_put_string(yaml, "]\n");
}

static const char *source_note(atemi_outline_source source)
{
    switch (source) {
    case ATEMI_OUTLINE_GIVEN:
        return "of the size that was asked for";
    case ATEMI_OUTLINE_SITE:
        return "by a site of the robot's file";
    case ATEMI_OUTLINE_SHAPES:
        return "from collision shapes of the robot's file";
    case ATEMI_OUTLINE_POINTS:
        return "from meshes of the robot";
    case ATEMI_OUTLINE_JOINTS:
        return "at the first joints of the fingers";
    case ATEMI_OUTLINE_INERTIA:
        return "estimated: the file has no shapes there but meshes, so this is the box that has "
               "its mass and inertia";
    case ATEMI_OUTLINE_LENGTH:
        break;
    }
    return "estimated: nothing in the file says how large it is, so this is a fraction of the "
           "limb's length";
}

static void write_sole_note(const atemi_strike_proposal *p, atemi_text *yaml)
{
    if (p->bolted) {
        atemi_text_put_string(yaml,
                              "\n# The robot has no legs: a wide, rough plate stands for the bolts "
                              "that hold its base. It cannot\n# pull.\nsites:\n");
    } else {
        atemi_text_append(yaml,
                          "\n# Soles %s;\n# --sole LENGTHxWIDTH gives another size.\nsites:\n",
                          source_note(p->humanoid.soles[0].source));
    }
}

void blow_wish_write_sites(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                           atemi_text *yaml)
{
    bool noted = false;
    for (int i = 0; i < p->task.foot_count; ++i) {
        if (p->humanoid.soles[i].site == ATEMI_NONE) {
            if (!noted) {
                write_sole_note(p, yaml);
            }
            noted = true;
            write_site(wish, p, i, yaml);
        }
    }
}

// ---- The hand

void blow_wish_write_hand(const atemi_job_wish *wish, const atemi_strike_proposal *p, bool axis,
                          atemi_text *yaml)
{
    const atemi_fist *fist = &p->humanoid.fists[p->side];
    const bool        is_site = fist->site != ATEMI_NONE;
    atemi_vec3        out = fist->axis;
    atemi_text_append(yaml, "\n# What strikes, %s.\nhand:\n", source_note(fist->source));
    if (is_site) {
        const atemi_site *site = atemi_model_site(wish->model, fist->site);
        out = atemi_mat3_apply_transposed(&site->pose.rotation, out);
        atemi_text_put_string(yaml, "  site: ");
        yaml_put_name(yaml, site->name);
    } else {
        atemi_text_put_string(yaml, "  link: ");
        yaml_put_name(yaml, atemi_model_link(wish->model, p->humanoid.arms[p->side].end)->name);
        atemi_text_put_string(yaml, "\n  point: ");
        yaml_put_vec3(yaml, fist->point);
    }
    if (axis) {
        atemi_text_put_string(yaml, "\n  axis: ");
        yaml_put_vec3(yaml, out);
    }
    atemi_text_put_string(yaml, "\n");
}
