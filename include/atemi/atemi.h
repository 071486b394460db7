// SPDX-License-Identifier: Apache-2.0

/// @file
/// All of atemi.

#pragma once

#include "atemi/base.h"
#include "atemi/blow.h"
#include "atemi/blow_derivatives.h"
#include "atemi/contact.h"
#include "atemi/control_loop.h"
#include "atemi/coordination.h"
#include "atemi/data.h"
#include "atemi/derivatives.h"
#include "atemi/dynamics.h"
#include "atemi/full_blow.h"
#include "atemi/humanoid.h"
#include "atemi/inverse_kinematics.h"
#include "atemi/job.h"
#include "atemi/joint_control.h"
#include "atemi/kinematics.h"
#include "atemi/math.h"
#include "atemi/model.h"
#include "atemi/model_builder.h"
#include "atemi/parallel.h"
#include "atemi/recording.h"
#include "atemi/robots.h"
#include "atemi/simulation.h"
#include "atemi/simulation_batch.h"
#include "atemi/strike_plan.h"
#include "atemi/strike_proposal.h"
#include "atemi/strike_verification.h"
#include "atemi/support.h"
#include "atemi/surface.h"
#include "atemi/task_sequence.h"
#include "atemi/trajectory.h"
#include "atemi/version.h"
#include "atemi/walk.h"
