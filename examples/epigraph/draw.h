/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers that are a function of what they are drawn for, not of what was drawn before: who
 * computes a person, and in which order, changes nothing. */
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

/* Philox 4x32-10: J. K. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011. */
struct words {
    uint32_t word[4];
};
struct words philox(struct words counter, const uint32_t key[2]);

/* What a number is drawn for. */
enum purpose {
    DRAW_SEED,
    DRAW_STATUS,
    DRAW_SPREAD,
    DRAW_EXPOSURE,
    DRAW_VACCINE,
    DRAW_TRAVEL,
    DRAW_VISIT,
    DRAW_FINGERPRINT,
    DRAW_GENERATE, /* this one and all that follow: the generator's */
};

/* Four numbers for PURPOSE concerning ONE (and OTHER) at TIME. */
struct words draw(uint64_t seed, int purpose, uint32_t one, uint32_t other, uint32_t time);

/* In [0, 1), a multiple of 2^-32, so that every machine gets the same. */
double unit(uint32_t word);

/* In [0, n), n <= 2^32, with a bias below n / 2^32. */
uint32_t below(uint32_t word, uint64_t n);

#endif
