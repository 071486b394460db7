// SPDX-License-Identifier: Apache-2.0

#include "io/robot/mesh.h"
#include "io/robot/mjcf_reader.h"

#include <math.h>

// The mass, centre and inertia of a mesh as MuJoCo's compiler has them. Each triangle D E F with
// area a, unit normal n and centre c = (D + E + F)/3 is the base of a pyramid with its tip at the
// mean o of all triangles, weighted by area:
//
//   V = sum w,   w = (c - o).n a/3,   com = sum w (3/4 c + 1/4 o) / V
//   P = sum w/20 (2 (D D^T + E E^T + F F^T) + sum over pairs (D E^T + E D^T)),   about com
//   I = tr(P) 1 - P
//
// `legacy` takes |w|, which is the same for convex meshes; a `shell` has w = a and 12 for 20.

typedef enum mesh_mass { MASS_CONVEX, MASS_EXACT, MASS_LEGACY, MASS_SHELL } mesh_mass;

typedef struct triangle {
    atemi_vec3 corners[3], center, normal; ///< normal of the length area
    double     area;
} triangle;

static atemi_vec3 vertex_at(const atemi_mesh *mesh, const atemi_mjcf_mesh_frame *frame,
                            uint32_t index)
{
    const float     *v = mesh->vertices + 3 * (size_t)index;
    const atemi_vec3 x = {(double)v[0], (double)v[1], (double)v[2]};
    return atemi_vec3_add(atemi_mat3_apply(&frame->matrix, x), frame->shift);
}

// A mirrored mesh keeps its outside by going around its triangles the other way.
static triangle triangle_at(const atemi_mesh *mesh, const atemi_mjcf_mesh_frame *frame,
                            bool mirrored, int index, atemi_vec3 origin)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)index;
    triangle        t;
    for (int i = 0; i < 3; ++i) {
        const uint32_t corner = corners[mirrored && i ? 3 - i : i];
        t.corners[i] = atemi_vec3_sub(vertex_at(mesh, frame, corner), origin);
    }
    const atemi_vec3 sum = atemi_vec3_add(atemi_vec3_add(t.corners[0], t.corners[1]), t.corners[2]);
    t.center = atemi_vec3_scale(1.0 / 3.0, sum);
    t.normal = atemi_vec3_scale(0.5, atemi_vec3_cross(atemi_vec3_sub(t.corners[1], t.corners[0]),
                                                      atemi_vec3_sub(t.corners[2], t.corners[0])));
    t.area = atemi_vec3_norm(t.normal);
    return t;
}

static double weight_of(const triangle *t, atemi_vec3 tip, mesh_mass kind)
{
    const double volume = atemi_vec3_dot(atemi_vec3_sub(t->center, tip), t->normal) / 3.0;
    return kind == MASS_SHELL ? t->area : kind == MASS_LEGACY ? fabs(volume) : volume;
}

static atemi_vec3 mean_of_faces(const atemi_mesh *mesh, const atemi_mjcf_mesh_frame *frame)
{
    const atemi_vec3 zero = {0.0, 0.0, 0.0};
    atemi_vec3       sum = zero;
    double           area = 0.0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const triangle t = triangle_at(mesh, frame, false, i, zero);
        sum = atemi_vec3_add(sum, atemi_vec3_scale(t.area, t.center));
        area += t.area;
    }
    return atemi_vec3_scale(area > 0.0 ? 1.0 / area : 0.0, sum);
}

static atemi_vec3 center_of_mass(const atemi_mesh *mesh, const atemi_mjcf_mesh_frame *frame,
                                 bool mirrored, mesh_mass kind, double *mass)
{
    const atemi_vec3 zero = {0.0, 0.0, 0.0}, tip = mean_of_faces(mesh, frame);
    atemi_vec3       sum = zero;
    *mass = 0.0;
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const triangle   t = triangle_at(mesh, frame, mirrored, i, zero);
        const double     weight = weight_of(&t, tip, kind);
        const atemi_vec3 center =
            atemi_vec3_add(atemi_vec3_scale(0.75, t.center), atemi_vec3_scale(0.25, tip));
        sum = atemi_vec3_add(sum, atemi_vec3_scale(weight, center));
        *mass += weight;
    }
    return atemi_vec3_scale(1.0 / *mass, sum);
}

// 2 (D D + E E + F F) + D E + E D + D F + F D + E F + F E, of two components
static double product(const double a[3], const double b[3])
{
    const double sum_a = a[0] + a[1] + a[2], sum_b = b[0] + b[1] + b[2];
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + sum_a * sum_b;
}

