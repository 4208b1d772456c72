/* SPDX-License-Identifier: BSD-3-Clause
 * Communicates in many ways, and tells of each what the processes have written to one another's
 * sockets (tests/cluster/emulation/network.c), and what the library has counted: a line WHAT BYTES SOCKETS
 * COUNTED OFF MESSAGES where SOCKETS and COUNTED are sums over all pairs of processes, and OFF is
 * the sum of what they differ by in each pair. Each process is on a node of its own, n1, n2, ... in
 * the order of ranks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/monitor.h"
#include "observe/peers/peers.h"

enum { MOST = 64, TIMES = 5, MANY = 40 };

static int rank, size;
static char *from, *to; /* of all processes together */
static MPI_Comm reversed, half, grid, between, graph, many[MANY];

static void send_to_next(int bytes)
{
    MPI_Request request;
    MPI_Irecv(to, bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(from, bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send_to_nobody(int bytes)
{
    MPI_Send(from, bytes, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(from, bytes, MPI_BYTE, rank, 0, to, bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void exchange_reversed(int bytes)
{
    int mine;
    MPI_Comm_rank(reversed, &mine);
    MPI_Sendrecv(from, bytes, MPI_BYTE, (mine + 1) % size, 0, to, bytes, MPI_BYTE,
                 (mine + size - 1) % size, 0, reversed, MPI_STATUS_IGNORE);
}

static void start_persistent(int bytes)
{
    MPI_Request request[2];
    MPI_Recv_init(to, bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(from, bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void exchange_groups(int bytes)
{
    int mine, peers;
    MPI_Comm_rank(between, &mine);
    MPI_Comm_remote_size(between, &peers);
    int peer = mine < peers ? mine : MPI_PROC_NULL;
    MPI_Sendrecv(from, bytes, MPI_BYTE, peer, 0, to, bytes, MPI_BYTE, peer, 0, between,
                 MPI_STATUS_IGNORE);
}

static void exchange_with_neighbours(int bytes)
{
    MPI_Request request;
    MPI_Neighbor_alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, grid);
    MPI_Ineighbor_allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* More communicators than are known at a time. */
static void send_on_many(int bytes)
{
    for (int i = 0; i < MANY; i += 3) {
        int mine;
        MPI_Comm_rank(many[i], &mine);
        MPI_Sendrecv(from, bytes, MPI_BYTE, (mine + 1) % size, 0, to, bytes, MPI_BYTE,
                     (mine + size - 1) % size, 0, many[i], MPI_STATUS_IGNORE);
    }
}

/* A handle that means other processes each time. */
static void send_on_new_ones(int bytes)
{
    for (int shift = 1; shift <= 2; shift++) {
        MPI_Comm comm;
        int mine;
        MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + shift * 3) % size, &comm);
        MPI_Comm_rank(comm, &mine);
        MPI_Request request;
        int peer = mine ^ 1;
        for (int i = 0; i < 3 && peer < size; i++) {
            MPI_Isend(from, bytes, MPI_BYTE, peer, 0, comm, &request);
            MPI_Recv(to, bytes, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Comm_free(&comm);
    }
}

static void start_collective(int bytes)
{
    MPI_Request request;
    MPI_Allreduce_init(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, reversed, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

/* To the next and the one behind it, more to the second. */
static void send_along_edges(int bytes)
{
    int out[2] = {bytes, bytes / 2}, at[2] = {0, bytes};
    MPI_Neighbor_alltoallv(from, out, at, MPI_BYTE, to, out, at, MPI_BYTE, graph);
}

static void alltoallw(int bytes)
{
    int count[MOST], displ[MOST];
    MPI_Datatype type[MOST];
    for (int i = 0; i < size; i++) {
        count[i] = i == (rank + 1) % size || rank == (i + 1) % size ? bytes / 8 : 0;
        displ[i] = i * bytes;
        type[i] = MPI_DOUBLE;
    }
    MPI_Alltoallw(from, count, displ, type, to, count, displ, type, MPI_COMM_WORLD);
}

static void barrier(int bytes)
{
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int bytes)
{
    MPI_Bcast(to, bytes, MPI_BYTE, size / 2, MPI_COMM_WORLD);
}

static void bcast_half(int bytes)
{
    MPI_Bcast(to, bytes, MPI_BYTE, 1, half);
}

static void gather(int bytes)
{
    MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, size / 2, MPI_COMM_WORLD);
}

static void scatter(int bytes)
{
    void *own = rank == 1 ? MPI_IN_PLACE : (void *)to;
    MPI_Scatter(from, bytes, MPI_BYTE, own, bytes, MPI_BYTE, 1, MPI_COMM_WORLD);
}

static void parts(int bytes, int *count, int *displ)
{
    for (int i = 0; i < size; i++) {
        count[i] = bytes / 8 * (i % 3 + 1);
        displ[i] = bytes * i;
    }
}

static void gatherv_scatterv(int bytes)
{
    int count[MOST], displ[MOST];
    parts(bytes, count, displ);
    MPI_Gatherv(from, count[rank], MPI_BYTE, to, count, displ, MPI_BYTE, 1, MPI_COMM_WORLD);
    MPI_Scatterv(from, count, displ, MPI_BYTE, to, count[rank], MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void allgather(int bytes)
{
    MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void allgatherv(int bytes)
{
    int count[MOST], displ[MOST];
    parts(bytes, count, displ);
    MPI_Allgatherv(from, count[rank], MPI_BYTE, to, count, displ, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(int bytes)
{
    MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall_in_place(int bytes)
{
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoallv(int bytes)
{
    int out[MOST], in[MOST], displ[MOST];
    for (int i = 0; i < size; i++) {
        out[i] = bytes / 8 * ((rank + 2 * i) % 5);
        in[i] = bytes / 8 * ((i + 2 * rank) % 5);
        displ[i] = bytes * i;
    }
    MPI_Alltoallv(from, out, displ, MPI_BYTE, to, in, displ, MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce(int bytes)
{
    MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, size / 2, MPI_COMM_WORLD);
}

static void allreduce(int bytes)
{
    MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void first(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, 8 * (size_t)*length);
}

static void reduce_in_order(int bytes)
{
    MPI_Op op;
    MPI_Op_create(first, 0, &op);
    MPI_Reduce(from, to, bytes / 8, MPI_DOUBLE, op, size / 2, MPI_COMM_WORLD);
    MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

static void reduce_scatter(int bytes)
{
    int count[MOST];
    for (int i = 0; i < size; i++)
        count[i] = bytes / 8 + i;
    MPI_Reduce_scatter_block(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(int bytes)
{
    MPI_Exscan(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void posted(int bytes)
{
    MPI_Request request[4];
    char *other = to + (size_t)size * (size_t)bytes + 64;
    MPI_Iallreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request[0]);
    MPI_Ialltoall(from, bytes, MPI_BYTE, other, bytes, MPI_BYTE, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void nothing(int bytes)
{
    (void)bytes;
}

static const struct {
    const char *name;
    void (*run)(int bytes);
} ways[] = {
    {"send", send_to_next},
    {"nobody", send_to_nobody},
    {"reversed", exchange_reversed},
    {"persistent", start_persistent},
    {"groups", exchange_groups},
    {"neighbours", exchange_with_neighbours},
    {"many", send_on_many},
    {"new", send_on_new_ones},
    {"start_collective", start_collective},
    {"edges", send_along_edges},
    {"alltoallw", alltoallw},
    {"barrier", barrier},
    {"bcast", bcast},
    {"bcast_half", bcast_half},
    {"gather", gather},
    {"scatter", scatter},
    {"vectors", gatherv_scatterv},
    {"allgather", allgather},
    {"allgatherv", allgatherv},
    {"alltoall", alltoall},
    {"alltoall_in_place", alltoall_in_place},
    {"alltoallv", alltoallv},
    {"reduce", reduce},
    {"allreduce", allreduce},
    {"in_order", reduce_in_order},
    {"reduce_scatter", reduce_scatter},
    {"scan", scan},
    {"posted", posted},
};

/* What this process has written to each other one. */
static void look(int64_t *written)
{
    char node[16];
    uint64_t (*sent_to)(const char *) =
        (uint64_t(*)(const char *))dlsym(RTLD_DEFAULT, "emu_sent_to");
    if (sent_to == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < size; i++) {
        snprintf(node, sizeof node, "n%d", i + 1);
        written[i] = i == rank ? 0 : (int64_t)sent_to(node);
    }
}

/* What has been written by RUN, and the barrier behind it. */
static void watch(void (*run)(int), int bytes, int64_t *written)
{
    int64_t before[MOST];
    PMPI_Barrier(MPI_COMM_WORLD);
    look(before);
    for (int i = 0; i < TIMES; i++)
        run(bytes);
    PMPI_Barrier(MPI_COMM_WORLD);
    look(written);
    for (int i = 0; i < size; i++)
        written[i] -= before[i];
}

static void tell(const char *name, int bytes, const int64_t *written)
{
    int64_t counted[MOST] = {0}, sum[4] = {0}, all[4];
    const xmpi_talk_t *talk;
    int64_t rest;
    int n = xmpi_peers_row(&talk, &rest);
    for (int i = 0; i < n; i++) {
        counted[talk[i].peer] = talk[i].bytes;
        sum[3] += talk[i].messages;
    }
    for (int i = 0; i < size; i++) {
        sum[0] += written[i];
        sum[1] += counted[i];
        sum[2] += llabs(written[i] - counted[i]);
    }
    sum[1] += rest;
    PMPI_Reduce(sum, all, 4, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %d %lld %lld %lld %lld\n", name, bytes, (long long)all[0], (long long)all[1],
               (long long)all[2], (long long)all[3]);
}

static void make_communicators(void)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0};
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    for (int i = 0; i < MANY; i++)
        MPI_Comm_split(MPI_COMM_WORLD, 0, (rank * (i % 2 ? 1 : size - 1) + i) % size, &many[i]);
    int before[2] = {(rank + size - 1) % size, (rank + size - 2) % size};
    int behind[2] = {(rank + 1) % size, (rank + 2) % size};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, MPI_UNWEIGHTED, 2, behind,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
}

int main(int argc, char **argv)
{
    int64_t written[MOST], empty[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int largest = argc > 1 ? atoi(argv[argc - 1]) : 0;
    from = calloc(2 * (size_t)size + 2, (size_t)largest + 1024);
    to = calloc(2 * (size_t)size + 2, (size_t)largest + 1024);
    make_communicators();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) /* all connections are there then */
        ways[i].run(64);
    xmpi_monitor_start(&xmpi_monitor);
    watch(nothing, 0, empty);
    for (int k = 1; k < argc; k++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            xmpi_peers_begin();
            watch(ways[i].run, atoi(argv[k]), written);
            for (int peer = 0; peer < size; peer++)
                written[peer] -= empty[peer];
            tell(ways[i].name, atoi(argv[k]), written);
        }
    xmpi_monitor.on = false;
    MPI_Finalize();
    return 0;
}
