/* SPDX-License-Identifier: BSD-3-Clause
 * First looks. */
#define _POSIX_C_SOURCE 200809L
#include "program/life/first.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "act/machine/load.h"
#include "act/machine/rate.h"
#include "base/process/seconds.h"

static bool is(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text != NULL && strcmp(text, value) == 0;
}

bool xmpi_first_is_wanted(void)
{
    const char *active = getenv("XMPI_ACTIVE"), *start = getenv("XMPI_START");
    bool unsaid = start == NULL || start[0] == '\0' || strcmp(start, "auto") == 0;
    return active != NULL && atol(active) > 0 &&
           (is("XMPI_START", "fastest") || (unsaid && is("XMPI_POLICY", "swap")));
}

/* Long enough for ten ticks of the kernel. */
void xmpi_first_look(const char *node, xmpi_load_t *load)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    const char *proc = getenv("XMPI_PROC");
    const char *folder = proc != NULL && proc[0] != '\0' ? proc : "/proc";
    xmpi_cpu_use_t before, after;
    *load = (xmpi_load_t){.rate = xmpi_rate_measure()};
    double start = xmpi_seconds_now();
    bool seen = xmpi_cpu_use(folder, node, &before);
    nanosleep(&pause, NULL);
    if (!seen || !xmpi_cpu_use(folder, node, &after))
        return;
    load->cores = after.cores;
    load->busy = after.busy - before.busy;
    load->seconds = xmpi_seconds_now() - start;
}
