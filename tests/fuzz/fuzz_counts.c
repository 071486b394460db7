// SPDX-License-Identifier: Apache-2.0

#include "../support/job_runs.h"
#include "atemi/contact.h"
#include "atemi/model.h"
#include "atemi/model_builder.h"
#include "atemi/simulation.h"
#include "require.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Counts: the bytes choose how many links, joints, sites, surfaces and points there are and what
// they are like, all with values that make sense. The first byte decides between a model of the
// builder with a simulation of a few steps, and a scenario in text that the job simulate runs. What
// comes out is finite, and an error says something. Run it with
//
//   fuzz_counts -max_len=2048

enum {
    MAX_LINKS = 40,
    MAX_SURFACES = 40,
    MAX_POINTS = 150,
    FEW_POINTS = 40,
    MAX_SITES = 140, // a scenario may have 100
    MAX_TEXT = 1 << 17,
    STEPS = 2,
    TABLE = 4, // heights along each side
};

// ---- Bytes

typedef struct bytes {
    const uint8_t *data;
    size_t         size, at;
} bytes;

static int next(bytes *b)
{
    return b->at < b->size ? b->data[b->at++] : 0;
}

// From 0 to `most`: mostly a few, often some tens, now and then many, which take long.
static int count_of(bytes *b, int most)
{
    const int kind = next(b);
    const int whole = kind % 8 < 4 ? 5 : kind % 8 < 7 ? 70 : most;
    return (next(b) + 256 * (kind / 8)) % ((whole < most ? whole : most) + 1);
}

static double between(bytes *b, double low, double high)
{
    return low + (high - low) * next(b) / 255.0;
}

static atemi_vec3 vector(bytes *b, double size)
{
    const double x = between(b, -size, size), y = between(b, -size, size);
    return (atemi_vec3){x, y, between(b, -size, size)};
}

static atemi_vec3 direction(bytes *b)
{
    const atemi_vec3 d = vector(b, 1.0);
    const double     size = atemi_vec3_norm(d);
    return size > 0.1 ? atemi_vec3_scale(1.0 / size, d) : (atemi_vec3){0.0, 0.0, 1.0};
}

static void require_finite(const double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        require(isfinite(x[i]));
    }
}

// ---- A model of the builder

static void add_links(bytes *b, int count, atemi_model_builder *builder, atemi_error *error)
{
    for (int i = 0; i < count; ++i) {
        char         name[16], parent[16];
        const double m = i && next(b) % 8 == 0 ? 0.0 : between(b, 0.01, 20.0);
        const double I = 0.01 * m;
        snprintf(name, sizeof name, "l%d", i);
        atemi_model_builder_add_link(
            builder,
            &(atemi_link_description){.name = name,
                                      .inertia = {m, vector(b, 0.1), {.xx = I, .yy = I, .zz = I}}},
            error);
        if (i) {
            atemi_joint_description joint = atemi_joint_description_default();
            snprintf(parent, sizeof parent, "l%d", next(b) % i);
            joint.name = name;
            joint.parent = parent;
            joint.child = name;
            joint.type = (atemi_joint_type)(next(b) % 6);
            joint.axis = direction(b);
            joint.origin.position = vector(b, 0.3);
            joint.damping = next(b) % 2 ? between(b, 0.0, 5.0) : 0.0;
            joint.friction = next(b) % 4 ? 0.0 : between(b, 0.0, 2.0);
            joint.armature = next(b) % 2 ? 0.01 : 0.0;
            atemi_model_builder_add_joint(builder, &joint, error);
        }
    }
}

static void add_sites(bytes *b, int links, atemi_model_builder *builder, atemi_error *error)
{
    const int count = count_of(b, MAX_SITES);
    for (int i = 0; i < count; ++i) {
        char                   name[16], link[16];
        atemi_site_description site = {
            .name = name, .link = link, .pose = atemi_transform_identity()};
        snprintf(name, sizeof name, "s%d", i);
        snprintf(link, sizeof link, "l%d", next(b) % links);
        site.size_x = between(b, 0.0, 0.2);
        site.size_y = between(b, 0.0, 0.2);
        atemi_model_builder_add_site(builder, &site, error);
    }
}

