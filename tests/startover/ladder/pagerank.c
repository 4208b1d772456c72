/* SPDX-License-Identifier: BSD-3-Clause
 * Page rank: own pages, links with offsets into one list, and the ranks of all pages everywhere. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *begins = malloc((size + 1) * sizeof(int)), *counts = malloc(size * sizeof(int));
    for (int r = 0; r <= size; r++)
        begins[r] = (int)((long)r * n / size);
    for (int r = 0; r < size; r++)
        counts[r] = begins[r + 1] - begins[r];
    int *offsets = malloc((n + 1) * sizeof(int)), *links = malloc(3 * n * sizeof(int));
    for (int i = 0; i < n; i++) {
        offsets[i] = 3 * i;
        for (int j = 0; j < 3; j++)
            links[3 * i + j] = (i * (j + 2) + 1) % n;
    }
    offsets[n] = 3 * n;
    double *weight = malloc(n * sizeof(double)), *own = malloc((counts[rank] + 1) * sizeof(double));
    for (int i = 0; i < n; i++)
        weight[i] = 1.0 / n;
#pragma xmpi loop
    for (int k = 0; k < 25; k++) {
        for (int i = begins[rank]; i < begins[rank + 1]; i++) {
            double sum = 0;
            for (int j = offsets[i]; j < offsets[i + 1]; j++)
                sum += weight[links[j]] / 3;
            own[i - begins[rank]] = 0.15 / n + 0.85 * sum;
        }
        MPI_Allgatherv(own, counts[rank], MPI_DOUBLE, weight, counts, begins, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    tell(weight + begins[rank], counts[rank]);
    MPI_Finalize();
    return 0;
}
