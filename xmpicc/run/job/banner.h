/* SPDX-License-Identifier: BSD-3-Clause
 * The frame in which mpiexec tells of a process that has ended: it comes on standard output, among
 * what the program prints. */
#ifndef XMPIRUN_BANNER_H
#define XMPIRUN_BANNER_H

#include <stdbool.h>
#include <stddef.h>

enum { BANNER_HELD_MAX = 512 };

/* One stream of a job. All zeros at its begin. */
typedef struct {
    int stage;
    size_t frame, matched;      /* characters of a line of the frame, and of its title */
    char held[BANNER_HELD_MAX]; /* what may be the begin of a frame, or a line of one */
    size_t length;
} banner_t;

/* Text in two parts. Each has room for BANNER_HELD_MAX bytes more than were given. */
typedef struct {
    char *program, *mpiexec;
    size_t program_length, mpiexec_length;
} parts_t;

/* Adds TEXT, which comes next, to the PARTS that it is of; what may be either stays here: an empty
 * line and the begin of a frame, until it is known. */
void banner_part(banner_t *banner, const char *text, size_t length, parts_t *parts);

/* The stream has ended: what stayed. */
void banner_end(banner_t *banner, parts_t *parts);

#endif
