/* SPDX-License-Identifier: BSD-3-Clause
 * Makes objects of MPI of every kind, and has them made again by the runtime: in another world of
 * the same processes, in worlds in which processes take the place of others, and in vain.
 *
 * Usage: handles MODE TIMES. The last process of those that mpiexec starts is a spare. Says what
 * has been done, and what the memory in use has grown by since a tenth of it was done.
 */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/handles/handles.h"
#include "act/handles/table/table.h"
#include "act/world/world.h"
#include "handles_made.h"

static int process, processes, members; /* in MPI's own world; of ours */
static int at[64];                      /* which process has which rank */
static int spare;

static int rank_of(int one)
{
    for (int i = 0; i < members; i++)
        if (at[i] == one)
            return i;
    return -1;
}

/* The world of those that are listed: what MPI_COMM_WORLD stands for. */
static MPI_Comm make_world(void)
{
    MPI_Comm world;
    MPI_Group all, group;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_incl(all, members, at, &group);
    PMPI_Comm_create_group(MPI_COMM_WORLD, group, 1, &world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    return world;
}

static void take_world(MPI_Comm world)
{
    xmpi_world.comm = world;
    xmpi_world.rank = rank_of(process);
    xmpi_world.size = members;
}

static void replace_world(MPI_Comm world)
{
    MPI_Comm old = xmpi_world.comm;
    if (old != MPI_COMM_NULL)
        PMPI_Comm_free(&old);
    take_world(world);
}

/* --- in another world of the same ---------------------------------------------------------------
 */

static void again_once(void)
{
    MPI_Comm world = make_world();
    if (xmpi_handles_make(world, NULL) != XMPI_OK)
        made_fail("again", "making", 0);
    xmpi_handles_switch();
    replace_world(world);
}

static void in_vain_once(void)
{
    MPI_Comm world = make_world();
    if (xmpi_handles_make(world, NULL) != XMPI_OK)
        made_fail("in vain", "making", 0);
    xmpi_handles_cancel();
    PMPI_Comm_free(&world);
}

/* --- in other processes ------------------------------------------------------------------------
 */

static void send_all(int to)
{
    long size;
    xmpi_pack_t pack = {0};
    xmpi_handles_put(&pack);
    size = (long)pack.size;
    if (pack.status != XMPI_OK)
        made_fail("sending", "the pack", pack.status);
    PMPI_Send(&size, 1, MPI_LONG, to, 1, MPI_COMM_WORLD);
    PMPI_Send(pack.data, (int)size, MPI_BYTE, to, 2, MPI_COMM_WORLD);
    PMPI_Send(&mine, sizeof mine, MPI_BYTE, to, 3, MPI_COMM_WORLD);
    xmpi_pack_free(&pack);
}

static void receive_all(int from)
{
    long size;
    xmpi_pack_t pack = {0};
    PMPI_Recv(&size, 1, MPI_LONG, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pack.data = malloc((size_t)size);
    pack.size = pack.room = (size_t)size;
    PMPI_Recv(pack.data, (int)size, MPI_BYTE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    PMPI_Recv(&mine, sizeof mine, MPI_BYTE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (xmpi_handles_get(&pack) != XMPI_OK)
        made_fail("receiving", "the pack", 0);
    xmpi_pack_free(&pack);
}

/* The program of RANK goes on in the spare. CANCELLED: it does not after all. */
static void replace_once(int rank, int cancelled)
{
    static mine_t before;
    bool moved[64] = {false};
    int leaver = at[rank], taker = spare;
    if (process == leaver)
        send_all(taker);
    if (process == taker) {
        before = mine;
        receive_all(leaver);
    }
    at[rank] = taker;
    moved[rank] = true;
    MPI_Comm world = rank_of(process) >= 0 ? make_world() : MPI_COMM_NULL;
    if (world != MPI_COMM_NULL && xmpi_handles_make(world, moved) != XMPI_OK)
        made_fail("replacing", "making", rank);
    if (cancelled) {
        if (world != MPI_COMM_NULL) {
            xmpi_handles_cancel();
            PMPI_Comm_free(&world);
        }
        if (process == taker)
            mine = before;
        at[rank] = leaver;
        return;
    }
    if (world != MPI_COMM_NULL)
        xmpi_handles_switch();
    else if (process == leaver)
        xmpi_handles_leave();
    if (world != MPI_COMM_NULL || process == leaver)
        replace_world(world);
    spare = leaver;
}

/* Two members take each other's place. */
static void exchange_once(int first, int second)
{
    static mine_t other;
    bool moved[64] = {false};
    int a = at[first], b = at[second];
    if (process == a) {
        send_all(b);
        receive_all(b);
    } else if (process == b) {
        other = mine;
        xmpi_pack_t pack = {0};
        xmpi_handles_put(&pack); /* before what comes takes the place of what is there */
        receive_all(a);
        long size = (long)pack.size;
        PMPI_Send(&size, 1, MPI_LONG, a, 1, MPI_COMM_WORLD);
        PMPI_Send(pack.data, (int)size, MPI_BYTE, a, 2, MPI_COMM_WORLD);
        PMPI_Send(&other, sizeof other, MPI_BYTE, a, 3, MPI_COMM_WORLD);
        xmpi_pack_free(&pack);
    }
    at[first] = b;
    at[second] = a;
    moved[first] = moved[second] = true;
    if (rank_of(process) < 0)
        return;
    MPI_Comm world = make_world();
    if (xmpi_handles_make(world, moved) != XMPI_OK)
        made_fail("exchanging", "making", first);
    xmpi_handles_switch();
    replace_world(world);
}

/* A program that cannot move: it has the MPI's own handles. */
static int be_plain(void)
{
    made_make();
    made_compare("plain");
    made_use("plain");
    if (!xmpi_handle_is_made(XMPI_HANDLE_COMM, mine.comm[0]) ||
        !xmpi_handle_is_made(XMPI_HANDLE_TYPE, mine.type[0]) ||
        !xmpi_handle_is_made(XMPI_HANDLE_REQUEST, mine.request[0]))
        made_fail("plain", "a handle", 0);
    made_free();
    if (process == 0)
        printf("plain: 1 times, 0 bytes more\n");
    return MPI_Finalize();
}

/* --- all ---------------------------------------------------------------------------------------
 */

static void once(const char *mode, int k)
{
    if (strcmp(mode, "again") == 0 && process != spare)
        again_once();
    if (strcmp(mode, "vain") == 0 && process != spare)
        in_vain_once();
    if (strcmp(mode, "replace") == 0)
        replace_once(k % members, 0);
    if (strcmp(mode, "cancel") == 0)
        replace_once(k % members, 1);
    if (strcmp(mode, "exchange") == 0)
        exchange_once(k % members, (k + 1) % members);
}

static void check(const char *mode)
{
    if (process != spare) {
        made_compare(mode);
        made_use(mode);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "again";
    int times = argc > 2 ? atoi(argv[2]) : 10, every = argc > 3 ? atoi(argv[3]) : 1;
    long used = 0, grown, most = 0;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &process);
    PMPI_Comm_size(MPI_COMM_WORLD, &processes);
    members = processes - 1;
    spare = processes - 1;
    for (int i = 0; i < members; i++)
        at[i] = i;
    if (strcmp(mode, "plain") == 0)
        return be_plain();
    xmpi_handles_begin();
    xmpi_world.state = XMPI_STATE_RUNNING;
    take_world(process == spare ? MPI_COMM_NULL : make_world());
    if (process != spare) {
        xmpi_handles.world = xmpi_world.comm;
        made_make();
    }
    check("at first");
    for (int k = 0; k < times; k++) {
        once(mode, k);
        if (k % every == 0)
            check(mode);
        if (k == times / 10)
            used = (long)mallinfo2().uordblks;
    }
    grown = (long)mallinfo2().uordblks - used;
    PMPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (process != spare)
        made_free();
    PMPI_Barrier(MPI_COMM_WORLD);
    if (process == 0)
        printf("%s: %d times, %ld bytes more\n", mode, times, most);
    replace_world(MPI_COMM_NULL);
    xmpi_handles_leave();
    xmpi_world.state = XMPI_STATE_PLAIN;
    xmpi_world.comm = MPI_COMM_WORLD;
    MPI_Finalize();
    return 0;
}
