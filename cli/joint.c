// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"
#include "command.h"
#include "io/bytes/number.h"
#include "io/syntax/suggestion.h"
#include "joint_study.h"
#include "json_output.h"
#include "output.h"
#include "recorded_table.h"
#include "report.h"
#include "robot_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double turn = 6.283185307179586;
static const double degrees = 57.295779513082320877;

typedef struct joint_request {
    robot_request robot;
    const char   *joint, *frequency, *ratio, *period, *inertia, *figures;
    bool          torques, bode, step, json;
} joint_request;

// ---- What is asked for ----------------------------------------------------------------------

static int take_number(const char *option, const char *text, bool may_be_zero, double *value)
{
    *value = (double)NAN;
    if (!text) {
        return EXIT_DONE;
    }
    const bool fine = atemi_numbers_parse(text, 1, value).fault == ATEMI_NUMBER_FINE &&
                      (*value > 0.0 || (may_be_zero && *value == 0.0));
    return fine ? EXIT_DONE
                : output_refuse("--%s '%s' is not a number above%s 0", option, text,
                                may_be_zero ? " or equal to" : "");
}

static int take_figures(const joint_request *request, joint_study *study)
{
    int code =
        take_number("natural-frequency", request->frequency, false, &study->natural_frequency);
    code = code ? code : take_number("damping-ratio", request->ratio, true, &study->damping_ratio);
    code = code ? code : take_number("period", request->period, false, &study->period);
    return code ? code : take_number("inertia", request->inertia, false, &study->inertia);
}

static const char *joint_name(const void *model, int index)
{
    return atemi_model_joint((const atemi_model *)model, index)->name;
}

static int refuse_joint(const atemi_model *model, const char *name)
{
    const char *meant =
        atemi_suggestion_find(name, atemi_model_joint_count(model), joint_name, model);
    return output_refuse("robot '%s' has no joint '%s' that moves by itself%s%s%s; 'atemi info' "
                         "lists them under drives",
                         atemi_model_name(model), name, ATEMI_SUGGESTION_TEXT(meant));
}

static int take_joint(const char *name, joint_study *study)
{
    const atemi_model *model = study->model;
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->v_count == 1 && strcmp(joint->name, name) == 0) {
            study->joint = joint->first_v - atemi_base_v_count(atemi_model_base(model));
            return EXIT_DONE;
        }
    }
    return refuse_joint(model, name);
}

// ---- The answer -----------------------------------------------------------------------------

static void print_margin(const char *label, const atemi_joint_margin *margin)
{
    printf("  %-18s", label);
    if (!margin->stable) {
        printf("not stable\n");
        return;
    }
    printf("phase margin %.0f degrees at %.2g Hz, gain margin %.3g\n", degrees * margin->phase,
           margin->frequency / turn, margin->gain);
}

static bool is_prismatic(const joint_request *request, const joint_study *study)
{
    const int index = atemi_model_find_joint(study->model, request->joint);
    return atemi_model_joint(study->model, index)->type == ATEMI_JOINT_PRISMATIC;
}

static void print_text(const joint_request *request, const joint_study *study)
{
    const atemi_joint_drive *d = &study->control.drive;
    char                     heading[256]; // cut to fit
    snprintf(heading, sizeof heading, "%s, %s", request->joint,
             study->takes_torque ? "a drive that takes torques" : "a drive with a spring");
    output_heading(heading);
    printf("  %-18s%.4g kg m^2\n", "rotor", d->rotor_inertia * d->gear * d->gear);
    if (!study->takes_torque) {
        printf("  %-18s%.4g N m/rad, %.3g N m s/rad\n", "spring", d->spring, d->spring_damping);
    }
    printf("  %-18s%.4g s\n", "period", study->control.period);
    printf("  %-18s%.3g kg m^2, of %.3g to %.3g\n", "link", study->inertia,
           study->stability.inertia_min, study->stability.inertia_max);
    printf("  %-18s%.4g rad/s%s, damping ratio %.3g\n", "natural frequency",
           study->stability.natural_frequency,
           study->stability.natural_frequency < study->coordinated.dynamics.natural_frequency
               ? " (lowered)"
               : "",
           study->coordinated.dynamics.damping_ratio);
    printf("  %-18s%.4g N m/rad, %.4g N m s/rad\n", "impedance", study->impedance.stiffness,
           study->impedance.damping);
    print_margin("with this link", &study->margin);
    print_margin("at worst", &study->stability.margin);
    if (is_prismatic(request, study)) {
        puts("  A prismatic joint: kg for kg m^2, N for N m, m for rad.");
    }
}

static json_t *margin_json(const atemi_joint_margin *margin)
{
    return json_pack("{s:b, s:f, s:o, s:o}", "stable", (int)margin->stable, "phase_margin",
                     degrees * margin->phase, "at", json_from_number(margin->frequency / turn),
                     "gain_margin", json_from_number(margin->gain));
}