static void add_products(const triangle *t, double weight, atemi_symmetric3 *P)
{
    double x[3], y[3], z[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = t->corners[i].x;
        y[i] = t->corners[i].y;
        z[i] = t->corners[i].z;
    }
    P->xx += weight * product(x, x);
    P->yy += weight * product(y, y);
    P->zz += weight * product(z, z);
    P->xy += weight * product(x, y);
    P->xz += weight * product(x, z);
    P->yz += weight * product(y, z);
}

static atemi_inertia inertia_of(const atemi_mesh *mesh, const atemi_mjcf_mesh_frame *frame,
                                bool mirrored, mesh_mass kind)
{
    atemi_inertia    inertia = {0};
    atemi_symmetric3 P = {0};
    double           first_mass;
    const atemi_vec3 zero = {0.0, 0.0, 0.0};
    inertia.com = center_of_mass(mesh, frame, mirrored, kind, &first_mass);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const triangle t = triangle_at(mesh, frame, mirrored, i, inertia.com);
        const double   weight = weight_of(&t, zero, kind);
        inertia.mass += weight;
        add_products(&t, weight / (kind == MASS_SHELL ? 12.0 : 20.0), &P);
    }
    inertia.rotational =
        (atemi_symmetric3){P.yy + P.zz, P.xx + P.zz, P.xx + P.yy, -P.xy, -P.xz, -P.yz};
    return inertia;
}

static atemi_status load(atemi_mjcf_reader *reader, const atemi_mjcf_element *geom,
                         const atemi_mjcf_part *part, atemi_mesh *mesh)
{
    char         address[ATEMI_PATH_SIZE], path[ATEMI_PATH_SIZE];
    atemi_status status = atemi_mjcf_mesh_address(reader, part, address);
    if (status) {
        return status;
    }
    if (!address[0]) {
        return atemi_mjcf_complain(reader, part->element,
                                   "a body has its mass from this mesh, which has no file; save it "
                                   "as an .stl or .obj file, or give the body an <inertial>");
    }
    if (!atemi_mesh_search_find(reader->search, address, path)) {
        return atemi_mjcf_complain(
            reader, geom,
            "the body has no <inertial>, and the mesh file '%.200s' that its "
            "mass would be from is not found; add one of them",
            address);
    }
    return atemi_mesh_load(path, mesh, reader->error);
}

static atemi_status read_kind(const atemi_mjcf_reader *reader, const atemi_mjcf_part *part,
                              bool shell, mesh_mass *kind)
{
    static const char *const words[] = {"convex", "exact", "legacy", "shell", NULL};
    int                      index = reader->settings.exact_meshes ? MASS_EXACT : MASS_LEGACY;
    const atemi_status       status = atemi_mjcf_choice(reader, part, "inertia", words, &index);
    *kind = shell ? MASS_SHELL : (mesh_mass)index;
    if (!status && *kind == MASS_CONVEX) {
        return atemi_mjcf_complain(reader, part->element,
                                   "inertia \"convex\" is not read, and a body has its mass from "
                                   "this mesh; write \"exact\", or give the body an <inertial>");
    }
    return status;
}

atemi_status atemi_mjcf_mesh_inertia(atemi_mjcf_reader *reader, const atemi_mjcf_element *geom,
                                     const atemi_mjcf_element *mesh, bool shell,
                                     atemi_inertia *inertia)
{
    atemi_mjcf_part       part;
    atemi_mjcf_mesh_frame frame;
    atemi_vec3            scale;
    mesh_mass             kind;
    atemi_mesh            triangles = {0};
    atemi_status          status = atemi_mjcf_part_of(reader, mesh, ATEMI_MJCF_MESH, &part);
    if (!status) {
        status = read_kind(reader, &part, shell, &kind);
    }
    if (!status) {
        status = atemi_mjcf_read_mesh_frame(reader, &part, &frame, &scale);
    }
    if (!status) {
        status = load(reader, geom, &part, &triangles);
    }
    if (status) {
        return status;
    }
    *inertia = inertia_of(&triangles, &frame, scale.x * scale.y * scale.z < 0.0, kind);
    atemi_mesh_destroy(&triangles);
    if (!(inertia->mass > 0.0) || !isfinite(inertia->mass)) {
        status =
            atemi_mjcf_complain(reader, mesh,
                                "the volume of the mesh is %g, and a body has its mass from "
                                "it; close the mesh, make its triangles face outwards, or write "
                                "inertia=\"shell\"",
                                inertia->mass);
    }
    return status;
}
