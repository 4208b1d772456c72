/* SPDX-License-Identifier: BSD-3-Clause
 * The memory of a node: how it is made, and how processes meet in it. */
#define _GNU_SOURCE
#include "act/node/node.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "act/machine/kernel.h"
#include "act/node/gate.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "base/process/own_files.h"

/* What a process tells lies in two places by turns: who is late still reads what was told when all
 * met, while others tell something for the next time. */
enum { TURNS = 2, SLOT = 16 << 10 };

typedef struct {
    xmpi_gate_place_t meeting, lending; /* at the gate of all, and at the next one */
    xmpi_gate_t lent;                   /* where its readers come, who have read */
    _Atomic uint32_t unread;            /* the meeting behind which it could not read something */
    int64_t process;
    char told[TURNS][XMPI_NODE_WORDS];
    char room[TURNS][XMPI_NODE_ROOM];
} slot_t;

_Static_assert(sizeof(slot_t) <= SLOT, "a slot has room for what it holds");

/* The begin of the segment; slots follow, one for each process. */
typedef union {
    struct {
        uint64_t token;
        xmpi_gate_t gate;
    };
    char all[SLOT];
} head_t;

struct xmpi_node {
    MPI_Comm comm;
    head_t *head;
    size_t bytes; /* of the head and the slots; behind them is what is laid out */
    int rank, n, tag;
    bool reads, has_pages[TURNS]; /* where this process lays out its data */
    int readers;                  /* of this process, behind the last meeting ... */
    uint32_t lending;             /* ... and when they all have read */
};

/* How far a process got. The least of all holds for all. */
enum { NOTHING, MAPPED, READ };

/* --- the attribute ------------------------------------------------------------------------------
 *
 * Its value is the node, or one of these, which are no addresses. */

static char once, refused;
static int key = MPI_KEYVAL_INVALID;

/* What is laid out lies in two places by turns, as what is told does. */
static size_t bytes_of_all(const xmpi_node_t *node)
{
    return node->bytes + (size_t)node->n * TURNS * XMPI_NODE_DATA;
}

static void unmap(xmpi_node_t *node)
{
    if (node->head != NULL)
        munmap(node->head, bytes_of_all(node));
    free(node);
}

/* MPI_Comm_delete_attr_function. */
static int forget(MPI_Comm comm, int keyval, void *value, void *unused)
{
    (void)comm, (void)keyval, (void)unused;
    if (value != &once && value != &refused)
        unmap(value);
    return MPI_SUCCESS;
}

static void *attribute(MPI_Comm comm)
{
    void *value = NULL;
    int found = 0;
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, key, (void *)&value, &found);
    return found ? value : NULL;
}

static void set_attribute(MPI_Comm comm, void *value)
{
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    PMPI_Comm_set_attr(comm, key, value);
}

/* --- making -------------------------------------------------------------------------------------
 */

/* Where the first process has the segment. Plain data. */
typedef struct {
    uint64_t host; /* the kernel and the space of process ids; 0: there is no segment */
    int64_t process, file;
    uint64_t address, token;
} where_t;

static slot_t *slot(const xmpi_node_t *node, int rank)
{
    return (slot_t *)((char *)node->head + SLOT * ((size_t)rank + 1));
}

static bool map(xmpi_node_t *node, int file)
{
    void *place = mmap(NULL, bytes_of_all(node), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    node->head = place != MAP_FAILED ? place : NULL;
    return node->head != NULL;
}

/* All pages of the head and the slots at once: memory that is not there would be missed at a write,
 * which cannot fail. */
static void make(xmpi_node_t *node, where_t *where)
{
    uint64_t token = 0;
    int file = memfd_create("xmpi", MFD_CLOEXEC);
    *where = (where_t){.file = file};
    if (file < 0 || !xmpi_own_files_may_have((int64_t)bytes_of_all(node)) ||
        xmpi_own_files_take_place(file, (int64_t)node->bytes) != 0 ||
        ftruncate(file, (off_t)bytes_of_all(node)) != 0 || !map(node, file) ||
        getrandom(&token, sizeof token, 0) != sizeof token)
        return;
    node->head->token = token;
    xmpi_gate_need(&node->head->gate, (uint32_t)node->n);
    *where = (where_t){.host = xmpi_kernel_space("pid"),
                       .process = getpid(),
                       .file = file,
                       .address = (uintptr_t)node->head,
                       .token = token};
}

static bool open_other(xmpi_node_t *node, const where_t *where)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)where->process,
             (long long)where->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool mapped =
        file >= 0 && lseek(file, 0, SEEK_END) == (off_t)bytes_of_all(node) && map(node, file);
    if (file >= 0)
        close(file);
    return mapped && node->head->token == where->token;
}

