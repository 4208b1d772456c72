/* SPDX-License-Identifier: BSD-3-Clause
 * Connections of processes that take over. */
#include "act/processes/connect.h"

#include <stdlib.h>
#include <string.h>

#include "base/collective.h"
#include "base/misuse.h"

enum { TAG_TOLD = 7201, TAG_CONNECT, BITS = 64 };

/* Bytes of what all tell all; for more ranks connections are opened as they are needed. */
static const size_t most_told = 1 << 20;

static int words_for(int ranks)
{
    return (ranks + BITS - 1) / BITS;
}

static void mark(uint64_t *marks, int rank)
{
    marks[rank / BITS] |= (uint64_t)1 << rank % BITS;
}

static bool is_marked(const uint64_t *marks, int rank)
{
    return (marks[rank / BITS] >> rank % BITS & 1) != 0;
}

/* --- who talks to whom -------------------------------------------------------------------------
 */

/* Whom the programs talk to that change their processes, in either direction. */
typedef struct {
    int ranks, words, moved;
    int *place; /* of each rank, the process that is to have its program, in transit; malloc */
    int *row;   /* of each rank, its row, or -1: it stays */
    uint64_t *talk;
} talk_t;

static void talk_free(talk_t *talk)
{
    free(talk->place);
    free(talk->row);
    free(talk->talk);
}

static void talk_make(const xmpi_change_t *change, talk_t *talk)
{
    int n = change->olds;
    *talk = (talk_t){.ranks = n, .words = words_for(n)};
    talk->place = malloc(((size_t)n + 1) * sizeof *talk->place);
    talk->row = malloc(((size_t)n + 1) * sizeof *talk->row);
    if (talk->place == NULL || talk->row == NULL)
        xmpi_misuse("no memory to connect %d processes", n);
    for (int i = 0; i < change->transit; i++)
        if (change->new_rank[i] >= 0)
            talk->place[change->new_rank[i]] = i;
    for (int r = 0; r < n; r++)
        talk->row[r] = talk->place[r] != r ? talk->moved++ : -1;
    talk->talk = calloc((size_t)talk->moved * (size_t)talk->words + 1, sizeof *talk->talk);
    if (talk->talk == NULL)
        xmpi_misuse("no memory to connect %d processes", n);
}

static bool is_too_much(const talk_t *talk)
{
    return (size_t)talk->moved * (size_t)talk->words * sizeof *talk->talk > most_told;
}

static uint64_t *row_of(const talk_t *talk, int rank)
{
    return &talk->talk[(size_t)talk->row[rank] * (size_t)talk->words];
}

/* A pair is connected whichever way it talks. */
static void add(const talk_t *talk, int from, int to)
{
    if (from == to)
        return;
    if (talk->row[from] >= 0)
        mark(row_of(talk, from), to);
    if (talk->row[to] >= 0)
        mark(row_of(talk, to), from);
}

/* All hear what all say. */
static void talk_gather(xmpi_mark_peers_t *marks, MPI_Comm world, int me, const talk_t *talk)
{
    uint64_t *mine = calloc((size_t)talk->words + 1, sizeof *mine);
    int n = talk->moved * talk->words;
    if (mine == NULL)
        xmpi_misuse("no memory to connect %d processes", talk->ranks);
    marks(mine, talk->ranks);
    for (int r = 0; r < talk->ranks; r++)
        if (is_marked(mine, r))
            add(talk, me, r);
    free(mine);
    PMPI_Reduce(me == 0 ? MPI_IN_PLACE : talk->talk, talk->talk, n, MPI_UINT64_T, MPI_BOR, 0,
                world);
    PMPI_Bcast(talk->talk, n, MPI_UINT64_T, 0, world);
}

/* --- connecting --------------------------------------------------------------------------------
 */

/* One of two: MPICH's ch3 would open two connections where both begin, and close one of them. */
static bool begins(int rank, int other)
{
    return ((rank + other) % 2 == 0) == (rank < other);
}

