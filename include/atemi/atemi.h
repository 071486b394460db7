// SPDX-License-Identifier: Apache-2.0

/// @file
/// All of atemi.

#pragma once

#include "atemi/allocator.h"
#include "atemi/arena.h"
#include "atemi/bump.h"
#include "atemi/compliance.h"
#include "atemi/configuration.h"
#include "atemi/constrained_dynamics.h"
#include "atemi/constraint_space.h"
#include "atemi/contact.h"
#include "atemi/contract.h"
#include "atemi/dense.h"
#include "atemi/error.h"
#include "atemi/extended_newton_euler.h"
#include "atemi/forward_dynamics.h"
#include "atemi/impulse.h"
#include "atemi/inverse_dynamics.h"
#include "atemi/kinematics.h"
#include "atemi/log.h"
#include "atemi/mass_matrix.h"
#include "atemi/model.h"
#include "atemi/model_builder.h"
#include "atemi/momentum_matrix.h"
#include "atemi/quaternion.h"
#include "atemi/recording.h"
#include "atemi/robots.h"
#include "atemi/simulation.h"
#include "atemi/spatial.h"
#include "atemi/support.h"
#include "atemi/surface.h"
#include "atemi/urdf.h"
#include "atemi/vec3.h"
#include "atemi/version.h"
