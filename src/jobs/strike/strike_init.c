// SPDX-License-Identifier: Apache-2.0

#include "jobs/strike/strike_init.h"

#include "atemi/strike_proposal.h"
#include "io/syntax/suggestion.h"
#include "jobs/mesh_points.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

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

// ---- Numbers and names as YAML

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Plain where YAML reads it as text, whatever its version.
static void put_name(atemi_text *yaml, const char *name)
{
    static const char *const words[] = {"y",   "n",    "yes",   "no",   "on",
                                        "off", "true", "false", "null", "inf"};
    bool                     plain = is_letter(name[0]) || name[0] == '/' || name[0] == '.';
    for (const char *c = name; *c; ++c) {
        plain = plain && (is_letter(*c) || (*c >= '0' && *c <= '9') || strchr("_-./", *c));
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        plain = plain && strcmp(name, words[i]) != 0;
    }
    if (plain) {
        atemi_text_put_string(yaml, name);
    } else {
        atemi_text_put_json_string(yaml, name);
    }
}

// To twelve decimals: what is less is rounding error.
static void put(atemi_text *yaml, double value)
{
    const double kept = fabs(value) < 1e3 ? floor(1e12 * value + 0.5) / 1e12 : value;
    atemi_text_append_number(yaml, kept == 0.0 ? 0.0 : kept);
}

static void put_vec3(atemi_text *yaml, atemi_vec3 v)
{
    const double list[] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        atemi_text_put_string(yaml, i ? ", " : "[");
        put(yaml, list[i]);
    }
    atemi_text_put_string(yaml, "]");
}

// A tenth of a degree.
static void put_angle(atemi_text *yaml, double angle)
{
    put(yaml, floor(angle * 1800.0 / pi + 0.5) / 10.0);
    atemi_text_put_string(yaml, " deg");
}

static void put_range(atemi_text *yaml, const char *key, const atemi_strike_range *range)
{
    atemi_text_append(yaml, "  %s: [", key);
    put(yaml, range->start);
    if (range->lower < range->upper) {
        atemi_text_put_string(yaml, ", ");
        put(yaml, range->lower);
        atemi_text_put_string(yaml, ", ");
        put(yaml, range->upper);
    }
    atemi_text_put_string(yaml, "]\n");
}

// ---- The robot

static void write_head(const atemi_job_wish *wish, atemi_text *yaml)
{
    char name[ATEMI_JOB_ROBOT_NAME];
    atemi_text_append(yaml,
                      "# The hardest blow that %s can deliver without falling, to begin with:\n"
                      "# written by 'atemi init strike', found from the robot's joints, shapes and "
                      "masses.\n"
                      "# 'atemi strike FILE' plans and verifies it; 'atemi strike FILE --explain' "
                      "has all keys.\n"
                      "job: strike\nrobot: ",
                      atemi_job_robot_name(wish, name));
    put_name(yaml, wish->robot);
    atemi_text_put_string(yaml, "\nbase: floating\n");
}

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

static void put_sole_name(const atemi_job_wish *wish, const atemi_strike_proposal *p, int side,
                          atemi_text *yaml)
{
    const int site = p->humanoid.soles[side].site;
    put_name(yaml,
             site != ATEMI_NONE ? atemi_model_site(wish->model, site)->name : sole_name(p, side));
}

