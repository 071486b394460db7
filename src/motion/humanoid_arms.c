// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"
#include "motion/bodies.h"
#include "motion/humanoid_finding.h"

#include <math.h>

//   hands           the ends of the longest limbs at least 0.05 H beside the middle, each up to
//                   where it branches or a finger begins
//   a fist's axis   from the arm's last joint to the hand's centre of mass, where these are apart
//   and
//                   that is along an axis of the hand; or else from a joint 1/4 of the arm away

static const double beside = 0.05;                      // of H
static const double fist_near = 0.04, fist_base = 0.25; // of an arm's length
static const double smallest = 1e-3;                    // m, of what a hand reaches

static double distance(atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_norm(atemi_vec3_sub(a, b));
}

// ---- Hands

static bool is_of_leg(const humanoid_finding *f, int body)
{
    bool found = false;
    for (int i = 0; i < f->h->leg_count; ++i) {
        const int trunk = f->h->legs[i].trunk;
        int       first = atemi_body_of(f->model, f->h->legs[i].end);
        while (atemi_body_above(f->model, first) != trunk) {
            first = atemi_body_above(f->model, first);
        }
        found = found || atemi_body_is_beyond(f->model, body, first);
    }
    return found;
}

static double path_length(const humanoid_finding *f, int body, int trunk)
{
    double length = 0.0;
    for (int above; body != trunk && (above = atemi_body_above(f->model, body)) != ATEMI_NONE;
         body = above) {
        length += distance(atemi_humanoid_place(f, body), atemi_humanoid_place(f, above));
    }
    return length;
}

// The end of the longest limb on a side; with `side` at ATEMI_SIDES, of all.
static int longest_limb(const humanoid_finding *f, int side)
{
    const int root = atemi_body_of(f->model, 0);
    double    longest = 0.0;
    int       end = ATEMI_NONE;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        if (!atemi_humanoid_is_end(f, i) || is_of_leg(f, i)) {
            continue;
        }
        const double left = atemi_vec3_dot(f->h->facing.y, atemi_humanoid_place(f, i));
        const double there = side == ATEMI_SIDE_LEFT ? left : -left;
        const double length = path_length(f, i, root);
        if ((side == ATEMI_SIDES || there > beside * f->height) && length > longest) {
            longest = length;
            end = i;
        }
    }
    return end;
}

static bool begins_finger(const atemi_joint *joint)
{
    static const char *const words[] = {"finger", "thumb", "gripper", "claw", "jaw"};
    bool                     found = joint->type == ATEMI_JOINT_PRISMATIC;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        found = found || atemi_humanoid_has_word(joint->name, words[i]);
    }
    return found;
}

static int hand_before(const humanoid_finding *f, int end, int trunk)
{
    int hand = end;
    for (int b = end; b != trunk; b = atemi_body_above(f->model, b)) {
        const int above = atemi_body_above(f->model, b);
        if (above != trunk &&
            (atemi_body_children(f->model, above) > 1 ||
             begins_finger(atemi_model_joint(f->model, atemi_body_joint(f->model, b))))) {
            hand = above;
        }
    }
    return hand;
}

// ---- Fists

// Of the hand with its fingers.
static atemi_inertia hand_inertia(const humanoid_finding *f, int hand)
{
    atemi_inertia sum = {0};
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        if (atemi_link_is_body(f->model, i) && atemi_body_is_beyond(f->model, i, hand)) {
            const atemi_inertia part = atemi_outline_inertia(&f->outline, i);
            sum = atemi_inertia_add(&sum, &part);
        }
    }
    return sum;
}

// From the first joint to the last.
static double arm_length(const humanoid_finding *f, const atemi_limb *arm)
{
    double length = 0.0;
    for (int b = atemi_body_of(f->model, arm->end); atemi_body_above(f->model, b) != arm->trunk;) {
        const int above = atemi_body_above(f->model, b);
        length += distance(atemi_humanoid_place(f, b), atemi_humanoid_place(f, above));
        b = above;
    }
    return length;
}

