/* SPDX-License-Identifier: BSD-3-Clause
 * Sample: what one member saw in one sampling interval. Plain data, sent as it is. */
#ifndef XMPI_DECIDE_MODEL_SAMPLE_H
#define XMPI_DECIDE_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "decide/model/idle.h"

/* Classes of MPI operations; the column of runtime/observe/mpi_calls.txt. */
typedef enum {
    XMPI_CLASS_P2P,        /* blocking point-to-point */
    XMPI_CLASS_COLLECTIVE, /* blocking collectives */
    XMPI_CLASS_WAIT,       /* completion of non-blocking operations, probes */
    XMPI_CLASS_POST,       /* starting non-blocking operations */
    XMPI_CLASS_IO,         /* MPI-IO, and other calls that move data of files */
    XMPI_CLASSES,
    XMPI_CLASS_NONE = XMPI_CLASSES, /* not timed */
} xmpi_class_t;

typedef struct {
    int64_t calls;
    int64_t bytes; /* sent, or written or read, by this member */
    double seconds;
} xmpi_operations_t;

/* Kinds of operations: those that MPI carries out alike, so that they cost alike. */
typedef enum {
    XMPI_KIND_SEND,
    XMPI_KIND_RECV,
    XMPI_KIND_SENDRECV,
    XMPI_KIND_BARRIER,
    XMPI_KIND_BCAST,
    XMPI_KIND_GATHER,
    XMPI_KIND_GATHERV,
    XMPI_KIND_SCATTER,
    XMPI_KIND_SCATTERV,
    XMPI_KIND_ALLGATHER,
    XMPI_KIND_ALLGATHERV,
    XMPI_KIND_ALLTOALL,
    XMPI_KIND_ALLTOALLV,
    XMPI_KIND_REDUCE,
    XMPI_KIND_ALLREDUCE,
    XMPI_KIND_REDUCE_SCATTER,
    XMPI_KIND_SCAN,
    XMPI_KIND_NEIGHBOR,
    XMPI_KIND_WAIT, /* completion of what was started, probes */
    XMPI_KIND_FILE, /* MPI-IO and its like */
    XMPI_KINDS,
} xmpi_kind_t;

enum { XMPI_OBSERVED_MAX = 24 };

/* Calls of one kind, of about one size (bytes to the next power of 2), in communicators of one
 * size. */
typedef struct {
    int16_t kind;
    bool posted;     /* non-blocking: only started, a wait completes it */
    uint8_t size;    /* number of binary digits of the bytes of a call */
    int32_t members; /* of the communicator; 0 where the call has none */
    int64_t calls, bytes;
    double seconds;
} xmpi_observed_t;

/* Tiles of a pipeline: computation between a message from the member before, which was waited for,
 * and one to the member behind; of those at the ends one of the two. */
typedef struct {
    int64_t number;
    double seconds; /* of computation */
} xmpi_tiles_t;

/* Arrays that are out of core of which a sample tells. */
enum { XMPI_PASSES_MAX = 4 };

/* The member can move; it stays; as long as it has what it has nobody can move. */
enum { XMPI_HELD_NOT, XMPI_HELD_HERE, XMPI_HELD_ALL };

/* What a member is to have written of the checkpoints is written; it is at it, or gets room for the
 * next one; it could not be written. */
enum { XMPI_SAVED, XMPI_SAVES, XMPI_UNSAVED };

typedef struct {
    int64_t iterations;
    double wall;        /* seconds of the interval, without reconfigurations */
    double computation; /* seconds of it outside MPI and I/O */
    double deviation; /* standard deviation of the computation time of an iteration, from successive
                         differences (von Neumann 1941): work that grows or shrinks is no noise */
    double cpu;       /* CPU seconds of the process, its threads included, while it computed */
    double work;      /* units of the counter */
    xmpi_operations_t operations[XMPI_CLASSES];
    xmpi_load_t load; /* of the node, where this member tells it; all 0: it does not */
    int32_t threads;  /* others of the program that call MPI, and go on when an iteration ends */
    double image;     /* bytes that move when the program goes elsewhere as it is; 0: it does not */
    int32_t held;     /* whether the program cannot go to another process now: XMPI_HELD_NOT, ... */
    int32_t saves;    /* its part of the last checkpoint: XMPI_SAVED, ... */
    int64_t saved;    /* the number of that; 0: there was none */
    double stood;     /* seconds that it stood still for it */
    xmpi_tiles_t tiles[2];          /* from lower to higher ranks, and back */
    double passes[XMPI_PASSES_MAX]; /* of the first arrays that are out of core: how often the
                                       interval went through what does not stay in memory; 0: that
                                       is not known */
    int32_t observed_kinds;
    xmpi_observed_t observed[XMPI_OBSERVED_MAX]; /* in the order of their first calls; where there
                                                    are more, the last one is all the rest */
} xmpi_sample_t;

/* Seconds of its time in MPI that the member RANK of MEMBERS waited for others, as far as that can
 * be told from transfer: what it took longer than the member that took least, of the classes of
 * blocking operations of which all made as many calls. The member that comes last waits least. */
double xmpi_sample_waiting(const xmpi_sample_t *samples, int members, int rank);

/* Seconds of computation and I/O. */
double xmpi_sample_busy(const xmpi_sample_t *sample);

/* The member that waits least: its time in MPI is communication, that of the others also waiting
 * for it. */
int xmpi_reference_member(const xmpi_sample_t *samples, int members);

#endif
