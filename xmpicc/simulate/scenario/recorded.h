/* SPDX-License-Identifier: BSD-3-Clause
 * A program as a run of it was recorded: by a trace (docs/trace.md) or a profile
 * (files/profile_file.h). */
#ifndef XMPI_SIMULATE_SCENARIO_RECORDED_H
#define XMPI_SIMULATE_SCENARIO_RECORDED_H

#include "base/status.h"
#include "decide/model/profile.h"

/* Plain data, but for what the profile has. */
typedef struct {
    int64_t rows, iterations;
    int active;
    double seconds;         /* of an iteration, of all members, on the PE where it was fastest */
    double neighbours;      /* bytes to each of them in an iteration; 0: none */
    double others;          /* bytes to each other process in an iteration; 0: none */
    double sums, sum_bytes; /* operations of all in an iteration, and bytes of one */
    double gathers, gather_bytes; /* the same; bytes of all rows together */
    double state;                 /* bytes of all rows; 0: not known */
    xmpi_profile_t profile;       /* where the work is: seconds, as above */
} sim_recorded_t;

/* Reads the trace PATH: of its loops the one that took longest. XMPI_ERR_INPUT, in one line, for
 * what is none, and for programs that cannot be simulated by it: that do not divide rows, or read
 * and write files in the loop, or of whose messages nothing is said. XMPI_ERR_MEMORY. */
xmpi_status_t sim_recorded_read(const char *path, sim_recorded_t *recorded, xmpi_error_t *error);

void sim_recorded_free(sim_recorded_t *recorded);

#endif
