// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mjcf_reader.h"

// The inertia of geoms of even density, about the centre, with radius r, half lengths a, b, c:
//
//   sphere     V = 4/3 pi r^3     I = 2/5 m r^2
//   ellipsoid  V = 4/3 pi a b c   I = m/5 (b^2 + c^2, a^2 + c^2, a^2 + b^2)
//   box        V = 8 a b c        I = m/3 (b^2 + c^2, a^2 + c^2, a^2 + b^2)
//   cylinder   V = 2 pi r^2 b     I_z = m/2 r^2,  I_x = m (r^2/4 + b^2/3)
//   capsule    a cylinder (mass m_c) and two half spheres (m_s together) at both ends:
//              I_z = m_c r^2/2 + 2/5 m_s r^2,
//              I_x = m_c (r^2/4 + b^2/3) + m_s (2/5 r^2 + b^2 + 3/4 b r)
//
// since the centre of a half sphere is 3/8 r from its plane.

static const double pi = 3.14159265358979323846;

// For density 1: the mass is the volume.
static atemi_inertia box_like(double volume, double factor, atemi_vec3 s)
{
    const double a = s.x * s.x, b = s.y * s.y, c = s.z * s.z, f = volume * factor;
    return (atemi_inertia){.mass = volume,
                           .rotational = {f * (b + c), f * (a + c), f * (a + b), 0.0, 0.0, 0.0}};
}

static atemi_inertia cylinder(double r, double b)
{
    const double m = 2.0 * pi * r * r * b, across = m * (r * r / 4.0 + b * b / 3.0);
    return (atemi_inertia){.mass = m,
                           .rotational = {across, across, m * r * r / 2.0, 0.0, 0.0, 0.0}};
}

static atemi_inertia capsule(double r, double b)
{
    const double  m = 4.0 / 3.0 * pi * r * r * r, along = 0.4 * m * r * r;
    const double  across = m * (0.4 * r * r + b * b + 0.75 * b * r);
    atemi_inertia whole = cylinder(r, b);
    whole.mass += m;
    whole.rotational.xx += across;
    whole.rotational.yy += across;
    whole.rotational.zz += along;
    return whole;
}

static atemi_inertia simple_inertia(const atemi_mjcf_geom *geom)
{
    const atemi_vec3 s = geom->size;
    switch (geom->type) {
    case ATEMI_MJCF_SPHERE:
        return box_like(4.0 / 3.0 * pi * s.x * s.x * s.x, 0.2, (atemi_vec3){s.x, s.x, s.x});
    case ATEMI_MJCF_ELLIPSOID:
        return box_like(4.0 / 3.0 * pi * s.x * s.y * s.z, 0.2, s);
    case ATEMI_MJCF_BOX:
        return box_like(8.0 * s.x * s.y * s.z, 1.0 / 3.0, s);
    case ATEMI_MJCF_CYLINDER:
        return cylinder(s.x, s.y);
    case ATEMI_MJCF_CAPSULE:
        return capsule(s.x, s.y);
    default:
        return (atemi_inertia){0}; // planes and height fields weigh nothing
    }
}

static atemi_inertia scaled(atemi_inertia inertia, double factor)
{
    atemi_symmetric3 *I = &inertia.rotational;
    inertia.mass *= factor;
    I->xx *= factor;
    I->yy *= factor;
    I->zz *= factor;
    I->xy *= factor;
    I->xz *= factor;
    I->yz *= factor;
    return inertia;
}

static atemi_status inertia_for_density_1(atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                          atemi_inertia *inertia)
{
    bool         shell = false;
    atemi_status status = atemi_mjcf_flag(reader, &geom->part, "shellinertia", &shell);
    if (status) {
        return status;
    }
    if (geom->type == ATEMI_MJCF_GEOM_MESH) {
        return atemi_mjcf_mesh_inertia(reader, geom->element, geom->mesh, shell, inertia);
    }
    if (geom->fitted || geom->type == ATEMI_MJCF_SDF || shell) {
        return atemi_mjcf_complain(reader, geom->element,
                                   "the body has its mass from a geom %s, which is not read; give "
                                   "the body an <inertial>",
                                   shell          ? "with shellinertia"
                                   : geom->fitted ? "that is fitted to a mesh"
                                                  : "of a signed distance");
    }
    *inertia = simple_inertia(geom);
    return ATEMI_OK;
}

atemi_status atemi_mjcf_geom_inertia(atemi_mjcf_reader *reader, const atemi_mjcf_geom *geom,
                                     atemi_inertia *inertia)
{
    double       mass = -1.0, density = 1000.0;
    atemi_status status = atemi_mjcf_number(reader, &geom->part, "density", &density);
    *inertia = (atemi_inertia){0};
    if (!status) {
        status = atemi_mjcf_number(reader, &geom->part, "mass", &mass);
    }
    if (!status && (density < 0.0 || (mass < 0.0 && atemi_mjcf_value(&geom->part, "mass")))) {
        status = atemi_mjcf_complain(reader, geom->element,
                                     "mass or density is negative; give 0 or more");
    }
    if (status || mass == 0.0 || (mass < 0.0 && density == 0.0)) {
        return status;
    }
    status = inertia_for_density_1(reader, geom, inertia);
    if (!status && inertia->mass > 0.0) {
        *inertia = scaled(*inertia, mass > 0.0 ? mass / inertia->mass : density);
        *inertia = atemi_inertia_transformed(inertia, &geom->pose);
    }
    return status;
}
