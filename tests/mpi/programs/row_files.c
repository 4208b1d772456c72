/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it that keeps its rows in files of its own: a stencil over two
 * files with ghost rows, which change places in every iteration, by pread and pwrite; and a file
 * that is updated in place, by a stream. What is read of them is checked.
 *
 * Usage: row_files ROWS ITERATIONS [SPOIL [WHEN]]: prints "row_files: ok ITERATIONS". SPOIL is done
 * by the last rank in iteration WHEN, and later: "kill" (itself), "append", "twice", "longer",
 * "within" (a position among the rows), "unreadable" (the disk cannot read whole blocks,
 * as the runtime does). */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { LENGTH = 700, BYTES = LENGTH * (int)sizeof(double) };

static int rank, size, rows, count, displ;

static void fail(const char *what, int it, int row)
{
    fprintf(stderr, "row_files: iteration %d: row %d: %s\n", it, row, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Beyond the ends of the domain the same in all iterations. */
static double element(int row, int column, int it)
{
    return row < 0 || row >= rows ? row - 0.5 : (double)row * LENGTH + column + 1e-3 * it;
}

static void fill(double *row, int number, int it)
{
    for (int j = 0; j < LENGTH; j++)
        row[j] = element(number, j, it);
}

static void check(const double *row, int number, int it, const char *what)
{
    for (int j = 0; j < LENGTH; j++)
        if (row[j] != element(number, j, it))
            fail(what, it, number);
}

static void get(int fd, int at, double *row, int it)
{
    if (pread(fd, row, BYTES, (off_t)at * BYTES) != BYTES)
        fail("cannot be read", it, displ + at);
}

static void put(int fd, int at, const double *row, int it)
{
    if (pwrite(fd, row, BYTES, (off_t)at * BYTES) != BYTES)
        fail("cannot be written", it, displ + at);
}

static int open_rows(const char *kind, char *name)
{
    sprintf(name, "%s.%d", kind, rank);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        fail("cannot be opened", 0, 0);
    return fd;
}

/* Row I of the block is row I + 1 of the files. */
static void exchange_ghosts(int fd, int it)
{
    double row[2][LENGTH];
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int behind = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    get(fd, 1, row[0], it);
    MPI_Sendrecv(row[0], LENGTH, MPI_DOUBLE, before, 0, row[1], LENGTH, MPI_DOUBLE, behind, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (behind != MPI_PROC_NULL)
        put(fd, count + 1, row[1], it);
    get(fd, count, row[0], it);
    MPI_Sendrecv(row[0], LENGTH, MPI_DOUBLE, behind, 0, row[1], LENGTH, MPI_DOUBLE, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (before != MPI_PROC_NULL)
        put(fd, 0, row[1], it);
}

static void advance(int from, int to, int it)
{
    double row[LENGTH];
    for (int i = 0; i < count + 2; i++) {
        get(from, i, row, it);
        check(row, displ + i - 1, it, i == 0 || i > count ? "the ghost row is wrong" : "is wrong");
        if (i > 0 && i <= count) {
            fill(row, displ + i - 1, it + 1);
            put(to, i, row, it);
        }
    }
    exchange_ghosts(to, it + 1);
}

static void update(FILE *file, int it)
{
    double row[LENGTH];
    for (int i = 0; i < count; i++) {
        if (fseek(file, (long)i * BYTES, SEEK_SET) != 0 || fread(row, BYTES, 1, file) != 1)
            fail("of the stream cannot be read", it, displ + i);
        check(row, displ + i, it, "of the stream is wrong");
        fill(row, displ + i, it + 1);
        if (fseek(file, (long)i * BYTES, SEEK_SET) != 0 || fwrite(row, BYTES, 1, file) != 1)
            fail("of the stream cannot be written", it, displ + i);
    }
}

/* From now on whoever reads whole blocks of a disk from a place in a file is told of an error; rows
 * are none. */
static void spoil_reading(void)
{
    static const unsigned length = offsetof(struct seccomp_data, args) + 2 * sizeof(__u64);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pread64, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, length),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 4095),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        fail("cannot be spoilt", 0, 0);
}

static void spoil(const char *how, int *fd)
{
    static int spoilt;
    char byte = 0;
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    else if (strcmp(how, "append") == 0)
        fcntl(*fd, F_SETFL, O_APPEND);
    else if (strcmp(how, "twice") == 0)
        (void)!dup(*fd);
    else if (strcmp(how, "longer") == 0)
        (void)!pwrite(*fd, &byte, 1, (off_t)(count + 2) * BYTES);
    else if (strcmp(how, "within") == 0)
        lseek(*fd, BYTES / 2, SEEK_SET);
    else if (strcmp(how, "unreadable") == 0 && !spoilt++)
        spoil_reading();
}

int main(int argc, char **argv)
{
    int it = 0, from = -1, to = -1;
    char name[3][64] = {"", "", ""};
    FILE *file = NULL;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    rows = atoi(argv[1]);
    int iterations = atoi(argv[2]), when = argc > 4 ? atoi(argv[4]) : iterations;
    count = rows / size + (rank < rows % size);
    displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    if (xmpi_gen_initial()) {
        double row[LENGTH];
        from = open_rows("from", name[0]);
        to = open_rows("to", name[1]);
        file = fdopen(open_rows("file", name[2]), "w+");
        for (int i = 0; i < count + 2; i++) {
            fill(row, displ + i - 1, 0);
            put(from, i, row, 0);
            if (i == 0 || i > count)
                put(to, i, row, 0);
            else
                fwrite(row, BYTES, 1, file);
        }
    }
    xmpi_gen_data("from", (void *)&from, sizeof(double), XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_halo("from", 1);
    xmpi_gen_file("from", XMPI_GEN_DESCRIPTOR);
    xmpi_gen_data("to", (void *)&to, sizeof(double), XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_halo("to", 1);
    xmpi_gen_file("to", XMPI_GEN_DESCRIPTOR);
    xmpi_gen_data("file", (void *)&file, sizeof(double), XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_file("file", XMPI_GEN_STREAM);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("row_files.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        xmpi_gen_point();
        if (it >= when && rank == size - 1)
            spoil(argv[3], &from);
        advance(from, to, it);
        update(file, it);
        int other = from;
        from = to;
        to = other;
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("row_files: ok %d\n", it);
    for (int i = 0; i < 3; i++)
        if (name[i][0] != '\0')
            unlink(name[i]);
    MPI_Finalize();
    return 0;
}
