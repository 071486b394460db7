// SPDX-License-Identifier: Apache-2.0

/// @file
/// Layer io. Recordings: what a job of atemi leaves behind. Numbers over time, the events between
/// them, the results, tables, the robot and the scenario.
///
/// A recording lives in memory, whether a job fills it or a folder is loaded, and can be written to
/// a folder, which then holds all of it or is as it was before. What is written is loaded again bit
/// by bit. The folder's format stands in docs/recordings.md. The rows of a long recording can go to
/// the folder as they come: atemi_recording_stream_to().
///
///     const atemi_channel channels[] = {{"t", "s"}, {"q.knee", "rad"}};
///     atemi_recording_create(2, channels, &recording, &error);
///     ... atemi_recording_append(recording, (double[]){t, q}, &error); ...
///     atemi_recording_write(recording, "run1", &error);
///
/// A job without time, a sweep for one, has results and tables, and no rows.
///
/// Any number of threads may read a recording that none changes.

#pragma once

#include "atemi/base.h"
#include "atemi/robots.h"
#include "atemi/surface.h"

ATEMI_BEGIN

/// What is refused beyond, in memory and in a folder. It holds for streamed rows too: every
/// recording that is written can be loaded.
enum {
    ATEMI_RECORDING_MAX_CHANNELS = 1 << 16,
    ATEMI_RECORDING_MAX_VALUES = 1 << 28, ///< channels times rows: 2 GiB
    ATEMI_RECORDING_MAX_EVENTS = 100000,
    ATEMI_RECORDING_MAX_RESULTS = 10000,
    ATEMI_RECORDING_MAX_WARNINGS = 1000,
    ATEMI_RECORDING_MAX_EVENT_VALUES = 64, ///< of one event
    ATEMI_RECORDING_MAX_SURFACES = 1000,
    ATEMI_RECORDING_MAX_HEIGHTS = 1 << 20, ///< of all height tables together
    ATEMI_RECORDING_MAX_TABLES = 1000,
    ATEMI_RECORDING_MAX_CELLS = 1 << 20, ///< of all tables together, their heads included
    ATEMI_RECORDING_MAX_CARDS = 16,
    ATEMI_RECORDING_MAX_PLOTS = 128,
    ATEMI_RECORDING_MAX_PLOT_COLUMNS = 32, ///< entries of one plot
    ATEMI_RECORDING_MAX_PLOT_STATES = 32,  ///< of one plot
};

/// A column of the numbers over time. Where a recording hands it out, all strings are there.
typedef struct atemi_channel {
    const char *name;  ///< dotted, such as "q.right_knee"; unique
    const char *unit;  ///< such as "rad/s"; NULL or "-" for none
    const char *group; ///< what stands before the first dot of the name; ignored on creation
} atemi_channel;

/// A number with a name.
typedef struct atemi_recorded_value {
    const char *name;
    double      value; ///< NaN where it is not known
    const char *unit;  ///< NULL or "-" for none
} atemi_recorded_value;

/// Something that happened at an instant.
typedef struct atemi_recorded_event {
    double                      t;    ///< s
    const char                 *kind; ///< such as "touchdown"
    const char                 *what; ///< what it happened to, such as "right_sole.0"; or NULL
    const char                 *text; ///< a sentence for a person, or NULL
    int                         value_count;
    const atemi_recorded_value *values; ///< [value_count]
} atemi_recorded_event;

/// A number that the job came to and, where there is one, the number to hold it against.
typedef struct atemi_recorded_result {
    const char *name;      ///< unique
    double      value;     ///< NaN where it is not known
    const char *unit;      ///< NULL or "-" for none
    double      printed;   ///< as a paper prints it, NaN where none does
    double      tolerance; ///< within which the two should agree, NaN where none is stated
    const char *source;    ///< who printed it, such as "[ENE] Table II"; or NULL
    bool        is_truth;  ///< 1 is yes and 0 is no
} atemi_recorded_result;

/// Something in the scenario that the job could do, but that is hardly what was meant.
typedef struct atemi_recorded_warning {
    const char *file;         ///< the scenario's, as it was given; NULL where there is none
    int         line, column; ///< 1-based, 0 where there is none
    const char *message;      ///< the key, what is odd about it, and how to mend it
} atemi_recorded_warning;

/// A surface of the world that the robot could touch.
typedef struct atemi_recorded_surface {
    const char   *name; ///< as the scenario has it
    atemi_surface surface;
} atemi_recorded_surface;

