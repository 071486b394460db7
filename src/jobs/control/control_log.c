// SPDX-License-Identifier: Apache-2.0

#include "jobs/control/control_log.h"

#include "base/message.h"

#include <stdarg.h>
#include <stddef.h>

enum { TEXT_SIZE = 600 };

void atemi_control_note(control_log *log, double time, const char *kind, const char *what,
                        const char *format, ...)
{
    char    text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    message_format(text, sizeof text, format, arguments);
    va_end(arguments);
    const atemi_recorded_event event = {.t = time, .kind = kind, .what = what, .text = text};
    if (!log->status) {
        log->status = atemi_recording_add_event(log->recording, &event, &log->error);
    }
}
