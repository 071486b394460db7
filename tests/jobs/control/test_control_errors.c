// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"
#include "refusal.h"

#include <string.h>

static atemi_status run(const char *text, size_t size, const char *file,
                        atemi_recording **recording, atemi_error *error)
{
    return job_control_text(text, size, file, NULL, recording, error);
}

#define REFUSES(text, line, column, cause, cure)                                                   \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), run, text "\n", line, column, cause, cure)

// What is wrong stands in line 3, or behind it.
#define REFUSES_R2(text, line, column, cause, cure)                                                \
    REFUSES("robot: r2_like\nholds: [left_foot]\n" text, line, column, cause, cure)

TEST(control_errors, name_what_is_wrong_with_the_robot_and_what_holds_it)
{
    REFUSES("holds: [pelvis]", 1, 1, "robot: is missing", "add robot:");
    REFUSES("robot: r2_like", 1, 1, "is missing", "add holds: [LINK]");
    REFUSES("robot: r2_like\nholds: [left_fot]", 2, 9, "no link 'left_fot'",
            "did you mean 'left_foot'?");
    REFUSES("robot: r2_like\nbase: sagittal", 1, 1, "the base of the robot is sagittal",
            "give base: floating");
}

TEST(control_errors, name_what_is_wrong_with_the_surroundings)
{
    REFUSES_R2("contacts: [{site: left_gripper}]", 3, 12, "is rigid or tied",
               "give it a compliance");
    REFUSES_R2("people: [{surface: bord, until: 1}]", 3, 20, "no surface 'bord'", "floor");
    REFUSES_R2("people: [{surface: floor, from: 2, until: 1}]", 3, 43, "1 s is not after from",
               "give a later time");
    REFUSES_R2("hands: [{link: torso, until: 1}]", 3, 9, "by: is missing", "add by:");
    REFUSES_R2("load_cell: {joint: left_foot_fixed}", 3, 20, "is fixed", "give a joint that moves");
    REFUSES_R2("jaws: {force: 0}", 3, 15, "out of range", "from 1e-6 to 1e8 N");
}

TEST(control_errors, name_joints_that_start_behind_their_stops)
{
    REFUSES_R2("start: {joints: {left_leg_joint3: 5}}", 3, 17,
               "'left_leg_joint3' starts at 5 rad, beyond its range", "start it within");
}

TEST(control_errors, name_what_is_wrong_with_joints_and_drives)
{
    REFUSES_R2("joints: [{of: left_lag*}]", 3, 15, "no joint that moves begins as 'left_lag*'",
               "see 'atemi info'");
    REFUSES_R2("joints: [{of: [waist_joint]}]", 3, 16, "no joint 'waist_joint'",
               "did you mean 'waist_joint0'?");
    REFUSES_R2("joints: [{of: left_foot_fixed}]", 3, 15, "does not move by itself",
               "give one that does");
    REFUSES_R2("joints: [{natural_frequency: 20}]", 3, 30, "go together", "give both");
    REFUSES_R2("joints: [{torque_limit: 1 N}]", 3, 25, "'1 N' is not a torque", "N m");
    REFUSES_R2("drives: [{spring: -1}]", 3, 19, "out of range", "from 0.001 to 1e12 N m/rad");
    REFUSES_R2("joints: [{velocity: 0}]", 3, 21, "joints[0].velocity: '0' is out of range",
               "from 1e-9 to 1e5 rad/s");
    REFUSES_R2("joints: [{least_damping: 2, highest_damping: 1}]", 3, 9,
               "least damping of left_leg_joint0 is 2", "give the lower first");
    REFUSES_R2("drives: [{of: neck*}, {gear: 0}]", 3, 30, "drives[1].gear: '0' is out of range",
               "from 1e-9 to 1e9");
    REFUSES_R2("loops: [{of: neck*}, {torque_bandwidth: 1e4}]", 3, 22,
               "the torque bandwidth of the joint control is 10000 rad/s", "allows 400");
    REFUSES_R2("coordination: {period: 3 ms}", 3, 24, "is no multiple of 2 ms", "give one that is");
}

TEST(control_errors, name_what_is_wrong_with_tasks)
{
    REFUSES_R2("tasks: [{joints: {}}]", 3, 9, "do: is missing", "add do:");
    REFUSES_R2("tasks: [{do: jump}]", 3, 14, "'jump' is not", "joints");
    REFUSES_R2("tasks: [{do: joints}]", 3, 9, "joints: is missing", "add joints:");
    REFUSES_R2("tasks: [{do: joints, joints: {waist_joint: 1}}]", 3, 44, "no joint 'waist_joint'",
               "did you mean 'waist_joint0'?");
    REFUSES_R2("tasks: [{do: stop, joints: {waist_joint0: 1}}]", 3, 20, "unknown key 'joints'",
               "known here");
    REFUSES_R2("tasks: [{do: nodes, nodes: [{link: torso, rail: a}]}]", 3, 49, "no rail 'a'",
               "rail");
    REFUSES_R2("tasks: [{do: nodes, nodes: [{link: torso, ignore: [w]}]}]", 3, 52, "'w' is not",
               "turn_x");
    REFUSES_R2("tasks: [{do: grip, link: left_gripper}]", 3, 9, "rail: is missing", "add rail:");
    REFUSES_R2("tasks: [{do: follow, breadcrumbs: {waist_joint0: [1, 2], neck_joint1: [1]}}]", 3,
               71, "has 1 breadcrumbs, the joint before it 2", "give all alike");
    REFUSES_R2("tasks: [{do: offload, fraction: 2}]", 3, 33, "out of range",
               "0, or from 1e-9 to 1");
}

// A command that the coordination refuses is no fault of the file's: the job says so.
TEST(control_errors, of_commands_end_the_job)
{
    const char       text[] = "robot: two_link\n"
                              "tasks: [{do: follow, at: 0.1, breadcrumbs: {joint1: [1]}},"
                              " {do: continue}, {do: base, link: tip}]\nduration: 1 s\n";
    atemi_error      error = {0};
    atemi_recording *recording;
    CHECK_STATUS(job_control_text(text, strlen(text), NULL, NULL, &recording, &error), ATEMI_OK);
    CHECK_CONTAINS(atemi_recording_outcome(recording), "task 2 (base): ");
    CHECK_NEAR(atemi_recording_result(recording, 0)->value, 0.0, 0.0);
    atemi_recording_destroy(recording);
}

TEST(control_errors, name_a_file_that_is_not_there)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    char            *text;
    CHECK_STATUS(job_control_file("no_such.yaml", NULL, &recording, &error), ATEMI_ERROR_FILE);
    CHECK(!recording);
    CHECK_EQUAL_STRING(error.file, "no_such.yaml");
    CHECK_STATUS(job_control_explain("no_such.yaml", &text, &error), ATEMI_ERROR_FILE);
    CHECK(!text);
}