/* Another process of that number, or another segment, has another token. */
static bool can_read(const where_t *where)
{
    uint64_t token = 0;
    struct iovec here = {&token, sizeof token};
    struct iovec there = {(void *)(uintptr_t)where->address, sizeof token};
    return process_vm_readv((pid_t)where->process, &here, 1, &there, 1, 0) == sizeof token &&
           token == where->token;
}

static int join(xmpi_node_t *node, const where_t *where)
{
    if (where->host == 0 || where->host != xmpi_kernel_space("pid"))
        return NOTHING;
    if (node->rank != 0 && !open_other(node, where))
        return NOTHING;
    slot(node, node->rank)->process = getpid();
    return can_read(where) ? READ : MAPPED;
}

/* A node that all have, or NULL on all. */
static xmpi_node_t *make_all(MPI_Comm comm, int rank, int n, int tag)
{
    where_t where = {.file = -1};
    xmpi_node_t *node = calloc(1, sizeof *node);
    if (node != NULL)
        *node = (xmpi_node_t){
            .comm = comm, .rank = rank, .n = n, .tag = tag, .bytes = SLOT * ((size_t)n + 1)};
    xmpi_own_files_begin();
    if (rank == 0 && node != NULL)
        make(node, &where);
    PMPI_Bcast(&where, sizeof where, MPI_BYTE, 0, comm);
    int mine = node != NULL ? join(node, &where) : NOTHING, all;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
    if (rank == 0 && where.file >= 0)
        close((int)where.file);
    xmpi_own_files_end();
    if (all == NOTHING && node != NULL)
        unmap(node);
    if (all == NOTHING)
        return NULL;
    node->reads = all == READ;
    return node;
}

void xmpi_node_open(MPI_Comm comm, int tag)
{
    int rank, n;
    void *value = attribute(comm);
    PMPI_Comm_size(comm, &n);
    PMPI_Comm_rank(comm, &rank);
    if (n == 1 || (value != NULL && value != &once))
        return;
    xmpi_node_t *node = value == &once ? make_all(comm, rank, n, tag) : NULL;
    set_attribute(comm, value == NULL ? &once : node != NULL ? (void *)node : &refused);
}

xmpi_node_t *xmpi_node_of(MPI_Comm comm)
{
    void *value = attribute(comm);
    return value == &once || value == &refused ? NULL : value;
}

/* --- meeting ------------------------------------------------------------------------------------
 */

/* Messages that wake who has waited for too long. */
static void ring(void *context, int rank)
{
    const xmpi_node_t *node = context;
    PMPI_Send(NULL, 0, MPI_BYTE, rank, node->tag, node->comm);
}

static void sleep_until_rung(void *context)
{
    const xmpi_node_t *node = context;
    PMPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, node->tag, node->comm, MPI_STATUS_IGNORE);
}

static xmpi_gate_place_t *place_to_meet(void *context, int rank)
{
    return &slot(context, rank)->meeting;
}

static xmpi_gate_place_t *place_of_lender(void *context, int rank)
{
    return &slot(context, rank)->lending;
}

static xmpi_gate_visit_t visit_of(xmpi_node_t *node, int first, int n,
                                  xmpi_gate_place_t *(*place)(void *, int))
{
    return (xmpi_gate_visit_t){.first = first,
                               .n = n,
                               .place = place,
                               .ring = ring,
                               .sleep = sleep_until_rung,
                               .context = node};
}

