/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshot: a part is written by a copy of the process, which has the memory of this one as it was
 * at that moment: pages are shared until one of both writes to them. So the program stands still
 * only as long as the copy takes to be made, and no memory is needed but for what the program
 * writes meanwhile. The copy has no files open but its own, calls no MPI, allocates nothing, ends
 * with this process, and is the first to go where memory runs out. The program does not hear of it:
 * it is not among the children that it may wait for, nor is there a signal when it ends. */
#ifndef XMPI_ACT_CHECKPOINT_SNAPSHOT_H
#define XMPI_ACT_CHECKPOINT_SNAPSHOT_H

#include <stdbool.h>
#include <sys/types.h>

#include "act/checkpoint/files/file.h"

/* What the copy tells. */
typedef struct {
    xmpi_status_t status;
    xmpi_error_t error;
    bool unfit;        /* it does not have what was to be written, as memory is not private */
    int64_t rewritten; /* bytes that the program has written to meanwhile */
    double seconds;    /* that writing took */
} xmpi_snapshot_told_t;

/* All zeros: there is none. */
typedef struct {
    pid_t process;              /* the copy; 0: none */
    bool heard;                 /* what the last one has told */
    xmpi_snapshot_told_t *told; /* in memory of both; mmap, kept */
} xmpi_snapshot_t;

/* What is written. */
typedef struct {
    const char *folder; /* of the sets */
    xmpi_part_file_t *part;
    const xmpi_stretch_t *const *data; /* of PART (xmpi_part_write_scattered) */
    void (*first)(void *context);      /* called before, in the copy; NULL: nothing is */
    void *context;
} xmpi_snapshot_task_t;

/* Begins to write TASK to its place in its folder. XMPI_ERR_MEMORY, XMPI_ERR_PROCESS: there is no
 * memory to hear of it, or no copy can be made; nothing is written. */
xmpi_status_t xmpi_snapshot_write(xmpi_snapshot_t *snapshot, const xmpi_snapshot_task_t *task);

/* Where no copy can be made: writes TASK now; heard of in the same way. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_snapshot_write_here(xmpi_snapshot_t *snapshot, const xmpi_snapshot_task_t *task);

/* Whether the copy still writes. */
bool xmpi_snapshot_is_busy(const xmpi_snapshot_t *snapshot);

/* Waits for it: what has come of it is in TOLD. False: there was none since the last time. */
bool xmpi_snapshot_wait(xmpi_snapshot_t *snapshot, xmpi_snapshot_told_t *told);

void xmpi_snapshot_free(xmpi_snapshot_t *snapshot);

#endif
