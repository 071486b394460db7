// SPDX-License-Identifier: Apache-2.0

#include "arguments.h"
#include "command.h"
#include "io/syntax/suggestion.h"
#include "json_output.h"
#include "output.h"
#include "robot_source.h"
#include "state.h"

#include "atemi/data.h"
#include "atemi/dynamics.h"
#include "atemi/model.h"

#include <math.h>
#include <string.h>

// The answer is one tree of JSON values in memory, so it must not be too large. Robots of 500
// joints pass with all their links.
enum { MAX_NUMBERS = 4000000 };

typedef struct eval_request {
    robot_request robot;
    const char   *state;
    text_list     links;
    bool          json; ///< for scripts that say it to every subcommand
} eval_request;

// Everything there is to compute in one state.
typedef struct evaluation {
    const atemi_model *model;
    robot_state        state;
    atemi_data        *data;          ///< after evaluating, at the state
    bool               forward_right; ///< forward dynamics has a solution, and found it
    atemi_error        singular; ///< names the joint that moves no mass; empty if there is none
    atemi_force       *wrenches; ///< [joint_count] of those that move

    double *inverse_dynamics, *bias_force, *gravity_load, *joint_friction; ///< [v_count]
    double *forward_dynamics, *residual;                                   ///< [v_count]
    double *mass_matrix;                                                   ///< [v_count x v_count]
    double *momentum_matrix;                                               ///< [6 x v_count]
    double *jacobian;                                                      ///< [6 x v_count]
} evaluation;

// ---- Computing

static void evaluation_take(atemi_arena *arena, const atemi_model *model, evaluation *e)
{
    const size_t n = (size_t)atemi_model_v_count(model);
    e->model = model;
    e->state = state_take(arena, model);
    e->data = atemi_data_take(arena, model, &(atemi_data_options){.max_contacts = 0});
    e->wrenches = atemi_arena_array(arena, atemi_force, atemi_model_joint_count(model));
    e->inverse_dynamics = atemi_arena_array(arena, double, n);
    e->bias_force = atemi_arena_array(arena, double, n);
    e->gravity_load = atemi_arena_array(arena, double, n);
    e->joint_friction = atemi_arena_array(arena, double, n);
    e->forward_dynamics = atemi_arena_array(arena, double, n);
    e->residual = atemi_arena_array(arena, double, n);
    e->mass_matrix = atemi_arena_array(arena, double, n *n);
    e->momentum_matrix = atemi_arena_array(arena, double, 6 * n);
    e->jacobian = atemi_arena_array(arena, double, 6 * n);
}

static double largest(int count, const double *x)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i) {
        size = isnan(x[i]) ? HUGE_VAL : fmax(size, fabs(x[i]));
    }
    return size;
}

static void go_forward(evaluation *e)
{
    const robot_state *s = &e->state;
    if (atemi_forward_dynamics(e->data, s->q, s->v, s->tau, s->external, e->forward_dynamics)) {
        atemi_update_factor(e->data, &e->singular);
        for (int i = 0; i < atemi_model_v_count(e->model); ++i) {
            e->forward_dynamics[i] = (double)NAN;
        }
    }
}

// Whether the accelerations found need the torques that were given, to six digits of the largest
// torque that plays a part. They do not where the mass matrix is singular.
static bool is_forward_right(evaluation *e)
{
    const robot_state *s = &e->state;
    const int          n = atemi_model_v_count(e->model);
    atemi_inverse_dynamics_at(e->data, e->forward_dynamics, s->external, e->residual);
    const double size = largest(n, s->tau) + largest(n, e->bias_force) + largest(n, e->residual);
    for (int i = 0; i < n; ++i) {
        e->residual[i] -= s->tau[i];
    }
    return isfinite(size) && largest(n, e->residual) <= 1e-6 * size;
}

