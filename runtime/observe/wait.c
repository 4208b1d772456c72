/* SPDX-License-Identifier: BSD-3-Clause
 * Waiting mode: blocking calls made of non-blocking ones. */
#define _GNU_SOURCE
#include "observe/wait.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "act/machine/cpus.h"
#include "base/collective.h"
#include "act/world/windows.h"
#include "act/world/world.h"
#include "base/misuse.h"
#include "base/quiet.h"

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
    place->cores = xmpi_cpus_given(&set) ? CPU_COUNT(&set) : 1;
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

/* Whether the members of COMM are to sleep. */
static bool is_to_sleep(xmpi_wait_t setting, MPI_Comm comm)
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

static bool sleeps;
static MPI_Comm chosen_for; /* the world */

void xmpi_wait_choose(xmpi_wait_t setting, MPI_Comm comm, bool anew)
{
    if (!anew && chosen_for == comm)
        return;
    chosen_for = comm;
    sleeps = is_to_sleep(setting, comm);
}

static void (*watch)(void);

bool xmpi_wait_sleeps(void)
{
    return sleeps || watch != NULL;
}

void xmpi_wait_watch(void (*look)(void))
{
    watch = look;
}

/* --- pauses -------------------------------------------------------------------------------------
 */

/* At first other processes are let pass, then pauses become longer, a fifth of the time so far:
 * what comes soon is not waited for long, and who waits long takes little CPU. */
enum { TESTS = 16, YIELDS = 16, SHORTEST_NS = 16000, LONGEST_NS = 1000000 };

typedef struct {
    int number;
    long nanoseconds;
} pauses_t;

