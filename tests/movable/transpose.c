/* SPDX-License-Identifier: BSD-3-Clause
 * A transform by slabs: along rows, transposed by alltoall, along rows again; in threads where
 * there is OpenMP. */
// flags: -fopenmp -lm
#include <complex.h>
#include <math.h>

#include "point.h"

typedef double complex number_t;

static void transform(number_t *row, int n, number_t *scratch)
{
    for (int k = 0; k < n; k++) {
        scratch[k] = 0;
        for (int i = 0; i < n; i++)
            scratch[k] += row[i] * cexp(-2 * acos(-1) * I * (i * k % n) / n);
    }
    for (int k = 0; k < n; k++)
        row[k] = scratch[k] / sqrt(n);
}

static void transpose(number_t *slab, number_t *other, int rows, int n, int size)
{
    for (int p = 0; p < size; p++)
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < rows; k++)
                other[(p * rows + k) * rows + i] = slab[i * n + p * rows + k];
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, other, 2 * rows * rows, MPI_DOUBLE,
                 MPI_COMM_WORLD);
    for (int p = 0; p < size; p++)
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < rows; i++)
                slab[k * n + p * rows + i] = other[(p * rows + k) * rows + i];
}

int main(int argc, char **argv)
{
    int rank, size, steps = atoi(argv[1]), rows = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = rows * size;
    number_t *slab = malloc((size_t)(rows * n) * sizeof *slab);
    number_t *other = malloc((size_t)(rows * n) * sizeof *other);
    for (int i = 0; i < rows * n; i++)
        slab[i] = i % 7 + rank + I * (i % 3);
    unsigned long sum = 0;
    int step = 0;
    for (; goes_on(step, steps); step++) {
        XMPI_Point();
        for (int turn = 0; turn < 2; turn++) {
#pragma omp parallel for num_threads(2)
            for (int i = 0; i < rows; i++)
                transform(slab + i * n, n, other + i * n);
            transpose(slab, other, rows, n, size);
        }
        for (int i = 0; i < rows * n; i++)
            sum = mix(sum, creal(slab[i]));
    }
    say_steps(step, steps);
    say("transpose", sum);
    MPI_Finalize();
    return 0;
}
