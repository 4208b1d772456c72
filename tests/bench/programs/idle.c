/* SPDX-License-Identifier: BSD-3-Clause
 * Jacobi's method as the rewriter leaves it, in turns with itself as its author wrote it: blocks of
 * iterations with points and wrapped calls, and blocks of the same iterations without. So both have
 * the same code, memory and processors, which otherwise make two builds of one program differ by
 * more than what is to be measured (Mytkowicz, Diwan, Hauswirth, Sweeney 2009), and one is never
 * more than a tenth of a second away from the other.
 *
 * Usage: idle PAIRS. Prints "block PLAIN ADAPTIVE" for each pair: seconds per iteration. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "observe/monitor.h"
#include "xmpi_gen.h"

enum { ORDER = 1600, BLOCK = 50 };

typedef struct {
    int n, count, displ;
    double *a, *b, *x, *next;
    int *counts, *displs;
} system_t;

static void *get(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return memory;
}

static void make(system_t *s, int rank, int size)
{
    s->n = ORDER;
    s->counts = get((size_t)size, sizeof *s->counts);
    s->displs = get((size_t)size, sizeof *s->displs);
    for (int r = 0; r < size; r++) {
        s->displs[r] = (int)((long long)ORDER * r / size);
        s->counts[r] = (int)((long long)ORDER * (r + 1) / size) - s->displs[r];
    }
    s->count = s->counts[rank];
    s->displ = s->displs[rank];
    s->a = get((size_t)s->count * ORDER, sizeof *s->a);
    s->b = get((size_t)s->count, sizeof *s->b);
    s->x = get(ORDER, sizeof *s->x);
    s->next = get((size_t)s->count, sizeof *s->next);
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < ORDER; k++)
            s->a[(size_t)i * ORDER + (size_t)k] = k == s->displ + i ? 2 * ORDER : 1;
        s->b[i] = i;
    }
}

static double sweep(const system_t *s)
{
    double change = 0;
    for (int i = 0; i < s->count; i++) {
        const double *row = &s->a[(size_t)i * ORDER];
        double sum = 0, old = s->x[s->displ + i];
        for (int k = 0; k < ORDER; k++)
            sum += row[k] * s->x[k];
        s->next[i] = old + (s->b[i] - sum) / row[s->displ + i];
        change = fmax(change, fabs(s->next[i] - old));
    }
    return change;
}

typedef int (*allreduce_t)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
typedef int (*allgatherv_t)(const void *, int, MPI_Datatype, void *, const int *, const int *,
                            MPI_Datatype, MPI_Comm);

static double iterate(const system_t *s, allreduce_t allreduce, allgatherv_t allgatherv)
{
    double change = sweep(s), all;
    allgatherv(s->next, s->count, MPI_DOUBLE, s->x, s->counts, s->displs, MPI_DOUBLE,
               MPI_COMM_WORLD);
    allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* What the author wrote; the monitor does not see it. */
static double plain_block(const system_t *s)
{
    xmpi_monitor_pause(&xmpi_monitor);
    PMPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < BLOCK; i++)
        iterate(s, PMPI_Allreduce, PMPI_Allgatherv);
    double seconds = MPI_Wtime() - start;
    xmpi_monitor_resume(&xmpi_monitor);
    return seconds / BLOCK;
}

int main(int argc, char **argv)
{
    int rank, size, it = 0, pairs = argc > 1 ? atoi(argv[1]) : 10;
    double plain = 0, start = 0, adaptive = 0;
    system_t s;

    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    make(&s, rank, size);
    xmpi_gen_domain(s.n);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &s.count, sizeof s.count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &s.displ, sizeof s.displ);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("idle.c", 0);
    for (it = 0; xmpi_gen_joining() || it <= pairs * BLOCK; it++) {
        xmpi_gen_point();
        if (it % BLOCK == 0) {
            adaptive = (MPI_Wtime() - start) / BLOCK;
            if (it > 0 && rank == 0)
                printf("block %.12f %.12f\n", plain, adaptive);
            if (it < pairs * BLOCK)
                plain = plain_block(&s);
            PMPI_Barrier(MPI_COMM_WORLD);
            start = MPI_Wtime();
        }
        iterate(&s, MPI_Allreduce, MPI_Allgatherv);
    }
    xmpi_gen_loop_end();
    MPI_Finalize();
    return 0;
}
