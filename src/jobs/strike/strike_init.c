// SPDX-License-Identifier: Apache-2.0

#include "jobs/strike/strike_init.h"

#include "jobs/blow_wish.h"
#include "jobs/yaml_writing.h"

#include <math.h>

// ---- Ranges

static void put_range(atemi_text *yaml, const char *key, const atemi_strike_range *range)
{
    atemi_text_append(yaml, "  %s: [", key);
    yaml_put(yaml, range->start);
    if (range->lower < range->upper) {
        atemi_text_put_string(yaml, ", ");
        yaml_put(yaml, range->lower);
        atemi_text_put_string(yaml, ", ");
        yaml_put(yaml, range->upper);
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
    yaml_put_name(yaml, wish->robot);
    atemi_text_put_string(yaml, "\nbase: floating\n");
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
        yaml_put_angle(yaml, q);
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
            yaml_put_name(yaml, joint->name);
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

static void write_soles(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                        atemi_text *yaml)
{
    blow_wish_write_sites(wish, p, yaml);
    atemi_text_put_string(yaml, "feet: [");
    for (int i = 0; i < p->task.foot_count; ++i) {
        atemi_text_put_string(yaml, i ? ", " : "");
        blow_wish_put_sole(wish, p, i, yaml);
    }
    atemi_text_put_string(yaml, "]\n");
}

static void write_hand(const atemi_job_wish *wish, const atemi_strike_proposal *p, atemi_text *yaml)
{
    blow_wish_write_hand(wish, p, true, yaml);
    atemi_text_put_string(yaml, "  direction: [1, 0, 0]    # forwards, as the feet point\n");
}

static void write_target(const atemi_strike_proposal *p, atemi_text *yaml)
{
    atemi_text_put_string(yaml, "hit: {z: ");
    yaml_put(yaml, p->task.hits[0].place[2]);
    atemi_text_put_string(yaml, " m, tolerance: 1 cm}    # --target HEIGHT,MASS gives others\n"
                                "target: {mass: ");
    yaml_put(yaml, p->task.target.mass);
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
    yaml_put(yaml, p->stiffness);
    atemi_text_put_string(yaml, ", damping: ");
    yaml_put(yaml, p->damping);
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
        yaml_put_name(yaml, joint->name);
        for (int k = 0; k < 3; ++k) {
            atemi_text_put_string(yaml, k ? ", " : ": [");
            if (joint->type == ATEMI_JOINT_PRISMATIC) {
                yaml_put(yaml, list[k]);
            } else {
                yaml_put_angle(yaml, list[k]);
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
    yaml_put(yaml, value);
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
    atemi_text_put_string(yaml, "\n# A plan ends after so many searches with what it has, and the "
                                "answer says so: the same on every\n# machine. With {budget: 60 s} "
                                "it would end after that time, wherever it is then.\n"
                                "search: {searches: 300}\n");
}

// ---- All of it

static void write_all(const atemi_job_wish *wish, const atemi_strike_proposal *proposal,
                      atemi_text *yaml)
{
    write_head(wish, yaml);
    write_soles(wish, proposal, yaml);
    write_start(wish, proposal, yaml);
    write_hand(wish, proposal, yaml);
    write_target(proposal, yaml);
    write_servo(proposal, yaml);
    write_decide(wish, proposal, yaml);
    write_constraints(proposal, yaml);
}

atemi_status atemi_strike_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error)
{
    const unsigned used =
        ATEMI_WISH_FEET | ATEMI_WISH_HAND | ATEMI_WISH_SOLE | ATEMI_WISH_HEIGHT | ATEMI_WISH_MASS;
    atemi_strike_proposal proposal;
    atemi_status          status = atemi_job_wish_check(wish, "strike", used, error);
    if (status) {
        return status;
    }
    status = blow_wish_propose(wish, &proposal, error);
    if (!status) {
        write_all(wish, &proposal, yaml);
        status = yaml->failed ? atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a scenario")
                              : ATEMI_OK;
    }
    atemi_strike_proposal_destroy(&proposal);
    return status;
}
