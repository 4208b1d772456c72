/* SPDX-License-Identifier: BSD-3-Clause
 * The start: which of the processes that there are compute at first. */
#include "decide/planning/start.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is measured in a moment is no better than that. */
static const double about_equal = 1.2;

typedef struct {
    const xmpi_start_process_t *process;
    int processes;
    int *there;   /* processes chosen on each node */
    double *rate; /* of the class of each process */
} start_t;

/* Work that one more process on the node of process I would do in a second, where so many (THERE)
 * are. */
static double speed_of(const start_t *start, int i, int there)
{
    return start->rate[i] * xmpi_load_share(&start->process[i].load, there, 0);
}

static double next_speed(const start_t *start, int i)
{
    return speed_of(start, i, start->there[start->process[i].node]);
}

static bool all_known(const start_t *start)
{
    for (int i = 0; i < start->processes; i++)
        if (!(start->process[i].load.rate > 0 && speed_of(start, i, 0) > 0))
            return false;
    return true;
}

/* Others slow a CPU down for longer than a moment, also those of another machine on the same host.
 */
static void level_rates(start_t *start)
{
    double best[XMPI_CLASSES_MAX] = {0};
    for (int i = 0; i < start->processes; i++) {
        const xmpi_start_process_t *p = &start->process[i];
        start->rate[i] = p->load.rate;
        if (p->class_index != XMPI_ANY_CLASS)
            best[p->class_index] = fmax(best[p->class_index], p->load.rate);
    }
    for (int i = 0; i < start->processes; i++)
        if (start->process[i].class_index != XMPI_ANY_CLASS)
            start->rate[i] = best[start->process[i].class_index];
}

static int find_next(const start_t *start, const char *chosen)
{
    double best = 0;
    for (int i = 0; i < start->processes; i++)
        best = chosen[i] ? best : fmax(best, next_speed(start, i));
    int i = 0;
    while (chosen[i] || next_speed(start, i) * about_equal < best)
        i++;
    return i;
}

xmpi_status_t xmpi_start_choose(const xmpi_start_process_t *process, int processes, int nodes,
                                int active, char *chosen)
{
    start_t start = {process, processes, calloc((size_t)nodes + 1, sizeof *start.there),
                     malloc(((size_t)processes + 1) * sizeof *start.rate)};
    bool enough = start.there != NULL && start.rate != NULL;
    if (enough) {
        level_rates(&start);
        bool known = all_known(&start);
        memset(chosen, 0, (size_t)processes);
        for (int n = 0; n < active; n++) {
            int i = known && n > 0 ? find_next(&start, chosen) : n;
            chosen[i] = 1;
            start.there[process[i].node]++;
        }
    }
    free(start.there);
    free(start.rate);
    return enough ? XMPI_OK : XMPI_ERR_MEMORY;
}
