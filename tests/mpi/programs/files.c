/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it that does something else with files in each sampling interval
 * of EACH iterations; the test that runs it knows what.
 *
 * Usage: files: prints "out of memory N" for each of the intervals in which it has touched N pages
 * of a mapped file that were not there, and "files: ok". */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { ROWS = 8, EACH = 4, BLOCK = 4096, SMALL = 100, LATE_NS = 5000000 };

static int fd, late[2], asked[2]; /* a child writes to LATE when it is ASKED to, after LATE_NS */
static FILE *stream;
static long mapped; /* iterations */
static MPI_File shared;
static char block[BLOCK];

static void check(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "files: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* 6 calls, 5 blocks. */
static void use_descriptor(void)
{
    for (int i = 0; i < 3; i++)
        check(pwrite(fd, block, BLOCK, i * BLOCK) == BLOCK, "pwrite");
    for (int i = 0; i < 2; i++)
        check(pread(fd, block, BLOCK, i * BLOCK) == BLOCK, "pread");
    check(fsync(fd) == 0, "fsync");
}

/* 4 calls, 4 blocks; one that fails moves nothing. */
static void use_parts(void)
{
    struct iovec parts[2] = {{block, BLOCK}, {block, BLOCK}};
    check(pwritev(fd, parts, 2, 0) == 2 * BLOCK, "pwritev");
    check(preadv(fd, parts, 2, 0) == 2 * BLOCK, "preadv");
    check(preadv(-1, parts, 2, 0) == -1, "preadv of nothing");
    check(fdatasync(fd) == 0, "fdatasync");
}

/* 200 blocks of 100 bytes, most of them in the buffer. */
static void use_stream(void)
{
    rewind(stream);
    for (int i = 0; i < 200; i++)
        check(fwrite(block, 1, SMALL, stream) == SMALL, "fwrite");
    check(fflush(stream) == 0, "fflush");
    rewind(stream);
    for (int i = 0; i < 200; i++)
        check(fread(block, 1, SMALL, stream) == SMALL, "fread");
}

/* As many bytes, one by one and formatted. */
static void use_bytes(void)
{
    int first = 0, second = 0;
    rewind(stream);
    for (int i = 0; i < 5000; i++)
        check(putc('7', stream) == '7', "putc");
    for (int i = 0; i < 1000; i++)
        check(fprintf(stream, "%d %s ", i, "x") > 0, "fprintf");
    check(fflush(stream) == 0, "fflush");
    rewind(stream);
    for (int i = 0; i < 5000; i++)
        check(getc(stream) == '7', "getc");
    check(fscanf(stream, "%d x %d", &first, &second) == 2 && second == 1, "fscanf");
}

/* 2 calls and a block. */
static void use_aio(void)
{
    struct aiocb control = {.aio_fildes = fd, .aio_buf = block, .aio_nbytes = BLOCK};
    const struct aiocb *list[] = {&control};
    check(aio_write(&control) == 0, "aio_write");
    check(aio_suspend(list, 1, NULL) == 0 && aio_return(&control) == BLOCK, "aio_suspend");
}

/* 7 calls, 4 blocks; and one that waits for a message, with one that is the message's. */
static void use_mpi_io(void)
{
    MPI_Request request[2];
    MPI_Status status;
    int flag = 0, sent = 5, got = 0;
    MPI_File_iwrite_at(shared, 0, block, BLOCK, MPI_CHAR, &request[0]);
    MPI_File_iread_at(shared, BLOCK, block, BLOCK, MPI_CHAR, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_File_write_at_all_begin(shared, 0, block, BLOCK, MPI_CHAR);
    MPI_File_write_at_all_end(shared, block, &status);
    MPI_File_iwrite_at(shared, 0, block, BLOCK, MPI_CHAR, &request[0]);
    while (!flag)
        MPI_Test(&request[0], &flag, &status);
    MPI_Isend(&sent, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request[0]);
    MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &status);
    MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
    check(got == sent, "a message");
}

/* 2 calls; the second takes at least LATE_NS. */
static void use_slow_file(void)
{
    char byte = 0;
    check(write(asked[1], "", 1) == 1 && read(late[0], &byte, 1) == 1, "a pipe");
}

static void *others(void *nothing)
{
    use_descriptor();
    return nothing;
}

/* No call: nobody waits for what another thread does with files, by itself. */
static void use_thread(void)
{
    pthread_t thread;
    check(pthread_create(&thread, NULL, others, NULL) == 0, "pthread_create");
    check(pthread_join(thread, NULL) == 0, "pthread_join");
}

/* Pages of a mapped file that are not in memory, as far as the file system lets them out. */
static void use_mapped(void)
{
    enum { PAGES = 16 };
    static long out;
    unsigned char there[PAGES];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PAGES * page;
    int map = open("mapped", O_RDWR | O_CREAT, 0600);
    check(ftruncate(map, (off_t)bytes) == 0, "ftruncate");
    for (int i = 0; i < PAGES; i++)
        check(pwrite(map, "x", 1, (off_t)((size_t)i * page)) == 1, "pwrite");
    check(fsync(map) == 0 && posix_fadvise(map, 0, 0, POSIX_FADV_DONTNEED) == 0, "fsync");
    volatile char *data = mmap(NULL, bytes, PROT_READ, MAP_SHARED, map, 0);
    check(data != MAP_FAILED && madvise((void *)data, bytes, MADV_RANDOM) == 0, "mmap");
    check(mincore((void *)data, bytes, there) == 0, "mincore");
    for (int i = 0; i < PAGES; i++) {
        out += (there[i] & 1) == 0;
        check(data[(size_t)i * page] == 'x', "a page");
    }
    munmap((void *)data, bytes);
    close(map);
    if (++mapped % EACH == 0) {
        printf("out of memory %ld\n", out);
        fflush(stdout);
        out = 0;
    }
}

static void nothing(void)
{
}

static void (*const use[])(void) = {use_descriptor, use_parts,  use_stream,    use_bytes,
                                    use_aio,        use_mpi_io, use_slow_file, use_thread,
                                    nothing,        use_mapped, use_mapped};
enum { USES = sizeof use / sizeof *use };

static void be_late(void)
{
    char byte;
    close(asked[1]);
    while (read(asked[0], &byte, 1) == 1) {
        nanosleep(&(struct timespec){.tv_nsec = LATE_NS}, NULL);
        if (write(late[1], "", 1) != 1)
            break;
    }
    _exit(0);
}

static void begin(void)
{
    check(pipe(late) == 0 && pipe(asked) == 0, "pipe");
    pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0)
        be_late();
    stream = fopen("stream", "w+");
    FILE *file = fopen("descriptor", "w+");
    check(stream != NULL && file != NULL, "fopen");
    fd = fileno(file);
    MPI_File_open(MPI_COMM_SELF, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared);
    MPI_File_set_size(shared, 2 * BLOCK);
}

int main(int argc, char **argv)
{
    int rank, size, count = ROWS, displ = 0, it = 0;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    xmpi_gen_domain(ROWS);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    begin();
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("files.c", EACH);
    for (it = 0; it < USES * EACH; it++) {
        xmpi_gen_point();
        use[it / EACH]();
    }
    xmpi_gen_point();
    xmpi_gen_loop_end();
    close(asked[1]);
    wait(NULL);
    MPI_File_close(&shared);
    printf("files: ok\n");
    MPI_Finalize();
    return 0;
}
