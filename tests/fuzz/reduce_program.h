/* SPDX-License-Identifier: BSD-3-Clause
 * Making a program smaller that still does what it does. */
#ifndef XMPI_TESTS_FUZZ_REDUCE_PROGRAM_H
#define XMPI_TESTS_FUZZ_REDUCE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "fuzz/judge_program.h"

enum { ANSWERS = 1 << 14 };

/* The plainest answers with which the program of SEED (WRONG: as for program_make) gets the
 * verdict WANTED again, in FORCE. */
void shrink(const char *dir, uint64_t seed, int wrong, const judgement_t *how,
            const verdict_t *wanted, char force[ANSWERS]);

/* Whether the program at PATH is what C-Reduce may go on with: silently wrong without a check,
 * in a number of a line that both print, ended by MPI_Finalize, defined to sanitizers, and, where
 * WITNESS, seen by XMPI_CHECK=all. */
bool is_interesting(const char *dir, const char *path, const judgement_t *how, bool witness);

/* C-Reduce makes the program at PATH smaller, as long as it is interesting; false where it is not
 * to begin with. */
bool reduce(const char *dir, const char *path, const judgement_t *how, bool witness);

/* The folder where programs are kept, which is made. */
const char *kept_dir(void);

#endif