static atemi_model *model_of(bytes *b)
{
    atemi_model_builder *builder;
    atemi_model         *model = NULL;
    atemi_error          error = {0};
    atemi_model_options  options = atemi_model_options_default();
    if (atemi_model_builder_create("counts", NULL, &builder, &error)) {
        return NULL;
    }
    const int links = 1 + count_of(b, MAX_LINKS - 1);
    options.base = (atemi_base)(next(b) % 8 < 4 ? ATEMI_BASE_FLOATING : next(b) % 4);
    add_links(b, links, builder, &error);
    add_sites(b, links, builder, &error);
    if (!error.status) {
        const atemi_status status = atemi_model_builder_finish(builder, &options, &model, &error);
        require(status == error.status);
    }
    require(model || strlen(error.message) > 0);
    atemi_model_builder_destroy(builder);
    return model;
}

// ---- A simulation

typedef struct world {
    int                    surface_count, point_count;
    atemi_surface          surfaces[MAX_SURFACES];
    double                 heights[TABLE * TABLE];
    atemi_simulation_point points[MAX_POINTS];
    atemi_spring_damper    spring;
    atemi_compliance       soft;
    atemi_force            push;
    int                    pushed;
} world;

static void make_surfaces(bytes *b, int links, world *w)
{
    w->surface_count = 1 + count_of(b, MAX_SURFACES - 1);
    for (int i = 0; i < TABLE * TABLE; ++i) {
        w->heights[i] = between(b, -0.05, 0.0);
    }
    for (int i = 0; i < w->surface_count; ++i) {
        atemi_surface *s = &w->surfaces[i];
        *s = atemi_surface_floor();
        const int kind = next(b) % 8;
        if (i == 0 || kind >= 4) {
            continue;
        }
        s->kind = (atemi_surface_kind)kind;
        s->axis = direction(b);
        s->position = atemi_vec3_scale(-0.5, s->axis);
        s->radius = 0.5;
        s->table = (atemi_height_table){TABLE, TABLE, 0.3, 0.3, w->heights};
        s->carried = next(b) % 8 == 0 && s->kind != ATEMI_SURFACE_HEIGHTS;
        s->link = next(b) % links;
    }
}

// Three of four stand at one height, as those of a sole do. Many points do not bounce: a rebound of
// a hundred at once takes seconds.
static void make_points(bytes *b, int links, world *w)
{
    w->spring.stiffness = between(b, 1e3, 1e5);
    w->spring.damping = between(b, 0.0, 100.0);
    w->soft = atemi_compliance_kelvin_voigt(&w->spring);
    w->point_count = count_of(b, MAX_POINTS);
    const int link = next(b) % links, alone = next(b) % 2;
    for (int i = 0; i < w->point_count; ++i) {
        atemi_simulation_point *p = &w->points[i];
        const int               kind = next(b);
        p->link = alone ? link : next(b) % links;
        p->surface = kind % 4 ? 0 : next(b) % w->surface_count;
        p->point = vector(b, 0.2);
        p->point.z = kind % 4 ? -0.1 : p->point.z;
        p->static_friction = kind & 16 ? 0.5 : between(b, 0.0, 2.0);
        p->kinetic_friction = kind & 32 ? p->static_friction : 0.5 * p->static_friction;
        p->restitution = kind & 64 || w->point_count > FEW_POINTS ? 0.0 : between(b, 0.0, 1.0);
        p->radius = kind % 32 == 5 ? 0.05 : 0.0;
        p->tied = kind % 32 == 9;
        p->compliance = kind % 16 == 3 || w->surfaces[p->surface].carried ? &w->soft : NULL;
    }
}

static double gap_of(const world *w, const atemi_data *k, int i)
{
    const atemi_simulation_point *p = &w->points[i];
    const atemi_transform         pose = atemi_link_pose(k, p->link);
    return atemi_surface_look(&w->surfaces[p->surface], atemi_transform_apply(&pose, p->point))
               .gap -
           p->radius;
}

// A start that makes sense: no rigid point is inside its surface, the lowest stands on the floor,
// or nearly, and only what stands there is tied to it.
static void set_down(bytes *b, const atemi_model *model, const double *q, world *w)
{
    atemi_data *k;
    double      lowest = INFINITY;
    require(!atemi_data_create(model, NULL, &k, NULL));
    atemi_update_kinematics(k, q, NULL, NULL);
    for (int i = 0; i < w->point_count; ++i) {
        atemi_simulation_point *p = &w->points[i];
        if (!p->compliance && gap_of(w, k, i) < 1e-3) {
            p->surface = 0;
        }
        lowest = p->surface ? lowest : fmin(lowest, gap_of(w, k, i));
    }
    const double off = next(b) % 2 ? 0.0 : between(b, 0.0, 1e-3);
    w->surfaces[0].position.z = isfinite(lowest) ? lowest - off : -1.0;
    for (int i = 0; i < w->point_count; ++i) {
        w->points[i].tied = w->points[i].tied && gap_of(w, k, i) < 1e-10;
    }
    atemi_data_destroy(k);
}

