// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"
#include "refusal.h"

static atemi_status run(const char *text, size_t size, const char *file,
                        atemi_recording **recording, atemi_error *error)
{
    return job_walk_text(text, size, file, NULL, recording, error);
}

#define REFUSES(text, line, column, cause, cure)                                                   \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), run, text "\n", line, column, cause, cure)

TEST(walk_job_errors, name_what_is_wrong_with_the_robot)
{
    REFUSES("robot: humanoid71", 1, 8, "humanoid71", "did you mean 'humanoid17'?");
    REFUSES("robot: none.urdf", 1, 8, "none.urdf", "");
    REFUSES("robot: hrp2_like", 1, 8, "hrp2_like has no site left_heel", "give its feet the sites");
    REFUSES("slope: 20 deg", 1, 8, "out of range", "0.175");
}

TEST(walk_job_errors, name_what_is_wrong_with_the_floor)
{
    REFUSES("friction: -1", 1, 11, "out of range", "0, or from 1e-9 to 10");
    REFUSES("steps: 3\npatches: [{from: 2, to: 1, friction: 0.1}]", 2, 25, "is not after from",
            "give a later place");
    REFUSES("patches: [{from: 2, to: 3}]", 1, 11, "friction: is missing", "add friction:");
}

TEST(walk_job_errors, name_what_is_wrong_with_pushes)
{
    REFUSES("forces: [{link: waste, force: [1, 0, 0]}]", 1, 17, "no link 'waste'",
            "did you mean 'waist'?");
    REFUSES("forces: [{link: waist, force: [0, 1, 0]}]", 1, 10, "force 0 has a component along y",
            "leave both out");
}

TEST(walk_job_errors, name_what_is_wrong_with_the_gait)
{
    REFUSES("gait: {step_lenght: 0.4}", 1, 8, "step_lenght", "did you mean 'step_length'?");
    REFUSES("gait: {hip_height: 2 m}", 1, 7, "but a leg is 0.78 m long", "give less");
    REFUSES("gait: {double_support: 0.7}", 1, 7, "leaves too little of the step_period",
            "give at most 0.8 of it");
    REFUSES("steps: 0", 1, 8, "out of range", "from 1");
}
