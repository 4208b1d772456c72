/* A pragma names the range; the function that computes it makes the tables of all ranks, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void divide(int n, int rank, int size, int *lo, int *cnt, int *cnts, int *offs)
{
    for (int i = 0; i < size; i++) {
        offs[i] = i * n / size;
        cnts[i] = (i + 1) * n / size - offs[i];
    }
    *lo = offs[rank];
    *cnt = cnts[rank];
}

int main(int argc, char **argv)
{
    int rank, size, n = 300, lo, cnt;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *cnts = malloc((size_t)size * sizeof *cnts), *offs = malloc((size_t)size * sizeof *offs);
#pragma xmpi domain(n) range(cnt, lo)
    divide(n, rank, size, &lo, &cnt, cnts, offs);
    double *all = calloc((size_t)n, sizeof *all), *own = malloc((size_t)cnt * sizeof *own);
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < cnt; i++)
            own[i] = all[lo + i] * 0.5 + (lo + i) % 7 + all[(lo + i + 1) % n] * 0.25;
        MPI_Allgatherv(own, cnt, MPI_DOUBLE, all, cnts, offs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += all[i] * (i % 6);
        printf("result %.12g\n", sum);
    }
    free(all);
    free(own);
    free(cnts);
    free(offs);
    MPI_Finalize();
    return 0;
}
