/* SPDX-License-Identifier: BSD-3-Clause
 * A program as two executables in a scratch folder: "plain", and "adaptive". */
#ifndef XMPI_TESTS_FUZZ_BUILD_PROGRAM_H
#define XMPI_TESTS_FUZZ_BUILD_PROGRAM_H

#include <stdbool.h>

#include "fuzz/judge_program.h"

/* SAME, BROKEN for a plain program that does not compile; for an adaptive one also REFUSED, WARNED
 * and UNBUILT; REFUSED is what is neither divisible nor known to be resizable. QUICKLY: by tcc
 * where it is there and takes the program, which needs a tenth of gcc's time; else by mpicc and
 * xmpicc. */
verdict_t build_plain(const char *dir, const char *path, bool quickly);
verdict_t build_adaptive(const char *dir, const char *path, const judgement_t *how);

/* The first line of WHY, with an outcome. */
verdict_t verdict_of(outcome_t outcome, const char *why);

/* The first line of TEXT with WORD in it, or TEXT. */
const char *line_with(const char *text, const char *word);

#endif
