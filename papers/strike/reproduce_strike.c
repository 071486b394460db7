// SPDX-License-Identifier: Apache-2.0

#include "papers/reproduction_parts.h"
#include "papers/strike/reproduce_strike_punch.h"
#include "papers/strike/reproduce_strike_tables.h"

#include <math.h>

// [STRIKE]: T. Tsujita, A. Konno, M. Uchiyama, 2010. HRP-2 punches a box of 5 kg as hard as it can
// without falling.

enum { SEARCHES = ATEMI_PUNCH_STARTS + 1 + ATEMI_PUNCH_LEVELS + 1 + ATEMI_PUNCH_PRINTED - 1 };

static const char ANOTHER_ROBOT[] =
    "fitted: of four sets of constraints, the one that comes nearest, and the best of 20 starts; 5 "
    "%: hrp2_like has not HRP-2's masses and limits; table strike-limits says what holds it back";
static const char ROUGHLY[] =
    "fitted: the servo's gains, to the impulses of [SDC], and the posture as of v_c; 10 %";
static const char MET[] = "0 is perfect; relative to each constraint's scale";
static const char SHARE[] = "beyond the paper: our aim is 95 %; table strike-starts has them all";
static const char INSIDE[] =
    "the ZMP stays inside the edge; Table IV plans 50 mm before, in and after the blow";
static const char NO_WORSE[] = "of its size, as the paper prints it";
static const char FULL[] =
    "full dynamics is the hybrid simulation in place of OpenHRP3, friction 1";
static const char BEYOND[] =
    "beyond the paper: the plan with friction 0.7 of each sole, speeds and ranges on the way";

// ---- Searches

static bool on_progress(void *context, double done)
{
    const atemi_punch_study *study = (const atemi_punch_study *)context;
    return atemi_reproduction_goes_on(study->reproduction,
                                      (study->searches + done) / (double)SEARCHES);
}

static void on_message(void *context, const char *text)
{
    const atemi_punch_study *study = (const atemi_punch_study *)context;
    atemi_job_message(study->reproduction->hooks, "strike %d/%d: %s", study->searches + 1, SEARCHES,
                      text);
}

// Nothing is searched for once the study was stopped: the recording is then NULL.
static atemi_status look_for(atemi_punch_study *study, const atemi_punch_search *search,
                             atemi_recording **recording, atemi_error *error)
{
    const atemi_job_hooks hooks = {.progress = on_progress, .context = study, .tell = on_message};
    *recording = NULL;
    if (!on_progress(study, 0.0)) {
        return ATEMI_OK;
    }
    const atemi_status status = atemi_punch_search_run(search, &hooks, recording, error);
    ++study->searches;
    return status;
}

static bool is_better(const atemi_punch_attempt *found, const atemi_punch_attempt *best)
{
    return found->feasible && (!best->feasible || found->peak_force > best->peak_force);
}

static void keep_start(atemi_punch_study *study, int i, const atemi_recording *recording)
{
    atemi_punch_attempt *found = &study->attempts[i];
    atemi_punch_attempt_read(recording, found);
    if (is_better(found, &study->attempts[study->best])) {
        study->best = i;
    }
    if (found->feasible && found->decided[ATEMI_PUNCH_STEP] > 0.0 &&
        (study->left_in_front == ATEMI_NONE ||
         is_better(found, &study->attempts[study->left_in_front]))) {
        study->left_in_front = i;
    }
}

// The paper's problem from all starts, and from the best of them once more, to be verified.
static atemi_status search_starts(atemi_punch_study *study, atemi_error *error)
{
    atemi_punch_search search = {.level = ATEMI_PUNCH_PAPER};
    double             starts[ATEMI_PUNCH_STARTS][ATEMI_PUNCH_DECISIONS];
    uint64_t           seed = 1;
    atemi_status       status = ATEMI_OK;
    for (int i = 0; i < ATEMI_PUNCH_STARTS && !status; ++i) {
        atemi_recording *recording;
        if (i == 0) {
            atemi_punch_start_printed(starts[i]);
        } else {
            atemi_punch_start_random(&seed, starts[i]);
        }
        atemi_punch_begin(&search, starts[i]);
        status = look_for(study, &search, &recording, error);
        if (recording) {
            keep_start(study, i, recording);
        }
        atemi_recording_destroy(recording);
    }
    search.verified = true;
    atemi_punch_begin(&search, starts[study->best]);
    return status ? status : look_for(study, &search, &study->levels[ATEMI_PUNCH_PAPER], error);
}

