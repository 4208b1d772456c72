/* SPDX-License-Identifier: BSD-3-Clause
 * What became of many programs: counts of outcomes and of diagnostics, for each check. */
#ifndef XMPI_TESTS_FUZZ_TALLY_PROGRAMS_H
#define XMPI_TESTS_FUZZ_TALLY_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "fuzz/judge_program.h"

enum { MAX_REASONS = 256, REASON = 160, DIAGNOSTIC = 48 };

typedef struct {
    char text[REASON];
    long times;
    uint64_t seed; /* the first */
} reason_t;

typedef struct {
    const char *const *checks; /* up to a NULL or MAX_CHECKS */
    long programs[2];          /* right ones, and those with a wrong turn */
    long of[MAX_CHECKS][2][OUTCOMES];
    reason_t reason[MAX_REASONS];
} tally_t;

/* The name of the diagnostic in a verdict with its brackets, or "". */
void diagnostic_of(const verdict_t *verdict, char name[DIAGNOSTIC]);

void tally_add(tally_t *tally, uint64_t seed, bool right, const verdict_t verdicts[MAX_CHECKS]);

/* The counts, as a table and as figures. */
void tally_print(const tally_t *tally);

/* How many are silently wrong, with any of the checks. */
long tally_silent(const tally_t *tally);

#endif
