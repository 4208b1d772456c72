/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank reads a table from a file, and draws weights from random numbers that begin alike.
 * Arguments: parameters.txt */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, known = 0;
    double table[8] = {0}, weight[16], rho = 1;
    char key[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *f = fopen(argc > 2 ? argv[2] : "parameters.txt", "r");
    if (f == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    while (known < 8 && fscanf(f, "%31s %lf", key, &table[known]) == 2)
        known++;
    fclose(f);
    srand48(11);
    for (int i = 0; i < 16; i++)
        weight[i] = drand48();
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    double *all = calloc(2 * (size_t)count + 2, sizeof *all), *u = all, *v = u + count;
    for (int i = 0; i < count; i++)
        u[i] = v[i] = 1 + (first + i) % 4;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            v[i] = 0.8 * v[i] + table[k % 8] * u[i] / rho;
            u[i] = 0.5 * u[i] + weight[(first + i) % 16] * v[i];
            own += v[i] * v[i];
        }
        MPI_Allreduce(&own, &rho, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    tell(u, count);
    MPI_Finalize();
    return 0;
}
