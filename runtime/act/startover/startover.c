/* SPDX-License-Identifier: BSD-3-Clause
 * Starting over, as far as one process is concerned. */
#define _GNU_SOURCE
#include "act/startover/startover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/collective.h"
#include "base/misuse.h"

enum { TAG_FAILED = 7301, MOST_FILES = 256 };

/* --- aside --------------------------------------------------------------------------------------
 */

/* (What is told of the state lies in memory of ours, so that it is known when the program is not.)
 */
static void note_files(xmpi_startover_t *start)
{
    start->file = calloc(MOST_FILES, sizeof *start->file);
    if (start->file == NULL)
        xmpi_misuse("no memory for a list of files");
    start->files = (int)start->program->files(start->file, MOST_FILES);
}

static void close_files(xmpi_startover_t *start)
{
    for (int i = 0; i < start->files; i++)
        fclose(start->file[i].real);
    start->files = 0;
}

static void forget_files(xmpi_startover_t *start)
{
    free(start->file);
    start->file = NULL;
    start->files = 0;
}

xmpi_status_t xmpi_startover_note(xmpi_startover_t *start, const xmpi_image_t *image,
                                  const xmpi_restart_t *program)
{
    start->image = image;
    start->program = program;
    image->pack();
    xmpi_status_t status = xmpi_first_note(image, program, &start->first);
    image->stay();
    return status;
}

xmpi_status_t xmpi_startover_clear(xmpi_startover_t *start)
{
    xmpi_status_t status = xmpi_aside_put(start->program, &start->aside);
    xmpi_aside_free(&start->aside);
    return status;
}

xmpi_status_t xmpi_startover_put_aside(xmpi_startover_t *start)
{
    start->image->pack();
    note_files(start);
    if (!start->has) /* it leaves: it only waits for others to have what it has */
        return XMPI_OK;
    return xmpi_aside_put(start->program, &start->aside);
}

void xmpi_startover_begin(xmpi_startover_t *start)
{
    char why[XMPI_IMAGE_WHY_MAX] = "";
    xmpi_first_restore(&start->first);
    if (!start->image->unpack(why))
        xmpi_misuse("the program cannot start over: %s", why);
}

void xmpi_startover_drop(xmpi_startover_t *start)
{
    if (!start->has)
        start->image->stay();
    if (start->program != NULL)
        start->program->hold_files(false);
    close_files(start);
    forget_files(start);
    xmpi_inputs_free(&start->inputs);
    xmpi_aside_free(&start->aside);
    xmpi_state_clear(&start->before);
    start->under_way = false;
    start->noted = false;
}

void xmpi_startover_back(xmpi_startover_t *start)
{
    char why[XMPI_IMAGE_WHY_MAX] = "";
    start->program->hold_files(false);
    start->under_way = false;
    start->noted = false;
    xmpi_state_clear(&start->now);
    start->now = start->before;
    start->before = (xmpi_state_told_t){.arrays = 0};
    xmpi_inputs_free(&start->inputs);
    if (start->had && start->aside.parts == 0)
        start->image->stay();
    if (start->aside.parts == 0) {
        forget_files(start);
        return;
    }
    start->image->let_go(); /* of what the start has made of it */
    if (start->entered)
        start->image->left();
    else
        xmpi_first_restore(&start->first); /* nothing has begun there */
    xmpi_aside_back(start->image, &start->aside);
    close_files(start);
    forget_files(start);
    if (!start->image->unpack(why))
        xmpi_misuse("the program cannot go on as before: %s", why);
}

/* --- whether it has come to the point -----------------------------------------------------------
 */

void xmpi_startover_fail(MPI_Comm transit, int me)
{
    int processes = 0;
    PMPI_Comm_size(transit, &processes);
    for (int i = 0; i < processes; i++)
        if (i != me)
            PMPI_Send(NULL, 0, MPI_BYTE, i, TAG_FAILED, transit);
}

bool xmpi_startover_has_failed(MPI_Comm transit)
{
    int found = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, TAG_FAILED, transit, &found, MPI_STATUS_IGNORE);
    return found != 0;
}

/* Others may take long: who waits leaves them the processor. */
static void wait_asleep(MPI_Request *request)
{
    const struct timespec pause = {.tv_nsec = 200000};
    int done = 0;
    for (int64_t tests = 0; !done; tests++) {
        PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && tests > 16)
            nanosleep(&pause, NULL);
    }
}

/* The words of those who have failed are taken in, for they were sent to everybody. */
static void hear_failures(MPI_Comm transit, int me, int processes, const int *failed)
{
    for (int i = 0; i < processes; i++)
        if (failed[i] != 0 && i != me)
            PMPI_Recv(NULL, 0, MPI_BYTE, i, TAG_FAILED, transit, MPI_STATUS_IGNORE);
}

bool xmpi_startover_agree(MPI_Comm transit, int me, char *why, size_t size)
{
    int processes = 0, mine = why[0] != '\0', first = 0;
    MPI_Request request;
    PMPI_Comm_size(transit, &processes);
    int *failed = calloc((size_t)processes + 1, sizeof *failed);
    if (failed == NULL)
        xmpi_misuse("no memory for a list of %d processes", processes);
    PMPI_Iallgather(&mine, 1, MPI_INT, failed, 1, MPI_INT, transit, &request);
    wait_asleep(&request);
    hear_failures(transit, me, processes, failed);
    while (first < processes && failed[first] == 0)
        first++;
    if (first < processes)
        PMPI_Bcast(why, (int)size, MPI_BYTE, first, transit);
    free(failed);
    return first == processes;
}

/* --- files --------------------------------------------------------------------------------------
 */

/* Those of all, of the process that had the rank of this one first. */
static xmpi_file_place_t *gather_files(const xmpi_startover_t *start, const xmpi_change_t *change,
                                       MPI_Comm transit, int me, int *n)
{
    int olds = change->olds, mine = start->files, most = 0;
    int *count = calloc((size_t)change->transit + 1, sizeof *count);
    if (count == NULL)
        xmpi_misuse("no memory for a list of files");
    PMPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, transit);
    for (int i = 0; i < change->transit; i++)
        most += count[i];
    xmpi_file_place_t *all = calloc((size_t)most + 1, sizeof *all),
                      *one = calloc((size_t)most + 1, sizeof *one);
    if (all == NULL || one == NULL)
        xmpi_misuse("no memory for a list of files");
    *n = 0;
    for (int i = 0; i < olds; i++) {
        if (count[i] == 0)
            continue;
        size_t bytes = (size_t)count[i] * sizeof *one;
        if (i == me)
            memcpy(one, start->file, bytes);
        PMPI_Bcast(one, (int)bytes, MPI_BYTE, i, transit);
        bool own = i == change->new_rank[me];
        memmove(own ? all + count[i] : all, all, (size_t)*n * sizeof *all);
        memcpy(own ? all : all + *n, one, bytes);
        *n += count[i];
    }
    free(one);
    free(count);
    return all;
}

void xmpi_startover_settle_files(xmpi_startover_t *start, const xmpi_change_t *change,
                                 MPI_Comm transit, int me)
{
    int n = 0;
    char why[XMPI_IMAGE_WHY_MAX] = "";
    xmpi_file_place_t *all = gather_files(start, change, transit, me, &n);
    if (start->has && !start->program->settle_files(all, (size_t)n, why))
        xmpi_misuse("the program cannot go on: %s", why);
    free(all);
}