/// A column of a table.
typedef struct atemi_recorded_column {
    const char *name; ///< unique in its table
    const char *unit; ///< NULL or "-" for none
} atemi_recorded_column;

/// How a table is best drawn: curves of the columns `y` over the column `x`. Rows with the same
/// value in the column `series` make one curve, in the order of x, or of the rows: a path may go
/// back. A map has cells in the colour of y in place of curves, over x and the column `series`: a
/// picture for each y and each value in the column `tile`. All zero is no plot.
typedef struct atemi_table_plot {
    int        y_count; ///< 0 for no plot
    const int *y;       ///< [y_count] columns
    int        x;       ///< column, or ATEMI_NONE for the number of the row, from 1
    int        series;  ///< column, or ATEMI_NONE for one curve of each y
    bool       by_rows; ///< curves are joined in the order of the rows
    bool       is_map;
    int        tile; ///< column, or ATEMI_NONE; of a map only
} atemi_table_plot;

/// Numbers that stand beside those over time: a row for each case, joint, constraint, ...
typedef struct atemi_recorded_table {
    const char                  *name;  ///< unique
    const char                  *title; ///< a sentence for a person, or NULL
    int                          row_count, column_count;
    const atemi_recorded_column *columns; ///< [column_count], one at least
    const char *const           *labels;  ///< [row_count] what each row is; or NULL
    const double                *values;  ///< [row_count x column_count] row by row, NaN: absent
    atemi_table_plot             plot;
} atemi_recorded_table;

/// How a headline stands to its limit.
typedef enum atemi_card_state {
    ATEMI_CARD_PLAIN, ///< it has no limit
    ATEMI_CARD_PASS,  ///< it keeps its limit
    ATEMI_CARD_FAIL,  ///< it does not
} atemi_card_state;

/// A headline of the answer: what a person wants to know first, in the unit that people read.
typedef struct atemi_recorded_card {
    const char      *title; ///< such as "Peak force"
    double           value; ///< in `unit`, NaN where `text` says it
    const char      *unit;  ///< NULL or "-" for none
    const char      *text;  ///< in place of a number; or NULL
    const char      *limit; ///< in words with its unit, such as "at least 0 mm"; or NULL
    const char      *note;  ///< where it comes from, such as "by full dynamics"; or NULL
    atemi_card_state state;
} atemi_recorded_card;

/// What a plot over time shows.
typedef enum atemi_plot_kind {
    ATEMI_PLOT_LINES,             ///< a line for each column
    ATEMI_PLOT_STATES,            ///< a bar for each column, coloured by the state it is in
    ATEMI_PLOT_VERTICAL_FORCES,   ///< z of the contact forces, summed over each site
    ATEMI_PLOT_HORIZONTAL_FORCES, ///< the length of their x and y, summed over each site
} atemi_plot_kind;

/// Which limits of the robot's joints a plot shows.
typedef enum atemi_plot_limits {
    ATEMI_PLOT_NO_LIMITS,
    ATEMI_PLOT_POSITION_LIMITS,
    ATEMI_PLOT_VELOCITY_LIMITS,
    ATEMI_PLOT_EFFORT_LIMITS,
} atemi_plot_limits;

/// What is shaded behind the lines of a plot.
typedef enum atemi_plot_band {
    ATEMI_PLOT_NO_BAND,
    ATEMI_PLOT_SUPPORT_X, ///< the extent of the support polygon along x
    ATEMI_PLOT_SUPPORT_Y,
} atemi_plot_band;

/// Columns of a plot.
typedef struct atemi_plot_column {
    /// A column's name, in which one '*' stands for any text that is not empty. With '!' in front,
    /// columns that are not shown, whatever the other entries say. With '~' in front, what was
    /// commanded or planned: drawn dashed beside what came of it.
    const char *name;
    const char *label; ///< in the legend; NULL: what the '*' stands for, or the name after its dot
} atemi_plot_column;

