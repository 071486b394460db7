// SPDX-License-Identifier: Apache-2.0

/// @file
/// Makes the scenes from the robot's file, by our own library.

#pragma once

#include "atemi/model.h"
#include "scene.h"

enum { SCENE_COUNT = 3 };

/// Scales the gains of servos and spring.
void bench_scene_scale(bench_scene *scene, double gains);

/// Makes a scene, of which the model keeps the names.
/// @param index 0 to SCENE_COUNT - 1
/// @return 0, or -1 after writing to `error` [SCENE_ERROR_SIZE]
int bench_scene_make(const atemi_model *model, const char *path, int index, bench_scene *scene,
                     char *error);
