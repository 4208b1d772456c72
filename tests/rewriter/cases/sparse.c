/* A sparse matrix with uneven rows, multiplied with a vector again and again; initial processes make the
 * matrix. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 60 };

int main(int argc, char **argv)
{
    int rank, size, count, displ, *ia, *counts, *displs;
    short *ja = NULL;
    long *a = NULL, *x, *y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(SIZE) range(count, displ)
    {
        displ = rank * SIZE / size;
        count = (rank + 1) * SIZE / size - displ;
    }
    ia = malloc(((size_t)count + 1) * sizeof *ia);
    x = malloc(SIZE * sizeof *x);
#pragma xmpi setup
    {
        y = malloc(((size_t)count + 1) * sizeof *y);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
#pragma xmpi initial
    {
        ia[0] = 0;
        for (int i = 0; i < count; i++)
            ia[i + 1] = ia[i] + (displ + i) * (displ + i) % 7;
        ja = malloc((size_t)(ia[count] + 1) * sizeof *ja);
        a = malloc((size_t)(ia[count] + 1) * sizeof *a);
        for (int i = 0; i < count; i++)
            for (int k = ia[i]; k < ia[i + 1]; k++) {
                ja[k] = (short)((7 * (displ + i) + 11 * (k - ia[i])) % SIZE);
                a[k] = (displ + i + 3 * (k - ia[i])) % 5 - 2;
            }
        for (int i = 0; i < SIZE; i++)
            x[i] = i % 4;
    }
#pragma xmpi data csr(ia, ja, a: SIZE) replicated(x[SIZE])
#pragma xmpi loop interval(3)
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < count; i++) {
            y[i] = step;
            for (int k = ia[i]; k < ia[i + 1]; k++)
                y[i] += a[k] * x[ja[k]];
            y[i] %= 1000;
        }
        MPI_Allgatherv(y, count, MPI_LONG, x, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %ld %ld %ld\n", x[0], x[SIZE / 2], x[SIZE - 1]);
    free(ia);
    free(ja);
    free(a);
    free(x);
    free(y);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
