// SPDX-License-Identifier: Apache-2.0

#include "live.h"

#include "browser.h"
#include "command.h"
#include "live_server.h"
#include "output.h"
#include "progress.h"

#include "atemi/base.h"
#include "atemi/recording.h"

#include <stdio.h>

enum { PATIENCE = 100 }; // ms

static const double between_looks = 0.02; // s: in between, the job runs
static const double longest_wait = 20.0;  // s, for somebody to look at the end

typedef struct live {
    live_server     server;
    atemi_job_hooks below; ///< the progress bar, and Ctrl-C
    double          last;  ///< look for requests
} live;

static bool on_progress(void *context, double done)
{
    live        *l = (live *)context;
    const double now = progress_clock();
    l->server.done = done;
    if (now - l->last > between_looks) {
        live_server_answer(&l->server, 0);
        l->last = progress_clock();
    }
    return l->below.progress(l->below.context, done);
}

static void on_message(void *context, const char *text)
{
    const live *l = (const live *)context;
    l->below.tell(l->below.context, text);
}

static void on_begun(void *context, const atemi_recording *recording)
{
    ((live *)context)->server.recording = recording;
}

static void open_page(const live_server *server)
{
    char address[LIVE_ADDRESS];
    live_server_address(server, address);
    puts(address);
    fflush(stdout);
    if (!browser_open(address)) {
        output_warn("no browser is found here; open this page in one, on this machine");
    }
}

// The page of the ended job, for the browser that waits for it.
static void serve_end(live *l, const atemi_recording *recording)
{
    l->server.recording = recording;
    l->server.done = 1.0;
    l->server.ended = true;
    double last = progress_clock();
    while (!l->server.is_seen && !progress_was_interrupted() &&
           progress_clock() - last < longest_wait) {
        last = live_server_answer(&l->server, PATIENCE) ? progress_clock() : last;
    }
    if (!l->server.is_seen && !progress_was_interrupted()) {
        output_warn("nobody looked at the page of the ended job, and it is gone; --out keeps the "
                    "recording");
    }
}

static int finish(live *l, const atemi_recording *recording, const char *folder)
{
    atemi_error error;
    const char *verdict = atemi_recording_verdict(recording);
    const bool  completed = atemi_recording_result_value(recording, "completed") == 1.0;
    int         code = completed ? EXIT_DONE : EXIT_JOB_FAILED;
    if (folder && atemi_recording_write(recording, folder, &error)) {
        code = output_failure(&error);
    }
    output_text(verdict ? verdict : atemi_recording_outcome(recording));
    puts("");
    fflush(stdout);
    if (!progress_was_interrupted()) {
        serve_end(l, recording);
    }
    return progress_was_interrupted() ? progress_interrupted_code() : code;
}

static int run(live *l, const char *scenario, const char *folder)
{
    atemi_recording        *recording;
    atemi_error             error;
    const atemi_job_options options = {
        .hooks = {.progress = on_progress, .tell = on_message, .begun = on_begun, .context = l}};
    open_page(&l->server);
    l->below = *progress_begin();
    const atemi_status status = atemi_job_run(NULL, scenario, &options, &recording, &error);
    int                code;
    if (status) {
        progress_end();
        return output_error(&error);
    }
    progress_hide();
    code = finish(l, recording, folder);
    progress_end();
    atemi_recording_destroy(recording);
    return code;
}

int live_run(const char *scenario, const char *folder)
{
    live        l = {0};
    atemi_error error;
    if (!atemi_report_available()) {
        return output_refuse("this atemi was built without the report page; build it with node");
    }
    if (folder && atemi_recording_check_folder(folder, &error)) {
        return output_error(&error);
    }
    char *text;
    if (atemi_job_explain(NULL, scenario, &text, &error)) {
        return output_error(&error);
    }
    atemi_release(text);
    if (!live_server_begin(&l.server)) {
        return output_fail("the system gives no port of this machine, or no temporary folder");
    }
    const int code = run(&l, scenario, folder);
    live_server_end(&l.server);
    return code;
}