// From what the paper prints. Of its start with the speeds of all joints, a search was made.
static atemi_status search_printed(atemi_punch_study *study, atemi_error *error)
{
    static const struct {
        atemi_punch_printed which;
        atemi_punch_level   level;
        void (*begin)(double start[ATEMI_PUNCH_DECISIONS]);
    } searches[] = {{ATEMI_PUNCH_LETTER_START, ATEMI_PUNCH_LETTER, atemi_punch_start_printed},
                    {ATEMI_PUNCH_LETTER_RESULT, ATEMI_PUNCH_LETTER, atemi_punch_start_result},
                    {ATEMI_PUNCH_PAPER_RESULT, ATEMI_PUNCH_PAPER, atemi_punch_start_result}};
    atemi_status status = ATEMI_OK;
    study->printed[ATEMI_PUNCH_PAPER_START] = study->attempts[0];
    for (size_t i = 0; i < sizeof searches / sizeof searches[0] && !status; ++i) {
        atemi_punch_search search = {.level = searches[i].level};
        atemi_recording   *recording;
        searches[i].begin(search.start);
        status = look_for(study, &search, &recording, error);
        if (recording) {
            atemi_punch_attempt_read(recording, &study->printed[searches[i].which]);
        }
        atemi_recording_destroy(recording);
    }
    return status;
}

// Other constraints and objectives, from the posture of the paper's problem.
static atemi_status search_others(atemi_punch_study *study, atemi_error *error)
{
    const struct {
        atemi_punch_search search;
        atemi_recording  **recording;
    } others[] = {
        {{.level = ATEMI_PUNCH_LETTER}, &study->levels[ATEMI_PUNCH_LETTER]},
        {{.level = ATEMI_PUNCH_TRAVEL, .verified = true}, &study->levels[ATEMI_PUNCH_TRAVEL]},
        {{.level = ATEMI_PUNCH_FRICTION, .verified = true}, &study->levels[ATEMI_PUNCH_FRICTION]},
        {{.level = ATEMI_PUNCH_TRAVEL, .for_impulse = true, .verified = true}, &study->impulse},
        {{.level = ATEMI_PUNCH_TRAVEL, .round = true, .verified = true}, &study->round}};
    atemi_status status = ATEMI_OK;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && !status; ++i) {
        if (!study->reproduction->stopped) {
            atemi_punch_search search = others[i].search;
            atemi_punch_decided(study->levels[ATEMI_PUNCH_PAPER], search.start);
            status = look_for(study, &search, others[i].recording, error);
        }
    }
    return status;
}

// ---- Numbers

static void add_optimum(atemi_punch_study *study)
{
    atemi_reproduction    *r = study->reproduction;
    const atemi_recording *paper = study->levels[ATEMI_PUNCH_PAPER];
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_FITTED, 2.4, 0.05 * 2.4, "m/s", ANOTHER_ROBOT, 0},
        atemi_recording_result_value(paper, "speed"), "Table I: collision speed v_c");
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_FITTED, 734.9, 0.05 * 734.9, "N", ANOTHER_ROBOT, 0},
        atemi_recording_result_value(paper, "peak_force"), "Fig. 9: estimated peak force");
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_FITTED, 15.1, 1.51, "N s", ROUGHLY, 0},
        atemi_recording_result_value(paper, "impulse"), "Fig. 9: estimated impulse");
    atemi_reproduction_add(
        r,
        (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 1e-6, 0.0, "-", MET, ATEMI_REPRODUCED_AT_MOST},
        atemi_recording_result_value(paper, "violation"),
        "eq. 14: largest violation of a constraint");
}

static void add_starts(atemi_punch_study *study)
{
    int feasible = 0;
    for (int i = 0; i < ATEMI_PUNCH_STARTS; ++i) {
        feasible += study->attempts[i].feasible;
    }
    atemi_reproduction_add(study->reproduction,
                           (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 95.0, 0.0, "%", SHARE,
                                           ATEMI_REPRODUCED_AT_LEAST},
                           100.0 * feasible / (double)ATEMI_PUNCH_STARTS,
                           "20 starts: feasible ones");
}

