/* SPDX-License-Identifier: BSD-3-Clause
 * What mpiexec says of itself: when it is told to end, whoever told it knows that; and when a
 * process was lost. */
#ifndef XMPIRUN_NOISE_H
#define XMPIRUN_NOISE_H

#include <stdbool.h>
#include <stddef.h>

enum { NOISE_LINE_MAX = 256 /* longer lines are none of mpiexec's */ };

/* The first process that a signal has ended, by mpiexec. */
typedef struct {
    long pid;      /* 0: it has told of none */
    char node[64]; /* on which it ran */
    char how[64];  /* "Killed (signal 9)"; empty: no signal did it */
} noise_loss_t;

/* One stream of a job. All zeros at its begin. */
typedef struct {
    char line[NOISE_LINE_MAX]; /* that has begun */
    size_t length;
    bool blank;     /* an empty line is held back: one of mpiexec's may follow */
    size_t matched; /* characters of mpiexec's line about a process that was lost */
    bool lost;      /* it was there */
    char heard[NOISE_LINE_MAX]; /* the line that goes on, as far as it may be one of these */
    size_t heard_length;
    noise_loss_t loss;
} noise_t;

/* The line of mpiexec's about a process that was lost. */
extern const char noise_termination[];

/* Whether LINE, with or without its end, is one of mpiexec's. */
bool noise_is_line(const char *line, size_t length);

/* Notes whether mpiexec tells in TEXT, which comes next, that a process was lost, and which. */
void noise_hear(noise_t *noise, const char *text, size_t length);

/* Copies the TEXT of the stream that is not mpiexec's into KEPT, which has room for LENGTH +
 * NOISE_LINE_MAX + 1 bytes; a line that has not ended stays here. How many bytes are kept. */
size_t noise_filter(noise_t *noise, const char *text, size_t length, char *kept);

/* The stream has ended: what stayed, in KEPT, which has room for NOISE_LINE_MAX + 1 bytes. */
size_t noise_end(noise_t *noise, char *kept);

#endif
