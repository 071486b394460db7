// SPDX-License-Identifier: Apache-2.0

/// @file
/// The capture point of a walking pendulum, and the steps that repeat themselves.

#pragma once

/// The centre of pressure over a while: it moves evenly.
typedef struct atemi_pressure_run {
    double from, to; ///< m
    double duration; ///< s, positive
} atemi_pressure_run;

/// A step as the pendulum sees it: the runs of double and of single support, x from the middle of
/// the sole that has landed.
typedef struct atemi_pendulum_step {
    double             rate; ///< 1/s
    double             length;
    atemi_pressure_run passing, standing;
} atemi_pendulum_step;

atemi_pendulum_step atemi_pendulum_step_make(double rate, double length, double travel,
                                             double passing, double standing);

/// The centre of pressure of a run, `time` s after its start; at its end from then on.
double atemi_pressure_run_at(const atemi_pressure_run *run, double time);

/// The capture point `time` s after it was at `capture`, at the start of the run.
double atemi_capture_point_at(const atemi_pressure_run *run, double rate, double capture,
                              double time);

/// Where the capture point has to be on landing so that the next landing repeats this one.
double atemi_capture_point_on_landing(const atemi_pendulum_step *step);

/// How large an error of the capture point will be after `time`, where the pressure is shifted by
/// `gain` times the error, but not by more than `room`.
double atemi_capture_error_after(double error, double rate, double gain, double room, double time);