static void find_wrenches(evaluation *e)
{
    for (int i = 0; i < atemi_model_joint_count(e->model); ++i) {
        if (atemi_model_joint(e->model, i)->type != ATEMI_JOINT_FIXED) {
            e->wrenches[i] = atemi_joint_wrench(e->data, i);
        }
    }
}

static void evaluate(evaluation *e)
{
    const robot_state *s = &e->state;
    atemi_inverse_dynamics(e->data, s->q, NULL, NULL, NULL, e->gravity_load);
    atemi_mass_matrix_at(e->data, e->mass_matrix);
    atemi_momentum_matrix_at(e->data, e->momentum_matrix);
    atemi_joint_friction(e->model, s->v, e->joint_friction);
    atemi_inverse_dynamics(e->data, s->q, s->v, NULL, NULL, e->bias_force);
    go_forward(e);
    e->forward_right = is_forward_right(e);
    atemi_inverse_dynamics_at(e->data, s->a, s->external, e->inverse_dynamics);
    find_wrenches(e);
    atemi_update_kinematics(e->data, s->q, s->v, s->a);
}

// ---- JSON

static json_t *vector_json(const evaluation *e, const double *x)
{
    return json_from_numbers(atemi_model_v_count(e->model), x);
}

static json_t *joint_names_json(const atemi_model *model)
{
    json_t *names = json_array();
    for (int i = 0; i < atemi_model_joint_count(model) && names; ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->v_count > 0) {
            names = json_with_item(names, json_string(joint->name));
        }
    }
    return names;
}

static json_t *wrenches_json(const evaluation *e)
{
    json_t *wrenches = json_object();
    for (int i = 0; i < atemi_model_joint_count(e->model) && wrenches; ++i) {
        const atemi_joint *joint = atemi_model_joint(e->model, i);
        if (joint->type != ATEMI_JOINT_FIXED) {
            wrenches = json_with_key(wrenches, joint->name, json_from_force(e->wrenches[i]));
        }
    }
    return wrenches;
}

static json_t *jacobian_json(evaluation *e, int link)
{
    atemi_link_jacobian(e->data, link, e->jacobian);
    return json_from_matrix(6, atemi_model_v_count(e->model), e->jacobian);
}

static json_t *jacobian_rate_json(evaluation *e, int link)
{
    atemi_link_jacobian_rate(e->data, link, e->jacobian);
    return json_from_matrix(6, atemi_model_v_count(e->model), e->jacobian);
}

static json_t *link_json(evaluation *e, int link)
{
    const atemi_transform pose = atemi_link_pose(e->data, link);
    const atemi_motion    velocity = atemi_link_velocity(e->data, link);
    const atemi_motion    acceleration = atemi_link_acceleration(e->data, link);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "rotation",
                     json_from_rotation(&pose.rotation), "position", json_from_vec3(pose.position),
                     "velocity", json_from_motion(velocity), "acceleration",
                     json_from_motion(acceleration), "jacobian", jacobian_json(e, link),
                     "jacobian_rate", jacobian_rate_json(e, link));
}

static json_t *all_links_json(evaluation *e)
{
    json_t *links = json_object();
    for (int i = 0; i < atemi_model_link_count(e->model) && links; ++i) {
        links = json_with_key(links, atemi_model_link(e->model, i)->name, link_json(e, i));
    }
    return links;
}

static json_t *chosen_links_json(evaluation *e, const text_list *chosen)
{
    json_t *links = json_object();
    for (int i = 0; i < chosen->count && links; ++i) {
        const int link = atemi_model_find_link(e->model, chosen->items[i]);
        links = json_with_key(links, chosen->items[i], link_json(e, link));
    }
    return links;
}

static json_t *state_json(const evaluation *e)
{
    const atemi_model *model = e->model;
    return json_pack(
        "{s:s, s:s, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "robot", atemi_model_name(model),
        "base", atemi_base_text(atemi_model_base(model)), "gravity_acceleration",
        json_from_vec3(atemi_model_gravity(model)), "nq", atemi_model_q_count(model), "nv",
        atemi_model_v_count(model), "joint_names", joint_names_json(model), "q",
        json_from_numbers(atemi_model_q_count(model), e->state.q), "v", vector_json(e, e->state.v),
        "a", vector_json(e, e->state.a), "tau", vector_json(e, e->state.tau));
}