static atemi_vec3 direction(atemi_vec3 from, atemi_vec3 to)
{
    const atemi_vec3 d = atemi_vec3_sub(to, from);
    return atemi_vec3_scale(1.0 / fmax(atemi_vec3_norm(d), 1e-9), d);
}

static bool is_axis(const atemi_mat3 *axes, atemi_vec3 d)
{
    const atemi_vec3 along = atemi_mat3_apply_transposed(axes, d);
    return fmax(fabs(along.x), fmax(fabs(along.y), fabs(along.z))) > 1.0 - 1e-12;
}

// In the world. From the last joint, if that is along an axis of the hand's frame; grippers are not
// always straight before their wrists.
static atemi_vec3 fist_axis(const humanoid_finding *f, const atemi_limb *arm, atemi_vec3 middle)
{
    const double          length = arm_length(f, arm);
    const atemi_transform link = atemi_link_pose(f->outline.data, arm->end);
    const atemi_vec3      straight = direction(atemi_humanoid_place(f, arm->end), middle);
    const atemi_vec3      own = atemi_humanoid_snap(&link.rotation, straight);
    int                   b = arm->end;
    if (distance(atemi_humanoid_place(f, arm->end), middle) > fist_near * length &&
        is_axis(&link.rotation, own)) {
        return own;
    }
    while (atemi_body_above(f->model, b) != arm->trunk &&
           distance(atemi_humanoid_place(f, b), middle) < fist_base * length) {
        b = atemi_body_above(f->model, b);
    }
    return atemi_humanoid_snap(&link.rotation, direction(atemi_humanoid_place(f, b), middle));
}

// How far the hand reaches along an axis beyond its joint.
static double fist_reach(const humanoid_finding *f, const atemi_limb *arm, atemi_vec3 axis,
                         atemi_outline_source *source)
{
    static const atemi_outline_source sources[] = {ATEMI_OUTLINE_JOINTS, ATEMI_OUTLINE_SHAPES,
                                                   ATEMI_OUTLINE_POINTS, ATEMI_OUTLINE_INERTIA};
    const atemi_mat3                  axes = atemi_mat3_with_z(axis);
    const double from = atemi_vec3_dot(axis, atemi_humanoid_place(f, arm->end));
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; ++i) {
        const outline_box box = atemi_outline_around(&f->outline, arm->end, &axes, sources[i]);
        if (box.count > 0 && box.upper.z > from + smallest) {
            *source = sources[i];
            return box.upper.z - from;
        }
    }
    *source = ATEMI_OUTLINE_LENGTH;
    return 0.15 * arm_length(f, arm);
}

// The site of a hand that is furthest along the axis; none behind its middle, as those of wrists
// and sensors are.
static int find_site(const humanoid_finding *f, int hand, atemi_vec3 axis, atemi_vec3 middle)
{
    double furthest = atemi_vec3_dot(axis, middle) - smallest;
    int    found = ATEMI_NONE;
    for (int i = 0; i < atemi_model_site_count(f->model); ++i) {
        const atemi_site     *site = atemi_model_site(f->model, i);
        const atemi_transform link = atemi_link_pose(f->outline.data, site->link);
        const atemi_vec3      place = atemi_transform_apply(&link, site->pose.position);
        const double          along = atemi_vec3_dot(axis, place);
        const bool            is_point = site->size_x * site->size_y == 0.0;
        if (atemi_body_of(f->model, site->link) == hand && is_point && along > furthest) {
            furthest = along;
            found = i;
        }
    }
    return found;
}

