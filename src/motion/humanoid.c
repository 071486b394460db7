// SPDX-License-Identifier: Apache-2.0

#include "atemi/humanoid.h"

#include "atemi/contract.h"
#include "atemi/kinematics.h"
#include "motion/bodies.h"
#include "motion/outline.h"

#include <math.h>
#include <string.h>

// Lengths are compared with the height of the root above the lowest point of the robot, H, of a leg
// with its own length, thigh and shin:
//
//   feet            the two ends of limbs that reach to within 0.02 H of the lowest point
//   toes            are called so, or move about a joint less than 0.03 H above it: the foot is
//   what
//                   they belong to
//   forwards        x = y x z,  y from foot to foot, z up; the soles' middles are before the ankles
//   hip, knee, ankle   the first, the second and the last joint of a leg that rotate about y
//   hands           the ends of the longest limbs at least 0.05 H beside the middle, each up to
//                   where it branches or a finger begins
//   a fist's axis   from the arm's last joint to the hand's centre of mass, where these are apart
//   and
//                   that is along an axis of the hand; or else from a joint 1/4 of the arm away

static const double equal_height = 0.02, toe_height = 0.03, beside = 0.05; // of H
static const double fist_near = 0.04, fist_base = 0.25;                    // of an arm's length
static const double sole_flat = 0.02;                                      // of a leg's length
static const double snapped = 0.966;  // cos 15 degrees: an axis that is nearer is a frame's own
static const double is_lateral = 0.9; // least cosine of a pitch joint's axis
static const double smallest = 1e-3;  // m, of a sole's sides
enum { LEAST_JOINTS = 3, MOST_NAMED = 6 };

typedef struct finding {
    const atemi_model            *model;
    const atemi_humanoid_options *options;
    outline                       outline;
    atemi_humanoid               *h;
    double                        lowest, height; ///< of the robot: z, H
} finding;

// ---- Names

static bool has_word(const char *name, const char *word)
{
    const size_t length = strlen(word);
    bool         found = false;
    for (; *name && !found; ++name) {
        size_t i = 0;
        while (i < length && (name[i] | 0x20) == word[i]) { // ASCII, any case
            ++i;
        }
        found = i == length;
    }
    return found;
}

// ---- Places

static const atemi_mat3 upright = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static atemi_vec3 place_of(const finding *f, int link)
{
    return atemi_link_pose(f->outline.data, link).position;
}

static double distance(atemi_vec3 a, atemi_vec3 b)
{
    return atemi_vec3_norm(atemi_vec3_sub(a, b));
}

// How low a body reaches, as far as its shapes tell, or else its joint and centre of mass.
static double bottom_of(const finding *f, int body, bool *by_shapes)
{
    const atemi_inertia sum = outline_inertia(&f->outline, body);
    const double        joint = place_of(f, body).z;
    const outline_box   shapes = outline_around(&f->outline, body, &upright, ATEMI_OUTLINE_SHAPES);
    const outline_box   points = outline_around(&f->outline, body, &upright, ATEMI_OUTLINE_POINTS);
    *by_shapes = shapes.count + points.count > 0;
    return *by_shapes       ? fmin(joint, fmin(shapes.lower.z, points.lower.z))
           : sum.mass > 0.0 ? fmin(joint, sum.com.z)
                            : joint;
}

static bool is_end(const finding *f, int link)
{
    return link_is_body(f->model, link) && body_children(f->model, link) == 0 &&
           body_depth(f->model, link) >= LEAST_JOINTS;
}

// ---- Feet

// The end itself, or what its toes belong to.
static int foot_of(const finding *f, int end)
{
    const int  above = body_above(f->model, end);
    bool       by_shapes;
    const bool low = place_of(f, end).z < bottom_of(f, end, &by_shapes) + toe_height * f->height;
    const bool is_toe =
        (low && by_shapes) || has_word(atemi_model_link(f->model, end)->name, "toe") ||
        has_word(atemi_model_joint(f->model, body_joint(f->model, end))->name, "toe");
    return is_toe && body_depth(f->model, above) >= LEAST_JOINTS ? above : end;
}

