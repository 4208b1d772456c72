/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it that keeps its rows in a file of its own, past the page cache
 * (O_DIRECT): each is read, checked and written in every iteration.
 *
 * Usage: direct_rows ROWS ITERATIONS FOLDER: prints "direct_rows: ok ITERATIONS bytes N read R
 * written W": what all members have read, which is what they have written, and what the disk has
 * read and written for them meanwhile, by the kernel. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { LENGTH = 8192, BYTES = LENGTH * (int)sizeof(double), PAGE = 4096 };

static double *row; /* of whole pages */
static double bytes, moved[2];

static void fail(const char *what, int it, int number)
{
    fprintf(stderr, "direct_rows: iteration %d: row %d: %s\n", it, number, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static double element(int number, int column, int it)
{
    return (double)number * LENGTH + column + 1e-3 * it;
}

static void put(int fd, int i, int number, int it)
{
    for (int j = 0; j < LENGTH; j++)
        row[j] = element(number, j, it);
    if (pwrite(fd, row, BYTES, (off_t)i * BYTES) != BYTES)
        fail("cannot be written", it, number);
}

static void get(int fd, int i, int number, int it)
{
    if (pread(fd, row, BYTES, (off_t)i * BYTES) != BYTES)
        fail("cannot be read", it, number);
    for (int j = 0; j < LENGTH; j++)
        if (row[j] != element(number, j, it))
            fail("is wrong", it, number);
}

/* What the disk has read and written for this process, by the kernel, times FACTOR. */
static void add_moved(double factor)
{
    char line[128];
    double value;
    FILE *io = fopen("/proc/self/io", "r");
    while (io != NULL && fgets(line, sizeof line, io) != NULL) {
        if (sscanf(line, "read_bytes: %lf", &value) == 1)
            moved[0] += factor * value;
        if (sscanf(line, "write_bytes: %lf", &value) == 1)
            moved[1] += factor * value;
    }
    if (io != NULL)
        fclose(io);
}

static void advance(int fd, int count, int displ, int it)
{
    if ((fcntl(fd, F_GETFL) & O_DIRECT) == 0)
        fail("is in a file that is not direct", it, displ);
    add_moved(-1);
    for (int i = 0; i < count; i++) {
        get(fd, i, displ + i, it);
        put(fd, i, displ + i, it + 1);
        bytes += BYTES;
    }
    add_moved(1);
}

static int open_rows(const char *folder, int rank, char *name, size_t size)
{
    snprintf(name, size, "%s/direct.%d", folder, rank);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0600);
    if (fd < 0)
        fail("cannot be opened", 0, 0);
    return fd;
}

static void report(int rank, int it)
{
    double own[3] = {bytes, moved[0], moved[1]}, all[3];
    MPI_Reduce(own, all, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("direct_rows: ok %d bytes %.0f read %.0f written %.0f\n", it, all[0], all[1],
               all[2]);
}

int main(int argc, char **argv)
{
    int rank, size, it = 0, fd = -1, rows = atoi(argv[1]), iterations = atoi(argv[2]);
    char name[4096] = "";
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = rows / size + (rank < rows % size);
    int displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    row = aligned_alloc(PAGE, BYTES);
    if (xmpi_gen_initial()) {
        fd = open_rows(argv[3], rank, name, sizeof name);
        for (int i = 0; i < count; i++)
            put(fd, i, displ + i, 0);
    }
    xmpi_gen_data("fd", (void *)&fd, sizeof(double), XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_file("fd", XMPI_GEN_DESCRIPTOR);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("direct_rows.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        xmpi_gen_point();
        advance(fd, count, displ, it);
    }
    xmpi_gen_loop_end();
    report(rank, it);
    if (name[0] != '\0')
        unlink(name);
    free(row);
    MPI_Finalize();
    return 0;
}
