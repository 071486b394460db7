// SPDX-License-Identifier: Apache-2.0

#include "atemi/kinematics.h"
#include "motion/bodies.h"
#include "motion/humanoid_finding.h"

#include <math.h>

//   feet            the two ends of limbs that reach to within 0.02 H of the lowest point
//   toes            are called so, or move about a joint less than 0.03 H above it: the foot is
//   what
//                   they belong to
//   forwards        x = y x z,  y from foot to foot, z up
//   hip, knee, ankle   the first, the second and the last joint of a leg that rotate about y

static const double equal_height = 0.02, toe_height = 0.03; // of H
static const double sole_flat = 0.02;                       // of a leg's length
static const double is_lateral = 0.9;                       // least cosine of a pitch joint's axis
static const double smallest = 1e-3;                        // m, of a sole's sides
enum { MAX_NAMED = 6 };

// ---- Feet

// The end itself, or what its toes belong to.
static int foot_of(const humanoid_finding *f, int end)
{
    const int  above = atemi_body_above(f->model, end);
    bool       by_shapes;
    const bool low = atemi_humanoid_place(f, end).z <
                     atemi_humanoid_bottom(f, end, &by_shapes) + toe_height * f->height;
    const bool is_toe =
        (low && by_shapes) ||
        atemi_humanoid_has_word(atemi_model_link(f->model, end)->name, "toe") ||
        atemi_humanoid_has_word(atemi_model_joint(f->model, atemi_body_joint(f->model, end))->name,
                                "toe");
    return is_toe && atemi_body_depth(f->model, above) >= HUMANOID_LEAST_JOINTS ? above : end;
}

// @param feet [MAX_NAMED]
static int find_lowest_feet(const humanoid_finding *f, int *feet)
{
    int count = 0;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        bool by_shapes;
        if (!atemi_humanoid_is_end(f, i) ||
            atemi_humanoid_bottom(f, i, &by_shapes) > f->lowest + equal_height * f->height) {
            continue;
        }
        const int foot = foot_of(f, i);
        bool      known = false;
        for (int k = 0; k < count; ++k) {
            known = known || feet[k] == foot;
        }
        if (!known && count < MAX_NAMED) {
            feet[count++] = foot;
        }
    }
    return count;
}

static atemi_status find_feet(humanoid_finding *f, int feet[ATEMI_SIDES], atemi_error *error)
{
    int       found[MAX_NAMED];
    const int given = (f->options->feet[0] != ATEMI_NONE) + (f->options->feet[1] != ATEMI_NONE);
    if (given == ATEMI_SIDES) {
        feet[0] = atemi_body_of(f->model, f->options->feet[0]);
        feet[1] = atemi_body_of(f->model, f->options->feet[1]);
        return feet[0] != feet[1]
                   ? ATEMI_OK
                   : atemi_fail(error, ATEMI_ERROR_INPUT,
                                "both feet are the link '%s', or fixed to it: give two feet",
                                atemi_model_link(f->model, feet[0])->name);
    }
    const int count = find_lowest_feet(f, found);
    if (count != ATEMI_SIDES) {
        return atemi_fail(
            error, ATEMI_ERROR_INPUT,
            "%d limbs with %d joints or more reach lowest%s%s%s%s, and a humanoid has "
            "two feet: name the links of its feet",
            count, HUMANOID_LEAST_JOINTS, count ? " (" : "",
            count ? atemi_model_link(f->model, found[0])->name : "", count > 1 ? ", ..." : "",
            count ? ")" : "");
    }
    feet[0] = found[0];
    feet[1] = found[1];
    return ATEMI_OK;
}

// ---- Facing