/// A plot of columns over time: the page and the figures of a recording both draw it from this.
/// Columns of several units make a plot for each unit. Columns that are missing or have no value
/// are left out, and so is a plot without any.
typedef struct atemi_recorded_plot {
    const char *figure;               ///< its file among the figures, without ".svg": letters,
                                      ///< digits, '_' and '-'. Plots of one figure share a file
    const char              *title;   ///< such as "Joint torques"
    const char              *axis;    ///< what y is, such as "torque"
    const char              *unit;    ///< the columns' unit; NULL for any
    atemi_plot_kind          kind;    ///
    const atemi_plot_column *columns; ///< ended by a NULL name; NULL for contact forces
    bool               of_joints;     ///< labels are names of joints: the most important are shown
    atemi_plot_limits  limits;        ///< of the joints
    atemi_plot_band    band;          ///
    const char        *sum;           ///< label of a line with the sum of the others, or NULL
    const char *const *states;        ///< names of the numbers 0, 1, ..., ended by NULL; or NULL
    bool               has_idle;      ///< state 0 is that of nothing going on, drawn faint
    bool               skips_zero;    ///< columns that are zero throughout are left out
    bool               of_limits;     ///< values by the joints' limits, in %; velocity and effort
} atemi_recorded_plot;

/// The robot as far as a recording needs it without loading the description.
typedef struct atemi_recorded_robot {
    const char        *name;
    atemi_base         base;
    atemi_vec3         gravity;
    bool               mimic_as_coupled;
    int                link_count, joint_count;
    const char *const *links;  ///< [link_count] names in the model's order
    const char *const *joints; ///< [joint_count]
    const char        *file;   ///< absolute: meshes may be beside it; NULL for none
} atemi_recorded_robot;

/// What a recording is of.
typedef struct atemi_recorded_job {
    const char        *name;          ///< of the job, such as "simulate"; or NULL
    const char        *outcome;       ///< in one sentence, such as "fell at 1.2 s"; or NULL
    const atemi_model *robot;         ///< or NULL
    const char        *urdf;          ///< the robot's description as it was read; or NULL
    size_t             urdf_size;     ///< bytes
    const char        *scenario;      ///< the scenario's text as it was read; or NULL
    size_t             scenario_size; ///< bytes
    const char        *robot_file;    ///< from which the robot was read, absolute; or NULL
} atemi_recorded_job;

typedef struct atemi_recording atemi_recording;

// ---- Filling one

/// A recording without rows. The first channel must be "t" in "s". Names and units are UTF-8; a
/// unit has no brackets and no control characters.
/// @param channels [count], copied
ATEMI_API atemi_status atemi_recording_create(int count, const atemi_channel *channels,
                                              atemi_recording **recording, atemi_error *error);

/// Releases the recording. NULL is fine. Folders stay.
ATEMI_API void atemi_recording_destroy(atemi_recording *recording);

/// Lets the rows go to a folder as they come, instead of into memory, which then does not grow with
/// their number. To be called once, before the first row. What atemi_recording_check_folder()
/// refuses is refused. Rows are written into a new folder beside it, and atemi_recording_write() to
/// the same folder, once, ends it: the folder then holds the same bytes as if the rows had been in
/// memory, and until then it is as it was before. Where a row cannot be written, a warning says so
/// (atemi/base.h), appending goes on, what was written is removed, and atemi_recording_write()
/// returns the error. A recording that is destroyed before leaves nothing.
///
/// Of the rows only the last stays in memory (atemi_recording_last()); load the folder to read
/// them. Functions that need all of them return ATEMI_ERROR_INPUT.
ATEMI_API atemi_status atemi_recording_stream_to(atemi_recording *recording, const char *folder,
                                                 atemi_error *error);

/// Reserves memory for `rows` rows in all, so that appending them takes no memory and cannot fail
/// for the lack of it.
ATEMI_API atemi_status atemi_recording_reserve(atemi_recording *recording, int rows,
                                               atemi_error *error);

/// Appends a row. Time must be finite and may stand still (before and after a collision), but not
/// run back. What is not finite is absent and becomes NaN. O(channels), and takes memory only when
/// the room doubles.
/// @param row [channel count]
ATEMI_API atemi_status atemi_recording_append(atemi_recording *recording, const double *row,
                                              atemi_error *error);

/// Appends an event, in any order of time. All strings are copied.
ATEMI_API atemi_status atemi_recording_add_event(atemi_recording            *recording,
                                                 const atemi_recorded_event *event,
                                                 atemi_error                *error);

/// Adds a result, or replaces the one of the same name. All strings are copied.
ATEMI_API atemi_status atemi_recording_add_result(atemi_recording             *recording,
                                                  const atemi_recorded_result *result,
                                                  atemi_error                 *error);

/// Adds a warning. All strings are copied.
ATEMI_API atemi_status atemi_recording_add_warning(atemi_recording              *recording,
                                                   const atemi_recorded_warning *warning,
                                                   atemi_error                  *error);

