/* SPDX-License-Identifier: BSD-3-Clause
 * The rows go to a file by MPI-IO after the loop, at the place of the program's own formula. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size), first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *u = malloc((count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) * 0.25;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.02 * (first + i);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "rows.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all(file, (MPI_Offset)sizeof(double) * (rank * (n / size) + (rank < n % size ? rank : n % size)),
                          u, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    double *back = malloc(n * sizeof *back), sum = 0;
    MPI_File_read_at_all(file, 0, back, n, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        sum += back[i] * (i % 9);
    if (rank == 0)
        printf("%.9g\n", sum);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