// How far a foot's shapes, or else its mass, reach along a direction beyond its joint.
static double foot_reach(const humanoid_finding *f, int foot, atemi_vec3 along, bool by_shapes)
{
    const atemi_vec3  joint = atemi_humanoid_place(f, foot);
    const outline_box shapes =
        atemi_outline_around(&f->outline, foot, &atemi_humanoid_upright, ATEMI_OUTLINE_SHAPES);
    const outline_box points =
        atemi_outline_around(&f->outline, foot, &atemi_humanoid_upright, ATEMI_OUTLINE_POINTS);
    const outline_box box = shapes.count > 0 ? shapes : points;
    if (by_shapes && box.count > 0) {
        const atemi_vec3 middle = atemi_vec3_scale(0.5, atemi_vec3_add(box.lower, box.upper));
        return atemi_vec3_dot(along, atemi_vec3_sub(middle, joint));
    }
    const atemi_inertia sum = atemi_outline_inertia(&f->outline, foot);
    return by_shapes || !(sum.mass > 0.0) ? 0.0
                                          : atemi_vec3_dot(along, atemi_vec3_sub(sum.com, joint));
}

// How far the limb's joints about a lateral axis bend so that its middle goes along a direction,
// less how far they bend the other way; hips and ankles go about equally far both ways.
static double bending_along(const humanoid_finding *f, int foot, int trunk, atemi_vec3 lateral)
{
    double most = 0.0;
    for (int b = foot; b != trunk; b = atemi_body_above(f->model, b)) {
        const atemi_joint    *joint = atemi_model_joint(f->model, atemi_body_joint(f->model, b));
        const atemi_transform pose = atemi_link_pose(f->outline.data, joint->child_link);
        const double along = atemi_vec3_dot(lateral, atemi_mat3_apply(&pose.rotation, joint->axis));
        const double lower = joint->limits.lower, upper = joint->limits.upper;
        const bool is_knee = fmin(fabs(lower), fabs(upper)) < 0.3 * fmax(fabs(lower), fabs(upper));
        if (joint->v_count == 1 && fabs(along) > is_lateral && isfinite(lower + upper) && is_knee &&
            fabs(lower + upper) > fabs(most)) {
            most = along > 0.0 ? lower + upper : -lower - upper;
        }
    }
    return most;
}

// The sign of forwards: by the feet's shapes, then by the knees, then by the feet's mass, and along
// x where nothing tells.
static double forward_sign(const humanoid_finding *f, const int feet[ATEMI_SIDES],
                           atemi_vec3 forwards, atemi_vec3 left)
{
    const int trunk = atemi_body_common(f->model, feet[0], feet[1]);
    double    shapes = 0.0, knees = 0.0, mass = 0.0;
    for (int i = 0; i < ATEMI_SIDES; ++i) {
        shapes += foot_reach(f, feet[i], forwards, true);
        mass += foot_reach(f, feet[i], forwards, false);
        knees += bending_along(f, feet[i], trunk, left);
    }
    return fabs(shapes) > 0.02 * f->height  ? shapes
           : fabs(knees) > 0.0              ? knees
           : fabs(mass) > 0.002 * f->height ? mass
                                            : forwards.x;
}

static void find_facing(humanoid_finding *f, int feet[ATEMI_SIDES])
{
    const atemi_vec3 up = atemi_humanoid_upright.z;
    atemi_vec3       left =
        atemi_vec3_sub(atemi_humanoid_place(f, feet[1]), atemi_humanoid_place(f, feet[0]));
    left.z = 0.0;
    left = atemi_humanoid_snap(&atemi_humanoid_upright,
                               atemi_vec3_scale(1.0 / fmax(atemi_vec3_norm(left), 1e-9), left));
    const atemi_vec3 forwards = atemi_vec3_cross(left, up);
    f->h->facing = (atemi_mat3){forwards, left, up};
    if (forward_sign(f, feet, forwards, left) < 0.0) {
        const int first = feet[0];
        feet[0] = feet[1];
        feet[1] = first;
        f->h->facing =
            (atemi_mat3){atemi_vec3_scale(-1.0, forwards), atemi_vec3_scale(-1.0, left), up};
    }
}

// ---- Legs

