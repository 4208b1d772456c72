/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through an array of MIB that may be on disk, and reads it, or reads and writes it. In each
 * of TURNS turns there is a pass that does not count, for the next one to find what it would find
 * after any other; then passes that count; then as many bytes as these have read and written are
 * read and written alone: in place, in a file of FOLDER, past the page cache, in long pieces, as
 * many at a time as a disk wants.
 *
 * Usage: outofcore MIB TURNS read|write FOLDER
 * prints "turn SECONDS READ WRITTEN BARE": what the passes took, bytes by the kernel, and what the
 * bytes took alone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { LENGTH = 8192, PASSES = 3, PIECE = 2 << 20, PIECES = 128, STREAMS = 4 };

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

/* --- the bytes alone ---------------------------------------------------------------------------
 */

static struct {
    int fd, reads, writes; /* pieces */
    atomic_int next;
} bare;

static void fail(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A huge page, where there are such: what is in one place takes a disk one request. */
static char *piece_alloc(void)
{
    char *piece = aligned_alloc(PIECE, PIECE);
    if (piece == NULL)
        fail("aligned_alloc");
    madvise(piece, PIECE, MADV_HUGEPAGE);
    memset(piece, 1, PIECE);
    return piece;
}

static void *stream(void *unused)
{
    char *piece = piece_alloc();
    int i;
    (void)unused;
    while ((i = atomic_fetch_add(&bare.next, 1)) < bare.reads || i < bare.writes) {
        off_t at = (off_t)(i % PIECES) * PIECE;
        if ((i < bare.reads && pread(bare.fd, piece, PIECE, at) != PIECE) ||
            (i < bare.writes && pwrite(bare.fd, piece, PIECE, at) != PIECE))
            fail("a stream");
    }
    free(piece);
    return NULL;
}

static double stream_all(double read, double written)
{
    pthread_t thread[STREAMS];
    double since = MPI_Wtime();
    bare.reads = (int)(read / PIECE + 0.5);
    bare.writes = (int)(written / PIECE + 0.5);
    atomic_store(&bare.next, 0);
    for (int i = 0; i < STREAMS; i++)
        if (pthread_create(&thread[i], NULL, stream, NULL) != 0)
            fail("pthread_create");
    for (int i = 0; i < STREAMS; i++)
        pthread_join(thread[i], NULL);
    if (bare.writes > 0 && fdatasync(bare.fd) != 0)
        fail("fdatasync");
    return MPI_Wtime() - since;
}

static void make_bare(const char *folder)
{
    bare.fd = open(folder, O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    if (bare.fd < 0)
        fail(folder);
    stream_all(0, (double)PIECES * PIECE);
}

/* --- turns -------------------------------------------------------------------------------------
 */

/* What is still to be written of the passes is, before others are. */
static void settle(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

static double turn(double *a, int count, int writes)
{
    double read[2], written[2], sum = pass(a, count, writes), since = MPI_Wtime();
    moved(&read[0], &written[0]);
    for (int i = 0; i < PASSES; i++)
        sum += pass(a, count, writes);
    double seconds = MPI_Wtime() - since;
    moved(&read[1], &written[1]);
    settle();
    printf("turn %.6f %.0f %.0f %.6f\n", seconds, read[1] - read[0], written[1] - written[0],
           stream_all(read[1] - read[0], written[1] - written[0]));
    fflush(stdout);
    settle();
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int rank, size, it = 0, rows = atoi(argv[1]) * (1 << 20) / (LENGTH * (int)sizeof(double));
    int turns = atoi(argv[2]), writes = strcmp(argv[3], "write") == 0;
    double sum = 0;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * rows / size, count = (rank + 1) * rows / size - displ;
    make_bare(argv[4]);
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
    sum += pass(a, count, writes);
    for (it = 0; xmpi_gen_joining() || it < turns; it++) {
        xmpi_gen_point();
        sum += turn(a, count, writes);
    }
    xmpi_gen_loop_end();
    free(a);
    MPI_Finalize();
    return sum < 0;
}
