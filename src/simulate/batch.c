// SPDX-License-Identifier: Apache-2.0

#include "atemi/simulation_batch.h"

#include <stdlib.h>
#include <string.h>

// A world is what a simulation saves (snapshot.c), some kilobytes, and goes on in the workspace of
// the thread that works on it, a simulation of a megabyte or more. If every world had a simulation
// of its own, those of a thousand humanoids would fill no cache: each step would wait for memory.
// Where the integrator is adaptive they have, as it remembers more than is saved.

struct atemi_simulation_batch {
    const atemi_model    *model;
    int                   count, q_count, v_count, link_count, joint_count, point_count;
    bool                  own; // worlds have workspaces of their own
    int                   workspace_count;
    atemi_simulation    **workspaces; // [workspace_count]
    atemi_held_inputs    *held;       // [workspace_count] into the rows
    size_t                saved_size; // of a world, rounded up to whole numbers
    double               *saved;      // [count x saved_size]
    atemi_error          *errors;     // [count] of the last call
    double               *tau;        // [v_count] zero: torques are given to each step
    double               *time, *q, *v, *a;
    int                  *status;
    atemi_simulation_rows rows;
    atemi_arena           arena;
};

// What a world is before it was started.
enum { NOT_STARTED = ATEMI_ERROR_CONTRACT };

// ---- Creation

static void take(atemi_simulation_batch *b, atemi_arena *arena)
{
    const int n = b->count, nv = n * b->v_count;
    b->workspaces = atemi_arena_array(arena, atemi_simulation *, b->workspace_count);
    b->held = atemi_arena_array(arena, atemi_held_inputs, b->workspace_count);
    b->errors = atemi_arena_array(arena, atemi_error, n);
    b->tau = atemi_arena_array(arena, double, b->v_count);
    b->time = atemi_arena_array(arena, double, n);
    b->q = atemi_arena_array(arena, double, n * b->q_count);
    b->v = atemi_arena_array(arena, double, nv);
    b->a = atemi_arena_array(arena, double, nv);
    b->status = atemi_arena_array(arena, int, n);
    b->rows = (atemi_simulation_rows){
        .time = b->time,
        .q = b->q,
        .v = b->v,
        .a = b->a,
        .status = b->status,
        .stiffness = atemi_arena_array(arena, double, nv),
        .damping = atemi_arena_array(arena, double, nv),
        .target = atemi_arena_array(arena, double, nv),
        .target_velocity = atemi_arena_array(arena, double, nv),
        .external = atemi_arena_array(arena, atemi_force, n * b->link_count),
    };
}

// The inputs of a workspace become those of world i.
static void hold_row(atemi_simulation_batch *b, int workspace, int i)
{
    const atemi_simulation_rows *rows = &b->rows;
    const int                    first = i * b->v_count;
    b->held[workspace] = (atemi_held_inputs){.model = b->model,
                                             .tau = b->tau,
                                             .stiffness = rows->stiffness + first,
                                             .damping = rows->damping + first,
                                             .target = rows->target + first,
                                             .target_velocity = rows->target_velocity + first,
                                             .external = rows->external + i * b->link_count};
}

static atemi_status allocate(atemi_simulation_batch *b, atemi_error *error)
{
    atemi_arena arena = atemi_arena_measuring();
    take(b, &arena);
    const atemi_status status = atemi_arena_create(&b->arena, arena.used, error);
    if (!status) {
        take(b, &b->arena);
        for (int i = 0; i < b->count; ++i) {
            b->status[i] = NOT_STARTED;
        }
    }
    return status;
}

// More threads than processors gain nothing, and would need more workspaces.
static int workspaces_for(int worlds, bool own)
{
    const int useful = atemi_parallel_processors();
    return own || useful > worlds ? worlds : useful;
}

// All worlds are like the first workspace, which has not begun.
static atemi_status allocate_worlds(atemi_simulation_batch *b, atemi_error *error)
{
    const size_t size = atemi_simulation_saved_size(b->workspaces[0]);
    b->saved_size = (size + sizeof *b->saved - 1) / sizeof *b->saved;
    if (b->own) {
        return ATEMI_OK;
    }
    b->saved = calloc((size_t)b->count * b->saved_size, sizeof *b->saved);
    if (!b->saved) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a batch of %d worlds",
                          b->count);
    }
    for (int i = 0; i < b->count; ++i) {
        atemi_simulation_save(b->workspaces[0], b->saved + (size_t)i * b->saved_size);
    }
    return ATEMI_OK;
}

