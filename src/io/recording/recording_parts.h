// SPDX-License-Identifier: Apache-2.0

/// @file
/// A recording from inside, and the parts of writing and reading its folder.

#pragma once

#include "atemi/recording.h"
#include "io/bytes/text.h"
#include "io/bytes/whole_file.h"
#include "model/names.h"

#define ATEMI_RECORDING_FORMAT "atemi-recording"

enum {
    ATEMI_RECORDING_FORMAT_VERSION = 1,
    ATEMI_RECORDING_MAX_SUMMARY = 32 << 20,  ///< bytes of summary.json
    ATEMI_RECORDING_MAX_URDF = 64 << 20,     ///< bytes, as the URDF reader has it
    ATEMI_RECORDING_MAX_SCENARIO = 16 << 20, ///< bytes
    ATEMI_RECORDING_MAX_FIELD = 64,          ///< bytes of a number in recording.csv
};

/// The files of a recording. Their names in a folder are atemi_recording_files[].
enum {
    ATEMI_RECORDING_SUMMARY,
    ATEMI_RECORDING_CSV,
    ATEMI_RECORDING_URDF,
    ATEMI_RECORDING_SCENARIO,
    ATEMI_RECORDING_FILE_COUNT
};
extern const char *const atemi_recording_files[ATEMI_RECORDING_FILE_COUNT];

/// The sizes in bytes of the files beside summary.json, or -1 for one that is not there.
typedef struct atemi_recording_sizes {
    long long bytes[ATEMI_RECORDING_FILE_COUNT];
} atemi_recording_sizes;

typedef struct atemi_recording_stream atemi_recording_stream;

struct atemi_recording {
    int            channel_count;
    atemi_channel *channels; ///< [channel_count]
    atemi_name    *names;    ///< [channel_count] sorted
    double       **values;   ///< [channel_count][row_capacity], NULL where rows are streamed
    double        *absences; ///< [channel_count] t of the first row appended without it, or NaN
    int            row_count, row_capacity;

    atemi_recording_stream *stream; ///< or NULL where rows stay in memory

    atemi_recorded_event  *events;
    atemi_recorded_result *results;
    int                    event_count, event_capacity, result_count, result_capacity;

    atemi_recorded_warning *warnings;
    int                     warning_count, warning_capacity;

    atemi_recorded_surface *surfaces;
    int                     surface_count, surface_capacity, height_count;

    atemi_recorded_table *tables;
    int                   table_count, table_capacity, cell_count;

    atemi_recorded_plot *plots;
    int                  plot_count, plot_capacity;

    atemi_recorded_card *cards;
    int                  card_count, card_capacity;

    const char          *version, *job, *outcome, *verdict;
    bool                 has_robot;
    atemi_recorded_robot robot;
    atemi_text           urdf, scenario; ///< bytes NULL where there is none
    atemi_string_pool    strings;
};

// ---- What the parts of a recording share (recording_check.c)

atemi_status atemi_recording_no_memory(atemi_error *error);
atemi_status atemi_recording_full(const char *what, int most, atemi_error *error);

/// Zeroed memory, or NULL.
void *atemi_recording_allocate(size_t count, size_t size);

/// The number, or NaN for any that is not finite.
double atemi_recording_number(double value);

/// A copy of a string that lives as long as the recording; of NULL, NULL. Sets `*failed` without
/// memory.
const char *atemi_recording_keep(atemi_recording *recording, const char *text, bool *failed);

/// Strings must be UTF-8; `what` they are stands in the error. A name must be there, a unit must
/// fit into brackets.
atemi_status atemi_recording_check_text(const char *text, const char *what, atemi_error *error);
atemi_status atemi_recording_check_name(const char *name, const char *what, atemi_error *error);
atemi_status atemi_recording_check_unit(const char *unit, const char *of, atemi_error *error);

/// The unit, or "-" for none.
const char *atemi_recording_unit(const char *unit);

/// Sorts the names, which must differ; `what` they are the names of stands in the error.
atemi_status atemi_recording_sort_names(atemi_name *names, int count, const char *what,
                                        atemi_error *error);

// ---- Its surfaces (recording_surfaces.c)

/// "plane", "sphere", "cylinder", "heights": [ATEMI_SURFACE_HEIGHTS + 1].
extern const char *const atemi_recording_surface_kinds[];

/// Appends a JSON array of numbers.
void atemi_recording_put_numbers(atemi_text *text, int count, const double *numbers);

/// Appends a key, as it stands, and a vector.
void atemi_recording_put_vector(atemi_text *text, const char *key, atemi_vec3 vector);

/// Appends all surfaces as a JSON array, one a line.
void atemi_recording_put_surfaces(const atemi_recording *recording, atemi_text *text);

void atemi_recording_release_surfaces(atemi_recording *recording);

// ---- Its warnings (recording_warnings.c)

/// Appends all warnings, one a line, as the inside of a JSON array.
void atemi_recording_put_warnings(const atemi_recording *recording, atemi_text *text);

// ---- Its headlines (recording_cards.c)

/// Appends all cards, one a line, as the inside of a JSON array.
void atemi_recording_put_cards(const atemi_recording *recording, atemi_text *text);

// ---- Its tables (recording_tables.c)

/// Appends all tables as a JSON array, one a line.
void atemi_recording_put_tables(const atemi_recording *recording, atemi_text *text);

/// Releases the arrays of one table, and all of them.
void atemi_recording_release_table(const atemi_recorded_table *table);
void atemi_recording_release_tables(atemi_recording *recording);

// ---- Its plots (recording_plots.c)