static void write_site(const atemi_job_wish *wish, const atemi_strike_proposal *p, int side,
                       atemi_text *yaml)
{
    const atemi_sole *sole = &p->humanoid.soles[side];
    const atemi_vec3  rpy = rpy_of(&sole->pose.rotation);
    atemi_text_append(yaml, "  - name: %s\n    link: ", sole_name(p, side));
    put_name(yaml, atemi_model_link(wish->model, p->humanoid.legs[side].end)->name);
    atemi_text_put_string(yaml, "\n    point: ");
    put_vec3(yaml, sole->pose.position);
    if (atemi_vec3_norm(rpy) > 1e-9) {
        atemi_text_put_string(yaml, "\n    rpy: ");
        put_vec3(yaml, rpy);
    }
    atemi_text_put_string(yaml, "\n    size: [");
    put(yaml, sole->size_x);
    atemi_text_put_string(yaml, ", ");
    put(yaml, sole->size_y);
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

static void write_sites(const atemi_job_wish *wish, const atemi_strike_proposal *p,
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
    atemi_text_put_string(yaml, "feet: [");
    for (int i = 0; i < p->task.foot_count; ++i) {
        atemi_text_put_string(yaml, i ? ", " : "");
        put_sole_name(wish, p, i, yaml);
    }
    atemi_text_put_string(yaml, "]\n");
}

// ---- The start

static bool is_decided(const atemi_strike_proposal *p, int joint)
{
    bool found = false;
    for (int i = 0; i < p->task.joint_count; ++i) {
        found = found || p->joints[i] == joint;
    }
    return found;
}

// A joint at a limit stays there exactly, so that the planner knows that it is locked.
static void put_start(atemi_text *yaml, const atemi_joint *joint, double q)
{
    const bool slides = joint->type == ATEMI_JOINT_PRISMATIC;
    if (slides || q == joint->limits.lower || q == joint->limits.upper) {
        atemi_text_append_number(yaml, q);
    } else {
        put_angle(yaml, q);
    }
}

// Joints of one kind, those that slide or all others.
static void write_positions(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                            const char *key, bool slide, atemi_text *yaml)
{
    bool begun = false;
    for (int j = 0; j < atemi_model_joint_count(wish->model); ++j) {
        const atemi_joint *joint = atemi_model_joint(wish->model, j);
        if (joint->q_count == 1 && !is_decided(p, j) &&
            (joint->type == ATEMI_JOINT_PRISMATIC) == slide) {
            if (!begun) {
                atemi_text_append(yaml, "  %s:\n", key);
            }
            atemi_text_put_string(yaml, "    ");
            begun = true;
            put_name(yaml, joint->name);
            atemi_text_put_string(yaml, ": ");
            put_start(yaml, joint, p->q[joint->first_q]);
            atemi_text_put_string(yaml, "\n");
        }
    }
}

static void write_start(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                        atemi_text *yaml)
{
    atemi_text positions = {0};
    write_positions(wish, p, "joints", false, &positions);
    write_positions(wish, p, "slides", true, &positions);
    if (positions.size > 0) {
        atemi_text_put_string(yaml,
                              "\n# Joints that are not decided. The legs' are where inverse "
                              "kinematics begins, knees bent;\n# what rests at a limit, such as "
                              "fingers, is locked.\nstart:\n");
        atemi_text_put(yaml, positions.bytes, positions.size);
    }
    yaml->failed = yaml->failed || positions.failed;
    atemi_text_destroy(&positions);
}

// ---- Hand and target

static void write_hand(const atemi_job_wish *wish, const atemi_strike_proposal *p, atemi_text *yaml)
{
    const atemi_fist *fist = &p->humanoid.fists[p->side];
    atemi_text_append(yaml, "\n# What strikes, %s.\n", source_note(fist->source));
    if (fist->site != ATEMI_NONE) {
        const atemi_site *site = atemi_model_site(wish->model, fist->site);
        atemi_text_put_string(yaml, "hand:\n  site: ");
        put_name(yaml, site->name);
        atemi_text_put_string(yaml, "\n  axis: ");
        put_vec3(yaml, atemi_mat3_apply_transposed(&site->pose.rotation, fist->axis));
    } else {
        atemi_text_put_string(yaml, "hand:\n  link: ");
        put_name(yaml, atemi_model_link(wish->model, p->humanoid.arms[p->side].end)->name);
        atemi_text_put_string(yaml, "\n  point: ");
        put_vec3(yaml, fist->point);
        atemi_text_put_string(yaml, "\n  axis: ");
        put_vec3(yaml, fist->axis);
    }
    atemi_text_put_string(yaml, "\n  direction: [1, 0, 0]    # forwards, as the feet point\n");
}

static void write_target(const atemi_strike_proposal *p, atemi_text *yaml)
{
    atemi_text_put_string(yaml, "hit: {z: ");
    put(yaml, p->task.hits[0].place[2]);
    atemi_text_put_string(yaml, " m, tolerance: 1 cm}    # --target HEIGHT,MASS gives others\n"
                                "target: {mass: ");
    put(yaml, p->task.target.mass);
    atemi_text_put_string(yaml, " kg, stiffness: 10 kN/m, damping: 300 N s/m}\n");
}

static void write_servo(const atemi_strike_proposal *p, atemi_text *yaml)
{
    atemi_text_append(
        yaml, "\n# Gains as mass times leg length squared, from those of [STRIKE].%s\n",
        p->rotors_known ? ""
                        : "\n# The file has joints without rotor inertia (armature): the planner "
                          "estimates the least with\n# which a joint follows its servo, 40 us, "
                          "and verifies with the same.");
    atemi_text_put_string(yaml, "servo: {stiffness: ");
    put(yaml, p->stiffness);
    atemi_text_put_string(yaml, ", damping: ");
    put(yaml, p->damping);
    atemi_text_put_string(yaml, "}\n");
}

// ---- What is decided

static void write_joints(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                         atemi_text *yaml)
{
    atemi_text_put_string(yaml, "  joints:    # waist and arm: limits less a margin, about the "
                                "start\n");
    for (int i = 0; i < p->task.joint_count; ++i) {
        const atemi_joint       *joint = atemi_model_joint(wish->model, p->joints[i]);
        const atemi_strike_range r = p->ranges[i];
        const double             list[] = {r.start, r.lower, r.upper};
        atemi_text_put_string(yaml, "    ");
        put_name(yaml, joint->name);
        for (int k = 0; k < 3; ++k) {
            atemi_text_put_string(yaml, k ? ", " : ": [");
            if (joint->type == ATEMI_JOINT_PRISMATIC) {
                put(yaml, list[k]);
            } else {
                put_angle(yaml, list[k]);
            }
        }
        atemi_text_put_string(yaml, "]\n");
    }
}

static void write_feet(const atemi_strike_proposal *p, atemi_text *yaml)
{
    const atemi_strike_task *t = &p->task;
    const bool               wide = t->stance[0][1].lower < t->stance[0][1].upper;
    if (p->bolted) {
        atemi_text_put_string(yaml, "\n# Each [start, lower, upper].\ndecide:\n");
        return;
    }
    atemi_text_append(yaml,
                      "\n# Each [start, lower, upper]. Legs: %.3g m of thigh and shin.%s\n"
                      "decide:\n",
                      p->humanoid.legs[0].length,
                      wide ? ""
                           : " They have less than six\n# joints, so the feet stay as far apart as "
                             "they are.");
    put_range(yaml, "foot_x", &t->foot_position[0]);
    put_range(yaml, "foot_y", &t->foot_position[1]);
    put_range(yaml, "foot_z", &t->foot_position[2]);
    put_range(yaml, "foot_about_y", &t->foot_rotation[1]);
    put_range(yaml, "foot_about_z", &t->foot_rotation[2]);
    put_range(yaml, "second_foot_x", &t->stance[0][0]);
    put_range(yaml, "second_foot_y", &t->stance[0][1]);
}

static void write_decide(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                         atemi_text *yaml)
{
    const atemi_strike_task *t = &p->task;
    write_feet(p, yaml);
    write_joints(wish, p, yaml);
    put_range(yaml, "speed", &t->speed);
    if (!p->bolted) {
        atemi_text_put_string(yaml, "  # momenta in proportion to mass and leg\n");
        put_range(yaml, "momentum_z", &t->lift);
        put_range(yaml, "angular_x", &t->roll);
        put_range(yaml, "angular_y", &t->pitch);
        put_range(yaml, "com_x", &t->com_x);
        put_range(yaml, "com_y", &t->com_y);
    }
}

static void put_constraint(atemi_text *yaml, const char *key, double value, const char *note)
{
    atemi_text_append(yaml, "  %s: ", key);
    put(yaml, value);
    atemi_text_append(yaml, "%s%s\n", note ? "    # " : "", note ? note : "");
}

static void write_constraints(const atemi_strike_proposal *p, atemi_text *yaml)
{
    const atemi_strike_task *t = &p->task;
    atemi_text_put_string(yaml, "constraints:\n");
    put_constraint(yaml, "impact_margin", t->impact_margin,
                   "of the ZMP, in proportion to the sole");
    put_constraint(yaml, "motion_margin", t->motion_margin, NULL);
    put_constraint(yaml, "edge_margin", t->edge_margin, NULL);
    put_constraint(yaml, "momentum_side", t->momentum_side, NULL);
    put_constraint(yaml, "spin", t->spin, NULL);
    if (!isfinite(t->angular_speed)) {
        put_constraint(yaml, "angular_velocity", t->angular_speed,
                       "the arm has few joints: its hand rotates as it likes");
    }
    if (!p->effort_known) {
        atemi_text_put_string(yaml,
                              "  # The file has joints without an effort limit, or with one of "
                              "0: those are not limited.\n");
    }
    if (!p->speed_known) {
        put_constraint(yaml, "free_speed", t->free_speed,
                       "rad/s: the file has joints without a speed limit; this is a guess");
    }
    put_constraint(yaml, "friction", t->friction,
                   p->bolted ? NULL : "of 1 in the verification: a blow tears at the soles");
    atemi_text_append(yaml, "verify:\n  friction: %s\n", p->bolted ? "10" : "1");
    atemi_text_put_string(yaml, "\n# A search ends after so long with what it has, and the answer "
                                "says so; without a budget,\n# answers do not depend on how fast "
                                "the machine is.\nsearch: {budget: 60 s}\n");
}

// ---- All of it

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

static void write_all(const atemi_job_wish *wish, const atemi_strike_proposal *proposal,
                      atemi_text *yaml)
{
    write_head(wish, yaml);
    write_sites(wish, proposal, yaml);
    write_start(wish, proposal, yaml);
    write_hand(wish, proposal, yaml);
    write_target(proposal, yaml);
    write_servo(proposal, yaml);
    write_decide(wish, proposal, yaml);
    write_constraints(proposal, yaml);
}

atemi_status atemi_strike_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error)
{
    atemi_strike_wish     strike;
    atemi_strike_proposal proposal = {0};
    mesh_points           points = {0};
    atemi_status          status = read_wish(wish, &strike, error);
    status = status ? status : atemi_strike_proposal_create(wish->model, &strike, &proposal, error);
    status = status ? status : look_at_meshes(wish, &strike, &points, &proposal, error);
    if (!status) {
        write_all(wish, &proposal, yaml);
        status = yaml->failed ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario")
                              : ATEMI_OK;
    }
    atemi_strike_proposal_destroy(&proposal);
    mesh_points_destroy(&points);
    return status;
}
