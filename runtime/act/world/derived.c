/* SPDX-License-Identifier: BSD-3-Clause
 * The list of the communicators that the program has made. */
#include "act/world/derived.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/misuse.h"

typedef enum {
    PRESENT,
    DATED, /* made before a change of the layout, of the world that there is */
    GONE,  /* freed by a change; the program may still have the handle */
} state_t;

/* One that the program has made, and where it has put it. */
typedef struct {
    MPI_Comm handle;
    const MPI_Comm *at;
    bool of_world; /* or of MPI_COMM_SELF, or of other programs: no change concerns it */
    state_t state;
} derived_t;

/* Any thread of the program may make communicators. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    derived_t *comm; /* malloc: in the order in which they were made */
    int n, room;
} derived;

int xmpi_derived_gone;

/* The first with this HANDLE that is GONE, or is not; -1: there is none. */
static int find(MPI_Comm handle, bool gone)
{
    for (int i = 0; i < derived.n; i++)
        if (derived.comm[i].handle == handle && (derived.comm[i].state == GONE) == gone)
            return i;
    return -1;
}

/* The first that was made before the last change and put into the variable AT; -1: none. */
static int find_former_at(const MPI_Comm *at)
{
    for (int i = 0; i < derived.n; i++)
        if (derived.comm[i].at == at && derived.comm[i].state != PRESENT)
            return i;
    return -1;
}

static void drop(int i)
{
    derived_t *one = &derived.comm[i];
    xmpi_derived_gone -= one->state == GONE;
    memmove(one, one + 1, (size_t)(--derived.n - i) * sizeof *one);
}

static void add(derived_t one)
{
    if (derived.n == derived.room) {
        int room = derived.room > 0 ? 2 * derived.room : 8;
        derived_t *more = realloc(derived.comm, (size_t)room * sizeof *more);
        if (more == NULL)
            xmpi_misuse("no memory for a list of %d communicators", room);
        derived.comm = more;
        derived.room = room;
    }
    derived.comm[derived.n++] = one;
}

static bool is_of_world(MPI_Comm parent)
{
    int i = find(parent, false);
    return parent == MPI_COMM_WORLD || (i >= 0 && derived.comm[i].of_world);
}

MPI_Comm xmpi_derived_parent(MPI_Comm local, MPI_Comm peer)
{
    pthread_mutex_lock(&lock);
    bool known = is_of_world(local);
    pthread_mutex_unlock(&lock);
    return known ? local : peer;
}

MPI_Comm xmpi_derived_parent_of(MPI_Group group)
{
    int size = 0;
    return PMPI_Group_size(group, &size) == MPI_SUCCESS && size > 1 ? MPI_COMM_WORLD
                                                                    : MPI_COMM_SELF;
}

/* What it is made again instead of is freed behind the lock: a function of the program's for its
 * attributes may be called. */
void xmpi_derived_made(MPI_Comm parent, const MPI_Comm *comm)
{
    MPI_Comm former = MPI_COMM_NULL;
    pthread_mutex_lock(&lock);
    int before = find_former_at(comm);
    if (before >= 0) {
        if (derived.comm[before].state == DATED)
            former = derived.comm[before].handle;
        drop(before);
    }
    if (*comm != MPI_COMM_NULL && find(*comm, false) < 0)
        add((derived_t){.handle = *comm, .at = comm, .of_world = is_of_world(parent)});
    pthread_mutex_unlock(&lock);
    if (former != MPI_COMM_NULL)
        PMPI_Comm_free(&former);
}

/* Setup may free what it has made before it makes it anew. The MPI gives the handle of one that is
 * gone to another one: where both may be meant it is the one that is gone, as the other one goes
 * with the next change at the latest. */
bool xmpi_derived_left(MPI_Comm *comm)
{
    if (comm == NULL || derived.n == 0)
        return false;
    pthread_mutex_lock(&lock);
    int there = find(*comm, false), gone = find(*comm, true);
    bool freed = gone >= 0 && (there < 0 || derived.comm[there].at != comm);
    if (freed)
        drop(gone);
    else if (there >= 0)
        drop(there);
    pthread_mutex_unlock(&lock);
    if (freed)
        *comm = MPI_COMM_NULL;
    return freed;
}

/* Marks the next one that a change concerns, MEMBERS as in xmpi_derived_change; MPI_COMM_NULL:
 * there is none. */
static MPI_Comm take_next(bool members)
{
    MPI_Comm handle = MPI_COMM_NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < derived.n && handle == MPI_COMM_NULL; i++) {
        derived_t *one = &derived.comm[i];
        if (one->of_world && (one->state == PRESENT || (members && one->state == DATED))) {
            handle = one->handle;
            one->state = members ? GONE : DATED;
            xmpi_derived_gone += members;
        }
    }
    pthread_mutex_unlock(&lock);
    return handle;
}

/* Each is freed behind the lock: functions of the program's for attributes may be called, and free
 * or make others of the list. */
void xmpi_derived_change(bool members)
{
    for (MPI_Comm next = take_next(members); next != MPI_COMM_NULL; next = take_next(members))
        if (members)
            PMPI_Comm_free(&next);
}

void xmpi_derived_used(MPI_Comm comm, const char *call)
{
    pthread_mutex_lock(&lock);
    bool gone = find(comm, true) >= 0 && find(comm, false) < 0;
    pthread_mutex_unlock(&lock);
    if (gone)
        xmpi_misuse("%s with a communicator that a change of the members has freed; make it in a "
                    "statement marked #pragma xmpi setup, which is run again then, or anew behind "
                    "the change",
                    call);
}

void xmpi_derived_close(void)
{
    free(derived.comm);
    memset(&derived, 0, sizeof derived);
    xmpi_derived_gone = 0;
}
