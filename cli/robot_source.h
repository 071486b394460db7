// SPDX-License-Identifier: Apache-2.0

/// @file
/// The robot that a subcommand works on: a shipped one by its name, a file, or standard input.

#pragma once

#include "arguments.h"

#include "atemi/model.h"

/// What the user said about the robot. Zero-initialized: nothing.
typedef struct robot_request {
    const char *source; ///< a shipped robot's name, a path, or "-" for standard input
    const char *base;
    const char *gravity;
    const char *package_path;
    const char *srdf;
    const char *mimic;
    bool        shipped; ///< the source is a shipped robot, whatever files there are
} robot_request;

/// The entries of a subcommand's tables of arguments.
#define ROBOT_POSITIONAL(request)                                                                  \
    {.name = "ROBOT|FILE",                                                                         \
     .help = "a shipped robot (see 'atemi robots'), a file (URDF,\n"                               \
             "MJCF), or - for standard input",                                                     \
     .text = &(request)->source}
#define ROBOT_OPTIONS(request)                                                                     \
    {.name = "base",                                                                               \
     .value = "BASE",                                                                              \
     .help = "fixed, planar (x, y, rotation about z), sagittal\n"                                  \
             "(x, z, rotation about y), floating; default: see below",                             \
     .text = &(request)->base},                                                                    \
        {.name = "gravity",                                                                        \
         .value = "X,Y,Z",                                                                         \
         .help = "in m/s^2, default 0,0,-9.81",                                                    \
         .text = &(request)->gravity},                                                             \
        {.name = "package-path",                                                                   \
         .value = "PATH",                                                                          \
         .help = "folders separated by ':' that hold the packages of\n"                            \
                 "package:// names, before ROS_PACKAGE_PATH",                                      \
         .text = &(request)->package_path},                                                        \
        {.name = "srdf",                                                                           \
         .value = "FILE",                                                                          \
         .help = "the robot's SRDF: postures, and pairs of links that\n"                           \
                 "do not touch",                                                                   \
         .text = &(request)->srdf},                                                                \
    {                                                                                              \
        .name = "mimic", .value = "HOW",                                                           \
        .help = "coupled (default): mimic joints follow their joint;\n"                            \
                "independent: they have coordinates of their own",                                 \
        .text = &(request)->mimic                                                                  \
    }

/// For the notes of a subcommand: how a source is understood and how the base is chosen.
#define ROBOT_NOTES                                                                                \
    "The outermost element of a file, <robot> or <mujoco>, tells URDF from MJCF.\n"                \
    "A name without '/', '.urdf' and '.xml' is a shipped robot, unless a file of\n"                \
    "that name exists. Without --base, the base floats if the root link (with all\n"               \
    "that is fixed to it) has mass; it is fixed if the root link has no mass or is\n"              \
    "named 'world'. The root of an MJCF file is its free body, or else the world.\n"

typedef struct loaded_robot {
    atemi_model *model;
    const char  *base_reason; ///< why it has this base, e.g. "as asked"
} loaded_robot;

/// Loads the robot, or says on stderr why not.
/// @return EXIT_DONE, or an exit code
int robot_open(const robot_request *request, loaded_robot *robot);

/// Releases the robot; harmless after a failed robot_open().
void robot_close(loaded_robot *robot);

/// Tells of every link whether it moves when the base is fixed: whether a joint that is not fixed
/// lies before it. O(links).
/// @param moving [link_count]
void robot_mark_moving(const atemi_model *model, bool *moving);
