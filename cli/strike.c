// SPDX-License-Identifier: Apache-2.0

#include "command.h"
#include "io/bytes/number.h"
#include "job.h"
#include "output.h"

#include <math.h>
#include <string.h>

enum { MOST_THREADS = 1000 };

static const char *threads; // is given

static const argument options[] = {{.name = "threads",
                                    .value = "N",
                                    .help = "search with so many threads, at most 4 of use;\n"
                                            "any number finds the same (default: search.threads)",
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
        count > (double)MOST_THREADS || count != floor(count)) {
        return output_refuse("--threads '%s' is not a whole number from 1 to %d", threads,
                             MOST_THREADS);
    }
    request->threads = (int)count;
    return ARGUMENTS_READY;
}

const job_extra strike_extra = {"strike", options, answer};