void(xmpi_node_meet)(xmpi_node_t *node, const void *mine, size_t bytes)
{
    xmpi_gate_t *gate = &node->head->gate;
    const xmpi_gate_visit_t visit = visit_of(node, 0, node->n, place_to_meet);
    const uint32_t meeting = xmpi_gate_next(gate);
    if (bytes > XMPI_NODE_WORDS)
        xmpi_misuse("%zu bytes are too much to tell", bytes);
    if (bytes > 0)
        memcpy(slot(node, node->rank)->told[meeting % TURNS], mine, bytes);
    xmpi_gate_stand(gate, &slot(node, node->rank)->meeting);
    xmpi_gate_come(gate, &visit);
    xmpi_gate_wait(gate, &visit, node->rank, meeting);
}

/* The turn of what is told at the next meeting; that of the last one is the other one. */
static size_t next_turn(const xmpi_node_t *node)
{
    return xmpi_gate_next(&node->head->gate) % TURNS;
}

static size_t last_turn(const xmpi_node_t *node)
{
    return (next_turn(node) + 1) % TURNS;
}

const void *xmpi_node_told(const xmpi_node_t *node, int rank)
{
    return slot(node, rank)->told[last_turn(node)];
}

void *xmpi_node_room(const xmpi_node_t *node)
{
    return slot(node, node->rank)->room[next_turn(node)];
}

const void *xmpi_node_room_of(const xmpi_node_t *node, int rank)
{
    return slot(node, rank)->room[last_turn(node)];
}

static char *data_of(const xmpi_node_t *node, int rank, size_t turn)
{
    return (char *)node->head + node->bytes + ((size_t)rank * TURNS + turn) * XMPI_NODE_DATA;
}

char *xmpi_node_lay_out(xmpi_node_t *node)
{
    const size_t turn = next_turn(node);
    char *data = data_of(node, node->rank, turn);
    node->has_pages[turn] =
        node->has_pages[turn] || madvise(data, XMPI_NODE_DATA, MADV_POPULATE_WRITE) == 0;
    return node->has_pages[turn] ? data : NULL;
}

const char *xmpi_node_laid_out(const xmpi_node_t *node, int rank)
{
    return data_of(node, rank, last_turn(node));
}

void xmpi_node_lend(xmpi_node_t *node, int readers)
{
    slot_t *mine = slot(node, node->rank);
    node->readers = readers;
    node->lending = xmpi_gate_next(&mine->lent);
    xmpi_gate_need(&mine->lent, (uint32_t)readers);
    xmpi_gate_stand(&mine->lent, &mine->lending);
}

/* The same for all from one meeting to the next. */
static uint32_t last_meeting(const xmpi_node_t *node)
{
    return xmpi_gate_next(&node->head->gate);
}

void xmpi_node_have_read(xmpi_node_t *node, int rank, bool could)
{
    const xmpi_gate_visit_t visit = visit_of(node, rank, 1, place_of_lender);
    if (!could)
        atomic_store(&slot(node, node->rank)->unread, last_meeting(node));
    xmpi_gate_come(&slot(node, rank)->lent, &visit);
}

void xmpi_node_wait(xmpi_node_t *node)
{
    slot_t *mine = slot(node, node->rank);
    const xmpi_gate_visit_t visit = visit_of(node, node->rank, 1, place_of_lender);
    if (node->readers > 0)
        xmpi_gate_wait(&mine->lent, &visit, node->rank, node->lending);
}

bool xmpi_node_could_read(const xmpi_node_t *node, int reader)
{
    return atomic_load(&slot(node, reader)->unread) != last_meeting(node);
}

bool xmpi_node_reads(const xmpi_node_t *node)
{
    return node->reads;
}

void xmpi_node_reads_not(xmpi_node_t *node)
{
    node->reads = false;
}

pid_t xmpi_node_process(const xmpi_node_t *node, int rank)
{
    return (pid_t)slot(node, rank)->process;
}

MPI_Comm xmpi_node_comm(const xmpi_node_t *node)
{
    return node->comm;
}
