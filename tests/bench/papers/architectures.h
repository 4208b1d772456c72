/* SPDX-License-Identifier: BSD-3-Clause
 * The emulated clusters of the measurements with MHETA: 17 of 8 nodes of one processor, as the
 * paper describes its own (Nakazawa 2005, 6.1). It gives no numbers: these are ours. DC: 2 slower
 * and 2 quicker processors; IO: 4 slow disks and small memories; HY1: 4 other processors, and 4
 * quick disks and small memories; HY2: 4 other processors, 2 disks of high latency, 2 large
 * memories; R1 to R13: any nodes with slow processors, and any with small memories, by the seed. */
#ifndef XMPI_TESTS_BENCH_ARCHITECTURES_H
#define XMPI_TESTS_BENCH_ARCHITECTURES_H

#include <stdint.h>
#include <stdio.h>

enum { ARCHITECTURES = 17, NODES = 8 };

typedef struct {
    char name[8];
    double speed[NODES];     /* of the processor */
    double memory[NODES];    /* as a share of what equal blocks of all arrays take */
    double bandwidth[NODES]; /* MB/s */
    double latency[NODES];   /* ms */
} architecture_t;

static inline double architecture_draw(uint64_t *seed, double from, double to)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(*seed >> 11) / 9007199254740992.0;
}

static inline void architecture_random(architecture_t *a, uint64_t number)
{
    uint64_t seed = 1000 + number;
    snprintf(a->name, sizeof a->name, "R%d", (int)number);
    for (int i = 0; i < 4; i++)
        architecture_draw(&seed, 0, 1); /* the first ones follow the number */
    for (int i = 0; i < NODES; i++) {
        if (architecture_draw(&seed, 0, 1) < 0.5)
            a->speed[i] = architecture_draw(&seed, 0.4, 1);
        if (architecture_draw(&seed, 0, 1) < 0.5)
            a->memory[i] = architecture_draw(&seed, 0.3, 1.2);
    }
}

static inline architecture_t architecture_make(int which)
{
    static const char *const name[] = {"DC", "IO", "HY1", "HY2"};
    static const double varied[4] = {0.5, 0.75, 1.5, 2};
    architecture_t a = {.name = ""};
    for (int i = 0; i < NODES; i++) {
        a.speed[i] = 1;
        a.memory[i] = which == 0 ? 1.5 : 2;
        a.bandwidth[i] = 20;
        a.latency[i] = 0.2;
    }
    if (which >= 4) {
        architecture_random(&a, (uint64_t)which - 3);
        return a;
    }
    snprintf(a.name, sizeof a.name, "%s", name[which]);
    for (int i = 0; i < 4; i++) {
        if (which == 0)
            a.speed[i] = i < 2 ? 0.5 : 2;
        if (which == 1) {
            a.bandwidth[i] = 10;
            a.memory[i] = 0.5;
        }
        if (which >= 2)
            a.speed[i] = varied[i];
        if (which == 2) {
            a.latency[4 + i] = 0.05;
            a.bandwidth[4 + i] = 40;
            a.memory[4 + i] = 0.5;
        }
        if (which == 3) {
            a.latency[4 + i] = i < 2 ? 2 : 0.2;
            a.memory[4 + i] = i < 2 ? 0.8 : 3;
        }
    }
    return a;
}

#endif
