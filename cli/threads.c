// SPDX-License-Identifier: Apache-2.0

#include "atemi/job.h"
#include "command.h"
#include "io/bytes/number.h"
#include "job.h"
#include "output.h"

#include <math.h>
#include <string.h>

enum { MAX_THREADS = 1000 };

static const char *threads; // is given

static const argument of_strike[] = {{.name = "threads",
                                      .value = "N",
                                      .help =
                                          "number of threads, of which 4 are used at most; the\n"
                                          "result is the same (default: search.threads)",
                                      .text = &threads},
                                     {0}};

static const argument of_impact[] = {{.name = "threads",
                                      .value = "N",
                                      .help = "number of threads of --sweep; the result is the\n"
                                              "same (default: the processors)",
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

static int answer_of_sweep(job_request *request)
{
    return threads && !(request->flags & ATEMI_IMPACT_SWEEP)
               ? output_refuse("--threads is for --sweep; see 'atemi impact --help'")
               : answer(request);
}

const job_extra strike_extra = {"strike", of_strike, answer};
const job_extra impact_extra = {"impact", of_impact, answer_of_sweep};
