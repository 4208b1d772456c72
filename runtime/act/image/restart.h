/* SPDX-License-Identifier: BSD-3-Clause
 * Restart: the program of a process starts over, as if main were called for the first time. Its own
 * part, linked into it as what moves an image (act/image/image.h), is this table. */
#ifndef XMPI_ACT_IMAGE_RESTART_H
#define XMPI_ACT_IMAGE_RESTART_H

#include <stdio.h>

#include "act/image/image.h"

enum { XMPI_FILE_PATH_MAX = 1024, XMPI_READS_MAX = 4096 };

/* Where a stream of the program stands. */
typedef struct {
    int64_t at;
    int64_t read; /* it was read last as number READ of all reads of streams; 0: never */
    FILE *real;   /* of this process */
    char path[XMPI_FILE_PATH_MAX];
} xmpi_file_place_t;

/* A file that the program has read on its way to a loop, or has looked for. Of more than
 * XMPI_READS_MAX reads_changed says so. */
typedef struct {
    uint64_t print; /* of what it was like: another number where it is another file */
    char path[XMPI_FILE_PATH_MAX];
} xmpi_read_t;

typedef struct {
    /* The places where all that is the program's lies, fewer and larger ones than those of an
     * image: at most MOST; how many there are. */
    size_t (*regions)(xmpi_span_t *span, size_t most);
    /* Of what lies below, the program's file is the origin; all other pages may go elsewhere. */
    uintptr_t data_end;
    /* Calls main with what it was called with first, on an empty stack. Called outside. */
    void (*again)(void);

    /* Whether the program has read standard input, which nobody can read again. */
    bool (*has_read_input)(void);
    /* A file whose descriptor the program has, which its start would open anew: in WHY, for people;
     * empty: there is none. */
    void (*descriptors)(char *why);
    /* From here on files that the program opens for writing are not touched (ON), or are again. */
    void (*hold_files)(bool on);
    /* At most MOST streams that the program has open into PLACE; how many there are. */
    size_t (*files)(xmpi_file_place_t *place, size_t most);
    /* The start is over: streams go on where PLACE, of N, has them (the first of a path counts);
     * those that it has not, behind what the file has. False: one cannot, WHY says which. */
    bool (*settle_files)(const xmpi_file_place_t *place, size_t n, char *why);

    /* From now on the files that it reads are noted, also by a program that starts over from here.
     */
    void (*note_reads)(void);
    /* The program is at LOOP, of which it does not come to what iterations read when it starts
     * over. */
    void (*at_loop)(const char *loop);
    /* At most MOST of the files that it has read on its way to LOOP into LIST; how many. */
    size_t (*reads)(const char *loop, xmpi_read_t *list, size_t most);
    /* One of them that is not what it was, in WHY, for people; empty: there is none. */
    void (*reads_changed)(const char *loop, char *why);
} xmpi_restart_t;

#endif