static json_t *dynamics_json(const evaluation *e, bool forward_right)
{
    const int n = atemi_model_v_count(e->model);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "inverse_dynamics",
                     vector_json(e, e->inverse_dynamics), "bias", vector_json(e, e->bias_force),
                     "gravity", vector_json(e, e->gravity_load), "joint_friction",
                     vector_json(e, e->joint_friction), "mass_matrix",
                     json_from_matrix(n, n, e->mass_matrix), "forward_dynamics",
                     forward_right ? vector_json(e, e->forward_dynamics) : json_null(),
                     "joint_wrenches", wrenches_json(e));
}

static json_t *whole_json(const evaluation *e)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "center_of_mass",
                     json_from_vec3(atemi_center_of_mass(e->data)), "momentum",
                     json_from_force(atemi_momentum(e->data)), "momentum_matrix",
                     json_from_matrix(6, atemi_model_v_count(e->model), e->momentum_matrix),
                     "kinetic_energy", json_from_number(atemi_kinetic_energy(e->data)),
                     "potential_energy", json_from_number(atemi_potential_energy(e->data)));
}

// Moves the keys of `part` to the end of `object`; takes both references.
static json_t *joined(json_t *object, json_t *part)
{
    const bool good = object && part && json_object_update(object, part) == 0;
    json_decref(part);
    if (!good) {
        json_decref(object);
    }
    return good ? object : NULL;
}

static json_t *evaluation_json(evaluation *e, const text_list *chosen, bool forward_right)
{
    json_t *answer = joined(state_json(e), dynamics_json(e, forward_right));
    answer = joined(answer, whole_json(e));
    json_t *links = chosen->count > 0 ? chosen_links_json(e, chosen) : all_links_json(e);
    return json_with_key(answer, "links", links);
}

// ---- The command

static const char *link_name(const void *model, int index)
{
    return atemi_model_link((const atemi_model *)model, index)->name;
}

static int check_links(const atemi_model *model, const text_list *chosen)
{
    for (int i = 0; i < chosen->count; ++i) {
        const char *name = chosen->items[i];
        if (atemi_model_find_link(model, name) == ATEMI_NONE) {
            const char *meant =
                atemi_suggestion_find(name, atemi_model_link_count(model), link_name, model);
            return output_refuse("robot '%s' has no link '%s'%s%s%s; 'atemi info' lists them",
                                 atemi_model_name(model), name, ATEMI_SUGGESTION_TEXT(meant));
        }
    }
    return EXIT_DONE;
}

static int check_size(const atemi_model *model, const text_list *chosen)
{
    const double n = atemi_model_v_count(model);
    const double links = chosen->count > 0 ? chosen->count : atemi_model_link_count(model);
    const double numbers = n * n + 12.0 * n * links;
    if (numbers > (double)MAX_NUMBERS) {
        return output_refuse("the answer would have %.0f numbers, at most %d are printed; choose "
                             "links with --link, or take the C library",
                             numbers, MAX_NUMBERS);
    }
    return EXIT_DONE;
}

// Overflow: inputs that are finite, but absurd.
static bool is_finite(const evaluation *e)
{
    const int n = atemi_model_v_count(e->model);
    return isfinite(largest(n, e->inverse_dynamics)) && isfinite(largest(n, e->bias_force)) &&
           isfinite(largest(n * n, e->mass_matrix)) && isfinite(atemi_kinetic_energy(e->data)) &&
           isfinite(atemi_potential_energy(e->data));
}

