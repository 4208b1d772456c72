/* Strata of rock settle on one another: an array of pointers, one for each stratum, and the table of the
 * pointers to rows of pores are made in the loops that also fill what they lead to. The load that is there at the
 * begin is a sum of what iterations leave as it is; they go on from a copy of it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRATA = 12, PORES = 5 };

static int rank, size, count, first;

static double dot(const double *x, const double *y)
{
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += x[i] * y[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int n = 240, steps = 0;
    double *stratum[STRATA], *top, *pore, **row, worst = 0, settled;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = n / size + (rank < n % size);
    first = rank * (n / size) + (rank < n % size ? rank : n % size);
    for (int k = 0; k < STRATA; k++) {
        stratum[k] = malloc((size_t)count * sizeof(double));
        for (int i = 0; i < count; i++)
            stratum[k][i] = (first + i) * (k + 1) % 101;
    }
    top = malloc((size_t)count * sizeof *top);
    for (int i = 0; i < count; i++)
        top[i] = (first + i) % 7;
    pore = malloc((size_t)count * PORES * sizeof *pore);
    row = malloc((size_t)count * sizeof *row);
    for (int i = 0; i < count; i++) {
        row[i] = pore + (size_t)i * PORES;
        for (int j = 0; j < PORES; j++)
            row[i][j] = (first + i) % 13 + j;
    }
    double load = sqrt(dot(top, top)), left = load;
#pragma xmpi loop
    while (left > 0.001 * load && steps < 60) {
        for (int i = 0; i < count; i++)
            stratum[STRATA - 1][i] = (int)(stratum[STRATA - 1][i] + stratum[0][i]) % 101;
        for (int k = 1; k < STRATA; k++)
            for (int i = 0; i < count; i++)
                stratum[k][i] = fmax(stratum[k][i], stratum[k - 1][i] + top[i] - k);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < PORES; j++)
                row[i][j] = row[i][j] * 0.5 + j;
        left = left * 0.75;
        steps++;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < STRATA; k++)
            worst = fmax(worst, stratum[k][i] + row[i][k % PORES]);
    MPI_Reduce(&worst, &settled, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps, %.9g left, %.9g\n", steps, left, settled);
    for (int k = 0; k < STRATA; k++)
        free(stratum[k]);
    free(row);
    free(pore);
    free(top);
    MPI_Finalize();
    return 0;
}
