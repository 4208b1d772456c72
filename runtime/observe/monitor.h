/* SPDX-License-Identifier: BSD-3-Clause
 * Monitor: time and bytes of MPI calls by class, and the sample of an interval (thesis §4.2). */
#ifndef XMPI_OBSERVE_MONITOR_H
#define XMPI_OBSERVE_MONITOR_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "decide/model/sample.h"
#include "observe/counter/counter.h"
#include "observe/faults.h"
#include "observe/observations.h"
#include "observe/tiles.h"

/* Computation times of the iterations of an interval. */
typedef struct {
    int64_t number;
    double mark, mpi_mark; /* the clock, and what is no computation, at the last point */
    double last, squares;  /* of the times; sum of the squared steps from each to the next */
} xmpi_iterations_t;

/* CPU time of the computation. It takes a system call to read, too slow for every call of MPI; so
 * it is read around stretches between two calls that are chosen at random, independent of what is
 * done in them. */
typedef struct {
    uint64_t random;
    double chance;  /* that a stretch is watched */
    int64_t gap;    /* stretches to be left out before the next */
    double cost;    /* mean seconds that watching one has taken lately; 0: not measured yet */
    double opening; /* of those, to begin with the one that is watched */
    int64_t number; /* in the interval */
    bool open;      /* this one is watched */
    double start;   /* of the interval */
    double wall_mark, cpu_mark;
    double wall, cpu; /* of those watched */
    double cpu_start; /* of the interval, those in MPI included */
    bool faulting; /* the last interval had major page faults: what they take is looked at, too */
    xmpi_faults_t faults_mark;
    double faults; /* seconds in them, of those watched */
} xmpi_stretches_t;

typedef struct {
    bool on;           /* an adaptive loop is running */
    int depth;         /* of nested calls: only the outermost counts */
    pthread_t thread;  /* that runs the loop; calls of others are not counted */
    double mpi;        /* seconds in MPI, and with files, in the interval */
    double wall_start; /* of the interval */
    xmpi_iterations_t iterations;
    xmpi_stretches_t stretches;
    double work_start;
    int64_t faults_start; /* major page faults of the thread, then */
    bool paused;
    double wall_paused, work_paused, cpu_paused; /* when, and the counts then */
    xmpi_operations_t operations[XMPI_CLASSES];
    xmpi_observations_t observations;
    xmpi_tiling_t tiling;
    xmpi_counter_t counter;
} xmpi_monitor_t;

/* That of this process: it is reached from the calls that are watched. */
extern xmpi_monitor_t xmpi_monitor;

typedef struct {
    bool counted;
    double start;
} xmpi_call_t;

/* Around every wrapped call; leave only for calls that are counted. */
xmpi_call_t xmpi_monitor_enter(void);
void xmpi_monitor_leave(xmpi_call_t call, xmpi_class_t class_index, xmpi_kind_t kind, int members,
                        int64_t bytes);

/* Behind leave: the call has received from rank SOURCE of COMM, and has waited for it; or sent to
 * rank DEST of it. */
void xmpi_monitor_received(int source, MPI_Comm comm);
void xmpi_monitor_sent(int dest, MPI_Comm comm);

typedef struct {
    bool counted;
    double start, mpi;
} xmpi_file_call_t;

/* Around what moves data of a file by another call than MPI's (observe/files), which is I/O like
 * theirs; leave only for calls that are counted: of the thread that runs the loop, and not in a
 * call of MPI. BYTES < 0: it has failed. The call may be left by a jump, or be made by the handler
 * of a signal that came in another one. Keeps errno. */
xmpi_file_call_t xmpi_monitor_enter_file(void);
void xmpi_monitor_leave_file(xmpi_file_call_t call, int64_t bytes);

/* Whether what the caller prepares now (a persistent request) will be counted when it is carried
 * out: the program is watched or adapted, and no other thread calls MPI meanwhile. */
bool xmpi_monitor_watches(void);

/* Bytes of COUNT elements; 0 where BUFFER is MPI_IN_PLACE, as the type may be anything then. */
int64_t xmpi_monitor_bytes(const void *buffer, int64_t count, MPI_Datatype datatype);

/* The same of a part for each member of COMM: COUNTS of them, integers of SIZE bytes; or of COUNT
 * each; and of the part that is this member's. */
int64_t xmpi_monitor_bytes_of_parts(const void *buffer, const void *counts, size_t size,
                                    MPI_Datatype datatype, MPI_Comm comm);
int64_t xmpi_monitor_bytes_of_equal_parts(const void *buffer, int64_t count, MPI_Datatype datatype,
                                          MPI_Comm comm);
int64_t xmpi_monitor_bytes_of_own(const void *counts, size_t size, MPI_Datatype datatype,
                                  MPI_Comm comm);

/* The size of COMM. */
int xmpi_monitor_members(MPI_Comm comm);

/* The end of an iteration. */
void xmpi_monitor_iteration(xmpi_monitor_t *monitor);

/* What is between them belongs to no interval. Without a pause, resuming does nothing. */
void xmpi_monitor_pause(xmpi_monitor_t *monitor);
void xmpi_monitor_resume(xmpi_monitor_t *monitor);

/* Begins an interval; ends it with the sample of its ITERATIONS. Off until started. */
void xmpi_monitor_start(xmpi_monitor_t *monitor);
void xmpi_monitor_sample(xmpi_monitor_t *monitor, int64_t iterations, xmpi_sample_t *sample);

#endif
