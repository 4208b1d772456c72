/* A vibrating string, rows counted from 1 as in textbooks; no ghost of the other two is ever looked at. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void decompose(int n, int size, int rank, int *s, int *e)
{
    int nlocal = n / size, deficit = n % size;
    *s = rank * nlocal + 1;
    *s = *s + ((rank < deficit) ? rank : deficit);
    if (rank < deficit)
        nlocal++;
    *e = *s + nlocal - 1;
    if (*e > n || rank == size - 1)
        *e = n;
}

int main(int argc, char **argv)
{
    int rank, size, n = 120, steps = 40, s, e, i, k;
    double *before, *now, *next;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        steps = atoi(argv[2]);
    decompose(n, size, rank, &s, &e);
    before = (double *)calloc(e - s + 3, sizeof(double));
    now = (double *)calloc(e - s + 3, sizeof(double));
    next = (double *)calloc(e - s + 3, sizeof(double));
    for (i = s; i <= e; i++) {
        now[i - s + 1] = sin(0.05 * i * (n + 1 - i) / n);
        before[i - s + 1] = now[i - s + 1];
    }
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (k = 0; k < steps; k++) {
        MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[e - s + 2], 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now[e - s + 1], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (i = 1; i <= e - s + 1; i++) {
            int g = s + i - 1;
            next[i] = g == 1 || g == n ? 0
                                       : 2 * now[i] - before[i] +
                                             0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        }
        for (i = 1; i <= e - s + 1; i++) {
            before[i] = now[i];
            now[i] = next[i];
        }
    }
    long own = 0, all;
    for (i = s; i <= e; i++)
        own += (long)(fabs(now[i - s + 1]) * 1e6) % 1000 * i;
    MPI_Reduce(&own, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("string %ld\n", all);
    free(before);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