static void find_lowest(finding *f)
{
    f->lowest = INFINITY;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        bool by_shapes;
        if (is_end(f, i)) {
            f->lowest = fmin(f->lowest, bottom_of(f, i, &by_shapes));
        }
    }
    f->height = isfinite(f->lowest) ? fabs(place_of(f, 0).z - f->lowest) : 0.0;
}

// @param feet [MOST_NAMED]
static int find_lowest_feet(const finding *f, int *feet)
{
    int count = 0;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        bool by_shapes;
        if (!is_end(f, i) || bottom_of(f, i, &by_shapes) > f->lowest + equal_height * f->height) {
            continue;
        }
        const int foot = foot_of(f, i);
        bool      known = false;
        for (int k = 0; k < count; ++k) {
            known = known || feet[k] == foot;
        }
        if (!known && count < MOST_NAMED) {
            feet[count++] = foot;
        }
    }
    return count;
}

static atemi_status find_feet(finding *f, int feet[ATEMI_SIDES], atemi_error *error)
{
    int       found[MOST_NAMED];
    const int given = (f->options->feet[0] != ATEMI_NONE) + (f->options->feet[1] != ATEMI_NONE);
    if (given == ATEMI_SIDES) {
        feet[0] = body_of(f->model, f->options->feet[0]);
        feet[1] = body_of(f->model, f->options->feet[1]);
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
            count, LEAST_JOINTS, count ? " (" : "",
            count ? atemi_model_link(f->model, found[0])->name : "", count > 1 ? ", ..." : "",
            count ? ")" : "");
    }
    feet[0] = found[0];
    feet[1] = found[1];
    return ATEMI_OK;
}

// ---- Facing

// A direction that is nearly along an axis of the base's frame is along it.
static atemi_vec3 snap(const atemi_mat3 *axes, atemi_vec3 d)
{
    const atemi_vec3 columns[] = {axes->x, axes->y, axes->z};
    for (int i = 0; i < 3; ++i) {
        const double along = atemi_vec3_dot(columns[i], d);
        if (fabs(along) > snapped) {
            return atemi_vec3_scale(along > 0.0 ? 1.0 : -1.0, columns[i]);
        }
    }
    return d;
}

// How far a foot's shapes, or else its mass, reach along a direction beyond its joint.
static double foot_reach(const finding *f, int foot, atemi_vec3 along, bool by_shapes)
{
    const atemi_vec3  joint = place_of(f, foot);
    const outline_box shapes = outline_around(&f->outline, foot, &upright, ATEMI_OUTLINE_SHAPES);
    const outline_box points = outline_around(&f->outline, foot, &upright, ATEMI_OUTLINE_POINTS);
    const outline_box box = shapes.count > 0 ? shapes : points;
    if (by_shapes && box.count > 0) {
        const atemi_vec3 middle = atemi_vec3_scale(0.5, atemi_vec3_add(box.lower, box.upper));
        return atemi_vec3_dot(along, atemi_vec3_sub(middle, joint));
    }
    const atemi_inertia sum = outline_inertia(&f->outline, foot);
    return by_shapes || !(sum.mass > 0.0) ? 0.0
                                          : atemi_vec3_dot(along, atemi_vec3_sub(sum.com, joint));
}

