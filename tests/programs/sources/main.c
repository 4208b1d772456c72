/* Rows that lose a hundredth and gain one; rank 0 has a source. The header divides them, and knows the
 * rank. */
#include "part.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    part_init(503);
    double *u = malloc(part.rows * sizeof(double)), total = 0;
    for (int i = 0; i < part.rows; i++)
        u[i] = part.first + i;
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        double l = 0, g;
        for (int i = 0; i < part.rows; i++) {
            u[i] = 0.99 * u[i] + 1;
            l += u[i];
        }
        if (part.rank == 0)
            l += 1000;
        MPI_Allreduce(&l, &g, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += g;
    }
    if (part.rank == 0)
        printf("%.9g\n", total);
    free(u);
    MPI_Finalize();
    return 0;
}
