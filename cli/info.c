// SPDX-License-Identifier: Apache-2.0

#include "info.h"

#include "arguments.h"
#include "command.h"
#include "info_drives.h"
#include "io/syntax/suggestion.h"
#include "json_output.h"
#include "output.h"

#include "atemi/model.h"

#include <string.h>

typedef struct info_request {
    robot_request robot;
    const char   *posture;
    bool          json;
} info_request;

// ---- JSON

static json_t *link_json(const atemi_model *model, int index)
{
    const atemi_link *link = atemi_model_link(model, index);
    const int         joint = link->parent_joint;
    return json_pack("{s:s, s:s?, s:f, s:o, s:o}", "name", link->name, "parent_joint",
                     joint == ATEMI_NONE ? NULL : atemi_model_joint(model, joint)->name, "mass",
                     link->inertia.mass, "center_of_mass", json_from_vec3(link->inertia.com),
                     "inertia", json_from_symmetric3(&link->inertia.rotational));
}

static json_t *mimic_json(const atemi_model *model, const atemi_mimic *mimic)
{
    if (mimic->joint == ATEMI_NONE) {
        return json_null();
    }
    return json_pack("{s:s, s:f, s:f}", "joint", atemi_model_joint(model, mimic->joint)->name,
                     "multiplier", mimic->multiplier, "offset", mimic->offset);
}

static json_t *index_json(int index)
{
    return index == ATEMI_NONE ? json_null() : json_integer(index);
}

static json_t *joint_json(const atemi_model *model, int index)
{
    const atemi_joint *joint = atemi_model_joint(model, index);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:o}",
        "name", joint->name, "type", atemi_joint_type_text(joint->type), "parent_link",
        atemi_model_link(model, joint->parent_link)->name, "child_link",
        atemi_model_link(model, joint->child_link)->name, "position",
        json_from_vec3(joint->origin.position), "rotation",
        json_from_rotation(&joint->origin.rotation), "axis", json_from_vec3(joint->axis), "lower",
        json_from_number(joint->limits.lower), "upper", json_from_number(joint->limits.upper),
        "velocity", json_from_number(joint->limits.velocity), "effort",
        json_from_number(joint->limits.effort), "armature", joint->armature, "damping",
        joint->damping, "friction", joint->friction, "mimic", mimic_json(model, &joint->mimic),
        "first_q", index_json(joint->first_q), "first_v", index_json(joint->first_v));
}

static json_t *site_json(const atemi_model *model, int index)
{
    const atemi_site *site = atemi_model_site(model, index);
    const double      size[2] = {site->size_x, site->size_y};
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", site->name, "link",
                     atemi_model_link(model, site->link)->name, "position",
                     json_from_vec3(site->pose.position), "rotation",
                     json_from_rotation(&site->pose.rotation), "size", json_from_numbers(2, size));
}

static json_t *list_json(const atemi_model *model, int count,
                         json_t *(*item)(const atemi_model *model, int index))
{
    json_t *list = json_array();
    for (int i = 0; i < count && list; ++i) {
        list = json_with_item(list, item(model, i));
    }
    return list;
}

static json_t *postures_json(const atemi_model *model)
{
    json_t *postures = json_object();
    for (int i = 0; i < atemi_model_posture_count(model) && postures; ++i) {
        const double *q = atemi_model_posture(model, i);
        postures = json_with_key(postures, atemi_model_posture_name(model, i),
                                 json_from_numbers(atemi_model_q_count(model), q));
    }
    return postures;
}

static json_t *configuration_json(const robot_info *info)
{
    const atemi_vec3 principal = atemi_symmetric3_eigenvalues(&info->body.rotational);
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "posture", info->posture, "q",
                     json_from_numbers(atemi_model_q_count(info->model), info->q), "center_of_mass",
                     json_from_vec3(info->body.com), "inertia",
                     json_from_symmetric3(&info->body.rotational), "principal_inertia",
                     json_from_vec3(principal));
}

static json_t *check_json(const robot_info *info)
{
    return json_pack("{s:i, s:I, s:o, s:b}", "states", info->check.states, "seed",
                     (json_int_t)info->check.seed, "largest_deviation",
                     json_from_number(info->check.deviation), "passed", (int)info->passed);
}

static json_t *info_json(const robot_info *info)
{
    const atemi_model *model = info->model;
    return json_pack("{s:s, s:o, s:s, s:s, s:o, s:f, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "name", atemi_model_name(model), "source", json_from_text(info->source),
                     "base", atemi_base_text(atemi_model_base(model)), "base_reason",
                     info->base_reason, "gravity", json_from_vec3(atemi_model_gravity(model)),
                     "mass", atemi_model_mass(model), "nq", atemi_model_q_count(model), "nv",
                     atemi_model_v_count(model), "links",
                     list_json(model, atemi_model_link_count(model), link_json), "joints",
                     list_json(model, atemi_model_joint_count(model), joint_json), "drives",
                     info_drives_json(model), "sites",
                     list_json(model, atemi_model_site_count(model), site_json), "postures",
                     postures_json(model), "configuration", configuration_json(info),
                     "forward_dynamics_check", check_json(info));
}

