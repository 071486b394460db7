// SPDX-License-Identifier: Apache-2.0

#include "atemi/base.h"

#include <stddef.h>

#ifdef ATEMI_ABORTS
#include <stdio.h>
#include <stdlib.h>

// Debug builds only: a bug is found where it is made.
static void abort_on(const atemi_violation *violation)
{
    fprintf(stderr, "%s:%d: broken contract of %s(): %s\n", violation->file, violation->line,
            violation->function, violation->expression);
    abort();
}
#else
static void abort_on(const atemi_violation *violation)
{
    (void)violation;
}
#endif

static void report_to_log(void *context, const atemi_violation *violation)
{
    (void)context;
    atemi_log(ATEMI_LOG_ERROR, "%s:%d: broken contract of %s(): %s", violation->file,
              violation->line, violation->function, violation->expression);
    abort_on(violation);
}

// One for the process.
static struct {
    atemi_contract_handler handler;
    void                  *context;
} hook = {report_to_log, NULL};

// One for each thread: threads that share a model never meet here. Laid out when a thread begins,
// so that a real-time thread takes no memory for it later.
static _Thread_local struct {
    long            count;
    atemi_violation last;
} broken __attribute__((tls_model("initial-exec")));

void atemi_set_contract_handler(atemi_contract_handler handler, void *context)
{
    hook.handler = handler ? handler : report_to_log;
    hook.context = context;
}

long atemi_contracts_broken(atemi_violation *last)
{
    if (last) {
        *last = broken.last;
    }
    return broken.count;
}

void atemi_contract_broken(const char *expression, const char *function, const char *file, int line)
{
    const atemi_violation violation = {expression, function, file, line};
    ++broken.count;
    broken.last = violation;
    hook.handler(hook.context, &violation);
}
