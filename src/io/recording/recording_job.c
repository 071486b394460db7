// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"
#include "io/recording/recording_parts.h"
#include "io/robot/urdf_file.h"

void atemi_recording_release_robot(atemi_recorded_robot *robot)
{
    atemi_release((void *)robot->links);
    atemi_release((void *)robot->joints);
}

atemi_status atemi_recording_set_job(atemi_recording *recording, const char *job,
                                     const char *outcome, atemi_error *error)
{
    atemi_status status = atemi_recording_check_text(job, "the name of the job", error);
    if (!status) {
        status = atemi_recording_check_text(outcome, "the outcome of the job", error);
    }
    if (status) {
        return status;
    }
    bool        failed = false;
    const char *kept_job = atemi_recording_keep(recording, job, &failed);
    const char *kept_outcome = atemi_recording_keep(recording, outcome, &failed);
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    recording->job = kept_job;
    recording->outcome = kept_outcome;
    return ATEMI_OK;
}

atemi_status atemi_recording_set_version(atemi_recording *recording, const char *version,
                                         atemi_error *error)
{
    bool        failed = false;
    const char *kept = atemi_recording_keep(recording, version, &failed);
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    recording->version = kept;
    return ATEMI_OK;
}

static atemi_status keep_names(atemi_recording *recording, int count, const char *const *names,
                               const char *const **kept, atemi_error *error)
{
    if (count == 0) {
        return ATEMI_OK;
    }
    const char **copies = (const char **)atemi_recording_allocate((size_t)count, sizeof *copies);
    if (!copies) {
        return atemi_recording_no_memory(error);
    }
    *kept = copies;
    bool failed = false;
    for (int i = 0; i < count; ++i) {
        const atemi_status status =
            atemi_recording_check_text(names[i], "the name of a part of the robot", error);
        if (status) {
            return status;
        }
        copies[i] = atemi_recording_keep(recording, names[i], &failed);
    }
    return failed ? atemi_recording_no_memory(error) : ATEMI_OK;
}

static atemi_status keep_robot(atemi_recording *recording, const atemi_recorded_robot *robot,
                               atemi_recorded_robot *kept, atemi_error *error)
{
    *kept = *robot;
    kept->links = kept->joints = NULL;
    atemi_status status = atemi_recording_check_text(robot->name, "the name of the robot", error);
    if (status) {
        return status;
    }
    // A file system may have names that are no text.
    const bool is_path = robot->file && !atemi_recording_check_text(robot->file, "the path", NULL);
    bool       failed = false;
    kept->name = atemi_recording_keep(recording, robot->name ? robot->name : "", &failed);
    kept->file = is_path ? atemi_recording_keep(recording, robot->file, &failed) : NULL;
    if (failed) {
        return atemi_recording_no_memory(error);
    }
    status = keep_names(recording, robot->link_count, robot->links, &kept->links, error);
    return status ? status
                  : keep_names(recording, robot->joint_count, robot->joints, &kept->joints, error);
}

atemi_status atemi_recording_set_robot(atemi_recording            *recording,
                                       const atemi_recorded_robot *robot, atemi_error *error)
{
    atemi_recorded_robot kept = {0};
    const atemi_status   status = robot ? keep_robot(recording, robot, &kept, error) : ATEMI_OK;
    if (status) {
        atemi_recording_release_robot(&kept);
        return status;
    }
    atemi_recording_release_robot(&recording->robot);
    recording->robot = kept;
    recording->has_robot = robot;
    return ATEMI_OK;
}

// Whether a joint that copies another has no coordinate of its own, as by default.
static bool mimics_are_coupled(const atemi_model *model)
{
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        const atemi_joint *joint = atemi_model_joint(model, i);
        if (joint->mimic.joint != ATEMI_NONE) {
            return joint->q_count == 0;
        }
    }
    return true;
}

static void name_parts(const atemi_model *model, const char **links, const char **joints)
{
    for (int i = 0; i < atemi_model_link_count(model); ++i) {
        links[i] = atemi_model_link(model, i)->name;
    }
    for (int i = 0; i < atemi_model_joint_count(model); ++i) {
        joints[i] = atemi_model_joint(model, i)->name;
    }
}