// How far the limb's joints about a lateral axis bend so that its middle goes along a direction,
// less how far they bend the other way; hips and ankles go about equally far both ways.
static double bending_along(const finding *f, int foot, int trunk, atemi_vec3 lateral)
{
    double most = 0.0;
    for (int b = foot; b != trunk; b = body_above(f->model, b)) {
        const atemi_joint    *joint = atemi_model_joint(f->model, body_joint(f->model, b));
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
static double forward_sign(const finding *f, const int feet[ATEMI_SIDES], atemi_vec3 forwards,
                           atemi_vec3 left)
{
    const int trunk = body_common(f->model, feet[0], feet[1]);
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

static void find_facing(finding *f, int feet[ATEMI_SIDES])
{
    const atemi_vec3 up = upright.z;
    atemi_vec3       left = atemi_vec3_sub(place_of(f, feet[1]), place_of(f, feet[0]));
    left.z = 0.0;
    left = snap(&upright, atemi_vec3_scale(1.0 / fmax(atemi_vec3_norm(left), 1e-9), left));
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

static atemi_status find_pitches(finding *f, int side, atemi_error *error)
{
    const atemi_limb *leg = &f->h->legs[side];
    atemi_leg_pitch  *p = &f->h->pitches[side];
    int               count = 0;
    *p = (atemi_leg_pitch){ATEMI_NONE, ATEMI_NONE, ATEMI_NONE};
    for (int b = leg->end; b != leg->trunk; b = body_above(f->model, b)) {
        const atemi_joint    *joint = atemi_model_joint(f->model, body_joint(f->model, b));
        const atemi_transform pose = atemi_link_pose(f->outline.data, joint->child_link);
        const atemi_vec3      axis = atemi_mat3_apply(&pose.rotation, joint->axis);
        if (joint->v_count == 1 && joint->type != ATEMI_JOINT_PRISMATIC &&
            fabs(atemi_vec3_dot(axis, f->h->facing.y)) > is_lateral) {
            p->ankle = count == 0 ? body_joint(f->model, b) : p->ankle;
            p->knee = p->hip;
            p->hip = body_joint(f->model, b);
            ++count;
        }
    }
    return count >= 3 ? ATEMI_OK
                      : atemi_fail(error, ATEMI_ERROR_INPUT,
                                   "the leg of '%s' has %d joints that bend it forwards, and needs "
                                   "three: hip, knee and ankle; name the links of its feet",
                                   atemi_model_link(f->model, leg->end)->name, count);
}

static atemi_vec3 joint_place(const finding *f, int joint)
{
    return place_of(f, atemi_model_joint(f->model, joint)->child_link);
}

// As seen from the side.
static double length_between(const finding *f, int from, int to)
{
    const atemi_vec3 d = atemi_vec3_sub(joint_place(f, to), joint_place(f, from));
    return hypot(atemi_vec3_dot(d, f->h->facing.x), d.z);
}

static int joints_between(const atemi_model *model, int trunk, int end)
{
    return body_depth(model, end) - body_depth(model, trunk);
}

static atemi_status find_leg(finding *f, int side, int foot, int trunk, atemi_error *error)
{
    atemi_limb *leg = &f->h->legs[side];
    *leg = (atemi_limb){
        .trunk = trunk, .end = foot, .joint_count = joints_between(f->model, trunk, foot)};
    const atemi_status status = find_pitches(f, side, error);
    if (!status) {
        const atemi_leg_pitch *p = &f->h->pitches[side];
        leg->length = length_between(f, p->hip, p->knee) + length_between(f, p->knee, p->ankle);
    }
    return status;
}

// ---- Soles

static bool find_site(const finding *f, int body, bool with_area, int *site)
{
    double largest = -1.0;
    for (int i = 0; i < atemi_model_site_count(f->model); ++i) {
        const atemi_site *s = atemi_model_site(f->model, i);
        const double      area = s->size_x * s->size_y;
        if (body_of(f->model, s->link) == body && (area > 0.0) == with_area && area > largest) {
            largest = area;
            *site = i;
        }
    }
    return largest >= 0.0;
}

static atemi_transform in_link(const finding *f, int link, atemi_vec3 place)
{
    const atemi_transform there = {f->h->facing, place};
    const atemi_transform pose = atemi_link_pose(f->outline.data, link);
    const atemi_transform back = atemi_transform_inverse(&pose);
    return atemi_transform_compose(&back, &there);
}

// To a tenth of a millimetre, which people can read.
static double rounded(double x)
{
    return floor(1e4 * x + 0.5) / 1e4;
}

static atemi_vec3 rounded_place(atemi_vec3 p)
{
    return (atemi_vec3){rounded(p.x), rounded(p.y), rounded(p.z)};
}

// As the facing sees it.
static void set_sole(const finding *f, int side, const outline_box *box,
                     atemi_outline_source source)
{
    const atemi_vec3 middle = {0.5 * (box->lower.x + box->upper.x),
                               0.5 * (box->lower.y + box->upper.y), box->lower.z};
    f->h->soles[side] = (atemi_sole){
        .source = source,
        .site = ATEMI_NONE,
        .pose = in_link(f, f->h->legs[side].end, atemi_mat3_apply(&f->h->facing, middle)),
        .size_x = rounded(box->upper.x - box->lower.x),
        .size_y = rounded(box->upper.y - box->lower.y)};
    f->h->soles[side].pose.position = rounded_place(f->h->soles[side].pose.position);
}

static outline_box sole_of_length(const finding *f, int side)
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
static bool is_foot_like(const finding *f, int side, const outline_box *box,
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
static void move_to_frame(const finding *f, int side, outline_box *box)
{
    const int foot = f->h->legs[side].end;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        const atemi_link *link = atemi_model_link(f->model, i);
        if (body_of(f->model, i) == foot && i != foot && has_word(link->name, "sole")) {
            const atemi_vec3 at = atemi_mat3_apply_transposed(&f->h->facing, place_of(f, i));
            const double     x = 0.5 * (box->upper.x - box->lower.x);
            const double     y = 0.5 * (box->upper.y - box->lower.y);
            box->lower = (atemi_vec3){at.x - x, at.y - y, at.z};
            box->upper = (atemi_vec3){at.x + x, at.y + y, at.z};
            return;
        }
    }
}

static void find_sole(const finding *f, int side)
{
    static const atemi_outline_source sources[] = {ATEMI_OUTLINE_SHAPES, ATEMI_OUTLINE_POINTS,
                                                   ATEMI_OUTLINE_INERTIA};
    atemi_limb                       *leg = &f->h->legs[side];
    int                               site = ATEMI_NONE;
    if (find_site(f, leg->end, true, &site)) {
        const atemi_site *s = atemi_model_site(f->model, site);
        leg->end = s->link;
        f->h->soles[side] = (atemi_sole){ATEMI_OUTLINE_SITE, site, s->pose, s->size_x, s->size_y};
        return;
    }
    outline_box rest = sole_of_length(f, side);
    move_to_frame(f, side, &rest);
    set_sole(f, side, &rest, ATEMI_OUTLINE_LENGTH);
    for (size_t i = sizeof sources / sizeof sources[0]; i-- > 0;) {
        outline_box box = outline_bottom(&f->outline, leg->end, &f->h->facing, sources[i],
                                         sole_flat * leg->length);
        if (box.count > 0 && is_foot_like(f, side, &box, sources[i])) {
            if (sources[i] == ATEMI_OUTLINE_INERTIA) {
                move_to_frame(f, side, &box);
            }
            set_sole(f, side, &box, sources[i]);
        }
    }
}

static void resize_sole(const finding *f, int side)
{
    atemi_sole *sole = &f->h->soles[side];
    if (f->options->sole_x > 0.0 && f->options->sole_y > 0.0) {
        sole->source = ATEMI_OUTLINE_GIVEN;
        sole->site = ATEMI_NONE;
        sole->size_x = f->options->sole_x;
        sole->size_y = f->options->sole_y;
    }
}

static atemi_status find_legs(finding *f, atemi_error *error)
{
    int          feet[ATEMI_SIDES] = {ATEMI_NONE, ATEMI_NONE};
    atemi_status status = find_feet(f, feet, error);
    if (status) {
        return status;
    }
    const int trunk = body_common(f->model, feet[0], feet[1]);
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

// ---- Hands

static bool is_of_leg(const finding *f, int body)
{
    bool found = false;
    for (int i = 0; i < f->h->leg_count; ++i) {
        const int trunk = f->h->legs[i].trunk;
        int       first = body_of(f->model, f->h->legs[i].end);
        while (body_above(f->model, first) != trunk) {
            first = body_above(f->model, first);
        }
        found = found || body_is_beyond(f->model, body, first);
    }
    return found;
}

static double path_length(const finding *f, int body, int trunk)
{
    double length = 0.0;
    for (int above; body != trunk && (above = body_above(f->model, body)) != ATEMI_NONE;
         body = above) {
        length += distance(place_of(f, body), place_of(f, above));
    }
    return length;
}

// The end of the longest limb on a side; with `side` at ATEMI_SIDES, of all.
static int longest_limb(const finding *f, int side)
{
    const int root = body_of(f->model, 0);
    double    longest = 0.0;
    int       end = ATEMI_NONE;
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        if (!is_end(f, i) || is_of_leg(f, i)) {
            continue;
        }
        const double left = atemi_vec3_dot(f->h->facing.y, place_of(f, i));
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
        found = found || has_word(joint->name, words[i]);
    }
    return found;
}

static int hand_before(const finding *f, int end, int trunk)
{
    int hand = end;
    for (int b = end; b != trunk; b = body_above(f->model, b)) {
        const int above = body_above(f->model, b);
        if (above != trunk &&
            (body_children(f->model, above) > 1 ||
             begins_finger(atemi_model_joint(f->model, body_joint(f->model, b))))) {
            hand = above;
        }
    }
    return hand;
}

// ---- Fists

// Of the hand with its fingers.
static atemi_inertia hand_inertia(const finding *f, int hand)
{
    atemi_inertia sum = {0};
    for (int i = 0; i < atemi_model_link_count(f->model); ++i) {
        if (link_is_body(f->model, i) && body_is_beyond(f->model, i, hand)) {
            const atemi_inertia part = outline_inertia(&f->outline, i);
            sum = atemi_inertia_add(&sum, &part);
        }
    }
    return sum;
}

// From the first joint to the last.
static double arm_length(const finding *f, const atemi_limb *arm)
{
    double length = 0.0;
    for (int b = body_of(f->model, arm->end); body_above(f->model, b) != arm->trunk;) {
        const int above = body_above(f->model, b);
        length += distance(place_of(f, b), place_of(f, above));
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
static atemi_vec3 fist_axis(const finding *f, const atemi_limb *arm, atemi_vec3 middle)
{
    const double          length = arm_length(f, arm);
    const atemi_transform link = atemi_link_pose(f->outline.data, arm->end);
    const atemi_vec3      straight = direction(place_of(f, arm->end), middle);
    const atemi_vec3      own = snap(&link.rotation, straight);
    int                   b = arm->end;
    if (distance(place_of(f, arm->end), middle) > fist_near * length &&
        is_axis(&link.rotation, own)) {
        return own;
    }
    while (body_above(f->model, b) != arm->trunk &&
           distance(place_of(f, b), middle) < fist_base * length) {
        b = body_above(f->model, b);
    }
    return snap(&link.rotation, direction(place_of(f, b), middle));
}

// How far the hand reaches along an axis beyond its joint.
static double fist_reach(const finding *f, const atemi_limb *arm, atemi_vec3 axis,
                         atemi_outline_source *source)
{
    static const atemi_outline_source sources[] = {ATEMI_OUTLINE_JOINTS, ATEMI_OUTLINE_SHAPES,
                                                   ATEMI_OUTLINE_POINTS, ATEMI_OUTLINE_INERTIA};
    const atemi_mat3                  axes = atemi_mat3_with_z(axis);
    const double                      from = atemi_vec3_dot(axis, place_of(f, arm->end));
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; ++i) {
        const outline_box box = outline_around(&f->outline, arm->end, &axes, sources[i]);
        if (box.count > 0 && box.upper.z > from + smallest) {
            *source = sources[i];
            return box.upper.z - from;
        }
    }
    *source = ATEMI_OUTLINE_LENGTH;
    return 0.15 * arm_length(f, arm);
}

static void find_fist(const finding *f, int side)
{
    atemi_limb         *arm = &f->h->arms[side];
    atemi_fist         *fist = &f->h->fists[side];
    const atemi_inertia sum = hand_inertia(f, arm->end);
    const atemi_vec3    middle = sum.mass > 0.0 ? sum.com : place_of(f, arm->end);
    const atemi_vec3    axis = fist_axis(f, arm, middle);
    const double        reach = fist_reach(f, arm, axis, &fist->source);
    if (find_site(f, arm->end, false, &fist->site)) {
        const atemi_site *s = atemi_model_site(f->model, fist->site);
        fist->source = ATEMI_OUTLINE_SITE;
        fist->point = s->pose.position;
        arm->end = s->link;
    } else {
        fist->site = ATEMI_NONE;
        const atemi_transform pose = atemi_link_pose(f->outline.data, arm->end);
        fist->point = rounded_place(
            atemi_vec3_scale(reach, atemi_mat3_apply_transposed(&pose.rotation, axis)));
    }
    const atemi_transform pose = atemi_link_pose(f->outline.data, arm->end);
    fist->axis = atemi_mat3_apply_transposed(&pose.rotation, axis);
    arm->length = arm_length(f, arm) + reach;
}

// ---- Arms

static void set_arm(finding *f, int side, int end, int trunk)
{
    const int hand = hand_before(f, end, trunk);
    f->h->arms[side] = (atemi_limb){
        .trunk = trunk, .end = hand, .joint_count = joints_between(f->model, trunk, hand)};
    find_fist(f, side);
}

// The hand that is given takes the place of the one on its side.
static void find_ends(const finding *f, int ends[ATEMI_SIDES])
{
    ends[ATEMI_SIDE_RIGHT] = longest_limb(f, ATEMI_SIDE_RIGHT);
    ends[ATEMI_SIDE_LEFT] = longest_limb(f, ATEMI_SIDE_LEFT);
    if (ends[0] == ATEMI_NONE && ends[1] == ATEMI_NONE) {
        ends[0] = longest_limb(f, ATEMI_SIDES);
    }
    if (f->options->hand != ATEMI_NONE) {
        const int  hand = body_of(f->model, f->options->hand);
        const bool is_left = atemi_vec3_dot(f->h->facing.y, place_of(f, hand)) > 0.0;
        ends[is_left && ends[1] != ATEMI_NONE ? ATEMI_SIDE_LEFT : ATEMI_SIDE_RIGHT] = hand;
    }
}

static atemi_status find_arms(finding *f, atemi_error *error)
{
    int ends[ATEMI_SIDES];
    find_ends(f, ends);
    const bool both = ends[0] != ATEMI_NONE && ends[1] != ATEMI_NONE;
    const int  first = both || ends[0] != ATEMI_NONE ? ends[0] : ends[1];
    const int  other = both                  ? ends[1]
                       : f->h->leg_count > 0 ? body_of(f->model, f->h->legs[0].end)
                                             : body_of(f->model, 0);
    const int  trunk = first != ATEMI_NONE ? body_common(f->model, first, other) : ATEMI_NONE;
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
                            LEAST_JOINTS);
}

// Whether all limbs are fingers of one hand: an arm, bolted to something if its base does not say
// so.
static bool is_one_arm(const finding *f)
{
    const int root = body_of(f->model, 0), end = longest_limb(f, ATEMI_SIDES);
    const int hand = end == ATEMI_NONE ? ATEMI_NONE : hand_before(f, end, root);
    bool      one = end != ATEMI_NONE;
    for (int i = 0; i < atemi_model_link_count(f->model) && one; ++i) {
        one = !link_is_body(f->model, i) || body_children(f->model, i) > 0 ||
              body_is_beyond(f->model, i, hand);
    }
    return one;
}

// ---- Queries

bool atemi_limb_has_joint(const atemi_model *model, const atemi_limb *limb, int joint)
{
    const int body = atemi_model_joint(model, joint)->child_link;
    return link_is_body(model, body) && body != limb->trunk &&
           body_is_beyond(model, body, limb->trunk) &&
           body_is_beyond(model, body_of(model, limb->end), body);
}

bool atemi_limb_is_carried_by(const atemi_model *model, const atemi_limb *limb, int joint)
{
    const int body = atemi_model_joint(model, joint)->child_link;
    return link_is_body(model, body) && body_is_beyond(model, limb->trunk, body);
}

bool atemi_humanoid_is_finger(const atemi_model *model, const atemi_humanoid *humanoid, int joint)
{
    const int body = atemi_model_joint(model, joint)->child_link;
    bool      found = false;
    for (int i = 0; i < humanoid->arm_count && link_is_body(model, body); ++i) {
        const int hand = body_of(model, humanoid->arms[i].end);
        found = found || (body != hand && body_is_beyond(model, body, hand));
    }
    return found;
}

const char *atemi_outline_source_text(atemi_outline_source source)
{
    static const char *const texts[] = {
        "option", "site", "shapes", "mesh", "joints", "inertia", "length of the limb"};
    const bool known = source >= ATEMI_OUTLINE_GIVEN && source <= ATEMI_OUTLINE_LENGTH;
    ATEMI_REQUIRE_OR(known, "");
    return texts[source];
}

// ---- All of it

atemi_humanoid_options atemi_humanoid_options_default(void)
{
    return (atemi_humanoid_options){.feet = {ATEMI_NONE, ATEMI_NONE}, .hand = ATEMI_NONE};
}

atemi_humanoid_scratch atemi_humanoid_scratch_take(atemi_arena *arena, const atemi_model *model)
{
    return (atemi_humanoid_scratch){
        .kinematics = atemi_inverse_kinematics_scratch_take(arena, model, ATEMI_SIDES),
        .moving = atemi_arena_array(arena, bool, atemi_model_v_count(model)),
        .trial = atemi_arena_array(arena, double, atemi_model_q_count(model)),
        .best = atemi_arena_array(arena, double, atemi_model_q_count(model))};
}

atemi_status atemi_humanoid_find(const atemi_model *model, const double *q,
                                 const atemi_humanoid_options *options,
                                 atemi_humanoid_scratch *scratch, atemi_humanoid *humanoid,
                                 atemi_error *error)
{
    const atemi_humanoid_options defaults = atemi_humanoid_options_default();
    ATEMI_REQUIRE_OR(model && q && scratch && humanoid, ATEMI_ERROR_CONTRACT);
    *humanoid = (atemi_humanoid){.facing = upright};
    finding f = {.model = model, .options = options ? options : &defaults, .h = humanoid};
    f.outline = (outline){.model = model,
                          .data = scratch->kinematics.data,
                          .points = f.options->points,
                          .point_count = f.options->point_count,
                          .up = upright.z};
    atemi_update_kinematics(scratch->kinematics.data, q, NULL, NULL);
    find_lowest(&f);
    const bool stands = atemi_model_base(model) == ATEMI_BASE_FLOATING &&
                        (f.options->feet[0] != ATEMI_NONE || !is_one_arm(&f));
    const atemi_status status = stands ? find_legs(&f, error) : ATEMI_OK;
    return status ? status : find_arms(&f, error);
}
