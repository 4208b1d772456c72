/* SPDX-License-Identifier: BSD-3-Clause
 * A pointer to rows may be let lead where another one does. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, count = (rank + 1) * n / size - lo;
    double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b), s = 0;
    for (int i = 0; i < count; i++)
        a[i] = (lo + i) % 7, b[i] = (lo + i) % 5;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        double t = 0;
        for (int i = 0; i < count; i++) {
            b[i] = 0.9 * a[i] + 0.01 * b[i] + 0.1 * k;
            t += a[i];
        }
        MPI_Allreduce(&t, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        b = k == 3 ? a : b;
    }
    if (rank == 0)
        printf("%.10g\n", s);
    MPI_Finalize();
    return 0;
}
