/* SPDX-License-Identifier: BSD-3-Clause
 * A limit for a call that cannot be called off. */
#define _GNU_SOURCE
#include "act/spawning/limit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/misuse.h"

static void *watch(void *context)
{
    const xmpi_limit_t *limit = context;
    struct pollfd stop = {.fd = limit->stop[0], .events = POLLIN};
    if (poll(&stop, 1, (int)(1000 * (limit->seconds < 1000000 ? limit->seconds : 1000000))) != 0)
        return NULL;
    if (limit->what != NULL)
        fprintf(stderr,
                "xmpi: %s in %lld s (XMPI_TIMEOUT), and MPI cannot be told not to wait for it: the "
                "job ends\n",
                limit->what, (long long)limit->seconds);
    xmpi_end_job_now(1);
}

xmpi_status_t xmpi_limit_begin(xmpi_limit_t *limit, int64_t seconds, const char *what,
                               xmpi_error_t *error)
{
    sigset_t all, before;
    limit->seconds = seconds;
    limit->what = what;
    if (pipe2(limit->stop, O_CLOEXEC) != 0)
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "no pipe for a process that starts others");
    sigfillset(&all); /* signals are for the program's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&limit->thread, NULL, watch, limit);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure == 0)
        return XMPI_OK;
    close(limit->stop[0]);
    close(limit->stop[1]);
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "no room for another thread of this process");
}

void xmpi_limit_end(xmpi_limit_t *limit)
{
    if (write(limit->stop[1], "", 1) == 1)
        pthread_join(limit->thread, NULL);
    close(limit->stop[0]);
    close(limit->stop[1]);
}