/// Adds a surface. Name and heights are copied.
ATEMI_API atemi_status atemi_recording_add_surface(atemi_recording              *recording,
                                                   const atemi_recorded_surface *surface,
                                                   atemi_error                  *error);

/// Adds a table, or replaces the one of the same name. All is copied; what is not finite is absent.
/// @return ATEMI_ERROR_INPUT for names that are missing or not unique and for a plot of columns
///         that there are not, ATEMI_ERROR_LIMIT for too many tables or cells
ATEMI_API atemi_status atemi_recording_add_table(atemi_recording            *recording,
                                                 const atemi_recorded_table *table,
                                                 atemi_error                *error);

/// Adds a plot behind those that there are: their order is that of the page. All is copied. A
/// recording without any shows the columns that it has by their groups and units.
/// @return ATEMI_ERROR_INPUT for a figure that cannot be a file, for a title, axis or columns that
///         are missing, ATEMI_ERROR_LIMIT for too many plots, columns or states
ATEMI_API atemi_status atemi_recording_add_plot(atemi_recording           *recording,
                                                const atemi_recorded_plot *plot,
                                                atemi_error               *error);

/// Says the answer in one plain sentence; NULL for none. The string is copied.
ATEMI_API atemi_status atemi_recording_set_verdict(atemi_recording *recording, const char *verdict,
                                                   atemi_error *error);

/// Adds a headline behind those that there are. All strings are copied.
/// @return ATEMI_ERROR_INPUT for a title that is missing, ATEMI_ERROR_LIMIT for too many
ATEMI_API atemi_status atemi_recording_add_card(atemi_recording           *recording,
                                                const atemi_recorded_card *card,
                                                atemi_error               *error);

/// Says what the recording is of; once, or again to say it anew. All is copied; the recording does
/// not need the model afterwards.
ATEMI_API atemi_status atemi_recording_describe(atemi_recording          *recording,
                                                const atemi_recorded_job *job, atemi_error *error);

// ---- Reading one

ATEMI_API int atemi_recording_channel_count(const atemi_recording *recording); ///< columns
ATEMI_API int atemi_recording_row_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_event_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_result_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_warning_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_surface_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_table_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_plot_count(const atemi_recording *recording);
ATEMI_API int atemi_recording_card_count(const atemi_recording *recording);

/// The parts by index; NULL with a broken contract where there is no such index. What they point to
/// lives as long as the recording; events, results, warnings, surfaces, tables, plots and cards
/// only until the next one is added.
ATEMI_API const atemi_channel *atemi_recording_channel(const atemi_recording *recording, int index);
ATEMI_API const atemi_recorded_event   *atemi_recording_event(const atemi_recording *recording,
                                                              int                    index);
ATEMI_API const atemi_recorded_result  *atemi_recording_result(const atemi_recording *recording,
                                                               int                    index);
ATEMI_API const atemi_recorded_warning *atemi_recording_warning(const atemi_recording *recording,
                                                                int                    index);
ATEMI_API const atemi_recorded_surface *atemi_recording_surface(const atemi_recording *recording,
                                                                int                    index);
ATEMI_API const atemi_recorded_table   *atemi_recording_table(const atemi_recording *recording,
                                                              int                    index);
ATEMI_API const atemi_recorded_plot    *atemi_recording_plot(const atemi_recording *recording,
                                                             int                    index);
ATEMI_API const atemi_recorded_card    *atemi_recording_card(const atemi_recording *recording,
                                                             int                    index);

/// The value of a result by its name; NaN where there is none.
ATEMI_API double atemi_recording_result_value(const atemi_recording *recording, const char *name);

/// All values of a channel [row count], contiguous, NaN where absent. Valid until the next row.
/// NULL where rows are streamed.
ATEMI_API const double *atemi_recording_values(const atemi_recording *recording, int channel);

/// The value of a channel in the last row, streamed or not; NaN where it is absent or there is no
/// row.
ATEMI_API double atemi_recording_last(const atemi_recording *recording, int channel);

/// The index of a channel's name, or ATEMI_NONE. O(log n).
ATEMI_API int atemi_recording_find_channel(const atemi_recording *recording, const char *name);

/// What atemi_recording_describe() said; NULL where it said nothing. The texts end in a zero that
/// their size does not count.
ATEMI_API const char *atemi_recording_job(const atemi_recording *recording);
ATEMI_API const char *atemi_recording_outcome(const atemi_recording *recording);
ATEMI_API const char *atemi_recording_urdf(const atemi_recording *recording, size_t *size);
ATEMI_API const char *atemi_recording_scenario(const atemi_recording *recording, size_t *size);
ATEMI_API const atemi_recorded_robot *atemi_recording_robot(const atemi_recording *recording);

