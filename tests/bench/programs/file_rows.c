/* SPDX-License-Identifier: BSD-3-Clause
 * A loop whose rows are in a file that all processes share: own rows are read, computed and written
 * by pieces, with explicit I/O.
 *
 * Usage: file_rows FILE ROWS ITERATIONS. Adds 1 to each row in each iteration, and prints the sum
 * of the last, and its seconds. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH = 512, PIECE = 6 };

double compute(int count, int width, int flops, double *row); /* compute.c */

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[2]), iterations = atoi(argv[3]), count, displ, it, fd;
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi domain(n) range(count, displ)
    {
        count = n / size + (rank < n % size);
        displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    }
#pragma xmpi setup
    fd = open(argv[1], O_RDWR);
    double start = MPI_Wtime();
#pragma xmpi loop divisible iterations(iterations)
    for (it = 0; it < iterations; it++) {
        sum = 0;
        for (int k = 0; k < count; k += PIECE) {
            double piece[PIECE * WIDTH], unit = 1;
            int rows = k + PIECE < count ? PIECE : count - k;
            size_t bytes = sizeof *piece * WIDTH * (size_t)rows;
            off_t at = (off_t)sizeof *piece * WIDTH * (displ + k);
            if (pread(fd, piece, bytes, at) < 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
            compute(rows, 0, 0, &unit);
            for (int i = 0; i < rows; i++) {
                piece[i * WIDTH] += 1;
                sum += piece[i * WIDTH];
            }
            if (pwrite(fd, piece, bytes, at) < 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.0f seconds %.3f\n", all, MPI_Wtime() - start);
    close(fd);
    MPI_Finalize();
    return 0;
}
