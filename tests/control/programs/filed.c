/* SPDX-License-Identifier: BSD-3-Clause
 * Rows in a file of each process, "rows.RANK", that an iteration updates in place; the sum of all
 * is in the file "sum" at the end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LENGTH = 20 };

static void read_row(int fd, int i, double *row, int m)
{
    size_t bytes = (size_t)m * sizeof *row;
    if (pread(fd, row, bytes, (off_t)i * (off_t)bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void write_row(int fd, int i, const double *row, int m)
{
    size_t bytes = (size_t)m * sizeof *row;
    if (pwrite(fd, row, bytes, (off_t)i * (off_t)bytes) != (ssize_t)bytes)
        MPI_Abort(MPI_COMM_WORLD, 4);
}

int main(int argc, char **argv)
{
    int rank, size, n = 60, m = LENGTH;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    char name[32];
    snprintf(name, sizeof name, "rows.%d", rank);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < count; i++) {
        double row[LENGTH];
        for (int j = 0; j < m; j++)
            row[j] = (first + i) * 31 + j;
        write_row(fd, i, row, m);
    }
#pragma xmpi data file(double fd[n][m])
#pragma xmpi loop
    for (int step = 0; step < 80; step++)
        for (int i = 0; i < count; i++) {
            double here[LENGTH];
            read_row(fd, i, here, m);
            for (int j = 0; j < m; j++)
                here[j] = here[j] + 1;
            write_row(fd, i, here, m);
        }
    double mine = 0, all = 0;
    for (int i = 0; i < count; i++) {
        double row[LENGTH];
        read_row(fd, i, row, m);
        for (int j = 0; j < m; j++)
            mine += row[j];
    }
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *file = fopen("sum", "w");
        fprintf(file, "%.17g\n", all);
        fclose(file);
    }
    MPI_Finalize();
    return 0;
}
