/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through an array of MIB that may be on disk, as often as PASSES says, and reads it, or reads
 * and writes it; prints what each pass but the first two took, and how many bytes of files the
 * process has read and written meanwhile.
 *
 * Usage: outofcore MIB PASSES read|write, prints "pass SECONDS READ WRITTEN"
 *        outofcore MIB FOLDER bare, without MPI: writes a file in long pieces past the page cache,
 * and reads it; prints "bare READ WRITTEN", in bytes per second. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { LENGTH = 8192, PIECE = 4 << 20 };

/* Bytes of files, by the kernel. */
static void moved(double *read, double *written)
{
    char line[128];
    FILE *io = fopen("/proc/self/io", "r");
    *read = *written = 0;
    while (io != NULL && fgets(line, sizeof line, io) != NULL) {
        sscanf(line, "read_bytes: %lf", read);
        sscanf(line, "write_bytes: %lf", written);
    }
    if (io != NULL)
        fclose(io);
}

static double pass(double *a, int count, int writes)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < LENGTH; j++) {
            double *element = &a[(size_t)i * LENGTH + j];
            if (writes)
                *element += 1;
            else
                sum += *element;
        }
    return sum;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int bare(off_t bytes, const char *folder)
{
    double rate[2];
    char *piece = aligned_alloc(4096, PIECE);
    int fd = open(folder, O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    if (fd < 0 || piece == NULL)
        return 1;
    memset(piece, 1, PIECE);
    for (int writes = 1; writes >= 0; writes--) {
        double since = now();
        for (off_t at = 0; at < bytes; at += PIECE)
            if ((writes ? pwrite(fd, piece, PIECE, at) : pread(fd, piece, PIECE, at)) != PIECE)
                return 1;
        if (writes && fdatasync(fd) != 0)
            return 1;
        rate[writes] = (double)bytes / (now() - since);
    }
    printf("bare %.0f %.0f\n", rate[0], rate[1]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    if (strcmp(argv[3], "bare") == 0)
        return bare((off_t)atoi(argv[1]) << 20, argv[2]);
    int rank, size, it = 0, rows = atoi(argv[1]) * (1 << 20) / (LENGTH * (int)sizeof(double));
    int passes = atoi(argv[2]), writes = strcmp(argv[3], "write") == 0;
    double sum = 0;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * rows / size, count = (rank + 1) * rows / size - displ;
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    double *a = malloc((size_t)count * LENGTH * sizeof *a);
    xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_outofcore("a");
    for (int i = 0; i < count; i++)
        for (int j = 0; j < LENGTH; j++)
            a[(size_t)i * LENGTH + j] = displ + i;
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("outofcore.c", 0);
    for (it = 0; xmpi_gen_joining() || it < passes; it++) {
        double read[2], written[2], since = MPI_Wtime();
        xmpi_gen_point();
        moved(&read[0], &written[0]);
        sum += pass(a, count, writes);
        moved(&read[1], &written[1]);
        if (rank == 0 && it > 1)
            printf("pass %.6f %.0f %.0f\n", MPI_Wtime() - since, read[1] - read[0],
                   written[1] - written[0]);
    }
    xmpi_gen_loop_end();
    free(a);
    MPI_Finalize();
    return sum < 0;
}
