/* SPDX-License-Identifier: BSD-3-Clause
 * The emulated cluster of the demonstration: one PE of each of the thesis's classes (Table 6.4) to
 * start with, and two more to grow by. */
#ifndef DEMO_CLUSTER_H
#define DEMO_CLUSTER_H

enum { CLUSTER_PES = 6, CLUSTER_START = 4 };

typedef struct {
    const char *node, *class;
    double speed; /* GFLOPS */
    double cost;  /* dollars an hour */
} cluster_pe_t;

extern const cluster_pe_t cluster_pe[CLUSTER_PES];

/* The speed of a class, 0 for one that is unknown. */
double cluster_speed(const char *class);

/* The total speed of the first PEs. */
double cluster_total_speed(int pes);

/* The machine file, and the list of speeds for the pacing. Free the result. */
char *cluster_machines(void);
char *cluster_speeds(void);

#endif
