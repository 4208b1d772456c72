/* SPDX-License-Identifier: BSD-3-Clause
 * Redistributes matrices with long rows, without and with gaps, and several small vectors to random
 * layouts, and checks each element after every one. Pieces are large enough for direct copies
 * between processes.
 *
 * Usage: redistribute_large SEED ROUNDS [WHAT], prints "redistribute_large: ok ROUNDS"; WHAT the
 * kernel refuses: blocked, processes with odd ranks may not read the memory of others; late, not
 * any more after half of the rounds; unmapped, they may not share memory; unmade, the first may not
 * make memory that is shared; unseen, processes with odd ranks, which are connected with all others
 * by then, may not look at files, so that they do not know their kernel's spaces.
 * redistribute_large huge: two members with vectors of 6 * 10^9 elements in all, of which hardly
 * any page is ever touched, exchange more bytes than one message can have; prints
 * "redistribute_large: ok huge", or "no memory" where the system grants none. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xmpi.h>

enum { ROWS = 300, COLUMNS = 1000, LEADING = 1100, SMALL = 5, MEMBERS_MAX = 16 };

typedef struct {
    int64_t count, displ;
} block_t;

static int rank, size;

static void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "redistribute_large: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static double value(int64_t row, int64_t column)
{
    return (double)(row * 10000 + column);
}

/* From now on the kernel refuses the system call NUMBER, where ARGUMENT has one of the BITS; always
 * where there are none. */
static void refuse(unsigned number, int argument, unsigned bits)
{
    unsigned at =
        (unsigned)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)argument);
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, bits != 0 ? 1 : 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
             prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
         "a system call cannot be refused");
}

/* MPICH's ch3:sock (4.0.2) asks the C library for the address of a process with which it connects,
 * which reads files: where that is refused a message hangs in any MPI program. */
static void connect_all(void)
{
    int mine[MEMBERS_MAX] = {0}, theirs[MEMBERS_MAX];
    MPI_Alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
}

/* What processes may not do, in the round ROUND of ROUNDS. */
static void block(const char *what, int round, int rounds)
{
    bool first = round == 0, half = round == rounds / 2, odd = rank % 2 == 1;
    if (odd && ((first && strcmp(what, "blocked") == 0) || (half && strcmp(what, "late") == 0)))
        refuse(SYS_process_vm_readv, 0, 0);
    if (first && strcmp(what, "unseen") == 0)
        connect_all();
    if (first && odd && strcmp(what, "unseen") == 0)
        refuse(SYS_newfstatat, 0, 0);
    else if (first && odd && strcmp(what, "unmapped") == 0)
        refuse(SYS_mmap, 3, MAP_SHARED);
    else if (first && rank == 0 && strcmp(what, "unmade") == 0)
        refuse(SYS_memfd_create, 0, 0);
}

/* The same on all members: blocks of random sizes, which are sometimes rotated over the ranks. */
static block_t random_block(unsigned *seed)
{
    block_t block[MEMBERS_MAX];
    int64_t left = ROWS, at = 0;
    int shift = rand_r(seed) % 2 * (rand_r(seed) % size);
    for (int i = 0; i < size; i++) {
        int64_t count = i + 1 == size ? left : rand_r(seed) % (int)(2 * left / (size - i) + 1);
        count = count < left ? count : left;
        block[(i + shift) % size] = (block_t){count, at};
        at += count;
        left -= count;
    }
    return block[rank];
}

static void check(double *const *data, block_t b)
{
    for (int64_t i = 0; i < b.count; i++) {
        for (int64_t j = 0; j < COLUMNS; j++)
            must(data[0][i * COLUMNS + j] == value(b.displ + i, j) &&
                     data[1][i * LEADING + j] == value(b.displ + i, j),
                 "an element of a matrix is wrong");
        for (int k = 2; k < 2 + SMALL; k++)
            must(data[k][i] == value(b.displ + i, k), "an element of a vector is wrong");
    }
}

