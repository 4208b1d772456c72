/* Bifurcation of the logistic map: histograms of orbits for many parameters, refined pass by pass. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 16

int main(int argc, char **argv)
{
    int rank, size, nparams = 80;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int div = nparams / size, mod = nparams % size;
    int begin = rank * div + (rank < mod ? rank : mod);
    int end = begin + div + (rank < mod);

    double *x = malloc((end - begin) * sizeof(double));
    int (*hist)[BINS] = calloc(end - begin, sizeof *hist);
    for (int k = begin; k < end; k++)
        x[k - begin] = 0.2 + 0.001 * k;
    int pass = 0, occupied = 0, before = -1;
#pragma xmpi loop
    while (occupied != before && pass < 40) {
        int own = 0;
        for (int k = begin; k < end; k++) {
            double r = 2.8 + 1.2 * k / nparams, y = x[k - begin];
            for (int i = 0; i < 50; i++) {
                y = r * y * (1 - y);
                hist[k - begin][(int)(y * BINS) % BINS]++;
            }
            x[k - begin] = y;
            for (int b = 0; b < BINS; b++)
                own += hist[k - begin][b] > 0;
        }
        before = occupied;
        MPI_Allreduce(&own, &occupied, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        pass++;
    }
    if (rank == 0)
        printf("%d bins occupied after %d passes\n", occupied, pass);
    free(x);
    free(hist);
    MPI_Finalize();
    return 0;
}
