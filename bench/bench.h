// SPDX-License-Identifier: Apache-2.0

/// @file
/// What a contender of the benchmark is: one library, in one build, behind function pointers.
///
/// Each contender is a shared object that exports bench_contenders(). The driver loads it with
/// dlopen(RTLD_LOCAL), so that builds of the same library by different compilers live in one
/// process without seeing each other.
///
/// Everything crosses this interface in one common order and convention: joints in the order of
/// bench_robot, q = base position, base quaternion x y z w, joint coordinates; v, a and tau = base
/// (linear, angular, in the base's own frame), joints; matrices row-major, linear rows first. Each
/// contender translates when it is created and when a result is read, never while it is timed.

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_EXPORT __attribute__((visibility("default")))

/// What is timed. Every operation starts from q: nothing is kept from an earlier call.
typedef enum bench_operation {
    BENCH_INVERSE_DYNAMICS, ///< [v_count] tau from q, v, a
    BENCH_MASS_MATRIX,      ///< [v_count x v_count] M from q
    BENCH_FACTOR_SOLVE,     ///< [v_count] M, its factor, and the x with M x = tau
    BENCH_FORWARD_DYNAMICS, ///< [v_count] a from q, v, tau
    BENCH_JACOBIANS,        ///< [6 x v_count] every joint's axis, as twists at the world's origin
    BENCH_LINK_JACOBIANS,   ///< [joint_count + 1][6 x v_count] of the base and every child link, in
                            ///< world axes at the link's origin
    BENCH_MOMENTUM_MATRIX,  ///< [6 x v_count] momentum about the centre of mass = A v
    BENCH_CONSTRAINED_DYNAMICS, ///< [v_count] a from q, v_still, tau with both feet held fixed
    BENCH_IMPULSE,              ///< [v_count] v after both feet have stopped dead, from q, v
    BENCH_INVERSE_DERIVATIVES,  ///< [3][v_count x v_count] of tau with respect to q, v, a
    BENCH_FORWARD_DERIVATIVES,  ///< [3][v_count x v_count] of a with respect to q, v, tau
    BENCH_MOTION_DERIVATIVES,   ///< what the derivatives of links start from
    BENCH_LINK_DERIVATIVES,     ///< [joint_count + 1][4][6 x v_count] dv/dq, da/dq, da/dv and da/da
                                ///< of the base and every child link, world axes, at its origin
    BENCH_MOMENTUM_DERIVATIVES, ///< [4][6 x v_count] of momentum with respect to q, and of its rate
                                ///< with respect to q, v, a
    BENCH_CONSTRAINED_DERIVATIVES, ///< [3][v_count x v_count] with both feet held fixed
    BENCH_IMPULSE_DERIVATIVES,     ///< [2][v_count x v_count] of v after it with respect to q, v
    BENCH_OPERATION_COUNT
} bench_operation;

typedef enum bench_joint_kind {
    BENCH_REVOLUTE,
    BENCH_CONTINUOUS,
    BENCH_PRISMATIC,
} bench_joint_kind;

enum { BENCH_NAME_SIZE = 128, BENCH_ERROR_SIZE = 1024 };

/// A body with everything that is fixed to it. `inertia` is about the centre of mass, in the axes
/// of the link, row-major.
typedef struct bench_body {
    double mass;
    double com[3];
    double inertia[9];
} bench_body;

/// A joint with one coordinate, and the body that it moves.
typedef struct bench_joint {
    char             name[BENCH_NAME_SIZE];
    bench_joint_kind kind;
    int              parent; ///< joint index, or -1 for the base
    double           axis[3];
    double           rotation[9];    ///< of the joint in its parent's frame, row-major
    double           translation[3]; ///< likewise
    double           lower, upper;
    double           armature;
    bench_body       body;
} bench_joint;

/// A link, as what it is fixed to.
typedef struct bench_link {
    char   name[BENCH_NAME_SIZE];
    int    joint;          ///< whose body carries it, or -1 for the base
    double rotation[9];    ///< of the link in that body's frame, row-major
    double translation[3]; ///< likewise
} bench_link;

/// A robot with a floating base.
typedef struct bench_robot {
    const char  *name;
    const char  *path;
    const char  *text; ///< the URDF without shapes
    bench_body   base;
    int          joint_count;
    int          q_count, v_count; ///< 7 + joint_count, 6 + joint_count
    bench_joint *joints;
    int          link_count;
    bench_link  *links;
    int          foot_count; ///< 2, or 0 where none are known
    bench_link   feet[2];
} bench_robot;

/// The states that every contender works on, one row each.
typedef struct bench_states {
    int     count;
    double *q;       ///< [count x q_count]
    double *v;       ///< [count x v_count]
    double *v_still; ///< [count x v_count] v without what moves the feet; NULL without feet
    double *a;       ///< [count x v_count]
    double *tau;     ///< [count x v_count]
} bench_states;

/// The compiler of a contender.
#ifdef __clang__
#define BENCH_COMPILER __VERSION__
#else
#define BENCH_COMPILER "GCC " __VERSION__
#endif

typedef struct bench_contender {
    const char *library;  ///< "atemi", "pinocchio", "mujoco"
    const char *version;  ///< of the library
    const char *build;    ///< compiler and variant, e.g. "gcc world"
    const char *compiler; ///< with its version

    /// Makes everything that a run needs. Robot and states outlive it.
    /// @return NULL after writing to `error` [BENCH_ERROR_SIZE]
    void *(*create)(const bench_robot *robot, const bench_states *states, char *error);
    void (*destroy)(void *self);

    /// What is timed: one operation on one state. NULL where the library has no such thing.
    void (*run[BENCH_OPERATION_COUNT])(void *self, int state);

    /// Reads what the last run left, in the shape beside bench_operation.
    void (*result)(void *self, bench_operation operation, int state, double *result);
} bench_contender;

/// What a contender exports: its variants.
BENCH_EXPORT const bench_contender *bench_contenders(int *count);

#ifdef __cplusplus
}
#endif