static atemi_status find_pitches(humanoid_finding *f, int side, atemi_error *error)
{
    const atemi_limb *leg = &f->h->legs[side];
    atemi_leg_pitch  *p = &f->h->pitches[side];
    int               count = 0;
    *p = (atemi_leg_pitch){ATEMI_NONE, ATEMI_NONE, ATEMI_NONE};
    for (int b = leg->end; b != leg->trunk; b = atemi_body_above(f->model, b)) {
        const atemi_joint    *joint = atemi_model_joint(f->model, atemi_body_joint(f->model, b));
        const atemi_transform pose = atemi_link_pose(f->outline.data, joint->child_link);
        const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, joint->axis);
        if (joint->v_count == 1 && joint->type != ATEMI_JOINT_PRISMATIC &&
            fabs(atemi_vec3_dot(axis, f->h->facing.y)) > is_lateral) {
            p->ankle = count == 0 ? atemi_body_joint(f->model, b) : p->ankle;
            p->knee = p->hip;
            p->hip = atemi_body_joint(f->model, b);
            ++count;
        }
    }
    return count >= 3 ? ATEMI_OK
                      : atemi_fail(error, ATEMI_ERROR_INPUT,
                                   "the leg of '%s' has %d joints that bend it forwards, and needs "
                                   "three: hip, knee and ankle; name the links of its feet",
                                   atemi_model_link(f->model, leg->end)->name, count);
}

static atemi_vec3 joint_place(const humanoid_finding *f, int joint)
{
    return atemi_humanoid_place(f, atemi_model_joint(f->model, joint)->child_link);
}

// As seen from the side.
static double length_between(const humanoid_finding *f, int from, int to)
{
    const atemi_vec3 d = atemi_vec3_sub(joint_place(f, to), joint_place(f, from));
    return hypot(atemi_vec3_dot(d, f->h->facing.x), d.z);
}

static atemi_status find_leg(humanoid_finding *f, int side, int foot, int trunk, atemi_error *error)
{
    atemi_limb *leg = &f->h->legs[side];
    *leg = (atemi_limb){.trunk = trunk,
                        .end = foot,
                        .joint_count = atemi_humanoid_joints_between(f->model, trunk, foot)};
    const atemi_status status = find_pitches(f, side, error);
    if (!status) {
        const atemi_leg_pitch *p = &f->h->pitches[side];
        leg->length = length_between(f, p->hip, p->knee) + length_between(f, p->knee, p->ankle);
    }
    return status;
}

// ---- Soles

static atemi_transform in_link(const humanoid_finding *f, int link, atemi_vec3 place)
{
    const atemi_transform there = {f->h->facing, place};
    const atemi_transform pose = atemi_link_pose(f->outline.data, link);
    const atemi_transform back = atemi_transform_inverse(&pose);
    return atemi_transform_compose(&back, &there);
}

// As the facing sees it.
static void set_sole(const humanoid_finding *f, int side, const outline_box *box,
                     atemi_outline_source source)
{
    const atemi_vec3 middle = {0.5 * (box->lower.x + box->upper.x),
                               0.5 * (box->lower.y + box->upper.y), box->lower.z};
    f->h->soles[side] = (atemi_sole){
        .source = source,
        .site = ATEMI_NONE,
        .pose = in_link(f, f->h->legs[side].end, atemi_mat3_apply(&f->h->facing, middle)),
        .size_x = atemi_humanoid_rounded(box->upper.x - box->lower.x),
        .size_y = atemi_humanoid_rounded(box->upper.y - box->lower.y)};
    f->h->soles[side].pose.position = atemi_humanoid_rounded_place(f->h->soles[side].pose.position);
}

static outline_box sole_of_length(const humanoid_finding *f, int side)
{
    const double     length = f->h->legs[side].length;
    const atemi_vec3 ankle =
        atemi_mat3_apply_transposed(&f->h->facing, joint_place(f, f->h->pitches[side].ankle));
    return (outline_box){
        .lower = {ankle.x - 0.09 * length, ankle.y - 0.07 * length, ankle.z - 0.12 * length},
        .upper = {ankle.x + 0.19 * length, ankle.y + 0.07 * length, ankle.z},
        .count = 1};
}