static void fill(double **data, block_t b)
{
    for (int k = 0; k < 2 + SMALL; k++)
        data[k] = malloc(((size_t)b.count * LEADING + 1) * sizeof(double));
    for (int64_t i = 0; i < b.count; i++) {
        for (int64_t j = 0; j < COLUMNS; j++)
            data[0][i * COLUMNS + j] = data[1][i * LEADING + j] = value(b.displ + i, j);
        for (int k = 2; k < 2 + SMALL; k++)
            data[k][i] = value(b.displ + i, k);
    }
}

static void enlist(double **data)
{
    XMPI_Matrix dense = {.rows = ROWS, .columns = COLUMNS};
    XMPI_Matrix padded = {.rows = ROWS, .columns = COLUMNS, .leading = LEADING};
    int code = XMPI_Register_matrix(&data[0], &dense, MPI_DOUBLE, XMPI_DISTRIBUTED);
    must(code == MPI_SUCCESS, "a registration");
    code = XMPI_Register_matrix(&data[1], &padded, MPI_DOUBLE, XMPI_DISTRIBUTED);
    must(code == MPI_SUCCESS, "a registration");
    for (int k = 2; k < 2 + SMALL; k++) {
        code = XMPI_Register_vector(&data[k], ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED);
        must(code == MPI_SUCCESS, "a registration");
    }
}

/* Elements that are set, at both ends of what moves and of what stays. */
static void set_or_check(char *data, block_t b, int set)
{
    static const int64_t rows[] = {0,          1,          2999999999, 3000000000, 3000000001,
                                   4199999999, 4200000000, 4200000001, 5999999999};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t at = rows[i] - b.displ;
        if (at < 0 || at >= b.count)
            continue;
        if (set)
            data[at] = (char)(i + 1);
        must(data[at] == (char)(i + 1), "an element of a huge vector is wrong");
    }
}

static void run_huge(void)
{
    const int64_t half = 3000000000, moved = 1200000000;
    block_t now = {half, rank * half};
    block_t next = rank == 0 ? (block_t){half + moved, 0} : (block_t){half - moved, half + moved};
    char *data = malloc((size_t)half);
    int there = data != NULL, all;
    MPI_Allreduce(&there, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all)
        set_or_check(data, now, 1);
    if (all)
        must(XMPI_Register_vector(&data, 2 * half, MPI_CHAR, XMPI_DISTRIBUTED) == MPI_SUCCESS,
             "a registration");
    int code =
        all ? XMPI_Redistribute_data(now.count, now.displ, next.count, next.displ) : MPI_ERR_NO_MEM;
    must(code == MPI_SUCCESS || code == MPI_ERR_NO_MEM, "the code");
    if (code == MPI_SUCCESS)
        set_or_check(data, next, 0);
    free(data);
    if (rank == 0)
        printf("redistribute_large: %s\n", code == MPI_SUCCESS ? "ok huge" : "no memory");
}

int main(int argc, char **argv)
{
    double *data[2 + SMALL];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 2 && strcmp(argv[1], "huge") == 0 && size == 2) {
        run_huge();
        MPI_Finalize();
        return 0;
    }
    must(argc > 2 && size <= MEMBERS_MAX, "the usage");
    unsigned seed = (unsigned)atoi(argv[1]);
    int rounds = atoi(argv[2]);
    block_t now = random_block(&seed);
    fill(data, now);
    enlist(data);
    for (int i = 0; i < rounds; i++) {
        block_t next = random_block(&seed);
        if (argc > 3)
            block(argv[3], i, rounds);
        must(XMPI_Redistribute_data(now.count, now.displ, next.count, next.displ) == MPI_SUCCESS,
             "a redistribution");
        now = next;
        check(data, now);
    }
    for (int k = 0; k < 2 + SMALL; k++)
        free(data[k]);
    if (rank == 0)
        printf("redistribute_large: ok %d\n", rounds);
    MPI_Finalize();
    return 0;
}
