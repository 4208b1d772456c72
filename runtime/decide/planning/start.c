/* SPDX-License-Identifier: BSD-3-Clause
 * The start: which of the processes that there are compute at first. */
#include "decide/planning/start.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is measured in a moment is no better than that. */
static const double about_equal = 1.2;

/* Work that one more process on its node would do in a second, where so many (THERE) are. */
static double speed_of(const xmpi_start_process_t *process, int there)
{
    return process->load.rate * xmpi_load_share(&process->load, there, 0);
}

static bool all_known(const xmpi_start_process_t *process, int processes)
{
    for (int i = 0; i < processes; i++)
        if (!(speed_of(&process[i], 0) > 0))
            return false;
    return true;
}

static int find_next(const xmpi_start_process_t *process, int processes, const int *there,
                     const char *chosen)
{
    double best = 0;
    for (int i = 0; i < processes; i++) {
        double speed = chosen[i] ? 0 : speed_of(&process[i], there[process[i].node]);
        best = speed > best ? speed : best;
    }
    int i = 0;
    while (chosen[i] || speed_of(&process[i], there[process[i].node]) * about_equal < best)
        i++;
    return i;
}

xmpi_status_t xmpi_start_choose(const xmpi_start_process_t *process, int processes, int nodes,
                                int active, char *chosen)
{
    int *there = calloc((size_t)nodes + 1, sizeof *there);
    if (there == NULL)
        return XMPI_ERR_MEMORY;
    bool known = all_known(process, processes);
    memset(chosen, 0, (size_t)processes);
    for (int n = 0; n < active; n++) {
        int i = known && n > 0 ? find_next(process, processes, there, chosen) : n;
        chosen[i] = 1;
        there[process[i].node]++;
    }
    free(there);
    return XMPI_OK;
}
