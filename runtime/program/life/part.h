/* SPDX-License-Identifier: BSD-3-Clause
 * Part: what part a process takes, told from what is there when it starts. A program need not be
 * XMPI's alone: mpiexec may have started others in the same world, a program of its own may have
 * spawned it, a tool may wrap its calls of MPI. */
#ifndef XMPI_PROGRAM_LIFE_PART_H
#define XMPI_PROGRAM_LIFE_PART_H

#include <mpi.h>
#include <stdbool.h>

enum { XMPI_PART_WORD = 32 };

typedef enum {
    XMPI_PART_NONE,    /* the program is left alone */
    XMPI_PART_CALLED,  /* spawned by XMPI: there is an order for it */
    XMPI_PART_ADAPTED, /* it has an adaptive loop */
    XMPI_PART_WATCHED, /* for a trace */
} xmpi_part_kind_t;

typedef struct {
    xmpi_part_kind_t kind;
    bool started;              /* MPI_Init has been called, and has reached us */
    char word[XMPI_PART_WORD]; /* for the fellows: the same in processes of the same program */
    char tool[512];            /* that wraps calls of MPI before us; empty: none */
    char passed[64];           /* call of PMPI that the program makes itself; empty: none */
    const char *wish;    /* the setting that a program without a loop does not heed, or NULL */
    bool cannot_restart; /* it has a loop that is to go on from a checkpoint, but is off */
    MPI_Comm comm;       /* of all that are watched */
} xmpi_part_t;

/* ANNOTATED: there is an adaptive loop, or several, of which the N texts STRUCTURE tell. */
void xmpi_part_choose(xmpi_part_t *part, bool annotated, const char *const *structure, int n);

/* Tells the process manager of it, which may never answer where it is dying. Before PMPI_Init. */
void xmpi_part_announce(const xmpi_part_t *part);

/* Sees who else is there, and says in one line where that keeps the program as it is. Ends the job
 * where it is off, but was to go on from a checkpoint: it would begin anew unnoticed. After
 * PMPI_Init; collective over those of the same part. */
void xmpi_part_settle(xmpi_part_t *part);

/* The loop at WHERE begins. Says, once, where it cannot be adaptive, as MPI_Init was made past us.
 */
void xmpi_part_check(xmpi_part_t *part, const char *where);

#endif