static void push(void *context, double time, atemi_force *forces)
{
    const world *w = (const world *)context;
    (void)time;
    forces[w->pushed] = atemi_force_add(forces[w->pushed], w->push);
}

static void check_state(const atemi_model *model, const atemi_simulation *s, const world *w)
{
    require_finite(atemi_simulation_q(s), atemi_model_q_count(model));
    require_finite(atemi_simulation_v(s), atemi_model_v_count(model));
    for (int i = 0; i < w->point_count; ++i) {
        const atemi_vec3 f = atemi_simulation_force(s, i), x = atemi_simulation_position(s, i);
        require(isfinite(f.x + f.y + f.z) && isfinite(x.x + x.y + x.z));
        require(isfinite(atemi_simulation_gap(s, i)));
    }
}

// What is wrong is told; a state that was reached is finite all the same.
static void run(bytes *b, const atemi_model *model, world *w, const double *q, const double *v)
{
    const atemi_simulation_hooks hooks = {.external_forces = push, .context = w};
    atemi_simulation            *s;
    atemi_error                  error = {0};
    w->push.linear = vector(b, 100.0);
    w->push.angular = vector(b, 10.0);
    w->pushed = next(b) % atemi_model_link_count(model);
    atemi_status status = atemi_simulation_create(model, w->surfaces, w->surface_count, w->points,
                                                  w->point_count, NULL, &hooks, &s, &error);
    require(status == error.status);
    if (status) {
        require(strlen(error.message) > 0);
        return;
    }
    status = atemi_simulation_start(s, 0.0, q, v, &error);
    for (int i = 1; i <= STEPS && !status; ++i) {
        check_state(model, s, w);
        status = atemi_simulation_run(s, 1e-3 * i, &error);
    }
    require(status == error.status && (!status || strlen(error.message) > 0));
    check_state(model, s, w);
    atemi_simulation_destroy(s);
}

// ---- A stance

static void stand(bytes *b, const atemi_model *model, const world *w, const double *q)
{
    atemi_data         *data = NULL;
    const int           count = w->point_count, n = atemi_model_v_count(model);
    atemi_contact_point points[MAX_POINTS];
    atemi_vec3          forces[MAX_POINTS];
    double             *tau = (double *)calloc((size_t)n + 1, sizeof *tau);
    double             *a = (double *)calloc((size_t)n + 1, sizeof *a);
    require(tau && a && !atemi_data_create(model, NULL, &data, NULL));
    for (int i = 0; i < count; ++i) {
        points[i] = (atemi_contact_point){w->points[i].link, w->points[i].point};
    }
    for (int i = 0; i < n; ++i) {
        a[i] = between(b, -3.0, 3.0);
    }
    const atemi_stance_support support =
        atemi_stance_dynamics(data, q, NULL, a, NULL, points, count, tau, forces);
    require_finite(tau, n);
    for (int i = 0; i < count; ++i) {
        require(isfinite(forces[i].x + forces[i].y + forces[i].z));
        require(support != ATEMI_STANCE_PUSHES || forces[i].z >= -1e-9);
    }
    atemi_data_destroy(data);
    free(tau);
    free(a);
}

static void build_and_run(bytes *b)
{
    atemi_model *model = model_of(b);
    if (!model) {
        return;
    }
    world  *w = (world *)calloc(1, sizeof *w);
    double *q = (double *)calloc((size_t)atemi_model_q_count(model) + 1, sizeof *q);
    double *v = (double *)calloc((size_t)atemi_model_v_count(model) + 1, sizeof *v);
    require(w && q && v);
    make_surfaces(b, atemi_model_link_count(model), w);
    make_points(b, atemi_model_link_count(model), w);
    atemi_configuration_neutral(model, q);
    set_down(b, model, q, w);
    for (int i = 0; i < atemi_model_v_count(model); ++i) {
        v[i] = next(b) % 4 ? 0.0 : between(b, -1.0, 1.0);
    }
    stand(b, model, w, q);
    run(b, model, w, q, v);
    atemi_model_destroy(model);
    free(w);
    free(q);
    free(v);
}

// ---- A scenario in text

typedef struct text {
    char  *bytes;
    size_t size;
} text;