/// The words of the enumerations in summary.json, by their values.
extern const char *const atemi_recording_plot_kinds[];  ///< [ATEMI_PLOT_HORIZONTAL_FORCES + 1]
extern const char *const atemi_recording_plot_limits[]; ///< [ATEMI_PLOT_EFFORT_LIMITS + 1]
extern const char *const atemi_recording_plot_bands[];  ///< [ATEMI_PLOT_SUPPORT_Y + 1]

/// Appends all plots as a JSON array, one a line.
void atemi_recording_put_plots(const atemi_recording *recording, atemi_text *text);

/// Appends what the plots of summary.json and those of a page have alike: all but the columns.
void atemi_recording_put_plot(const atemi_recorded_plot *plot, atemi_text *text);

/// Releases the arrays of one plot, and all of them.
void atemi_recording_release_plot(const atemi_recorded_plot *plot);
void atemi_recording_release_plots(atemi_recording *recording);

// ---- What it is of (recording_job.c)

/// Takes the name of the job and its outcome, the version of atemi, the robot; each but the version
/// may be NULL. All is copied.
atemi_status atemi_recording_set_job(atemi_recording *recording, const char *job,
                                     const char *outcome, atemi_error *error);
atemi_status atemi_recording_set_version(atemi_recording *recording, const char *version,
                                         atemi_error *error);
atemi_status atemi_recording_set_robot(atemi_recording            *recording,
                                       const atemi_recorded_robot *robot, atemi_error *error);

void atemi_recording_release_robot(atemi_recorded_robot *robot);

// ---- Its files (recording_csv.c, recording_write.c, recording_summary.c,
// recording_summary_read.c)

/// Appends the header line of recording.csv, with its newline.
void atemi_recording_put_header(const atemi_recording *recording, atemi_text *text);

/// Appends a row [count] to recording.csv, and all rows that are in memory.
void atemi_recording_put_row(int count, const double *row, atemi_whole_file *file);
void atemi_recording_put_rows(const atemi_recording *recording, atemi_whole_file *file);

/// Begins recording.csv in a folder, with its header.
atemi_status atemi_recording_begin_csv(const atemi_recording *recording, const char *folder,
                                       atemi_whole_file *file, atemi_error *error);

/// Appends all of summary.json.
void atemi_recording_put_summary(const atemi_recording       *recording,
                                 const atemi_recording_sizes *sizes, atemi_text *text);

/// Reads summary.json into a new recording without rows. `file` is what errors name.
atemi_status atemi_recording_summary_parse(const char *bytes, size_t size, const char *file,
                                           atemi_recording **recording, int *rows,
                                           atemi_recording_sizes *sizes, atemi_error *error);

/// Whether the bytes are a summary.json of any version.
bool atemi_recording_summary_is_one(const char *bytes, size_t size);

/// Reading recording.csv piece by piece. All zero but `recording`, `rows` and `file` to begin with.
typedef struct atemi_recording_csv {
    atemi_recording *recording;
    int              rows; ///< that there should be
    const char      *file; ///< what errors name
    atemi_text       header;
    bool             has_header;
    int              line; ///< of the next row, 1-based
} atemi_recording_csv;

/// Makes room for the rows of a file of `size` bytes, which must be able to hold them.
atemi_status atemi_recording_csv_begin(atemi_recording_csv *csv, long long size,
                                       atemi_error *error);

/// Reads the whole lines at the beginning of `bytes`, of which the last must be a newline unless
/// there is none at all; `*used` is how many bytes that was.
atemi_status atemi_recording_csv_read(atemi_recording_csv *csv, const char *bytes, size_t size,
                                      size_t *used, atemi_error *error);

/// Says what is missing at the end of the file, which had `rest` bytes after the last line.
atemi_status atemi_recording_csv_end(atemi_recording_csv *csv, size_t rest, atemi_error *error);

// ---- Its folder (recording_folder.c)

/// A folder while a recording is put into it.
typedef struct atemi_recording_folder {
    char target[ATEMI_WHOLE_FILE_PATH];  ///< absolute, symbolic links followed
    char staging[ATEMI_WHOLE_FILE_PATH]; ///< beside it, or empty
    int  descriptor;                     ///< of the folder while it is staged: holds its lock
    bool is_there;
} atemi_recording_folder;

/// Looks at the target, and refuses what atemi_recording_check_folder() refuses.
atemi_status atemi_recording_folder_find(atemi_recording_folder *folder, const char *path,
                                         atemi_error *error);

/// Makes the folder to write into, to be published or removed.
atemi_status atemi_recording_folder_stage(atemi_recording_folder *folder, atemi_error *error);
atemi_status atemi_recording_folder_publish(atemi_recording_folder *folder, atemi_error *error);
void         atemi_recording_folder_remove(atemi_recording_folder *folder);

/// folder/name. False if that is too long.
bool atemi_recording_path(const char *folder, const char *name, char path[ATEMI_WHOLE_FILE_PATH]);

// ---- Rows that go there as they come (recording_stream.c)

struct atemi_recording_stream {
    const char            *path; ///< of the folder, as it was given
    atemi_recording_folder place;
    atemi_whole_file       file;  ///< recording.csv
    atemi_error            error; ///< the first; after it nothing is written
    bool                   is_written;
    double                 last[]; ///< [channel count] the last row
};

/// Takes a row [count]; what is not finite is absent.
void atemi_recording_stream_append(atemi_recording_stream *stream, int count, const double *row);

/// Removes what is not published. Harmless on what is.
void atemi_recording_stream_close(atemi_recording_stream *stream);

/// The same, and releases the stream. NULL is fine.
void atemi_recording_stream_destroy(atemi_recording_stream *stream);

/// Refuses a recording whose rows are not in memory.
atemi_status atemi_recording_check_rows(const atemi_recording *recording, atemi_error *error);