static atemi_status set_model(atemi_recording *recording, const atemi_recorded_job *job,
                              atemi_error *error)
{
    const atemi_model *model = job->robot;
    if (!model) {
        return atemi_recording_set_robot(recording, NULL, error);
    }
    const int    links = atemi_model_link_count(model);
    const int    joints = atemi_model_joint_count(model);
    const char **names =
        (const char **)atemi_recording_allocate((size_t)links + (size_t)joints, sizeof *names);
    if (!names) {
        return atemi_recording_no_memory(error);
    }
    name_parts(model, names, names + links);
    const atemi_recorded_robot robot = {
        .name = atemi_model_name(model),
        .base = atemi_model_base(model),
        .gravity = atemi_model_gravity(model),
        .mimic_as_coupled = mimics_are_coupled(model),
        .link_count = links,
        .joint_count = joints,
        .links = names,
        .joints = names + links,
        .file = job->robot_file,
    };
    const atemi_status status = atemi_recording_set_robot(recording, &robot, error);
    atemi_release((void *)names);
    return status;
}

static atemi_status keep_bytes(const char *bytes, size_t size, size_t most, atemi_text *kept,
                               atemi_error *error)
{
    if (size > most) {
        return atemi_fail(error, ATEMI_ERROR_LIMIT,
                          "the description or the scenario is larger than %zu MiB", most >> 20);
    }
    atemi_text copy = {0};
    if (bytes) {
        atemi_text_put(&copy, bytes, size);
    }
    if (copy.failed) {
        return atemi_recording_no_memory(error);
    }
    atemi_text_destroy(kept);
    *kept = copy;
    return ATEMI_OK;
}

atemi_status atemi_recording_describe(atemi_recording *recording, const atemi_recorded_job *job,
                                      atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && job, ATEMI_ERROR_CONTRACT);
    atemi_status status = atemi_recording_set_job(recording, job->name, job->outcome, error);
    if (!status) {
        status = set_model(recording, job, error);
    }
    if (!status) {
        status = keep_bytes(job->urdf, job->urdf_size, ATEMI_RECORDING_MAX_URDF, &recording->urdf,
                            error);
    }
    if (!status) {
        status = keep_bytes(job->scenario, job->scenario_size, ATEMI_RECORDING_MAX_SCENARIO,
                            &recording->scenario, error);
    }
    return status;
}

// ---- Reading

const char *atemi_recording_job(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, NULL);
    return recording->job;
}

const char *atemi_recording_outcome(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, NULL);
    return recording->outcome;
}

const char *atemi_recording_urdf(const atemi_recording *recording, size_t *size)
{
    ATEMI_REQUIRE_OR(recording && size, NULL);
    *size = recording->urdf.size;
    return recording->urdf.bytes;
}

const char *atemi_recording_scenario(const atemi_recording *recording, size_t *size)
{
    ATEMI_REQUIRE_OR(recording && size, NULL);
    *size = recording->scenario.size;
    return recording->scenario.bytes;
}

const atemi_recorded_robot *atemi_recording_robot(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, NULL);
    return recording->has_robot ? &recording->robot : NULL;
}

const char *atemi_recording_version(const atemi_recording *recording)
{
    ATEMI_REQUIRE_OR(recording, NULL);
    return recording->version;
}

atemi_status atemi_recording_robot_load(const atemi_recording *recording, const char *package_path,
                                        atemi_model **model, atemi_error *error)
{
    ATEMI_REQUIRE_OR(recording && model, ATEMI_ERROR_CONTRACT);
    *model = NULL;
    if (!recording->urdf.bytes || !recording->has_robot) {
        return atemi_fail(error, ATEMI_ERROR_NOT_FOUND, "the recording holds no robot");
    }
    atemi_urdf_options options = atemi_urdf_options_default();
    options.package_path = package_path;
    options.model.base = recording->robot.base;
    options.model.gravity = recording->robot.gravity;
    options.model.mimic_as_coupled = recording->robot.mimic_as_coupled;
    return atemi_urdf_parse_of_file(recording->urdf.bytes, recording->urdf.size, "robot.urdf",
                                    recording->robot.file, &options, model, error);
}
