/* SPDX-License-Identifier: BSD-3-Clause
 * EASY backfilling. */
#include "simulate/workload/easy.h"

#include <math.h>
#include <stdlib.h>

static int earlier(const void *a, const void *b)
{
    const sim_release_t *x = a, *y = b;
    return x->when < y->when ? -1 : x->when > y->when;
}

sim_reservation_t sim_easy_reserve(sim_release_t *release, int releases, double now, int free,
                                   int pes)
{
    if (free >= pes)
        return (sim_reservation_t){now, free - pes};
    if (releases > 0)
        qsort(release, (size_t)releases, sizeof *release, earlier);
    for (int i = 0; i < releases; i++) {
        free += release[i].pes;
        bool last = i + 1 == releases || release[i + 1].when > release[i].when;
        if (last && free >= pes)
            return (sim_reservation_t){fmax(now, release[i].when), free - pes};
    }
    return (sim_reservation_t){INFINITY, 0};
}

bool sim_easy_fits(const sim_reservation_t *reservation, double now, double seconds, int pes)
{
    return now + seconds <= reservation->when || pes <= reservation->extra;
}
