/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to a program that is made adaptive: it is compiled both ways, run plainly, and run
 * with changes at random. */
#ifndef XMPI_TESTS_FUZZ_JUDGE_PROGRAM_H
#define XMPI_TESTS_FUZZ_JUDGE_PROGRAM_H

#include <stdbool.h>

typedef enum {
    SAME,     /* it printed the same */
    WARNED,   /* the rewriter accepted it with a warning; the output is the same */
    PINNED,   /* the runtime kept its processes, and said so; the output is the same */
    OTHER,    /* what the plain program prints with the number of processes that it ended with */
    REFUSED,  /* by the rewriter */
    REPORTED, /* XMPI_CHECK found a difference */
    SPOILT,   /* it did, and the result is wrong all the same */
    UNSURE,   /* another result; it was said that a change was not checked, and why */
    TOLD,   /* another result; the rewriter said where the program puts out what follows blocks, or
               what in a clause is not so */
    SILENT, /* another result, and not a word */
    CRASH,  /* an adaptive run ended badly */
    HANG,
    UNMOVED, /* nothing changed, and nobody said why: then the run shows nothing */
    BROKEN,  /* the plain program does not compile or run: a mistake of the generator */
    UNBUILT, /* the rewriter accepted it, and what came out does not compile */
    OUTCOMES
} outcome_t;

enum { MAX_CHECKS = 3 };

typedef struct {
    outcome_t outcome;
    char why[400]; /* one line: the diagnostic, or what was different */
} verdict_t;

typedef struct {
    const char *checks[MAX_CHECKS]; /* values of XMPI_CHECK, up to the first NULL */
    int processes;                  /* at the begin; there are four in the pool */
    int runs;                       /* with the pool */
    int spawns;                     /* with processes that are spawned */
    bool quickly;                   /* compiled by tcc, where that is possible */
    bool resizable;                 /* what is divisible is not looked at */
} judgement_t;

extern const char *const outcome_names[OUTCOMES];

/* Judges PATH in the scratch folder DIR, with each of the checks. What is found is not reported
 * twice: the first bad run counts. */
void judge_program(const char *dir, const char *path, const judgement_t *how,
                   verdict_t verdicts[MAX_CHECKS]);

/* Whether a right program prints the same with 1 to 4 processes without XMPI. */
bool prints_the_same_plainly(const char *dir, const char *path, verdict_t *verdict);

/* Whether the plain program runs without an error that sanitizers see: what C-Reduce leaves may do
 * anything. */
bool is_well_defined(const char *dir, const char *path, int processes);

/* Whether two outputs are the same: words alike, numbers to 8 digits, those behind a ~ to 3; lines
 * in any order. */
bool same_output(const char *a, const char *b);

#endif
