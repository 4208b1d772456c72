/* SPDX-License-Identifier: BSD-3-Clause
 * Computes, communicates and waits for the others, as much as it is told to: no algorithm, as the
 * program of that name in O. Sievert (2003), §4.2.
 *
 * Usage: synthetic ITERATIONS ROWS FLOPS BYTES STATE: FLOPS with each row, BYTES from each process
 * to the next, STATE bytes of data, all processes together. Prints the iterations, the seconds that
 * they took, and a checksum. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

double compute(int count, int width, int flops, double *row);

static int iterations, rows, flops, bytes, width;

static void read_arguments(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: synthetic ITERATIONS ROWS FLOPS BYTES STATE\n");
        exit(2);
    }
    iterations = atoi(argv[1]);
    rows = atoi(argv[2]);
    flops = atoi(argv[3]);
    bytes = atoi(argv[4]);
    double each = atof(argv[5]) / rows / sizeof(double);
    width = each > 1 ? (int)each : 1;
}

static void *need(size_t size)
{
    void *memory = calloc(size + 1, 1);
    if (memory == NULL) {
        fprintf(stderr, "synthetic: there is no memory for %zu bytes\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return memory;
}

int main(int argc, char **argv)
{
    int rank, size, n, m, it;
    MPI_Init(&argc, &argv);
    read_arguments(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = rows;
    m = width;
    int count, displ;
#pragma xmpi domain(n) range(count, displ)
    {
        count = n / size + (rank < n % size);
        displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    }
    double *row = need((size_t)count * (size_t)m * sizeof *row);
    char *out = need((size_t)bytes), *in = need((size_t)bytes);
    double sum = 0, all, start = MPI_Wtime();
#pragma xmpi data distributed(row[n][m])
#pragma xmpi loop iterations(iterations)
    for (it = 0; it < iterations; it++) {
        sum = compute(count, m, flops, row);
        MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % size, 0, in, bytes, MPI_CHAR,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("iterations %d\nseconds %.6f\nsum %.17g\n", it, seconds, all);
    free(row);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