/// What atemi_recording_set_verdict() said, or NULL.
ATEMI_API const char *atemi_recording_verdict(const atemi_recording *recording);

/// The version of the atemi that made the recording.
ATEMI_API const char *atemi_recording_version(const atemi_recording *recording);

/// Loads the robot from the description in the recording, with the base and the gravity that it
/// had. ATEMI_ERROR_NOT_FOUND where there is none.
/// @param package_path as in atemi_urdf_options
ATEMI_API atemi_status atemi_recording_robot_load(const atemi_recording *recording,
                                                  const char *package_path, atemi_model **model,
                                                  atemi_error *error);

// ---- Folders

/// Whether a recording could be written to `folder` as things stand: to be asked before a long job.
/// It may be new (in a folder that exists), empty, or hold an older recording; a folder with other
/// files and no recording is refused, and so are the current one and a mount point.
ATEMI_API atemi_status atemi_recording_check_folder(const char *folder, atemi_error *error);

/// Writes the recording. At every moment, whatever happens, the folder holds the older recording
/// (or is missing or empty) or the new one, whole. Files that are not part of a recording move
/// along. Streamed rows can be written to their own folder only.
ATEMI_API atemi_status atemi_recording_write(const atemi_recording *recording, const char *folder,
                                             atemi_error *error);

/// Loads a recording. The bytes are not trusted: what is truncated, damaged or of a newer version
/// is one error that says so, with file, line and column where there are any.
ATEMI_API atemi_status atemi_recording_load(const char *folder, atemi_recording **recording,
                                            atemi_error *error);

// ---- Reports ------------------------------------------------------------------------------------
//
// Reports: a recording as one HTML page that opens offline in any browser, and as pictures for
// papers.
//
//     atemi_recording_load("run1", &recording, &error);
//     atemi_report_write(recording, "run1.html", &error);
//     atemi_report_write_figures(recording, "figures", &error);
//
// The page shows the robot in 3D with a time line, forces, contacts, all columns and tables.
// Numbers over time have 16 bits each: a column is exact to (largest - smallest) / 65534 / 2. What
// is exact is the recording. Meshes (.stl, .obj) are drawn where their files are found; package://
// names are looked for in ROS_PACKAGE_PATH. What cannot be drawn is a warning to the log hook.

/// Whether this library was built with the page; without it there are figures only.
ATEMI_API bool atemi_report_available(void);

/// Whether a report could be written to `path` as things stand: to be asked before a long job.
ATEMI_API atemi_status atemi_report_check(const char *path, atemi_error *error);

/// Writes the page with the recording in it to a file, which then holds all of it or is as it was
/// before. A symbolic link at `path` is followed, and stays. ATEMI_ERROR_NOT_FOUND where the
/// library was built without the page.
ATEMI_API atemi_status atemi_report_write(const atemi_recording *recording, const char *path,
                                          atemi_error *error);

/// The same with two recordings beside each other: the second one is a ghost in the 3D view, and
/// dashed lines in the plots of columns that both have.
ATEMI_API atemi_status atemi_report_write_pair(const atemi_recording *first,
                                               const atemi_recording *second, const char *path,
                                               atemi_error *error);

/// Writes the page to report.html in a folder, mostly that of the recording. Whatever has this name
/// there, a symbolic link too, is replaced by the page; what the link leads to stays as it is.
ATEMI_API atemi_status atemi_report_write_inside(const atemi_recording *recording,
                                                 const char *folder, atemi_error *error);

/// Writes pictures (SVG) into a folder, which is made where there is none: strip.svg, the robot in
/// several postures; zmp.svg, the ZMP from above; the plots over time that the page has too, a file
/// for each figure that the recording's plots name (atemi_recorded_plot). Each table with a plot is
/// table-NAME.svg, or table.NUMBER.svg, counted from 1, where its name has other characters than
/// letters, digits, - and _; maps are on the page alone. What the recording has no columns for is
/// left out, and a file of that name stays as it is. A symbolic link of such a name is replaced by
/// the picture; what it leads to stays as it is.
ATEMI_API atemi_status atemi_report_write_figures(const atemi_recording *recording,
                                                  const char *folder, atemi_error *error);

/// Whether figures could be written into a folder as things stand: to be asked before a long job.
ATEMI_API atemi_status atemi_report_check_figures(const char *folder, atemi_error *error);

ATEMI_END
