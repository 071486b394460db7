// SPDX-License-Identifier: Apache-2.0

/// @file
/// The bodies of a robot: links that fixed joints hold together, named by the link nearest to the
/// root.

#pragma once

#include "atemi/model.h"

/// The body of a link.
int atemi_body_of(const atemi_model *model, int link);

/// The joint that moves a body, and the body before it; ATEMI_NONE for the root.
int atemi_body_joint(const atemi_model *model, int body);
int atemi_body_above(const atemi_model *model, int body);

/// Whether a body is another one, or comes after it.
bool atemi_body_is_beyond(const atemi_model *model, int body, int other);

/// The number of joints that move between the root and a body.
int atemi_body_depth(const atemi_model *model, int body);

/// How many bodies come right after one.
int atemi_body_children(const atemi_model *model, int body);

/// The last body that comes before both.
int atemi_body_common(const atemi_model *model, int a, int b);

/// Whether a link is a body: joints hold it that are not fixed, or it is the root.
bool atemi_link_is_body(const atemi_model *model, int link);
