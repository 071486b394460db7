// SPDX-License-Identifier: Apache-2.0

/// @file
/// Names and numbers of scenarios that are written.

#pragma once

#include "atemi/model.h"
#include "io/bytes/text.h"

/// Plain where YAML reads it as text, whatever its version; otherwise quoted.
void yaml_put_name(atemi_text *yaml, const char *name);

/// To ten decimals: what is less is rounding error.
void yaml_put(atemi_text *yaml, double value);
void yaml_put_vec3(atemi_text *yaml, atemi_vec3 v);

/// An angle in rad, to a tenth of a degree, with its unit.
void yaml_put_angle(atemi_text *yaml, double angle);

/// The positions of all joints with one coordinate that are not zero, those that slide or all
/// others, under a key of `start`; nothing without any. To all digits, so that level soles are.
void yaml_put_joints(atemi_text *yaml, const atemi_model *model, const double *q, const char *key,
                     bool slide);
