/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of all ranks' bounds by the program's own formula, static state, a linked list of neighbours, n
 * read on rank 0 and broadcast, an exchange of pointers, MPI_Gatherv by the own formula after the loop. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct neighbour {
    struct neighbour *next;
    int rank, send_row, receive_row;
} neighbour_t;

static int *first_of, *count_of;
static int n = 0, m = 16;
static neighbour_t *neighbours;
static double *now, *then;

static void *take(size_t bytes)
{
    void *p = calloc(bytes, 1);
    if (p == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static void divide(int rank, int size)
{
    first_of = take(size * sizeof *first_of);
    count_of = take(size * sizeof *count_of);
    for (int r = 0, at = 0; r < size; r++) {
        first_of[r] = at;
        count_of[r] = n / size + (r >= size - n % size); /* larger ones come last */
        at += count_of[r];
    }
    for (int side = -1; side <= 1; side += 2) {
        int other = rank + side;
        if (other < 0 || other >= size)
            continue;
        neighbour_t *one = take(sizeof *one);
        one->rank = other;
        one->send_row = side < 0 ? 1 : count_of[rank];
        one->receive_row = side < 0 ? 0 : count_of[rank] + 1;
        one->next = neighbours;
        neighbours = one;
    }
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10;
    double t = 0, largest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        FILE *f = fopen(argc > 2 ? argv[2] : "n.txt", "r");
        if (f == NULL || fscanf(f, "%d", &n) != 1)
            n = 37;
        if (f != NULL)
            fclose(f);
        printf("n is %d\n", n);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    divide(rank, size);
    now = take((count_of[rank] + 2) * m * sizeof *now);
    then = take((count_of[rank] + 2) * m * sizeof *then);
    for (int i = 0; i < count_of[rank]; i++)
        for (int j = 0; j < m; j++)
            now[(i + 1) * m + j] = sin(first_of[rank] + i + 1.0) * (j + 1);
    int step = 0;
#pragma xmpi loop state(rows(now[n][m] from first_of[rank], count_of[rank] at 1), \
                        same(step, t, largest), scratch(then))
    for (step = 0; step < steps; step++) {
        double mine = 0;
        for (neighbour_t *one = neighbours; one != NULL; one = one->next)
            MPI_Sendrecv(now + one->send_row * m, m, MPI_DOUBLE, one->rank, 1, now + one->receive_row * m, m,
                         MPI_DOUBLE, one->rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count_of[rank]; i++)
            for (int j = 0; j < m; j++) {
                double left = j > 0 ? now[i * m + j - 1] : 0, right = j < m - 1 ? now[i * m + j + 1] : 0;
                then[i * m + j] = 0.2 * (now[i * m + j] + left + right + now[(i - 1) * m + j] + now[(i + 1) * m + j]);
                mine = fmax(mine, fabs(then[i * m + j]));
            }
        MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        double *other = now;
        now = then;
        then = other;
        t += 0.125 + largest;
        if (rank == 0 && step % 10 == 0)
            printf("step %d t %.17g largest %.17g\n", step, t, largest);
    }
    double *all = rank == 0 ? take((size_t)n * m * sizeof *all) : NULL;
    for (int r = 0; r < size; r++) {
        first_of[r] *= m;
        count_of[r] *= m;
    }
    MPI_Gatherv(now + m, count_of[rank], MPI_DOUBLE, all, count_of, first_of, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        unsigned long sum = 0;
        for (int i = 0; i < n * m; i++) {
            unsigned long bits;
            memcpy(&bits, &all[i], sizeof bits);
            sum = (sum ^ bits) * 1099511628211u;
        }
        printf("sum %016lx after %d steps, t %.17g\n", sum, step, t);
    }
    MPI_Finalize();
    return 0;
}
