/* SPDX-License-Identifier: BSD-3-Clause
 * Swapping (Sievert 2003, ch. 5): when a process on a slow PE is worth to be replaced by one on a
 * quicker PE. */
#ifndef XMPI_DECIDE_POLICY_SWAP_TERMS_H
#define XMPI_DECIDE_POLICY_SWAP_TERMS_H

#include <stdint.h>

/* The policies of §5.3, in the order of the setting XMPI_SWAP. */
typedef enum { XMPI_SWAP_GREEDY, XMPI_SWAP_SAFE, XMPI_SWAP_FRIENDLY } xmpi_swap_preset_t;

/* The parameters of §5.2. */
typedef struct {
    double payback;          /* iterations in which a change has to have paid for itself */
    double process_gain;     /* share by which a process has to become quicker, at least */
    double application_gain; /* the same of the program */
    double history;          /* seconds from which speeds are foretold */
    int64_t swaps;           /* at a time, at most; 0: as many as gain */
    double doubt; /* standard errors by which speeds may be off; 0: they are what they seem */
} xmpi_swap_terms_t;

/* What an idle processing element promises has to stand out from noise, or that alone would make
 * processes come and go. (Not in the paper, where it does.) */
#define XMPI_SWAP_DOUBT 2.0

/* Those of PRESET, but for what is GIVEN: what is not is negative. (Not in the paper: the payback
 * of friendly, which is none; and how many swaps, as one of two equally slow members gains nothing
 * by itself.) */
xmpi_swap_terms_t xmpi_swap_terms(xmpi_swap_preset_t preset, const xmpi_swap_terms_t *given);

/* Iterations until a change that takes SWAP seconds has paid for itself, where an iteration takes
 * ITERATION seconds and performance, in any unit, goes from BEFORE to AFTER (§5.1). Negative where
 * it never does, INFINITY where nothing changes; 0 where it costs nothing and gains something. */
double xmpi_swap_payback(double swap, double iteration, double before, double after);

#endif