static void next_pause(pauses_t *pauses)
{
    int number = pauses->number < INT_MAX ? pauses->number++ : INT_MAX;
    if (watch != NULL)
        watch();
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

/* Where others access this process's memory the MPI answers them in its calls only: it waits
 * itself. */
static bool may_sleep(void)
{
    return !xmpi_windows_are_open();
}

/* --- requests -----------------------------------------------------------------------------------
 * They are only asked whether they are done: the MPI's own call completes them then, so that what
 * it returns is what it returns otherwise.
 */

/* Also when asking fails: the MPI's own call tells the program. */
static bool is_done(MPI_Request request)
{
    int done = 1;
    if (request == MPI_REQUEST_NULL)
        return true;
    xmpi_quiet_t quiet = xmpi_quiet_begin(false);
    int result = PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    xmpi_quiet_end(&quiet);
    return result != MPI_SUCCESS || done;
}

static void await_all(int count, const MPI_Request *request)
{
    pauses_t pauses = {0};
    for (int i = 0; i < count;) {
        if (!is_done(request[i])) {
            next_pause(&pauses);
            continue;
        }
        pauses = (pauses_t){0};
        i++;
    }
}

/* Whether the MPI's own call has to wait for them: there is nothing to ask, or nobody may. */
static bool is_left(int count, const MPI_Request *request)
{
    return request == NULL || count <= 0 || !may_sleep();
}

static int await_one(MPI_Request *request, MPI_Status *status)
{
    pauses_t pauses = {0};
    for (;;) {
        int done = 0, result = PMPI_Test(request, &done, status);
        if (result != MPI_SUCCESS || done)
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_request(MPI_Request *request, MPI_Status *status)
{
    return is_left(1, request) ? PMPI_Wait(request, status) : await_one(request, status);
}

int xmpi_wait_all(int count, MPI_Request *request, MPI_Status *statuses)
{
    if (!is_left(count, request))
        await_all(count, request);
    return PMPI_Waitall(count, request, statuses);
}

int xmpi_wait_sendrecv(MPI_Request *request, MPI_Status *status)
{
    int started = PMPI_Startall(2, request);
    int sent = xmpi_wait_request(&request[1], MPI_STATUS_IGNORE);
    int received = xmpi_wait_request(&request[0], status);
    PMPI_Request_free(&request[1]);
    if (started != MPI_SUCCESS)
        return started;
    return received != MPI_SUCCESS ? received : sent;
}

/* Whether one of them is done; an inactive persistent one is, too, and says nothing of the others.
 */
static bool any_done(int count, const MPI_Request *request)
{
    for (int i = 0; i < count; i++)
        if (request[i] != MPI_REQUEST_NULL && is_done(request[i]))
            return true;
    return false;
}

static bool all_null(int count, const MPI_Request *request)
{
    for (int i = 0; i < count; i++)
        if (request[i] != MPI_REQUEST_NULL)
            return false;
    return true;
}

static int await_any(int count, MPI_Request *request, int *index, MPI_Status *status)
{
    pauses_t pauses = {0};
    for (;;) {
        int done = 0, result = MPI_SUCCESS;
        if (any_done(count, request))
            result = PMPI_Testany(count, request, index, &done, status);
        if (result != MPI_SUCCESS || done)
            return result;
        next_pause(&pauses);
    }
}

static int await_some(int count, MPI_Request *request, int *done, int *indices,
                      MPI_Status *statuses)
{
    pauses_t pauses = {0};
    for (;;) {
        int result = MPI_SUCCESS, found = 0;
        if (any_done(count, request)) {
            result = PMPI_Testsome(count, request, done, indices, statuses);
            found = *done;
        }
        if (result != MPI_SUCCESS || found != 0) /* MPI_UNDEFINED: there is nothing to wait for */
            return result;
        next_pause(&pauses);
    }
}

int xmpi_wait_any(int count, MPI_Request *request, int *index, MPI_Status *status)
{
    if (!is_left(count, request) && !all_null(count, request))
        return await_any(count, request, index, status);
    return PMPI_Waitany(count, request, index, status);
}

int xmpi_wait_some(int count, MPI_Request *request, int *done, int *indices, MPI_Status *statuses)
{
    if (!is_left(count, request) && !all_null(count, request))
        return await_some(count, request, done, indices, statuses);
    return PMPI_Waitsome(count, request, done, indices, statuses);
}

/* --- messages and reductions ---------------------------------------------------------------------
 */

int xmpi_wait_probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    pauses_t pauses = {0};
    if (!may_sleep())
        return PMPI_Probe(source, tag, comm, status);
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
    if (!may_sleep())
        return PMPI_Mprobe(source, tag, comm, message, status);
    for (;;) {
        int found = 0, result = PMPI_Improbe(source, tag, comm, &found, message, status);
        if (result != MPI_SUCCESS || found)
            return result;
        next_pause(&pauses);
    }
}

/* Whether this MPI refuses a reduction that is to put its result where the input is. */
static bool refuses_aliases(void)
{
    static int refuses = -1;
    if (refuses < 0) {
        int number = 0;
        refuses = PMPI_Allreduce(&number, &number, 1, MPI_INT, MPI_SUM, xmpi_world.self) !=
                  MPI_SUCCESS;
    }
    return refuses;
}

/* The MPI checks the type and the operation where there is nothing to reduce, too. */
static bool fails(bool aliased, MPI_Datatype datatype, MPI_Op op)
{
    double nothing[2] = {0, 0};
    return PMPI_Allreduce(&nothing[0], &nothing[1], 0, datatype, op, xmpi_world.self) !=
               MPI_SUCCESS ||
           (aliased && refuses_aliases());
}

static bool is_there(int root, MPI_Comm comm, int *rank)
{
    int size = 0, inter = 1;
    xmpi_quiet_t quiet = xmpi_quiet_begin(false);
    int result = PMPI_Comm_test_inter(comm, &inter);
    if (result == MPI_SUCCESS)
        result = PMPI_Comm_size(comm, &size) | PMPI_Comm_rank(comm, rank);
    xmpi_quiet_end(&quiet);
    return result == MPI_SUCCESS && (inter || (root >= 0 && root < size));
}

int xmpi_wait_barrier(MPI_Comm comm)
{
    MPI_Request request;
    int result = PMPI_Ibarrier(comm, &request);
    return result == MPI_SUCCESS ? xmpi_wait_request(&request, MPI_STATUS_IGNORE) : result;
}

int xmpi_wait_reduction(bool aliased, MPI_Datatype datatype, MPI_Op op, int root, bool rooted,
                        MPI_Comm comm)
{
    int rank = -1;
    if (!is_there(root, comm, &rank) || fails(aliased && (!rooted || rank == root), datatype, op))
        return MPI_SUCCESS;
    return xmpi_wait_barrier(comm);
}