// Whether a box can be a foot of the leg.
static bool is_foot_like(const humanoid_finding *f, int side, const outline_box *box,
                         atemi_outline_source source)
{
    const double length = f->h->legs[side].length;
    const double x = box->upper.x - box->lower.x, y = box->upper.y - box->lower.y;
    const double below = joint_place(f, f->h->pitches[side].ankle).z - box->lower.z;
    return source != ATEMI_OUTLINE_INERTIA
               ? x > smallest && y > smallest
               : x > 0.15 * length && x < 0.5 * length && y > 0.06 * length && y < 0.3 * length &&
                     below > 0.0 && below < 0.3 * length;
}

// A frame of the foot that is called a sole is where its middle touches the floor.
static void move_to_frame(const humanoid_finding *f, int side, outline_box *box)
{
    const int foot = f->h->legs[side].end;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        const atemi_link *link = atemi_model_link(f->model, i);
        if (atemi_body_of(f->model, i) == foot && i != foot &&
            atemi_humanoid_has_word(link->name, "sole")) {
            const atemi_vec3 at =
                atemi_mat3_apply_transposed(&f->h->facing, atemi_humanoid_place(f, i));
            const double x = 0.5 * (box->upper.x - box->lower.x);
            const double y = 0.5 * (box->upper.y - box->lower.y);
            box->lower = (atemi_vec3){at.x - x, at.y - y, at.z};
            box->upper = (atemi_vec3){at.x + x, at.y + y, at.z};
            return;
        }
    }
}

static void find_sole(const humanoid_finding *f, int side)
{
    static const atemi_outline_source sources[] = {ATEMI_OUTLINE_SHAPES, ATEMI_OUTLINE_POINTS,
                                                   ATEMI_OUTLINE_INERTIA};
    atemi_limb                       *leg = &f->h->legs[side];
    int                               site = ATEMI_NONE;
    if (atemi_humanoid_find_site(f, leg->end, &site)) {
        const atemi_site *s = atemi_model_site(f->model, site);
        leg->end = s->link;
        f->h->soles[side] = (atemi_sole){ATEMI_OUTLINE_SITE, site, s->pose, s->size_x, s->size_y};
        return;
    }
    outline_box rest = sole_of_length(f, side);
    move_to_frame(f, side, &rest);
    set_sole(f, side, &rest, ATEMI_OUTLINE_LENGTH);
    for (size_t i = sizeof sources / sizeof sources[0]; i-- > 0;) {
        outline_box box = atemi_outline_bottom(&f->outline, leg->end, &f->h->facing, sources[i],
                                               sole_flat * leg->length);
        if (box.count > 0 && is_foot_like(f, side, &box, sources[i])) {
            if (sources[i] == ATEMI_OUTLINE_INERTIA) {
                move_to_frame(f, side, &box);
            }
            set_sole(f, side, &box, sources[i]);
        }
    }
}

static void resize_sole(const humanoid_finding *f, int side)
{
    atemi_sole *sole = &f->h->soles[side];
    if (f->options->sole_x > 0.0 && f->options->sole_y > 0.0) {
        sole->source = ATEMI_OUTLINE_GIVEN;
        sole->site = ATEMI_NONE;
        sole->size_x = f->options->sole_x;
        sole->size_y = f->options->sole_y;
    }
}

atemi_status atemi_humanoid_find_legs(humanoid_finding *f, atemi_error *error)
{
    int          feet[ATEMI_SIDES] = {ATEMI_NONE, ATEMI_NONE};
    atemi_status status = find_feet(f, feet, error);
    if (status) {
        return status;
    }
    const int trunk = atemi_body_common(f->model, feet[0], feet[1]);
    find_facing(f, feet);
    for (int i = 0; i < ATEMI_SIDES && !status; ++i) {
        status = find_leg(f, i, feet[i], trunk, error);
    }
    for (int i = 0; i < ATEMI_SIDES && !status; ++i) {
        find_sole(f, i);
        resize_sole(f, i);
    }
    f->h->leg_count = status ? 0 : ATEMI_SIDES;
    return status;
}
