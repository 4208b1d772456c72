/* SPDX-License-Identifier: BSD-3-Clause
 * Exposures: who may have infected whom in a step, and their way to the process of the exposed. */
#ifndef EXPOSURE_H
#define EXPOSURE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct exposure {
    int32_t who, source;
};

/* A list that grows. All zero is an empty one. */
struct exposures {
    struct exposure *item; /* malloc */
    size_t n, capacity;
    int failed; /* there was no memory for all */
};

void exposures_add(struct exposures *list, int who, int source);
void exposures_free(struct exposures *list);

/* Sends every exposure to the process that has the person WHO: DISPLS holds the first person of
 * each process of COMM. What comes is appended to ARRIVED. Collective; without memory the job is
 * aborted. */
void exposures_deliver(const struct exposures *list, const int *displs, MPI_Comm comm,
                       struct exposures *arrived);

#endif