static void find_fist(const humanoid_finding *f, int side)
{
    atemi_limb         *arm = &f->h->arms[side];
    atemi_fist         *fist = &f->h->fists[side];
    const atemi_inertia sum = hand_inertia(f, arm->end);
    const atemi_vec3    middle = sum.mass > 0.0 ? sum.com : atemi_humanoid_place(f, arm->end);
    const atemi_vec3    axis = fist_axis(f, arm, middle);
    const double        reach = fist_reach(f, arm, axis, &fist->source);
    fist->site = find_site(f, arm->end, axis, middle);
    if (fist->site != ATEMI_NONE) {
        const atemi_site *s = atemi_model_site(f->model, fist->site);
        fist->source = ATEMI_OUTLINE_SITE;
        fist->point = s->pose.position;
        arm->end = s->link;
    } else {
        const atemi_transform pose = atemi_link_pose(f->outline.data, arm->end);
        fist->point = atemi_humanoid_rounded_place(
            atemi_vec3_scale(reach, atemi_mat3_apply_transposed(&pose.rotation, axis)));
    }
    const atemi_transform pose = atemi_link_pose(f->outline.data, arm->end);
    fist->axis = atemi_mat3_apply_transposed(&pose.rotation, axis);
    arm->length = arm_length(f, arm) + reach;
}

// ---- Arms

static void set_arm(humanoid_finding *f, int side, int end, int trunk)
{
    const int hand = hand_before(f, end, trunk);
    f->h->arms[side] =
        (atemi_limb){.trunk = trunk,
                     .end = hand,
                     .joint_count = atemi_humanoid_joints_between(f->model, trunk, hand)};
    find_fist(f, side);
}

// The hand that is given takes the place of the one on its side.
static void find_ends(const humanoid_finding *f, int ends[ATEMI_SIDES])
{
    ends[ATEMI_SIDE_RIGHT] = longest_limb(f, ATEMI_SIDE_RIGHT);
    ends[ATEMI_SIDE_LEFT] = longest_limb(f, ATEMI_SIDE_LEFT);
    if (ends[0] == ATEMI_NONE && ends[1] == ATEMI_NONE) {
        ends[0] = longest_limb(f, ATEMI_SIDES);
    }
    if (f->options->hand != ATEMI_NONE) {
        const int  hand = atemi_body_of(f->model, f->options->hand);
        const bool is_left = atemi_vec3_dot(f->h->facing.y, atemi_humanoid_place(f, hand)) > 0.0;
        ends[is_left && ends[1] != ATEMI_NONE ? ATEMI_SIDE_LEFT : ATEMI_SIDE_RIGHT] = hand;
    }
}

atemi_status atemi_humanoid_find_arms(humanoid_finding *f, atemi_error *error)
{
    int ends[ATEMI_SIDES];
    find_ends(f, ends);
    const bool both = ends[0] != ATEMI_NONE && ends[1] != ATEMI_NONE;
    const int  first = both || ends[0] != ATEMI_NONE ? ends[0] : ends[1];
    const int  other = both                  ? ends[1]
                       : f->h->leg_count > 0 ? atemi_body_of(f->model, f->h->legs[0].end)
                                             : atemi_body_of(f->model, 0);
    const int  trunk = first != ATEMI_NONE ? atemi_body_common(f->model, first, other) : ATEMI_NONE;
    f->h->arm_count = 0;
    for (int i = 0; i < ATEMI_SIDES; ++i) {
        if (ends[i] != ATEMI_NONE) {
            set_arm(f, f->h->arm_count++, ends[i], trunk);
        }
    }
    return f->h->arm_count > 0 || f->h->leg_count > 0
               ? ATEMI_OK
               : atemi_fail(error, ATEMI_ERROR_INPUT,
                            "the robot has neither legs nor an arm of %d joints: nothing to stand "
                            "on or strike with",
                            HUMANOID_LEAST_JOINTS);
}

bool atemi_humanoid_is_one_arm(const humanoid_finding *f)
{
    const int root = atemi_body_of(f->model, 0), end = longest_limb(f, ATEMI_SIDES);
    const int hand = end == ATEMI_NONE ? ATEMI_NONE : hand_before(f, end, root);
    bool      one = end != ATEMI_NONE;
    for (int i = 0; i < atemi_model_link_count(f->model) && one; ++i) {
        one = !atemi_link_is_body(f->model, i) || atemi_body_children(f->model, i) > 0 ||
              atemi_body_is_beyond(f->model, i, hand);
    }
    return one;
}