// ---- Finding out

static const char *posture_name(const void *model, int index)
{
    return atemi_model_posture_name((const atemi_model *)model, index);
}

static int refuse_posture(const atemi_model *model, const char *name)
{
    const char *meant =
        atemi_suggestion_find(name, atemi_model_posture_count(model), posture_name, model);
    return output_refuse("robot '%s' has no posture '%s'%s%s%s; without --posture they are listed",
                         atemi_model_name(model), name, ATEMI_SUGGESTION_TEXT(meant));
}

static int take_posture(const char *name, robot_info *info)
{
    const size_t size = (size_t)atemi_model_q_count(info->model) * sizeof *info->q;
    info->posture = name ? name : "neutral";
    atemi_configuration_neutral(info->model, info->q);
    const int index = atemi_model_find_posture(info->model, info->posture);
    if (index != ATEMI_NONE) {
        memcpy(info->q, atemi_model_posture(info->model, index), size);
    } else if (strcmp(info->posture, "neutral") != 0) {
        return refuse_posture(info->model, name);
    }
    return EXIT_DONE;
}

// All that moves, welded together. With a fixed base, links that are part of the ground are not.
static atemi_inertia whole_body(const robot_info *info)
{
    const atemi_model *model = info->model;
    const bool         base_moves = atemi_model_base(model) != ATEMI_BASE_FIXED;
    atemi_inertia      sum = {0};
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        if (base_moves || info->moving[i]) {
            const atemi_transform pose = atemi_link_pose(info->data, i);
            const atemi_inertia   link =
                atemi_inertia_transformed(&atemi_model_link(model, i)->inertia, &pose);
            sum = atemi_inertia_add(&sum, &link);
        }
    }
    return sum;
}

static void info_take(atemi_arena *arena, robot_info *info)
{
    info->q = atemi_arena_array(arena, double, atemi_model_q_count(info->model));
    info->data = atemi_data_take(arena, info->model, &(atemi_data_options){.max_contacts = 0});
    info->moving = atemi_arena_array(arena, bool, atemi_model_link_count(info->model));
}

static int find_out(const info_request *request, robot_info *info)
{
    atemi_error error;
    const int   code = take_posture(request->posture, info);
    if (code) {
        return code;
    }
    atemi_update_kinematics(info->data, info->q, NULL, NULL);
    robot_mark_moving(info->model, info->moving);
    info->body = whole_body(info);
    if (dynamics_check_run(info->model, &info->check, &error)) {
        return output_error(&error);
    }
    info->passed = info->check.deviation <= DYNAMICS_CHECK_TOLERANCE;
    return EXIT_DONE;
}

// ---- The command

static int show(const info_request *request, robot_info *info)
{
    const int code = find_out(request, info);
    if (code) {
        return code;
    }
    const int result = info->passed ? EXIT_DONE : EXIT_JOB_FAILED;
    if (request->json) {
        return json_print(info_json(info), result);
    }
    info_print_text(info);
    return result;
}

static int show_robot(const info_request *request, const loaded_robot *robot)
{
    atemi_error error;
    robot_info  info = {
         .model = robot->model, .source = request->robot.source, .base_reason = robot->base_reason};
    atemi_arena arena = atemi_arena_measuring();
    info_take(&arena, &info);
    if (atemi_arena_create(&arena, arena.used, &error)) {
        return output_error(&error);
    }
    info_take(&arena, &info);
    const int code = show(request, &info);
    atemi_arena_destroy(&arena);
    return code;
}

static int run(const info_request *request)
{
    loaded_robot robot;
    int          code = robot_open(&request->robot, &robot);
    if (!code) {
        code = show_robot(request, &robot);
    }
    robot_close(&robot);
    return code;
}

int command_info(int argc, char **argv)
{
    info_request   request = {0};
    const argument positionals[] = {ROBOT_POSITIONAL(&request.robot), {0}};
    const argument options[] = {
        ROBOT_OPTIONS(&request.robot),
        {.name = "posture",
         .value = "NAME",
         .help = "take centre of mass and inertia there, not at neutral",
         .text = &request.posture},
        {.name = "json", .help = "print one JSON object, angles in rad", .flag = &request.json},
        {0}};
    const command_usage usage = {
        .command = "info",
        .purpose =
            "Shows mass, coordinates, joints and their limits, the drives that atemi control\n"
            "takes (what the file does not state is estimated), links, contact sites, centre\n"
            "of mass and inertia of a robot, and checks that forward dynamics undoes inverse\n"
            "dynamics in a few random states (exit code 1 if it does not).\n",
        .positionals = positionals,
        .options = options,
        .notes = ROBOT_NOTES "\nexamples:\n"
                             "  atemi info hrp2_like --posture half_sitting\n"
                             "  xacro robot.urdf.xacro | atemi info - --base fixed --json\n"};
    const int code = arguments_read(&usage, argc, argv);
    return code == ARGUMENTS_READY ? run(&request) : code;
}