atemi_status atemi_simulation_batch_create(const atemi_model *model, const atemi_surface *surfaces,
                                           int surface_count, const atemi_simulation_point *points,
                                           int point_count, const atemi_simulation_options *options,
                                           int worlds, atemi_simulation_batch **batch,
                                           atemi_error *error)
{
    ATEMI_REQUIRE_OR(model && batch, ATEMI_ERROR_CONTRACT);
    *batch = NULL;
    if (worlds < 1) {
        return atemi_fail(error, ATEMI_ERROR_INPUT, "a batch needs 1 world or more, not %d",
                          worlds);
    }
    atemi_simulation_batch *b = calloc(1, sizeof *b);
    if (!b) {
        return atemi_fail(error, ATEMI_ERROR_MEMORY, "no memory for a batch of %d worlds", worlds);
    }
    const bool own = options && options->integrator == ATEMI_INTEGRATOR_ADAPTIVE;
    *b = (atemi_simulation_batch){.model = model,
                                  .count = worlds,
                                  .own = own,
                                  .workspace_count = workspaces_for(worlds, own),
                                  .q_count = atemi_model_q_count(model),
                                  .v_count = atemi_model_v_count(model),
                                  .link_count = atemi_model_link_count(model),
                                  .joint_count = atemi_model_joint_count(model),
                                  .point_count = point_count};
    atemi_status status = allocate(b, error);
    for (int i = 0; !status && i < b->workspace_count; ++i) {
        const atemi_simulation_hooks hooks = atemi_held_inputs_hooks(&b->held[i]);
        status = atemi_simulation_create(model, surfaces, surface_count, points, point_count,
                                         options, &hooks, &b->workspaces[i], error);
    }
    status = status ? status : allocate_worlds(b, error);
    if (status) {
        atemi_simulation_batch_destroy(b);
        return status;
    }
    *batch = b;
    return ATEMI_OK;
}

void atemi_simulation_batch_destroy(atemi_simulation_batch *batch)
{
    if (!batch) {
        return;
    }
    for (int i = 0; batch->workspaces && i < batch->workspace_count; ++i) {
        atemi_simulation_destroy(batch->workspaces[i]);
    }
    free(batch->saved);
    atemi_arena_destroy(&batch->arena);
    free(batch);
}

atemi_simulation_rows atemi_simulation_batch_rows(const atemi_simulation_batch *batch)
{
    const atemi_simulation_rows none = {0};
    ATEMI_REQUIRE_OR(batch, none);
    return batch->rows;
}

// ---- Work on all worlds

typedef struct batch_call {
    atemi_simulation_batch *batch;
    const bool             *which;
    const double           *q, *v, *tau; // rows, or NULL
    int                     count;       // of steps
    int                     link;
    const atemi_transform  *place;
    atemi_point_state      *states;
    atemi_imu_reading      *readings;
    atemi_force            *wrenches;
} batch_call;

static void read_row(atemi_simulation_batch *b, const atemi_simulation *world, int i)
{
    b->time[i] = atemi_simulation_time(world);
    memcpy(b->q + i * b->q_count, atemi_simulation_q(world), (size_t)b->q_count * sizeof *b->q);
    memcpy(b->v + i * b->v_count, atemi_simulation_v(world), (size_t)b->v_count * sizeof *b->v);
    memcpy(b->a + i * b->v_count, atemi_simulation_a(world), (size_t)b->v_count * sizeof *b->a);
}

// World i, in the workspace of a thread.
static atemi_simulation *enter(atemi_simulation_batch *b, int thread, int i)
{
    const int workspace = b->own ? i : thread;
    hold_row(b, workspace, i);
    if (!b->own) {
        atemi_simulation_restore(b->workspaces[workspace], b->saved + (size_t)i * b->saved_size);
    }
    return b->workspaces[workspace];
}

// What became of it there. Without that it is as it was before.
static void keep(atemi_simulation_batch *b, const atemi_simulation *world, int i)
{
    if (!b->own) {
        atemi_simulation_save(world, b->saved + (size_t)i * b->saved_size);
    }
    read_row(b, world, i);
}

static void run(atemi_simulation_batch *b, int threads, atemi_parallel_work work, batch_call *call)
{
    const int most = b->workspace_count;
    call->batch = b;
    atemi_parallel_run(b->count, 0, threads < most ? threads : most, work, call);
}

static bool start_worlds(void *context, int thread, long begin, long end)
{
    const batch_call       *call = context;
    atemi_simulation_batch *b = call->batch;
    for (int i = (int)begin; i < (int)end; ++i) {
        if (!call->which || call->which[i]) {
            atemi_simulation *world = enter(b, thread, i);
            const double     *v = call->v ? call->v + i * b->v_count : b->tau;
            b->status[i] =
                (int)atemi_simulation_start(world, 0.0, call->q + i * b->q_count, v, &b->errors[i]);
            keep(b, world, i);
        }
    }
    return true;
}

static bool step_worlds(void *context, int thread, long begin, long end)
{
    const batch_call       *call = context;
    atemi_simulation_batch *b = call->batch;
    for (int i = (int)begin; i < (int)end; ++i) {
        if (b->status[i] != ATEMI_OK || (call->which && !call->which[i])) {
            continue;
        }
        atemi_simulation *world = enter(b, thread, i);
        const double     *tau = call->tau ? call->tau + i * b->v_count : NULL;
        for (int step = 0; step < call->count && b->status[i] == ATEMI_OK; ++step) {
            b->status[i] = (int)atemi_simulation_step(world, tau, &b->errors[i]);
        }
        keep(b, world, i);
    }
    return true;
}

