/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshot: a part is written by a copy of the process (fork), which has the memory of this one as
 * it was at that moment: pages are shared until one of both writes to them. So the program stands
 * still only as long as the copy takes to be made, and no memory is needed but for what the program
 * writes meanwhile. The copy has no files open but its own, makes no MPI call, and ends with this
 * process. */
#ifndef XMPI_ACT_CHECKPOINT_SNAPSHOT_H
#define XMPI_ACT_CHECKPOINT_SNAPSHOT_H

#include <stdbool.h>
#include <sys/types.h>

#include "act/checkpoint/file.h"

/* What the copy tells. */
typedef struct {
    xmpi_status_t status;
    xmpi_error_t error;
    double seconds; /* that writing took */
} xmpi_snapshot_told_t;

/* All zeros: there is none. */
typedef struct {
    pid_t process;              /* the copy; 0: none */
    bool heard;                 /* what the last one has told */
    xmpi_snapshot_told_t *told; /* in memory of both; mmap, kept */
} xmpi_snapshot_t;

/* Begins to write PART, whose arrays are DATA, to its place in FOLDER. Where no copy can be made it
 * is written now. XMPI_ERR_MEMORY: it is not, as nothing would be heard of it. */
xmpi_status_t xmpi_snapshot_write(xmpi_snapshot_t *snapshot, const char *folder,
                                  xmpi_part_file_t *part, const xmpi_stretch_t *const *data);

/* Whether the copy still writes. */
bool xmpi_snapshot_is_busy(const xmpi_snapshot_t *snapshot);

/* Waits for it: what has come of it is in TOLD. False: there was none since the last time. */
bool xmpi_snapshot_wait(xmpi_snapshot_t *snapshot, xmpi_snapshot_told_t *told);

void xmpi_snapshot_free(xmpi_snapshot_t *snapshot);

#endif