static json_t *study_json(const joint_request *request, const joint_study *study)
{
    const atemi_joint_drive *d = &study->control.drive;
    return json_pack(
        "{s:s, s:b, s:f, s:f, s:f, s:f, s:f, s:[f,f], s:f, s:f, s:f, s:f, s:o, s:o, s:b}", "joint",
        request->joint, "takes_torque", (int)study->takes_torque, "rotor",
        d->rotor_inertia * d->gear * d->gear, "spring", d->spring, "spring_damping",
        d->spring_damping, "period", study->control.period, "inertia", study->inertia,
        "inertia_range", study->stability.inertia_min, study->stability.inertia_max,
        "natural_frequency", study->stability.natural_frequency, "damping_ratio",
        study->coordinated.dynamics.damping_ratio, "stiffness", study->impedance.stiffness,
        "damping", study->impedance.damping, "margin", margin_json(&study->margin), "least_margin",
        margin_json(&study->stability.margin), "is_good", (int)study->stability.is_good);
}

static int show(const joint_request *request, const joint_study *study,
                const atemi_recording *recording)
{
    const int code = study->stability.is_good ? EXIT_DONE : EXIT_JOB_FAILED;
    if (request->json) {
        return json_print(recorded_tables_extend_json(study_json(request, study), recording), code);
    }
    print_text(request, study);
    for (int i = 0; i < atemi_recording_table_count(recording); ++i) {
        putchar('\n');
        recorded_table_print(atemi_recording_table(recording, i));
    }
    return code;
}

// ---- The command ----------------------------------------------------------------------------

// Figures alone have both.
static int fill(const joint_request *request, const joint_study *study, atemi_recording *recording)
{
    const bool   both = request->figures && !request->bode && !request->step;
    atemi_error  error;
    atemi_status status = ATEMI_OK;
    if (request->bode || both) {
        status = joint_study_add_bode(study, recording, &error);
    }
    if (!status && (request->step || both)) {
        status = joint_study_add_step(study, recording, &error);
    }
    return status ? output_error(&error) : EXIT_DONE;
}

static int answer(const joint_request *request, joint_study *study)
{
    static const atemi_channel time = {.name = "t", .unit = "s"};
    atemi_error                error;
    atemi_recording           *recording = NULL;
    if (joint_study_find(study, &error) || atemi_recording_create(1, &time, &recording, &error)) {
        return output_error(&error);
    }
    int code = fill(request, study, recording);
    if (!code && request->figures) {
        code = report_write(recording, NULL, request->figures);
    }
    code = code ? code : show(request, study, recording);
    atemi_recording_destroy(recording);
    return code;
}

static int run(const joint_request *request)
{
    joint_study  study = {.takes_torque = request->torques};
    loaded_robot robot;
    int          code = take_figures(request, &study);
    if (code) {
        return code;
    }
    code = robot_open(&request->robot, &robot);
    if (!code) {
        study.model = robot.model;
        code = take_joint(request->joint, &study);
    }
    code = code ? code : answer(request, &study);
    robot_close(&robot);
    return code;
}

static const char notes[] =
    ROBOT_NOTES "\nexamples:\n"
                "  atemi joint r2_like left_arm_joint3\n"
                "  atemi joint r2_like left_arm_joint3 --bode --step --figures elbow\n"
                "  atemi joint hrp2_like right_elbow --torques --period 0.001\n";

int command_joint(int argc, char **argv)
{
    joint_request  request = {0};
    const argument positionals[] = {
        ROBOT_POSITIONAL(&request.robot),
        {.name = "JOINT", .help = "a joint that moves by itself", .text = &request.joint},
        {0}};
    const argument options[] = {
        ROBOT_OPTIONS(&request.robot),
        {.name = "natural-frequency",
         .value = "RAD/S",
         .help = "how the joint shall swing, default 20;\nlowered where that would not be stable",
         .text = &request.frequency},
        {.name = "damping-ratio",
         .value = "RATIO",
         .help = "likewise, default 1.2",
         .text = &request.ratio},
        {.name = "period",
         .value = "S",
         .help = "of a tick, default 0.0002",
         .text = &request.period},
        {.name = "inertia",
         .value = "KG_M2",
         .help = "of the link, default: the largest of the workspace",
         .text = &request.inertia},
        {.name = "torques",
         .help = "the drive takes torques: no spring, no motor position",
         .flag = &request.torques},
        {.name = "bode", .help = "show the open loop over the frequency", .flag = &request.bode},
        {.name = "step", .help = "show the answer to a step", .flag = &request.step},
        {.name = "figures",
         .value = "FOLDER",
         .help = "write table-bode.svg and table-step.svg there",
         .text = &request.figures},
        {.name = "json", .help = "print one JSON object", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "joint",
        .purpose =
            "Shows how one joint behaves under compliant control: its drive, stiffness and\n"
            "damping, phase and gain margin with its link and at worst in the workspace, the\n"
            "open loop, and a step (exit code 1 if the margins are not good).\n",
        .positionals = positionals,
        .options = options,
        .notes = notes};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? run(&request) : code;
}
