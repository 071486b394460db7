// SPDX-License-Identifier: Apache-2.0

#include "job_runs.h"
#include "refusal.h"

#include <string.h>

static atemi_status run(const char *text, size_t size, const char *file,
                        atemi_recording **recording, atemi_error *error)
{
    return job_simulate_text(text, size, file, NULL, recording, error);
}

#define REFUSES(text, line, column, cause, cure)                                                   \
    check_refusal(CHECK_PLACE("REFUSES(" #text ")"), run, text "\n", line, column, cause, cure)
#define REFUSES_OF(robot, text, line, column, cause, cure)                                         \
    REFUSES("robot: " robot "\n" text, line, column, cause, cure)

TEST(simulate_errors, name_what_is_wrong_with_the_robot)
{
    REFUSES("duration: 1", 1, 1, "robot: is missing", "add robot:");
    REFUSES("robot: two_lnk", 1, 8, "no robot named 'two_lnk'", "did you mean 'two_link'?");
    REFUSES("robot: no/such.urdf", 1, 8, "scenarios/no/such.urdf", "there is no such file");
    REFUSES("robot: stand.yaml/x", 1, 8, "robot: ", "stand.yaml/x");
    REFUSES("robot: ./stand.yaml", 1, 8, "stand.yaml:1:", "not");
    REFUSES_OF("two_link", "sites: [{name: a}]", 2, 9, "link: is missing", "link:");
    REFUSES_OF("two_link", "sites: [{name: a, link: lnk1}]", 2, 25,
               "sites[0].link: there is no link 'lnk1'", "did you mean 'link1'?");
    REFUSES_OF("two_link", "base: fixed\nsites: [{name: a, link: lnk1}]", 3, 25, "no link 'lnk1'",
               "did you mean 'link1'?");
    REFUSES_OF("two_link", "sites: [{name: tip, link: link1}]", 2, 16,
               "sites[0].name: there is a site 'tip' already", "give another name");
    REFUSES_OF("two_link", "sites: [{name: a, link: link1}, {name: a, link: link2}]", 2, 40,
               "there is a site 'a' already", "give another name");
    REFUSES_OF("two_link", "sites: [{name: a, link: link1, size: [1]}]", 2, 38, "one number",
               "x and y");
    REFUSES_OF("two_link", "base: flying", 2, 7, "'flying'", "fixed, planar, sagittal, floating");
    REFUSES_OF("two_link", "gravity: 9.81", 2, 10, "'9.81'", "list of 3 numbers");
    REFUSES_OF("two_link", "gravity: [0, 0, 1 m]", 2, 17, "'1 m' is not an acceleration", "m/s^2");
}

TEST(simulate_errors, name_what_is_wrong_with_the_start)
{
    REFUSES_OF("two_link", "start: {posture: strat}", 2, 18, "no posture 'strat'",
               "did you mean 'start'?");
    REFUSES_OF("two_link", "start: {joints: {joint9: 1}}", 2, 18, "no joint 'joint9'", "joint");
    REFUSES_OF("two_link", "start: {joints: {joint1: 1 m}}", 2, 26, "'1 m' is not an angle", "rad");
    REFUSES_OF("two_link", "start: {position: [0, 0, 1]}", 2, 19, "the base is fixed", "no number");
    REFUSES_OF("hrp2_like", "base: sagittal\nstart: {position: [0, 1, 0]}", 3, 19,
               "the base is sagittal", "only the first and third number");
    REFUSES_OF("hrp2_like", "base: planar\nstart: {angular_velocity: [0, 1, 0]}", 3, 27,
               "the base is planar", "only the third number");
    REFUSES_OF("two_link", "start: {place_on: flor}", 2, 19, "no surface 'flor'", "floor");
    REFUSES_OF("two_link", "start: {place_on: floor}", 2, 19, "the base is fixed",
               "cannot be shifted");
    REFUSES_OF("hrp2_like", "contacts: []\nstart: {place_on: floor}", 3, 19, "no contact point",
               "start.position");
    REFUSES_OF("robots/ball.urdf",
               "surfaces: {wall: {normal: [1, 0, 0]}}\n"
               "contacts: [{site: centre, surface: wall}]\nstart: {place_on: wall}",
               4, 19, "no contact point is above 'wall'", "start.position");
    REFUSES_OF("hrp2_like", "start: {posture: half_sitting}", 1, 1,
               "'right_sole.0' starts 0.649 m inside 'floor'", "start.place_on: floor");
    REFUSES_OF("two_link", "contacts: [{site: tip, tied: true}]", 2, 12,
               "'tip.0' is tied to 'floor' but starts 1 m away from it", "start on it");
}

TEST(simulate_errors, name_what_is_wrong_with_loops)
{
    REFUSES_OF("two_link", "loops: [{first: link2}]", 2, 9, "name: is missing", "name:");
    REFUSES_OF("two_link", "loops: [{name: a}]", 2, 9, "first: is missing", "first:");
    REFUSES_OF("two_link", "loops: [{name: a, first: lnk2}]", 2, 26, "there is no link 'lnk2'",
               "did you mean 'link2'?");
    REFUSES_OF("two_link", "loops: [{name: a, first: link2, second: link2}]", 2, 41,
               "is the first link as well", "second");
    REFUSES_OF("two_link", "loops: [{name: a, first: link2, kind: glue}]", 2, 39, "'glue'",
               "point, hinge or weld");
    REFUSES_OF("two_link", "loops: [{name: a, first: link2, kind: hinge, axis: [0, 0, 0]}]", 2, 52,
               "has no direction", "[0, 1, 0]");
    REFUSES_OF("two_link", "loops: [{name: a, first: link1}, {name: a, first: link2}]", 2, 41,
               "'a' is the name of another loop", "give another one");
}

TEST(simulate_errors, name_what_is_wrong_with_torques_and_pushes)
{
    REFUSES_OF("two_link", "torques: [{torque: 1}]", 2, 11, "kind: is missing", "constant");
    REFUSES_OF("two_link", "torques: [{kind: constant}]", 2, 11, "torque: is missing", "torque");
    REFUSES_OF("two_link", "torques: [{kind: constant, torque: 1, phase: 2}]", 2, 39,
               "unknown key 'phase'", "known here: joints, kind, torque");
    REFUSES_OF("two_link", "torques: [{kind: constant, torque: 3 N}]", 2, 36, "'3 N' is not",
               "N m");
    REFUSES_OF("two_link", "torques: [{joints: jnt1, kind: constant, torque: 3}]", 2, 20,
               "no joint 'jnt1'", "joint1");
    REFUSES_OF("two_link", "torques: [{joints: [joint1, joint1], kind: constant, torque: 3}]", 2,
               29, "twice", "give it once");
    REFUSES_OF("two_link", "torques: [{kind: servo, stiffness: -1}]", 2, 36, "out of range",
               "0, or from 0.001 to 1e12 N m/rad");
    REFUSES_OF("two_link", "forces: [{force: [0, 0, 0]}]", 2, 10, "link: is missing", "link");
    REFUSES_OF("two_link", "forces: [{link: l, force: [0, 0, 0]}]", 2, 17, "no link 'l'", "base");
    REFUSES_OF("two_link", "forces: [{link: link1, force: [0, 0, 0], from: 2, until: 1}]", 2, 58,
               "not after from", "later");
}

TEST(simulate_errors, name_what_is_wrong_with_surfaces_and_contacts)
{
    REFUSES_OF("two_link", "surfaces: {a: {kind: plain}}", 2, 22, "'plain'", "plane");
    REFUSES_OF("two_link", "surfaces: {a: {normal: [0, 0, 0]}}", 2, 24, "no direction", "but 0");
    REFUSES_OF("two_link", "surfaces: {a: {kind: sphere}}", 2, 15, "radius: is missing", "radius");
    REFUSES_OF("two_link", "surfaces: {a: {radius: 1}}", 2, 16, "unknown key 'radius'", "normal");
    REFUSES_OF("two_link",
               "surfaces: {a: {kind: heights, heights: [[1, 1, 1], [1, 0, 1], [1, 1, 1]]}}\n"
               "contacts: [{link: link2, surface: a, radius: 0.5}]",
               3, 12, "two places at once", "use smaller balls");
    REFUSES_OF("two_link", "surfaces: {a: {kind: heights, heights: [[0, 0], [0, 0, 0]]}}", 2, 49,
               "has 3 heights, the row before it 2", "all rows alike");
    REFUSES_OF("two_link", "contacts: [{site: tp}]", 2, 19, "no site 'tp'", "tip");
    REFUSES_OF("two_link", "contacts: [{site: tip, link: link1}]", 2, 12, "a site and a link",
               "one of them");
    REFUSES_OF("two_link", "contacts: [{link: lnk1}]", 2, 19, "no link 'lnk1'", "link1");
    REFUSES_OF("two_link", "contacts: [{site: tip, points: [[0, 0, 0]]}]", 2, 24,
               "unknown key 'points'", "site");
    REFUSES_OF("two_link", "contacts: [{surface: roof}]", 2, 22, "no surface 'roof'", "floor");
    REFUSES_OF("two_link", "contacts: [{friction: -1}]", 2, 23, "out of range",
               "0, or from 1e-9 to 100");
    REFUSES_OF("two_link", "contacts: [{friction: {static: 0.2, kinetic: 0.3}}]", 2, 46,
               "above the static friction", "0.2");
    REFUSES_OF("two_link", "contacts: [{restitution: 1.5}]", 2, 26, "out of range",
               "from 1e-9 to 1 (more makes energy)");
    REFUSES_OF("two_link", "contacts: [{site: tip}, {site: tip}]", 2, 25,
               "two contacts named 'tip'", "another name");
    REFUSES_OF("two_link", "contacts: [{compliance: {law: spring}}]", 2, 31, "'spring'",
               "compression_damper");
}

TEST(simulate_errors, name_what_is_wrong_with_the_run)
{
    REFUSES_OF("two_link", "duration: 0", 2, 11, "out of range", "from 1e-9 to 1e6 s");
    REFUSES_OF("two_link", "duration: 1 kg", 2, 11, "'1 kg' is not a time", "1 s");
    REFUSES_OF("two_link", "integrator: {method: euler}", 2, 22, "'euler'", "rk4 or adaptive");
    REFUSES_OF("two_link", "integrator: {step: 0}", 2, 20, "out of range", "1e-7");
    REFUSES_OF("two_link", "record: {every: 0}", 2, 17, "out of range", "1e-7");
    REFUSES_OF("two_link", "duration: 1e5\nrecord: {every: 1e-6}", 3, 17, "more than a recording",
               "record less often");
    REFUSES_OF("two_link", "contacts: []\nduration: 1e6 s", 3, 11, "more than a recording",
               "record less often");
    REFUSES_OF("two_link", "stop: [{when: tired}]", 2, 15, "'tired'", "com_below");
    REFUSES_OF("two_link", "stop: [{when: com_below}]", 2, 8, "height: is missing", "height");
    REFUSES_OF("two_link", "stop: [{when: event, event: slip, contact: toe}]", 2, 44,
               "no contact 'toe'", "tip.0");
    REFUSES_OF("two_link", "durration: 1", 2, 1, "unknown key 'durration'",
               "did you mean 'duration'?");
}

TEST(simulate_errors, name_a_file_that_is_not_there)
{
    atemi_error      error = {0};
    atemi_recording *recording;
    char            *text;
    CHECK_STATUS(job_simulate_file("no_such.yaml", NULL, &recording, &error), ATEMI_ERROR_FILE);
    CHECK(!recording);
    CHECK_EQUAL_STRING(error.file, "no_such.yaml");
    CHECK_STATUS(job_simulate_explain("no_such.yaml", &text, &error), ATEMI_ERROR_FILE);
    CHECK(!text);
}
