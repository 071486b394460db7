// SPDX-License-Identifier: Apache-2.0

#include "atemi/contract.h"

#include "atemi/log.h"

#include <stddef.h>

static void report_to_log(void *context, const atemi_violation *violation)
{
    (void)context;
    atemi_log(ATEMI_LOG_ERROR, "%s:%d: broken contract of %s(): %s", violation->file,
              violation->line, violation->function, violation->expression);
}

static struct {
    atemi_contract_handler handler;
    void                  *context;
} hook = {report_to_log, NULL};

void atemi_set_contract_handler(atemi_contract_handler handler, void *context)
{
    hook.handler = handler ? handler : report_to_log;
    hook.context = context;
}

void atemi_contract_broken(const char *expression, const char *function, const char *file, int line)
{
    const atemi_violation violation = {expression, function, file, line};
    hook.handler(hook.context, &violation);
}
