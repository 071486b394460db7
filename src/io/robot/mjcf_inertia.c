// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

#include <math.h>

// The inertia of a body: what <inertial> says, or the sum over its geoms. The compiler may then
// raise the mass and the principal moments to its bounds, and make moments that no body can have
// (A + B < C) equal to their mean. That needs the principal axes: Jacobi's rotations.

enum { MOST_SWEEPS = 30 };

// ---- Principal axes

// Turns the axes p and q so that S[p][q] vanishes: S := J^T S J, R := R J.
static void rotate(double S[3][3], double R[3][3], int p, int q)
{
    if (S[p][q] == 0.0) {
        return;
    }
    const double theta = (S[q][q] - S[p][p]) / (2.0 * S[p][q]);
    const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double x = S[k][p], y = S[k][q];
        S[k][p] = c * x - s * y;
        S[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        const double x = S[p][k], y = S[q][k], u = R[k][p], w = R[k][q];
        S[p][k] = c * x - s * y;
        S[q][k] = s * x + c * y;
        R[k][p] = c * u - s * w;
        R[k][q] = s * u + c * w;
    }
}

// I = R diag(moments) R^T
static void find_principal(const atemi_symmetric3 *I, double moments[3], atemi_mat3 *axes)
{
    double S[3][3] = {{I->xx, I->xy, I->xz}, {I->xy, I->yy, I->yz}, {I->xz, I->yz, I->zz}};
    double R[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
        rotate(S, R, 0, 1);
        rotate(S, R, 0, 2);
        rotate(S, R, 1, 2);
    }
    for (int i = 0; i < 3; ++i) {
        moments[i] = S[i][i];
    }
    *axes = (atemi_mat3){
        {R[0][0], R[1][0], R[2][0]}, {R[0][1], R[1][1], R[2][1]}, {R[0][2], R[1][2], R[2][2]}};
}

// ---- What the compiler changes

static bool is_impossible(const double m[3])
{
    return m[0] + m[1] < m[2] || m[0] + m[2] < m[1] || m[1] + m[2] < m[0];
}

static void apply_bounds(const atemi_mjcf_settings *settings, atemi_inertia *inertia)
{
    double     m[3];
    atemi_mat3 axes;
    inertia->mass = fmax(inertia->mass, settings->bound_mass);
    if (settings->bound_inertia <= 0.0 && !settings->balance_inertia) {
        return;
    }
    find_principal(&inertia->rotational, m, &axes);
    bool changed = false;
    for (int i = 0; i < 3; ++i) {
        changed = changed || m[i] < settings->bound_inertia;
        m[i] = fmax(m[i], settings->bound_inertia);
    }
    if (settings->balance_inertia && is_impossible(m)) {
        m[0] = m[1] = m[2] = (m[0] + m[1] + m[2]) / 3.0;
        changed = true;
    }
    if (changed) {
        const atemi_symmetric3 principal = {m[0], m[1], m[2], 0.0, 0.0, 0.0};
        inertia->rotational = atemi_symmetric3_rotated(&principal, &axes);
    }
}

void atemi_mjcf_set_total_mass(const atemi_mjcf_reader *reader)
{
    const atemi_urdf_document *document = reader->document;
    double                     mass = 0.0;
    for (int i = 0; i < document->link_count; ++i) {
        mass += document->links[i].inertia.mass;
    }
    if (!(reader->settings.total_mass > 0.0) || !(mass > 0.0)) {
        return;
    }
    const double factor = reader->settings.total_mass / mass;
    for (int i = 0; i < document->link_count; ++i) {
        atemi_inertia    *inertia = &document->links[i].inertia;
        atemi_symmetric3 *I = &inertia->rotational;
        inertia->mass *= factor;
        *I = (atemi_symmetric3){I->xx * factor, I->yy * factor, I->zz * factor,
                                I->xy * factor, I->xz * factor, I->yz * factor};
    }
}

// ---- <inertial>

