// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "io/bytes/number.h"
#include "job.h"
#include "output.h"

#include <math.h>
#include <string.h>

enum { MAX_THREADS = 1000 };

static const char *threads; // is given

static const argument options[] = {{.name = "threads",
                                    .value = "N",
                                    .help = "number of threads, of which 4 are used at most; the\n"
                                            "result is the same (default: search.threads)",
                                    .text = &threads},
                                   {0}};

static int answer(job_request *request)
{
    if (!threads) {
        return ARGUMENTS_READY;
    }
    const atemi_word word = {threads, (int)strlen(threads)};
    double           count = 0.0;
    if (atemi_number_parse(word, &count) != ATEMI_NUMBER_FINE || count < 1.0 ||
        count > (double)MAX_THREADS || count != floor(count)) {
        return output_refuse("--threads '%s' is not a whole number from 1 to %d", threads,
                             MAX_THREADS);
    }
    request->threads = (int)count;
    return ARGUMENTS_READY;
}

const job_extra strike_extra = {"strike", options, answer};
