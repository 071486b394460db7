// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"

#include "base/message.h"

enum { LOG_MESSAGE_SIZE = 1024 };

static struct {
    atemi_log_hook hook;
    void          *context;
} listener = {NULL, NULL};

void atemi_set_log_hook(atemi_log_hook hook, void *context)
{
    listener.hook = hook;
    listener.context = context;
}

void atemi_log(atemi_log_level level, const char *format, ...)
{
    if (!listener.hook) {
        return;
    }
    char    message[LOG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    message_format(message, sizeof message, format, arguments);
    va_end(arguments);
    listener.hook(listener.context, level, message);
}
