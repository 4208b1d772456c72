/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers that depend on nothing but their state: splitmix64 (Steele, Lea & Flood 2014), one
 * word, any seed is a good one. */
#ifndef XMPI_DECIDE_PLANNING_DRAW_H
#define XMPI_DECIDE_PLANNING_DRAW_H

#include <stdint.h>

static inline uint64_t xmpi_random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* From 0 to N - 1; 0 without any. */
static inline int xmpi_random_below(uint64_t *state, int n)
{
    return n > 0 ? (int)(xmpi_random_next(state) % (uint64_t)n) : 0;
}

#endif