static void add_request(xmpi_connect_t *connect, int status)
{
    if (status == MPI_SUCCESS && connect->request[connect->n] != MPI_REQUEST_NULL)
        connect->n++;
}

/* RANK is that of the program that this process is to have. */
static void connect_to(xmpi_connect_t *connect, int rank, int other, int place)
{
    MPI_Request *request = &connect->request[connect->n];
    add_request(connect,
                begins(rank, other)
                    ? PMPI_Isend(NULL, 0, MPI_BYTE, place, TAG_CONNECT, connect->transit, request)
                    : PMPI_Irecv(NULL, 0, MPI_BYTE, place, TAG_CONNECT, connect->transit, request));
}

static void open(xmpi_connect_t *connect, MPI_Comm transit, int ranks)
{
    *connect = (xmpi_connect_t){.transit = transit};
    connect->request = malloc(((size_t)ranks + 1) * sizeof *connect->request);
    if (connect->request == NULL)
        xmpi_misuse("no memory to connect %d processes", ranks);
}

/* Who gets the program of this process has to know, too; nobody else has met it yet. */
static void tell(const talk_t *talk, int me, xmpi_connect_t *connect)
{
    size_t size = (size_t)talk->words * sizeof *connect->told;
    if (talk->place[me] < talk->ranks)
        return; /* it has a program */
    connect->told = malloc(size);
    if (connect->told == NULL)
        xmpi_misuse("no memory to connect %d processes", talk->ranks);
    memcpy(connect->told, row_of(talk, me), size);
    add_request(connect, PMPI_Isend(connect->told, (int)size, MPI_BYTE, talk->place[me], TAG_TOLD,
                                    connect->transit, &connect->request[connect->n]));
}

void xmpi_connect_begin(xmpi_mark_peers_t *marks, const xmpi_change_t *change, MPI_Comm world,
                        MPI_Comm transit, int me, xmpi_connect_t *connect)
{
    talk_t talk;
    int rank = change->new_rank[me];
    talk_make(change, &talk);
    open(connect, transit, talk.ranks);
    if (!is_too_much(&talk) && talk.moved > 0) {
        talk_gather(marks, world, me, &talk);
        tell(&talk, me, connect);
        for (int r = 0; r < talk.ranks && rank >= 0; r++)
            if (talk.row[rank] >= 0 ? is_marked(row_of(&talk, rank), r)
                                    : talk.row[r] >= 0 && is_marked(row_of(&talk, r), rank))
                connect_to(connect, rank, r, talk.place[r]);
    }
    talk_free(&talk);
}

void xmpi_connect_take(const xmpi_change_t *change, MPI_Comm transit, int me,
                       xmpi_connect_t *connect)
{
    talk_t talk;
    int rank = change->new_rank[me];
    talk_make(change, &talk);
    open(connect, transit, talk.ranks);
    uint64_t *told = calloc((size_t)talk.words + 1, sizeof *told);
    if (told == NULL)
        xmpi_misuse("no memory to connect %d processes", talk.ranks);
    if (!is_too_much(&talk))
        PMPI_Recv(told, talk.words * (int)sizeof *told, MPI_BYTE, rank, TAG_TOLD, transit,
                  MPI_STATUS_IGNORE);
    for (int r = 0; r < talk.ranks; r++)
        if (is_marked(told, r))
            connect_to(connect, rank, r, talk.place[r]);
    free(told);
    talk_free(&talk);
}

void xmpi_connect_end(xmpi_connect_t *connect, bool lost)
{
    if (connect->request == NULL)
        return;
    if (!lost) {
        PMPI_Waitall(connect->n, connect->request, MPI_STATUSES_IGNORE);
        free(connect->told);
    } /* else MPI may still look at it */
    free(connect->request);
    *connect = (xmpi_connect_t){.n = 0};
}
