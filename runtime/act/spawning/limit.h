/* SPDX-License-Identifier: BSD-3-Clause
 * A limit for a call that cannot be called off: when it has not returned in time, the job ends with
 * a line instead of waiting for ever. */
#ifndef XMPI_ACT_SPAWNING_LIMIT_H
#define XMPI_ACT_SPAWNING_LIMIT_H

#include <pthread.h>
#include <stdint.h>

#include "base/status.h"

typedef struct {
    int stop[2]; /* pipe */
    int64_t seconds;
    const char *what; /* "... has not ended"; NULL: nothing is said */
    pthread_t thread;
} xmpi_limit_t;

/* From here on the caller has SECONDS. WHAT has not happened then is said; by one process where
 * several wait, so NULL on the others. XMPI_ERR_PROCESS when there is no thread to see to it. */
xmpi_status_t xmpi_limit_begin(xmpi_limit_t *limit, int64_t seconds, const char *what,
                               xmpi_error_t *error);

/* It was in time. */
void xmpi_limit_end(xmpi_limit_t *limit);

#endif
