// SPDX-License-Identifier: Apache-2.0

/// @file
/// The words of the tasks of a sequence, as scenarios have them.

#pragma once

/// By atemi_task_action, NULL behind the last.
extern const char *const atemi_task_action_words[];
