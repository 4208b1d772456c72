/* SPDX-License-Identifier: BSD-3-Clause
 * EASY backfilling (Lifka 1995): the first job in the queue has a reservation, by what users say of
 * their jobs; others may start before it where they do not delay it. Pure. */
#ifndef XMPI_SIMULATE_WORKLOAD_EASY_H
#define XMPI_SIMULATE_WORKLOAD_EASY_H

#include <stdbool.h>

/* So many processing elements become free then. */
typedef struct {
    double when;
    int pes;
} sim_release_t;

typedef struct {
    double when; /* from then on there are enough; INFINITY: never */
    int extra;   /* more than those */
} sim_reservation_t;

/* For PES, where FREE are free NOW; sorts the releases. Those that should have been are taken for
 * now. */
sim_reservation_t sim_easy_reserve(sim_release_t *release, int releases, double now, int free,
                                   int pes);

/* Whether a job that has PES from NOW on for SECONDS does not delay whom the reservation is for. */
bool sim_easy_fits(const sim_reservation_t *reservation, double now, double seconds, int pes);

#endif
