/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of data that go round a ring of processes. The pragma is for compilers that know it; any
 * MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define USAGE "usage: ring [-i ITERATIONS] [-b BYTES] [-w WORK]"

struct options {
    int iterations, bytes, work;
};

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.iterations = 100, .bytes = 65536};
    opterr = 0;
    while ((option = getopt(argc, argv, "i:b:w:")) != -1) {
        int value = optarg != NULL ? atoi(optarg) : 0;
        if (option == 'i' && (options->iterations = value) < 1)
            return "-i: expected a number of iterations";
        if (option == 'b' && ((options->bytes = value) < 1 || value > 1 << 28))
            return "-b: expected a number of bytes up to 268435456";
        if (option == 'w' && (options->work = value) < 0)
            return "-w: expected a number of passes over the block";
        if (option == '?')
            return USAGE;
    }
    return optind == argc ? NULL : USAGE;
}

/* Computes with the block, so often, and leaves it as it was. */
static unsigned compute(const unsigned char *block, int bytes, int times)
{
    unsigned sum = 0;
    for (int k = 0; k < times; k++)
        for (int i = 0; i < bytes; i++)
            sum = sum * 31 + block[i];
    return sum;
}

/* How many of the bytes are not of the process that the block comes from. */
static long wrong_bytes(const unsigned char *block, int bytes, int origin)
{
    long wrong = 0;
    for (int i = 0; i < bytes; i++)
        wrong += block[i] != (unsigned char)(origin + i);
    return wrong;
}

static long go_round(const struct options *options, int rank, int size)
{
    int bytes = options->bytes, next = (rank + 1) % size, before = (rank + size - 1) % size;
    unsigned char *block = malloc((size_t)bytes);
    volatile unsigned sum = 0;
    long own, wrong;
    if (block == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < bytes; i++)
        block[i] = (unsigned char)(rank + i);
#pragma xmpi loop movable
    for (int i = 0; i < options->iterations; i++) {
        sum += compute(block, bytes, options->work);
        MPI_Sendrecv_replace(block, bytes, MPI_UNSIGNED_CHAR, next, 0, before, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    own =
        wrong_bytes(block, bytes,
                    (int)((rank + (long)size * options->iterations - options->iterations) % size));
    MPI_Allreduce(&own, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(block);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *why = parse(argc, argv, &options);
    if (why != NULL) {
        if (rank == 0)
            fprintf(stderr, "ring: %s\n", why);
        MPI_Finalize();
        return 2;
    }
    double start = MPI_Wtime();
    long wrong = go_round(&options, rank, size);
    double seconds = MPI_Wtime() - start;
    if (rank == 0)
        printf("iterations %d\nwrong %ld\nseconds %.6f\nmegabytes_per_second %.1f\n",
               options.iterations, wrong, seconds,
               1e-6 * options.bytes * options.iterations / seconds);
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