/// The error of the first world, by number, that stopped in this call.
static atemi_status first_error(const atemi_simulation_batch *b, atemi_error *error)
{
    for (int i = 0; i < b->count; ++i) {
        if (b->errors[i].status != ATEMI_OK) {
            return atemi_fail(error, b->errors[i].status, "world %d: %s", i, b->errors[i].message);
        }
    }
    return ATEMI_OK;
}

static void forget_errors(atemi_simulation_batch *b)
{
    for (int i = 0; i < b->count; ++i) {
        b->errors[i].status = ATEMI_OK;
    }
}

atemi_status atemi_simulation_batch_start(atemi_simulation_batch *batch, const bool *which,
                                          const double *q, const double *v, int threads,
                                          atemi_error *error)
{
    ATEMI_REQUIRE_OR(batch && q, ATEMI_ERROR_CONTRACT);
    batch_call call = {.which = which, .q = q, .v = v};
    forget_errors(batch);
    run(batch, threads, start_worlds, &call);
    return first_error(batch, error);
}

atemi_status atemi_simulation_batch_step(atemi_simulation_batch *batch, const bool *which,
                                         const double *tau, int count, int threads,
                                         atemi_error *error)
{
    ATEMI_REQUIRE_OR(batch, ATEMI_ERROR_CONTRACT);
    batch_call call = {.which = which, .tau = tau, .count = count};
    forget_errors(batch);
    run(batch, threads, step_worlds, &call);
    return first_error(batch, error);
}

// ---- Sensors

static bool get_points(void *context, int thread, long begin, long end)
{
    const batch_call *call = context;
    for (long i = begin; i < end; ++i) {
        atemi_simulation_points_get(enter(call->batch, thread, (int)i),
                                    call->states + i * call->batch->point_count);
    }
    return true;
}

void atemi_simulation_batch_points_get(const atemi_simulation_batch *batch, int threads,
                                       atemi_point_state *states)
{
    ATEMI_REQUIRE(batch && states);
    batch_call call = {.states = states};
    run((atemi_simulation_batch *)batch, threads, get_points, &call);
}

static bool read_imus(void *context, int thread, long begin, long end)
{
    const batch_call *call = context;
    for (long i = begin; i < end; ++i) {
        call->readings[i] =
            atemi_simulation_imu(enter(call->batch, thread, (int)i), call->link, call->place);
    }
    return true;
}

void atemi_simulation_batch_imu(atemi_simulation_batch *batch, int link,
                                const atemi_transform *place, int threads,
                                atemi_imu_reading *readings)
{
    ATEMI_REQUIRE(batch && place && readings && link >= 0 && link < batch->link_count);
    batch_call call = {.link = link, .place = place, .readings = readings};
    run(batch, threads, read_imus, &call);
}

static bool read_wrenches(void *context, int thread, long begin, long end)
{
    const batch_call *call = context;
    for (long i = begin; i < end; ++i) {
        atemi_simulation_wrenches(enter(call->batch, thread, (int)i),
                                  call->wrenches + i * call->batch->joint_count);
    }
    return true;
}

void atemi_simulation_batch_wrenches(atemi_simulation_batch *batch, int threads,
                                     atemi_force *wrenches)
{
    ATEMI_REQUIRE(batch && wrenches);
    batch_call call = {.wrenches = wrenches};
    run(batch, threads, read_wrenches, &call);
}

static bool read_contact_forces(void *context, int thread, long begin, long end)
{
    const batch_call *call = context;
    for (long i = begin; i < end; ++i) {
        atemi_simulation_contact_forces(enter(call->batch, thread, (int)i),
                                        call->wrenches + i * call->batch->link_count);
    }
    return true;
}

void atemi_simulation_batch_contact_forces(atemi_simulation_batch *batch, int threads,
                                           atemi_force *forces)
{
    ATEMI_REQUIRE(batch && forces);
    batch_call call = {.wrenches = forces};
    run(batch, threads, read_contact_forces, &call);
}

// ---- Saved worlds: of each its status, then what it saves

static size_t saved_size(const atemi_simulation_batch *batch)
{
    return sizeof(int) + atemi_simulation_saved_size(batch->workspaces[0]);
}

size_t atemi_simulation_batch_saved_size(const atemi_simulation_batch *batch)
{
    ATEMI_REQUIRE_OR(batch, 0);
    return saved_size(batch) * (size_t)batch->count;
}

void atemi_simulation_batch_save(const atemi_simulation_batch *batch, void *saved)
{
    ATEMI_REQUIRE(batch && saved);
    char *to = saved;
    for (int i = 0; i < batch->count; ++i, to += saved_size(batch)) {
        memcpy(to, &batch->status[i], sizeof(int));
        atemi_simulation_save(enter((atemi_simulation_batch *)batch, 0, i), to + sizeof(int));
    }
}

void atemi_simulation_batch_restore(atemi_simulation_batch *batch, const void *saved)
{
    ATEMI_REQUIRE(batch && saved);
    const char *from = saved;
    for (int i = 0; i < batch->count; ++i, from += saved_size(batch)) {
        atemi_simulation *world = enter(batch, 0, i);
        memcpy(&batch->status[i], from, sizeof(int));
        atemi_simulation_restore(world, from + sizeof(int));
        keep(batch, world, i);
    }
}
