/* SPDX-License-Identifier: BSD-3-Clause
 * Processor configurations: how many processing elements of each class meet a goal best
 * (mappingSimplex, thesis §5.4.3.1). Simplex and then branch and bound, because processes are
 * whole; both by GLPK, which leaves no trace of itself behind. */
#ifndef XMPI_DECIDE_CONFIGURATIONS_CONFIGURATIONS_H
#define XMPI_DECIDE_CONFIGURATIONS_CONFIGURATIONS_H

#include <stdbool.h>

#include "decide/layout/resources.h"
#include "base/status.h"

/* What a configuration that meets the goal is chosen by. */
typedef enum {
    XMPI_CONSTRAINT_EFFICIENCY, /* fewest members, then least power beyond what is needed */
    XMPI_CONSTRAINT_COST,       /* least cost per time, then least power beyond what is needed */
} xmpi_constraint_t;

/* The members that may be on PEs of one class. */
typedef struct {
    int least, most;
    double speed; /* of one, in units of work per second, > 0 */
    double cost;  /* of one, per hour, >= 0 */
} xmpi_choice_t;

/* The functions of GLPK (decide/configurations/glpk.h). */
typedef struct xmpi_glpk xmpi_glpk_t;

typedef struct {
    const xmpi_glpk_t *glpk; /* NULL: it is not here */
    int classes;
    const xmpi_choice_t *choice;
    xmpi_constraint_t constraint;
    int least, most;    /* members in all */
    const double *need; /* of every number n of members up to MOST: the power, in units of work per
                           second, with which n members meet the goal (communication and the change
                           take time that depends on n); INFINITY: n is out of the question */
} xmpi_configurations_t;

/* COUNT[c] is the number of members of class c in the best configuration, the sum of which times
 * their speeds is what its number of members needs (to 1e-7 of it); *FOUND is false when there is
 * none. XMPI_ERR_INPUT: GLPK is not here; XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL: it
 * has failed. */
xmpi_status_t xmpi_configurations_find(const xmpi_configurations_t *all, int *count, bool *found,
                                       xmpi_error_t *error);

/* The power of the strongest configuration of MEMBERS members, in COUNT; -1 when so many (or so
 * few) cannot be. */
double xmpi_configurations_strongest(int classes, const xmpi_choice_t *choice, int members,
                                     int *count);

#endif