static void add_verified(atemi_punch_study *study)
{
    atemi_reproduction    *r = study->reproduction;
    const atemi_recording *paper = study->levels[ATEMI_PUNCH_PAPER];
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_FITTED, 722.0, 0.05 * 722.0, "N", ANOTHER_ROBOT, 0},
        atemi_recording_result_value(paper, "verified_peak_force"), "Fig. 9: simulated peak force");
    atemi_reproduction_add(
        r, (atemi_printed){ATEMI_REPRODUCED_FITTED, 13.4, 1.34, "N s", ROUGHLY, 0},
        atemi_recording_result_value(paper, "verified_impulse"), "Fig. 9: simulated impulse");
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 1.8, 0.0, "%", NO_WORSE,
                                           ATEMI_REPRODUCED_AT_MOST},
                           100.0 * fabs(atemi_recording_result_value(paper, "peak_force_error")),
                           "error of the estimated peak force");
    atemi_reproduction_add(r,
                           (atemi_printed){ATEMI_REPRODUCED_PREDICTED, 12.6, 0.0, "%", NO_WORSE,
                                           ATEMI_REPRODUCED_AT_MOST},
                           100.0 * fabs(atemi_recording_result_value(paper, "impulse_error")),
                           "error of the estimated impulse");
}

// What full dynamics says of balance.
static void add_balance(atemi_punch_study *study, atemi_punch_level level, const char *note,
                        const char *what)
{
    static const struct {
        const char *name, *text;
    } phases[] = {{"verified_margin_before", "gathering speed"},
                  {"verified_margin_in_the_blow", "in the blow"},
                  {"verified_margin_after", "slowing down"}};
    atemi_reproduction         *r = study->reproduction;
    const atemi_recording      *recording = study->levels[level];
    const atemi_reproduced_kind kind =
        level == ATEMI_PUNCH_PAPER ? ATEMI_REPRODUCED_PREDICTED : ATEMI_REPRODUCED_IDENTITY;
    atemi_reproduction_add(r, (atemi_printed){kind, 0.0, 0.0, "-", note, 0},
                           atemi_punch_falls(recording), "%s: falls", what);
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; ++i) {
        atemi_reproduction_add(
            r, (atemi_printed){kind, 0.0, 0.0, "mm", INSIDE, ATEMI_REPRODUCED_AT_LEAST},
            1e3 * atemi_recording_result_value(recording, phases[i].name), "%s: ZMP margin %s",
            what, phases[i].text);
    }
}

static void add_feet(atemi_punch_study *study)
{
    atemi_reproduction    *r = study->reproduction;
    const atemi_recording *recording = study->levels[ATEMI_PUNCH_FRICTION];
    atemi_reproduction_add(r, (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 0.0, "-", BEYOND, 0},
                           atemi_recording_result_value(recording, "verified_lift_offs"),
                           "with friction: lift-offs");
    atemi_reproduction_add(r, (atemi_printed){ATEMI_REPRODUCED_IDENTITY, 0.0, 0.0, "-", BEYOND, 0},
                           atemi_recording_result_value(recording, "verified_slips"),
                           "with friction: slips");
}

static void add_numbers(atemi_punch_study *study)
{
    add_optimum(study);
    add_starts(study);
    add_verified(study);
    add_balance(study, ATEMI_PUNCH_PAPER, FULL, "simulated");
    add_balance(study, ATEMI_PUNCH_FRICTION, BEYOND, "with friction");
    add_feet(study);
}

// ---- All of it

static void destroy(atemi_punch_study *study)
{
    for (int i = 0; i < ATEMI_PUNCH_LEVELS; ++i) {
        atemi_recording_destroy(study->levels[i]);
    }
    atemi_recording_destroy(study->impulse);
    atemi_recording_destroy(study->round);
}

atemi_status atemi_reproduce_strike(atemi_reproduction *reproduction, atemi_error *error)
{
    atemi_punch_study study = {.reproduction = reproduction, .left_in_front = ATEMI_NONE};
    atemi_status      status = search_starts(&study, error);
    if (!status) {
        status = search_printed(&study, error);
    }
    if (!status) {
        status = search_others(&study, error);
    }
    if (!status && !reproduction->stopped) {
        add_numbers(&study);
        status = atemi_punch_add_tables(&study, error);
    }
    destroy(&study);
    return status;
}
