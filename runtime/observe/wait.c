/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting mode: blocking calls made of non-blocking ones. */
#define _GNU_SOURCE
#include "observe/wait.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "collective.h"
#include "context.h"
#include "misuse.h"

/* --- which mode ---------------------------------------------------------------------------------
 */

/* Where a member runs. Plain data. */
typedef struct {
    char host[64];
    int64_t cores;
} place_t;

static void find_place(place_t *place)
{
    cpu_set_t set;
    memset(place, 0, sizeof *place);
    gethostname(place->host, sizeof place->host - 1);
    place->cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Whether a host has more members than the cores that one of them may use. */
static bool any_crowded(const place_t *place, int members)
{
    for (int i = 0; i < members; i++) {
        int64_t there = 0;
        for (int k = 0; k < members; k++)
            there += strcmp(place[k].host, place[i].host) == 0;
        if (there > place[i].cores)
            return true;
    }
    return false;
}

/* MPICH's ch3:sock waits in poll(). */
static bool waits_by_itself(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(version, &length);
    return strstr(version, "ch3:sock") != NULL;
}

bool xmpi_wait_choose(xmpi_wait_t setting, MPI_Comm comm)
{
    int members;
    place_t mine;
    if (setting != XMPI_WAIT_AUTO || waits_by_itself())
        return setting == XMPI_WAIT_SLEEP;
    PMPI_Comm_size(comm, &members);
    place_t *all = malloc((size_t)members * sizeof *all);
    if (all == NULL)
        xmpi_misuse("no memory for a list of %d members", members);
    find_place(&mine);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, comm);
    bool crowded = any_crowded(all, members);
    free(all);
    return crowded;
}

bool xmpi_wait_sleeps(void)
{
    return xmpi_context.sleeps;
}

/* --- pauses -------------------------------------------------------------------------------------
 */

/* At first other processes are let pass, then pauses become longer, a fifth of the time so far: what
 * comes soon is not waited for long, and who waits long takes little CPU. */
enum { TESTS = 16, YIELDS = 16, SHORTEST_NS = 16000, LONGEST_NS = 1000000 };

typedef struct {
    int number;
    long nanoseconds;
} pauses_t;

static void next_pause(pauses_t *pauses)
{
    int number = pauses->number++;
    if (number < TESTS)
        return;
    if (number < TESTS + YIELDS) {
        sched_yield();
        return;
    }
    if (pauses->nanoseconds == 0) {
        pauses->nanoseconds = SHORTEST_NS;
        prctl(PR_SET_TIMERSLACK, 1000); /* by default the kernel adds 50 us to every pause */
    }
    nanosleep(&(struct timespec){.tv_nsec = pauses->nanoseconds}, NULL);
    if (pauses->nanoseconds < LONGEST_NS)
        pauses->nanoseconds += pauses->nanoseconds / 4;
}

/* --- calls --------------------------------------------------------------------------------------
 */

int xmpi_wait_request(MPI_Request *request, MPI_Status *status)
{
    pauses_t pauses = {0};
    for (;;) {
        int done = 0, result = PMPI_Test(request, &done, status);
        if (result != MPI_SUCCESS || done)
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_all(int count, MPI_Request *request, MPI_Status *statuses)
{
    pauses_t pauses = {0};
    for (;;) {
        int done = 0, result = PMPI_Testall(count, request, &done, statuses);
        if (result != MPI_SUCCESS || done)
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_any(int count, MPI_Request *request, int *index, MPI_Status *status)
{
    pauses_t pauses = {0};
    for (;;) {
        int done = 0, result = PMPI_Testany(count, request, index, &done, status);
        if (result != MPI_SUCCESS || done)
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_some(int count, MPI_Request *request, int *done, int *indices, MPI_Status *statuses)
{
    pauses_t pauses = {0};
    for (;;) {
        int result = PMPI_Testsome(count, request, done, indices, statuses);
        if (result != MPI_SUCCESS || *done != 0) /* MPI_UNDEFINED: there is nothing to wait for */
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    pauses_t pauses = {0};
    for (;;) {
        int found = 0, result = PMPI_Iprobe(source, tag, comm, &found, status);
        if (result != MPI_SUCCESS || found)
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    pauses_t pauses = {0};
    for (;;) {
        int found = 0, result = PMPI_Improbe(source, tag, comm, &found, message, status);
        if (result != MPI_SUCCESS || found)
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_barrier(MPI_Comm comm)
{
    MPI_Request request;
    int result = PMPI_Ibarrier(comm, &request);
    return result == MPI_SUCCESS ? xmpi_wait_request(&request, MPI_STATUS_IGNORE) : result;
}