static atemi_status read_moments(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                                 atemi_symmetric3 *I)
{
    double       diagonal[3] = {0.0, 0.0, 0.0}, full[6];
    const bool   is_full = atemi_mjcf_value(part, "fullinertia") != NULL;
    atemi_status status = atemi_mjcf_numbers(reader, part, "diaginertia", 3, diagonal);
    *I = (atemi_symmetric3){diagonal[0], diagonal[1], diagonal[2], 0.0, 0.0, 0.0};
    if (!status && is_full && atemi_mjcf_value(part, "diaginertia")) {
        status = atemi_mjcf_complain(reader, part->element,
                                     "both diaginertia and fullinertia; remove one of them");
    }
    if (!status && is_full) {
        status = atemi_mjcf_numbers(reader, part, "fullinertia", 6, full);
        *I = (atemi_symmetric3){full[0], full[1], full[2], full[3], full[4], full[5]};
    }
    return status;
}

static atemi_status read_inertial(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                                  atemi_inertia *inertia)
{
    atemi_mjcf_part part;
    atemi_transform pose;
    atemi_status    status = atemi_mjcf_part_of(reader, element, ATEMI_MJCF_INERTIAL, &part);
    if (!status && !atemi_mjcf_value(&part, "mass")) {
        status = atemi_mjcf_complain(reader, element, "attribute mass is missing; give it in kg");
    }
    if (!status) {
        status = atemi_mjcf_size(reader, &part, "mass", &inertia->mass);
    }
    if (!status) {
        status = atemi_mjcf_pose(reader, &part, &pose);
    }
    if (!status) {
        status = read_moments(reader, &part, &inertia->rotational);
    }
    if (!status) {
        const atemi_transform frame = atemi_mjcf_frame(reader, element);
        pose = atemi_transform_compose(&frame, &pose);
        inertia->com = pose.position;
        inertia->rotational = atemi_symmetric3_rotated(&inertia->rotational, &pose.rotation);
    }
    return status;
}

// ---- Bodies

static atemi_status add_geom(atemi_mjcf_reader *reader, const atemi_mjcf_element *element,
                             atemi_inertia *sum)
{
    atemi_mjcf_geom geom;
    double          group = 0.0;
    atemi_inertia   inertia = {0};
    atemi_status    status = atemi_mjcf_read_geom(reader, element, &geom);
    if (!status) {
        status = atemi_mjcf_number(reader, &geom.part, "group", &group);
    }
    if (!status && group >= reader->settings.inertia_groups[0] &&
        group <= reader->settings.inertia_groups[1]) {
        status = atemi_mjcf_geom_inertia(reader, &geom, &inertia);
        *sum = atemi_inertia_add(sum, &inertia);
    }
    return status;
}

static const atemi_mjcf_element *find_inertial(const atemi_mjcf_element *body)
{
    const atemi_mjcf_element *at = body->first;
    while (at && !atemi_mjcf_is_named(at, "inertial")) {
        at = atemi_mjcf_next(body, at, atemi_mjcf_is_named(at, "frame"));
    }
    return at;
}

atemi_status atemi_mjcf_body_inertia(atemi_mjcf_reader *reader, const atemi_mjcf_element *body,
                                     atemi_inertia *inertia)
{
    const atemi_mjcf_element *inertial = find_inertial(body);
    const atemi_mjcf_switch   by_geoms = reader->settings.inertia_from_geom;
    atemi_status              status = ATEMI_OK;
    *inertia = (atemi_inertia){0};
    if (inertial && by_geoms != ATEMI_MJCF_TRUE) {
        status = read_inertial(reader, inertial, inertia);
    } else if (by_geoms != ATEMI_MJCF_FALSE) {
        for (const atemi_mjcf_element *at = body->first; at && !status;
             at = atemi_mjcf_next(body, at, atemi_mjcf_is_named(at, "frame"))) {
            status = atemi_mjcf_is_named(at, "geom") ? add_geom(reader, at, inertia) : ATEMI_OK;
        }
    }
    if (!status) {
        apply_bounds(&reader->settings, inertia);
    }
    return status;
}
