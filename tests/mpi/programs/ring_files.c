/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it that reads and writes files by io_uring, through liburing, in
 * another way in each sampling interval of EACH iterations; the test that runs it knows what.
 *
 * Usage: ring_files: prints "ring_files: ok", or "ring_files: none" where the kernel has no ring.
 */
#include <liburing.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { ROWS = 8, EACH = 4, BLOCK = 4096, LATE_NS = 5000000 };

static struct io_uring ring;
static int fd, late[2], asked[2]; /* a child writes to LATE when it is ASKED to, after LATE_NS */
static char block[BLOCK];

static void check(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "ring_files: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void expect_moved(struct io_uring_cqe *done, int bytes)
{
    check(done->res == bytes, "a block");
    io_uring_cqe_seen(&ring, done);
}

/* Entered once, to do both. */
static void submit_and_wait(void)
{
    struct io_uring_cqe *done;
    io_uring_prep_write(io_uring_get_sqe(&ring), fd, block, BLOCK, 0);
    check(io_uring_submit_and_wait(&ring, 1) == 1, "io_uring_submit_and_wait");
    check(io_uring_peek_cqe(&ring, &done) == 0, "io_uring_peek_cqe");
    expect_moved(done, BLOCK);
}

/* One call that begins, and none for the computation that follows. */
static void submit_and_go_on(void)
{
    struct io_uring_cqe *done;
    io_uring_prep_read(io_uring_get_sqe(&ring), fd, block, BLOCK, 0);
    check(io_uring_submit(&ring) == 1, "io_uring_submit");
    while (io_uring_peek_cqe(&ring, &done) != 0)
        ;
    expect_moved(done, BLOCK);
}

/* What is not there yet is read by the ring; the request is begun, and waited for. */
static void begin_late(void)
{
    io_uring_prep_read(io_uring_get_sqe(&ring), late[0], block, 1, 0);
    check(io_uring_submit(&ring) == 1, "io_uring_submit");
    check(write(asked[1], "", 1) == 1, "a pipe");
}

static void wait_for_one(void)
{
    struct io_uring_cqe *done;
    begin_late();
    check(io_uring_wait_cqe(&ring, &done) == 0, "io_uring_wait_cqe");
    expect_moved(done, 1);
}

static void wait_for_a_while(void)
{
    struct io_uring_cqe *done;
    struct __kernel_timespec limit = {.tv_sec = 60};
    begin_late();
    check(io_uring_wait_cqe_timeout(&ring, &done, &limit) == 0, "io_uring_wait_cqe_timeout");
    expect_moved(done, 1);
}

static void nothing(void)
{
}

static void (*const use[])(void) = {submit_and_wait, submit_and_go_on, wait_for_one,
                                    wait_for_a_while, nothing};
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
    FILE *file = fopen("blocks", "w+");
    check(file != NULL, "fopen");
    fd = fileno(file);
}

static void iterate(void)
{
    int it = 0;
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("ring_files.c", EACH);
    for (it = 0; it < USES * EACH; it++) {
        xmpi_gen_point();
        use[it / EACH]();
    }
    xmpi_gen_point();
    xmpi_gen_loop_end();
}

int main(int argc, char **argv)
{
    int rank, size, count = ROWS, displ = 0;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    xmpi_gen_domain(ROWS);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    int there = io_uring_queue_init(8, &ring, 0) == 0;
    if (there) {
        begin();
        iterate();
        io_uring_queue_exit(&ring);
        close(asked[1]);
        wait(NULL);
    }
    printf("ring_files: %s\n", there ? "ok" : "none");
    MPI_Finalize();
    return 0;
}