static int answer(const eval_request *request, evaluation *e)
{
    atemi_error error;
    if (state_read(request->state, e->model, &e->state, &error)) {
        return output_error(&error);
    }
    evaluate(e);
    if (!is_finite(e)) {
        return output_fail("the numbers of this state are too large: results overflow");
    }
    const bool forward_right = e->forward_right;
    if (!forward_right) {
        const char *cause = e->singular.message;
        output_warn("no forward dynamics: the mass matrix is singular%s%s", cause[0] ? ": " : "",
                    cause[0] ? cause
                             : " or nearly so; look for a massless link, or for another --base");
    }
    return json_print(evaluation_json(e, &request->links, forward_right),
                      forward_right ? EXIT_DONE : EXIT_JOB_FAILED);
}

static int answer_for(const eval_request *request, const atemi_model *model)
{
    atemi_error error;
    evaluation  e;
    atemi_arena arena = atemi_arena_measuring();
    evaluation_take(&arena, model, &e);
    if (atemi_arena_create(&arena, arena.used, &error)) {
        return output_error(&error);
    }
    evaluation_take(&arena, model, &e);
    const int code = answer(request, &e);
    atemi_arena_destroy(&arena);
    return code;
}

static int check_request(const eval_request *request)
{
    if (!request->state) {
        return output_refuse("--state STATE.json is missing; see 'atemi eval --help'");
    }
    if (strcmp(request->state, "-") == 0 && strcmp(request->robot.source, "-") == 0) {
        return output_refuse("robot and state cannot both come from standard input; give one of "
                             "them as a file");
    }
    return EXIT_DONE;
}

static int run(const eval_request *request)
{
    loaded_robot robot = {0};
    int          code = check_request(request);
    if (!code) {
        code = robot_open(&request->robot, &robot);
    }
    if (!code) {
        code = check_links(robot.model, &request->links);
    }
    if (!code) {
        code = check_size(robot.model, &request->links);
    }
    if (!code) {
        code = answer_for(request, robot.model);
    }
    robot_close(&robot);
    return code;
}

static const char purpose[] =
    "Computes kinematics and dynamics of a robot in one state and prints one JSON\n"
    "object: inverse dynamics of a, forward dynamics of tau, bias and gravity forces,\n"
    "mass matrix, centre of mass, momentum and its matrix, energies, the six-axis\n"
    "wrench in every joint; for every link its pose, velocity, acceleration, Jacobian\n"
    "and the rate of that.\n";

static const char notes[] =
    "The state is a JSON object:\n"
    "  q         nq numbers, or {\"joint\": number, \"base\": [...]} with zero for the\n"
    "            rest, or \"neutral\", or the name of a posture\n"
    "  v, a, tau nv numbers, or an object as for q; zero where missing\n"
    "  external  {\"link\": [fx, fy, fz, mx, my, mz]} in world axes, the moment about\n"
    "            the link's origin\n"
    "SI units, rad; q of a floating base is x y z and a quaternion x y z w, v its\n"
    "twist in its own frame, linear first. docs/command.md describes the answer.\n\n" ROBOT_NOTES
    "\nexample:\n"
    "  echo '{\"q\": \"start\", \"v\": {\"joint1\": 2}}' |\n"
    "      atemi eval two_link --state - --link tip\n";

int command_eval(int argc, char **argv)
{
    eval_request   request = {0};
    const argument positionals[] = {ROBOT_POSITIONAL(&request.robot), {0}};
    const argument options[] = {
        {.name = "state",
         .value = "STATE.json",
         .help = "the state, or - for standard input; required",
         .text = &request.state},
        {.name = "link",
         .value = "NAME",
         .help = "only this link; may be repeated",
         .list = &request.links},
        ROBOT_OPTIONS(&request.robot),
        {.name = "json", .help = "accepted; the answer is JSON in any case", .flag = &request.json},
        {0}};
    const command_usage usage = {.command = "eval",
                                 .purpose = purpose,
                                 .positionals = positionals,
                                 .options = options,
                                 .notes = notes};
    const int           code = arguments_read(&usage, argc, argv);
    const int           result = code == ARGUMENTS_READY ? run(&request) : code;
    text_list_destroy(&request.links);
    return result;
}
