/* SPDX-License-Identifier: BSD-3-Clause
 * A program with MPI_THREAD_MULTIPLE, as the rewriter leaves it: in every iteration a second thread
 * passes numbers round the members while the first adds others up.
 *
 * Usage: threads ROWS ITERATIONS [self|world UNTIL]: prints "threads: ok ITERATIONS". With "self"
 * or "world" another thread sends messages to itself in that communicator, in all iterations before
 * UNTIL. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { TURNS = 20 };

typedef struct {
    int rank, size, it, wrong;
} round_t;

static void *pass_round(void *context)
{
    round_t *mine = context;
    int right = (mine->rank + 1) % mine->size, left = (mine->rank + mine->size - 1) % mine->size;
    for (int turn = 0; turn < TURNS; turn++) {
        int out = mine->rank * TURNS + turn + mine->it, in = -1;
        MPI_Sendrecv(&out, 1, MPI_INT, right, 7, &in, 1, MPI_INT, left, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        mine->wrong += in != left * TURNS + turn + mine->it;
    }
    return NULL;
}

static void fail(const char *what, int it, int rank)
{
    fprintf(stderr, "threads: iteration %d, rank %d: %s is wrong\n", it, rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void iterate(int rank, int size, int count, int rows, int it)
{
    round_t mine = {rank, size, it, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, pass_round, &mine) != 0)
        fail("a thread", it, rank);
    for (int turn = 0; turn < TURNS; turn++) {
        int sum = 0;
        MPI_Allreduce(&count, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != rows)
            fail("the sum", it, rank);
    }
    pthread_join(thread, NULL);
    if (mine.wrong > 0)
        fail("what came from the left", it, rank);
}

/* --- a thread that goes on ---------------------------------------------------------------------
 */

static atomic_bool begun, over;

static void *send_on(void *world)
{
    MPI_Comm comm = world != NULL ? MPI_COMM_WORLD : MPI_COMM_SELF;
    while (!atomic_load(&over)) {
        int rank, out = 1, in = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Sendrecv(&out, 1, MPI_INT, rank, 8, &in, 1, MPI_INT, rank, 8, comm, MPI_STATUS_IGNORE);
        if (in != 1)
            fail("what was sent to itself", -1, rank);
        atomic_store(&begun, true);
        usleep(200);
    }
    return NULL;
}

static void start_other(pthread_t *other, bool world)
{
    if (pthread_create(other, NULL, send_on, world ? &over : NULL) != 0)
        fail("a thread", -1, 0);
    while (!atomic_load(&begun))
        usleep(1000);
}

static void end_other(pthread_t *other)
{
    atomic_store(&over, true);
    pthread_join(*other, NULL);
}

int main(int argc, char **argv)
{
    const char *where = argc > 3 ? argv[3] : "";
    int until = argc > 4 ? atoi(argv[4]) : 0;
    pthread_t other;
    int rank, size, count, displ, provided, it = 0;
    int rows = argc > 1 ? atoi(argv[1]) : 100, iterations = argc > 2 ? atoi(argv[2]) : 10;

    xmpi_gen_program(1);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided != MPI_THREAD_MULTIPLE)
        fail("the level of threads", 0, rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    count = rows / size + (rank < rows % size);
    displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    xmpi_gen_live("it", &it, sizeof it);
    if (until > 0 && xmpi_gen_initial())
        start_other(&other, strcmp(where, "world") == 0);
    xmpi_gen_loop_begin("threads.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        if (until > 0 && it == until && !atomic_load(&over) && xmpi_gen_initial())
            end_other(&other);
        xmpi_gen_point();
        iterate(rank, size, count, rows, it);
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("threads: ok %d\n", it);
    MPI_Finalize();
    return 0;
}
