// SPDX-License-Identifier: Apache-2.0

/// @file
/// Free bodies that touch each other and a floor.

#pragma once

#include "atemi/model_builder.h"
#include "atemi/simulation.h"

enum { PILE_MOST = 128 };

typedef struct pile_setting {
    double                 friction, restitution;
    double                 step;
    bool                   floats; ///< without floor and gravity
    bool                   events; ///< by the method of events, not that of steps
    int                    max_touches;
    atemi_simulation_hooks hooks;
} pile_setting;

typedef struct pile {
    atemi_model      *model;
    atemi_simulation *simulation;
    int               first, count; ///< links
    double           *q, *v;        ///< to start with: neutral, at rest
} pile;

/// Bodies at their poses; fixed ones have the type ATEMI_JOINT_FIXED.
void pile_begin(pile *p, const atemi_scene_body *bodies, int count, const pile_setting *setting);
void pile_end(pile *p);

/// A body at a place, upright; of body `i` q has seven entries from 7 i on, and v six.
atemi_scene_body pile_body(const char *name, double mass, atemi_shape shape, atemi_vec3 size,
                           atemi_vec3 place);

void pile_start(pile *p);
void pile_run(pile *p, double time);

/// Of the state reached: of a body, and momentum and energy of all.
atemi_vec3 pile_place(const pile *p, int index);
atemi_vec3 pile_velocity(const pile *p, int index);
atemi_vec3 pile_momentum(const pile *p);
atemi_vec3 pile_moment(const pile *p); ///< of momentum, about the origin
double     pile_energy(const pile *p);
