/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that are allocated one by one, or lie in a static array; ghost rows that are exchanged at the
 * end of an iteration; what each rank adds up, and is reduced after the loop; a struct; what only
 * rank 0 has memory for; derived communicators and types, an operation of the program's. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 53, M = 5, BINS = 8 };

typedef struct {
    int rank, size, first, count, up, down;
    MPI_Comm comm;
    MPI_Datatype row;
    MPI_Op largest;
} setup_t;

typedef struct {
    char name[8];
    int lines;
} log_t;

static double fixed[N + 2][M]; /* own rows from 1 on */

static void larger(void *in, void *out, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        if (((double *)in)[i] > ((double *)out)[i])
            ((double *)out)[i] = ((double *)in)[i];
}

static setup_t prepare(void)
{
    setup_t s;
    MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
    MPI_Comm_rank(s.comm, &s.rank);
    MPI_Comm_size(s.comm, &s.size);
    s.first = (int)((long)N * s.rank / s.size);
    s.count = (int)((long)N * (s.rank + 1) / s.size) - s.first;
    s.up = s.rank > 0 ? s.rank - 1 : MPI_PROC_NULL;
    s.down = s.rank < s.size - 1 ? s.rank + 1 : MPI_PROC_NULL;
    MPI_Type_contiguous(M, MPI_DOUBLE, &s.row);
    MPI_Type_commit(&s.row);
    MPI_Op_create(larger, 1, &s.largest);
    return s;
}

static double **take_rows(int rows)
{
    double **u = malloc((size_t)rows * sizeof *u);
    for (int i = 0; i < rows; i++)
        u[i] = calloc(M, sizeof **u);
    return u;
}

static void exchange(const setup_t *s, double **u)
{
    MPI_Sendrecv(u[1], 1, s->row, s->up, 0, u[s->count + 1], 1, s->row, s->down, 0, s->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(u[s->count], 1, s->row, s->down, 0, u[0], 1, s->row, s->up, 0, s->comm,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 10, step;
    long long seen[BINS] = {0}, all[BINS];
    double *least, lowest[2] = {1e9, 1e9}, peak = 0;
    struct {
        double t;
        char name[8];
    } clock = {0, "clock"};
    MPI_Init(&argc, &argv);
    setup_t s = prepare();
    double **u = take_rows(s.count + 2), **v = take_rows(s.count + 2);
    least = malloc(2 * sizeof *least);
    least[0] = least[1] = 1e9;
    int kept = s.rank == 0 ? steps : 0;
    log_t *log = s.rank == 0 ? calloc(1, sizeof *log) : NULL;
    double *sums = NULL;
    if (s.rank == 0)
        sums = calloc((size_t)steps, sizeof *sums);
    for (int i = 1; i <= s.count; i++)
        for (int j = 0; j < M; j++) {
            u[i][j] = (double)((s.first + i) * 7919 % 1009) / (j + 1);
            fixed[i][j] = s.first + i;
        }
    exchange(&s, u);
#pragma xmpi loop state(rows(u[N][M], fixed[N][M] from s.first, s.count at 1 halo 1), same(step, clock), \
                        same(peak), own(seen: +), own(least[2]: min), root(sums[kept], log->lines))
    for (step = 0; step < steps; step++) {
        double mine = 0;
        for (int i = 1; i <= s.count; i++)
            for (int j = 0; j < M; j++) {
                v[i][j] = 0.25 * (2 * u[i][j] + u[i - 1][j] + u[i + 1][j]) + 1e-3 * fixed[i][j];
                fixed[i][j] += 0.5;
                seen[((long)(v[i][j] * 1000) + step) % BINS]++;
                mine = v[i][j] > mine ? v[i][j] : mine;
                least[j % 2] = v[i][j] < least[j % 2] ? v[i][j] : least[j % 2];
            }
        MPI_Allreduce(&mine, &peak, 1, MPI_DOUBLE, s.largest, s.comm);
        clock.t += peak;
        MPI_Reduce(&mine, s.rank == 0 ? &sums[step] : NULL, 1, MPI_DOUBLE, MPI_MAX, 0, s.comm);
        if (s.rank == 0)
            log->lines++;
        double **other = u;
        u = v;
        v = other;
        exchange(&s, u);
    }
    MPI_Reduce(seen, all, BINS, MPI_LONG_LONG, MPI_SUM, 0, s.comm);
    MPI_Reduce(least, lowest, 2, MPI_DOUBLE, MPI_MIN, 0, s.comm);
    double *whole = malloc(N * M * sizeof *whole), *piece = malloc((size_t)s.count * M * sizeof *piece + 1);
    int *counts = malloc((size_t)s.size * sizeof *counts), *displs = malloc((size_t)s.size * sizeof *displs);
    for (int r = 0; r < s.size; r++) {
        displs[r] = (int)((long)N * r / s.size);
        counts[r] = (int)((long)N * (r + 1) / s.size) - displs[r];
    }
    for (int i = 0; i < s.count; i++)
        memcpy(piece + i * M, u[i + 1], M * sizeof *piece);
    MPI_Gatherv(piece, s.count, s.row, whole, counts, displs, s.row, 0, s.comm);
    if (s.rank == 0) {
        unsigned long sum = 0, bits;
        for (int i = 0; i < N * M; i++) {
            memcpy(&bits, &whole[i], sizeof bits);
            sum = (sum ^ bits) * 1099511628211u;
        }
        printf("%s %.17g peak %.17g least %.17g %.17g\n", clock.name, clock.t, peak, lowest[0], lowest[1]);
        for (int b = 0; b < BINS; b++)
            printf("%lld ", all[b]);
        printf("sum %016lx steps %d lines %d", sum, step, log->lines);
        for (int i = 0; i < steps; i++)
            printf(" %.17g", sums[i]);
        printf("\n");
    }
    MPI_Op_free(&s.largest);
    MPI_Type_free(&s.row);
    MPI_Comm_free(&s.comm);
    MPI_Finalize();
    return 0;
}
