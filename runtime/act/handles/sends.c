/* SPDX-License-Identifier: BSD-3-Clause
 * Whom the program has sent messages to. */
#include "act/handles/sends.h"

#include <stdlib.h>

#include "act/handles/table/table.h"
#include "base/collective.h"
#include "base/misuse.h"

enum { TAG_BEHIND = 7103, BITS = 64 };

static xmpi_sends_t *sends(void)
{
    return &xmpi_handles.sends;
}

/* --- noting ------------------------------------------------------------------------------------
 */

/* Where a pair of a communicator and a rank is looked for: Fibonacci hashing (Knuth, vol. 3, 6.4).
 */
static uint64_t *place_of(uint64_t pair)
{
    return &sends()->recent[(pair * 0x9e3779b97f4a7c15u) >> 32 & (XMPI_SENDS_RECENT - 1)];
}

/* The group that ranks of messages to COMM are of. */
static MPI_Group receivers(MPI_Comm comm)
{
    int inter = 0;
    MPI_Group group;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    return group;
}

/* The rank in the world; MPI_UNDEFINED: it has none, or the MPI will refuse to send there. */
static int world_rank(int dest, MPI_Comm comm)
{
    int size = 0, rank = MPI_UNDEFINED;
    MPI_Group group = receivers(comm), world;
    PMPI_Comm_group(xmpi_handles.world, &world);
    PMPI_Group_size(group, &size);
    if (dest < size)
        PMPI_Group_translate_ranks(group, 1, &dest, world, &rank);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return rank;
}

static bool make_room(int rank)
{
    int words = rank / BITS + 1;
    if (words <= sends()->words)
        return true;
    uint64_t *grown = realloc(sends()->word, (size_t)words * sizeof *grown);
    if (grown == NULL)
        return false;
    for (int i = sends()->words; i < words; i++)
        grown[i] = 0;
    sends()->word = grown;
    sends()->words = words;
    return true;
}

static void note(int rank)
{
    if (make_room(rank))
        sends()->word[rank / BITS] |= (uint64_t)1 << rank % BITS;
    else
        sends()->all = true;
}

/* (Threads that send at a time would have to wait for one another here: they are taken to send to
 * all. A handle that is none is the MPI's to refuse.) */
void xmpi_sends_note(int dest, MPI_Comm comm)
{
    uint64_t pair = (uint64_t)(uint32_t)comm << 32 | (uint32_t)dest, *recent = place_of(pair);
    if (dest < 0 || sends()->all || *recent == pair)
        return;
    sends()->all = xmpi_handles.several;
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF &&
        xmpi_handle_at(XMPI_HANDLE_COMM, comm) == NULL)
        return;
    MPI_Comm real = comm == MPI_COMM_WORLD ? xmpi_handles.world : xmpi_real_comm(comm);
    int rank = world_rank(dest, real);
    if (rank == MPI_UNDEFINED)
        return;
    note(rank);
    *recent = pair;
}

/* --- where the program goes --------------------------------------------------------------------
 */

void xmpi_sends_put(xmpi_pack_t *pack)
{
    xmpi_pack_put(pack, &sends()->all, sizeof sends()->all);
    xmpi_pack_put_array(pack, sends()->word, sends()->words, sizeof *sends()->word);
}

void xmpi_sends_get(xmpi_pack_t *pack)
{
    xmpi_sends_free();
    xmpi_pack_get(pack, &sends()->all, sizeof sends()->all);
    sends()->word = xmpi_pack_get_array(pack, &sends()->words, sizeof *sends()->word);
}

void xmpi_sends_free(void)
{
    free(sends()->word);
    *sends() = (xmpi_sends_t){0};
}

/* --- waiting for what was sent -----------------------------------------------------------------
 */

static bool is_noted(int rank)
{
    return sends()->all ||
           (rank / BITS < sends()->words && (sends()->word[rank / BITS] >> rank % BITS & 1) != 0);
}

/* How many of the others say that they send to this process: SAYS, 1 for each rank of WORLD to
 * which the caller sends. (By a root, which takes two messages for each process; to reduce and to
 * scatter at once takes MPI the logarithm of their number.) */
static int count_senders(MPI_Comm world, int *says, int size, int me)
{
    int come = 0;
    int *sum = me == 0 ? calloc((size_t)size, sizeof *sum) : NULL;
    if (me == 0 && sum == NULL)
        xmpi_misuse("no memory to look for messages of %d processes", size);
    PMPI_Reduce(says, sum, size, MPI_INT, MPI_SUM, 0, world);
    PMPI_Scatter(sum, 1, MPI_INT, &come, 1, MPI_INT, 0, world);
    free(sum);
    return come;
}

/* What two processes send one another arrives in order: behind the word, all that was sent before
 * is there. How many words come the sum over all who say one tells. */
void xmpi_sends_arrive(MPI_Comm world, MPI_Comm ours)
{
    int size, me, n = 0;
    PMPI_Comm_size(world, &size);
    PMPI_Comm_rank(world, &me);
    int *says = calloc((size_t)size, sizeof *says);
    MPI_Request *request = malloc(2 * (size_t)size * sizeof *request);
    if (says == NULL || request == NULL)
        xmpi_misuse("no memory to look for messages of %d processes", size);
    for (int i = 0; i < size; i++)
        says[i] = i != me && is_noted(i);
    int come = count_senders(world, says, size, me);
    for (int i = 0; i < come; i++)
        PMPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_BEHIND, ours, &request[n++]);
    for (int i = 0; i < size; i++)
        if (says[i])
            PMPI_Isend(NULL, 0, MPI_BYTE, i, TAG_BEHIND, ours, &request[n++]);
    PMPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    free(request);
    free(says);
}
