/* Two fields on a ring of rows: their edges travel packed in one message, and fluxes go through the faces
 * between rows, of which there is one more than rows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int columns = 12;

static void pack(double *edge, const double *a, const double *b, int row)
{
    for (int i = 0; i < columns; i++) {
        edge[2 * i] = a[row * columns + i];
        edge[2 * i + 1] = b[row * columns + i];
    }
}

static void unpack(const double *edge, double *a, double *b, int row)
{
    for (int i = 0; i < columns; i++) {
        a[row * columns + i] = edge[2 * i];
        b[row * columns + i] = edge[2 * i + 1];
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 53, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, m = (rank + 1) * n / size - lo;
    size_t row = (size_t)columns * sizeof(double);
    double *a = NULL, *b = NULL, *load = NULL, *flux = NULL, *out = NULL, *in = NULL, *sum = NULL;
    a = malloc((size_t)(m + 2) * row);
    b = malloc((size_t)(m + 2) * row);
    load = malloc((size_t)(m + 2) * row);
    flux = malloc((size_t)(m + 1) * row);
    out = malloc(2 * row);
    in = malloc(2 * row);
    sum = malloc(2 * row);
    if (!a || !b || !load || !flux || !out || !in || !sum) {
        status = 1;
        goto cleanup;
    }
    for (int j = 0; j < m + 2; j++)
        for (int i = 0; i < columns; i++) {
            a[j * columns + i] = (lo + j) % 7 + i;
            b[j * columns + i] = 0;
            load[j * columns + i] = (lo + j) % 3;
        }
    int down = (rank + size - 1) % size, up = (rank + 1) % size, steps = 0;
    double total = 0;
#pragma xmpi loop
    while (steps < 40) {
        pack(out, a, b, 1);
        MPI_Sendrecv(out, 2 * columns, MPI_DOUBLE, down, 0, in, 2 * columns, MPI_DOUBLE, up, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unpack(in, a, b, m + 1);
        pack(out, a, b, m);
        MPI_Sendrecv(out, 2 * columns, MPI_DOUBLE, up, 1, in, 2 * columns, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unpack(in, a, b, 0);
        for (int j = 0; j <= m; j++)
            for (int i = 0; i < columns; i++) {
                int at = j * columns + i;
                flux[at] = 0.2 * (a[at + columns] - a[at]) + 0.1 * (b[at + columns] - b[at]);
            }
        for (int i = 0; i < columns; i++)
            sum[i] = sum[columns + i] = 0;
        for (int j = 1; j <= m; j++)
            for (int i = (lo + j + steps) % 2; i < columns; i += 2)
                b[j * columns + i] += 0.01 * load[j * columns + i];
        for (int j = 1; j <= m; j++)
            for (int i = 0; i < columns; i++) {
                a[j * columns + i] += flux[j * columns + i] - flux[(j - 1) * columns + i];
                sum[i] += a[j * columns + i];
                sum[columns + i] += b[j * columns + i] * (lo + j);
            }
        double own = 0, all;
        for (int i = 0; i < 2 * columns; i++)
            own += sum[i] * (i + 1);
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += all;
        steps++;
    }
    if (rank == 0)
        printf("result %.9g after %d steps\n", total, steps);
cleanup:
    free(a);
    free(b);
    free(load);
    free(flux);
    free(out);
    free(in);
    free(sum);
    MPI_Finalize();
    return status;
}
