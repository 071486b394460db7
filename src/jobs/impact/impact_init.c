// SPDX-License-Identifier: Apache-2.0

#include "jobs/impact/impact_init.h"

#include "jobs/blow_wish.h"
#include "jobs/yaml_writing.h"

// The posture, the hand and the gains are those that a strike begins with; the speed is what [SDC]
// strikes with.

static void write_head(const atemi_job_wish *wish, const atemi_strike_proposal *p, atemi_text *yaml)
{
    char name[ATEMI_JOB_ROBOT_NAME];
    atemi_text_append(yaml,
                      "# The hand of %s hits a box: written by 'atemi init impact'.\n"
                      "# 'atemi impact FILE' estimates the blow, --full simulates it as well, "
                      "--sweep varies it;\n"
                      "# 'atemi impact FILE --explain' has all keys.\n"
                      "job: impact\nrobot: ",
                      atemi_job_robot_name(wish, name));
    yaml_put_name(yaml, wish->robot);
    atemi_text_append(yaml, "\nbase: %s\n", p->bolted ? "fixed" : "floating");
}

static void write_contacts(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                           atemi_text *yaml)
{
    if (p->bolted) {
        atemi_text_put_string(yaml, "contacts: []    # its base is held\n");
        return;
    }
    blow_wish_write_sites(wish, p, yaml);
    atemi_text_put_string(yaml, "contacts:\n");
    for (int i = 0; i < p->task.foot_count; ++i) {
        atemi_text_put_string(yaml, "  - {site: ");
        blow_wish_put_sole(wish, p, i, yaml);
        atemi_text_put_string(yaml, ", friction: 0.8}\n");
    }
}

static void write_start(const atemi_job_wish *wish, const atemi_strike_proposal *p,
                        atemi_text *yaml)
{
    atemi_text_put_string(yaml, "\n# Knees bent, the hand in front of the shoulder.\nstart:\n");
    yaml_put_joints(yaml, wish->model, p->q, "joints", false);
    yaml_put_joints(yaml, wish->model, p->q, "slides", true);
    if (!p->bolted) {
        atemi_text_put_string(yaml, "  place_on: floor\n");
    }
}

static void write_blow(const atemi_job_wish *wish, const atemi_strike_proposal *p, atemi_text *yaml)
{
    blow_wish_write_hand(wish, p, false, yaml);
    atemi_text_put_string(yaml, "  direction: ");
    yaml_put_vec3(yaml, p->humanoid.facing.x);
    atemi_text_put_string(yaml, "    # forwards\n  speed: 0.7 m/s\n\n"
                                "# Gains as mass times length squared, from those of [STRIKE].\n"
                                "servo: {stiffness: ");
    yaml_put(yaml, p->stiffness);
    atemi_text_put_string(yaml, ", damping: ");
    yaml_put(yaml, p->damping);
    atemi_text_put_string(yaml, "}\ntarget: {mass: ");
    yaml_put(yaml, p->task.target.mass);
    atemi_text_put_string(yaml, " kg, stiffness: 10 kN/m, damping: 300 N s/m}\n"
                                "sweep:    # of --sweep\n"
                                "  speeds: [0.35, 0.7, 1.4]\n"
                                "  stiffnesses: [2 kN/m, 10 kN/m, 50 kN/m]\n");
}

atemi_status atemi_impact_init(const atemi_job_wish *wish, atemi_text *yaml, atemi_error *error)
{
    const unsigned used = ATEMI_WISH_FEET | ATEMI_WISH_HAND | ATEMI_WISH_SOLE | ATEMI_WISH_MASS;
    atemi_strike_proposal proposal;
    atemi_status          status = atemi_job_wish_check(wish, "impact", used, error);
    if (status) {
        return status;
    }
    status = blow_wish_propose(wish, &proposal, error);
    if (!status) {
        write_head(wish, &proposal, yaml);
        write_contacts(wish, &proposal, yaml);
        write_start(wish, &proposal, yaml);
        write_blow(wish, &proposal, yaml);
    }
    atemi_strike_proposal_destroy(&proposal);
    return status;
}