__attribute__((format(printf, 2, 3))) static void write(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(t->bytes + t->size, MAX_TEXT - t->size, format, arguments);
    va_end(arguments);
    t->size = t->size + (size_t)more < MAX_TEXT ? t->size + (size_t)more : MAX_TEXT - 1;
}

static void write_vector(text *t, atemi_vec3 v)
{
    write(t, "[%.4f, %.4f, %.4f]", v.x, v.y, v.z);
}

static void write_sites(bytes *b, text *t)
{
    const int count = count_of(b, MAX_SITES);
    write(t, count ? "sites:\n" : "");
    for (int i = 0; i < count; ++i) {
        write(t, "  - {name: s%d, link: upper_body, point: ", i);
        write_vector(t, vector(b, 0.3));
        write(t, next(b) % 2 ? ", size: [0.1, 0.1]}\n" : "}\n");
    }
}

static int write_surfaces(bytes *b, text *t)
{
    static const char *const kinds[] = {"plane", "sphere", "cylinder"};
    const int                count = count_of(b, MAX_SURFACES);
    write(t, "surfaces:\n  floor: {}\n");
    for (int i = 0; i < count; ++i) {
        const char *kind = kinds[next(b) % 3];
        write(t, "  f%d: {kind: %s, position: ", i, kind);
        write_vector(t, vector(b, 3.0));
        write(t, strcmp(kind, "plane") == 0 ? "}\n" : ", radius: 0.2}\n");
    }
    return count;
}

static void write_points(bytes *b, int count, text *t)
{
    for (int k = 0; k < count; ++k) {
        write(t, k ? ", " : "");
        write_vector(t, vector(b, 0.1));
    }
}

// A crowd is more than a scenario may have; others are as many as run in a moment.
static void write_contacts(bytes *b, int surfaces, text *t)
{
    const bool crowd = next(b) % 32 == 31;
    const int  count = count_of(b, 20);
    int        left = 80;
    write(t, count || crowd ? "contacts:\n" : "");
    for (int i = 0; i < count; ++i) {
        const int    wanted = count_of(b, 100), points = wanted < left ? wanted : left;
        const int    kind = next(b);
        const double friction = between(b, 0.0, 1.5);
        write(t, "  - {name: c%d, link: %s, friction: %.3f", i,
              kind & 1 ? "right_foot" : "left_foot", friction);
        if (surfaces && kind & 2) {
            write(t, ", surface: f%d", (kind >> 4) % surfaces);
        }
        write(t, "%s, points: [", kind & 4 ? ", compliance: {}" : "");
        write_points(b, points, t);
        write(t, "]}\n");
        left -= points;
    }
    if (crowd) {
        write(t, "  - {name: crowd, link: right_foot, points: [");
        write_points(b, 1001, t);
        write(t, "]}\n");
    }
}

// A robot that touches nothing has no ZMP.
static void check_recording(const atemi_recording *recording)
{
    for (int c = 0; c < atemi_recording_channel_count(recording); ++c) {
        if (strcmp(atemi_recording_channel(recording, c)->group, "zmp") != 0) {
            require_finite(atemi_recording_values(recording, c),
                           atemi_recording_row_count(recording));
        }
    }
}

static void write_and_run(bytes *b)
{
    text             t = {.bytes = (char *)malloc(MAX_TEXT)};
    atemi_recording *recording;
    atemi_error      error = {0};
    require(t.bytes != NULL);
    write(&t, "robot: humanoid17\nduration: 1 ms\nstart: {place_on: floor}\n");
    write_sites(b, &t);
    write_contacts(b, write_surfaces(b, &t), &t);
    const int pushes = count_of(b, 60);
    write(&t, pushes ? "forces:\n" : "");
    for (int i = 0; i < pushes; ++i) {
        write(&t, "  - {link: right_foot, force: ");
        write_vector(&t, vector(b, 5.0));
        write(&t, "}\n");
    }
    const atemi_status status =
        job_simulate_text(t.bytes, t.size, "counts.yaml", NULL, &recording, &error);
    require(status == error.status);
    require(status != ATEMI_ERROR_INPUT || (error.line > 0 && error.column > 0));
    require(!status || strlen(error.message) > 0);
    if (!status) {
        check_recording(recording);
    }
    atemi_recording_destroy(recording);
    free(t.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    atemi_set_contract_handler(require_no_violation, NULL);
    if (next(&b) % 4 == 0) {
        write_and_run(&b);
    } else {
        build_and_run(&b);
    }
    return 0;
}
