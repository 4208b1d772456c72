/* SPDX-License-Identifier: BSD-3-Clause
 * A program that is instrumented by hand: it registers every kind of structure, redistributes them
 * to random layouts, and checks each element after every one.
 *
 * Usage: redistribute random SEED ROUNDS, prints "redistribute: ok ROUNDS known", or "unknown" when
 *        XMPI_Get_wsize told the blocks after none of them;
 *        redistribute memory [sparse], one member has no memory for the new block;
 *        redistribute known [sparse], to and fro between two layouts, with members that want
 * something else, or have no memory, when the others make a move again; redistribute peak grow|swap
 * MIB, two members; none may use MIB more memory than before; redistribute remove, members that
 * have rows in any order, and less of them; redistribute requests, a persistent request is still
 * there after a redistribution; redistribute messages, some that are under way arrive while members
 * wait for another one. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xmpi.h>

enum { ROWS = 83, COLUMNS = 5, LEADING = 7, HALO = 2, MEMBERS_MAX = 16 };

struct particle {
    double position;
    char kind;
    int number;
};

typedef struct {
    int64_t count, displ;
} block_t;

/* All that is registered. */
struct data {
    double *vector, *square, *padded, *by_columns, *with_halo, *replicated, *identical;
    struct particle *particles;
    int *ia, *ja;
    double *a;
    int64_t *global_ia, *global_ja;
    float *global_a;
};

static int rank, size;

static void fail(const char *what, int64_t row)
{
    fprintf(stderr, "redistribute: rank %d: %s is wrong at row %lld\n", rank, what, (long long)row);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void must(int good, const char *what)
{
    if (!good)
        fail(what, -1);
}

static double value(int64_t row, int64_t column)
{
    return (double)(row * 1000 + column);
}

static int64_t length(int64_t row)
{
    return row * 5 % 7 * (row % 4 != 1);
}

static int64_t entries(int64_t first, int64_t end)
{
    int64_t n = 0;
    for (int64_t row = first; row < end; row++)
        n += length(row);
    return n;
}

static void *room(int64_t n, size_t bytes)
{
    void *memory = calloc((size_t)n + 1, bytes);
    must(memory != NULL, "memory");
    return memory;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static block_t halo_of(block_t block)
{
    if (block.count == 0)
        return block;
    int64_t first = block.displ < HALO ? 0 : block.displ - HALO;
    return (block_t){smaller(block.displ + block.count + HALO, ROWS) - first, first};
}

/* --- filling ---------------------------------------------------------------------------------- */

static void allocate(struct data *d, block_t b)
{
    int64_t nnz = entries(b.displ, b.displ + b.count);
    d->vector = room(b.count, sizeof *d->vector);
    d->square = room(b.count * ROWS, sizeof *d->square);
    d->padded = room(b.count * LEADING, sizeof *d->padded);
    d->by_columns = room(b.count * COLUMNS, sizeof *d->by_columns);
    d->with_halo = room(halo_of(b).count * COLUMNS, sizeof *d->with_halo);
    d->replicated = room(ROWS, sizeof *d->replicated);
    d->identical = room(ROWS, sizeof *d->identical);
    d->particles = room(b.count, sizeof *d->particles);
    d->ia = room(b.count + 1, sizeof *d->ia);
    d->ja = room(nnz, sizeof *d->ja);
    d->a = room(nnz, sizeof *d->a);
    d->global_ia = room(b.count + 1, sizeof *d->global_ia);
    d->global_ja = room(nnz, sizeof *d->global_ja);
    d->global_a = room(nnz, sizeof *d->global_a);
}

static void fill_sparse(struct data *d, block_t b)
{
    int64_t at = 0;
    d->global_ia[0] = 1 + entries(0, b.displ);
    for (int64_t i = 0; i < b.count; i++) {
        for (int64_t k = 0; k < length(b.displ + i); k++, at++) {
            d->ja[at] = (int)k;
            d->a[at] = value(b.displ + i, k);
            d->global_ja[at] = k;
            d->global_a[at] = (float)k;
        }
        d->ia[i + 1] = (int)at;
        d->global_ia[i + 1] = d->global_ia[0] + at;
    }
}

static void fill(struct data *d, block_t b)
{
    for (int64_t i = 0; i < b.count; i++) {
        int64_t row = b.displ + i;
        d->vector[i] = value(row, 0);
        d->particles[i] = (struct particle){value(row, 1), (char)row, (int)row};
        d->replicated[row] = value(row, 2);
        for (int64_t j = 0; j < ROWS; j++)
            d->square[i * ROWS + j] = value(row, j);
        for (int64_t j = 0; j < COLUMNS; j++) {
            d->padded[i * LEADING + j] = value(row, j);
            d->by_columns[j * b.count + i] = value(row, j);
            d->with_halo[(row - halo_of(b).displ) * COLUMNS + j] = value(row, j);
        }
    }
    for (int64_t row = 0; row < ROWS; row++)
        d->identical[row] = value(row, 3);
    fill_sparse(d, b);
}

/* --- checking --------------------------------------------------------------------------------- */

static void check_halo(const struct data *d, block_t b, int all)
{
    block_t halo = halo_of(b);
    for (int64_t i = 0; i < halo.count * COLUMNS; i++) {
        int64_t row = halo.displ + i / COLUMNS;
        int mine = row >= b.displ && row < b.displ + b.count;
        if ((all || mine) && d->with_halo[i] != value(row, i % COLUMNS))
            fail("the matrix with a halo", row);
    }
}

static void check_dense(const struct data *d, block_t b)
{
    for (int64_t i = 0; i < b.count; i++) {
        int64_t row = b.displ + i;
        if (d->vector[i] != value(row, 0))
            fail("the vector", row);
        if (d->particles[i].position != value(row, 1) || d->particles[i].kind != (char)row ||
            d->particles[i].number != (int)row)
            fail("the array of structs", row);
        for (int64_t j = 0; j < ROWS; j++)
            if (d->square[i * ROWS + j] != value(row, j))
                fail("the square matrix", row);
        for (int64_t j = 0; j < COLUMNS; j++)
            if (d->padded[i * LEADING + j] != value(row, j) ||
                d->by_columns[j * b.count + i] != value(row, j))
                fail("the matrix with gaps or by columns", row);
    }
}

static void check_sparse(const struct data *d, block_t b)
{
    int64_t at = 0;
    for (int64_t i = 0; i < b.count; i++) {
        if (d->ia[i] != at || d->global_ia[i] != 1 + entries(0, b.displ) + at)
            fail("a row pointer", b.displ + i);
        for (int64_t k = 0; k < length(b.displ + i); k++, at++)
            if (d->ja[at] != k || d->a[at] != value(b.displ + i, k) || d->global_ja[at] != k ||
                d->global_a[at] != (float)k)
                fail("a nonzero", b.displ + i);
    }
    if (b.count > 0 && d->ia[b.count] != at)
        fail("the last row pointer", b.displ + b.count);
}

static void check(const struct data *d, block_t b, int all)
{
    check_dense(d, b);
    check_halo(d, b, all);
    check_sparse(d, b);
    for (int64_t row = 0; row < ROWS; row++) {
        int mine = row >= b.displ && row < b.displ + b.count;
        if (d->identical[row] != value(row, 3) ||
            ((all || mine) && d->replicated[row] != value(row, 2)))
            fail("replicated data", row);
    }
}

/* Only the own rows of replicated data and halos are to be trusted. */
static void forget_others(struct data *d, block_t b)
{
    block_t halo = halo_of(b);
    for (int64_t row = halo.displ; row < halo.displ + halo.count; row++)
        if (row < b.displ || row >= b.displ + b.count)
            memset(&d->with_halo[(row - halo.displ) * COLUMNS], 0, COLUMNS * sizeof *d->with_halo);
    for (int64_t row = 0; row < ROWS; row++)
        if (row < b.displ || row >= b.displ + b.count)
            d->replicated[row] = -1;
}

/* --- registering ------------------------------------------------------------------------------ */

static MPI_Datatype particle_type(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(sizeof(struct particle), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

static void enlist(struct data *d, MPI_Datatype particle)
{
    XMPI_Matrix padded = {.rows = ROWS, .columns = COLUMNS, .leading = LEADING};
    XMPI_Matrix by_columns = {.rows = COLUMNS, .columns = ROWS, .by_columns = 1};
    XMPI_Matrix halo = {.rows = ROWS, .columns = COLUMNS, .halo = HALO};
    XMPI_Compressed global = {
        .size = ROWS, .pointers = MPI_INT64_T, .indices = MPI_INT64_T, .base = 1, .global = 1};
    int good =
        XMPI_Register_vector(&d->vector, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED) == MPI_SUCCESS &&
        XMPI_Register_dense(&d->square, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED) == MPI_SUCCESS &&
        XMPI_Register_matrix(&d->padded, &padded, MPI_DOUBLE, XMPI_DISTRIBUTED) == MPI_SUCCESS &&
        XMPI_Register_matrix(&d->by_columns, &by_columns, MPI_DOUBLE, XMPI_DISTRIBUTED) ==
            MPI_SUCCESS &&
        XMPI_Register_matrix(&d->with_halo, &halo, MPI_DOUBLE, XMPI_DISTRIBUTED) == MPI_SUCCESS &&
        XMPI_Register_vector(&d->replicated, ROWS, MPI_DOUBLE, XMPI_REPLICATED) == MPI_SUCCESS &&
        XMPI_Register_vector(&d->identical, ROWS, MPI_DOUBLE, XMPI_IDENTICAL) == MPI_SUCCESS &&
        XMPI_Register_vector(&d->particles, ROWS, particle, XMPI_DISTRIBUTED) == MPI_SUCCESS &&
        XMPI_Register_sparse(&d->ia, &d->ja, &d->a, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED) ==
            MPI_SUCCESS &&
        XMPI_Register_compressed(&d->global_ia, &d->global_ja, &d->global_a, &global, MPI_FLOAT,
                                 XMPI_DISTRIBUTED) == MPI_SUCCESS;
    must(good, "a registration");
}

static void release(struct data *d)
{
    void *all[] = {d->vector,     d->square,    d->padded,    d->by_columns, d->with_halo,
                   d->replicated, d->identical, d->particles, d->ia,         d->ja,
                   d->a,          d->global_ia, d->global_ja, d->global_a};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static int move(block_t now, block_t next)
{
    return XMPI_Redistribute_data(now.count, now.displ, next.count, next.displ);
}

/* --- modes ------------------------------------------------------------------------------------ */

/* The same on all members: blocks of random sizes, which are sometimes rotated over the ranks. */
static block_t random_block(unsigned *seed)
{
    block_t block[MEMBERS_MAX];
    int64_t left = ROWS, at = 0;
    int shift = rand_r(seed) % 3 == 0 ? rand_r(seed) % size : 0;
    for (int i = 0; i < size; i++) {
        int64_t count = i + 1 == size ? left : rand_r(seed) % (int)(2 * left / (size - i) + 1);
        count = smaller(count, left);
        block[(i + shift) % size] = (block_t){count, at};
        at += count;
        left -= count;
    }
    return block[rank];
}

/* Gives whether the runtime knows the blocks, and then they must be those. */
static int is_known(block_t block)
{
    block_t known;
    if (XMPI_Get_wsize(rank, &known.count, &known.displ) != MPI_SUCCESS)
        return 0;
    must(known.count == block.count && known.displ == block.displ,
         "the block that the runtime knows");
    return 1;
}

static void run_random(unsigned seed, int rounds)
{
    int known = 0;
    struct data d;
    MPI_Datatype particle = particle_type();
    block_t now = random_block(&seed);
    allocate(&d, now);
    fill(&d, now);
    enlist(&d, particle);
    check(&d, now, 0);
    for (int i = 0; i < rounds; i++) {
        block_t next = random_block(&seed);
        int code = move(now, next);
        code = code == MPI_ERR_NO_MEM ? move(now, next) : code; /* nothing has changed, for all */
        must(code == MPI_SUCCESS, "a redistribution");
        check(&d, next, 1);
        known += is_known(next);
        forget_others(&d, next);
        now = next;
    }
    release(&d);
    MPI_Type_free(&particle);
    if (rank == 0)
        printf("redistribute: ok %d %s\n", rounds,
               known == rounds ? "known"
               : known == 0    ? "unknown"
                               : "known at times");
}

/* Blocks in the opposite order of the ranks, which members leave one after another. */
static void run_remove(void)
{
    block_t now = {ROWS / size + (rank == 0 ? ROWS % size : 0), 0};
    now.displ = rank == 0 ? 0 : rank * (ROWS / size) + ROWS % size;
    block_t next = {now.count, ROWS - now.displ - now.count};
    double *data = room(now.count, sizeof *data);
    for (int64_t i = 0; i < now.count; i++)
        data[i] = value(now.displ + i, 0);
    XMPI_Register_vector(&data, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED);
    must(move(now, next) == MPI_SUCCESS, "the code");
    while (size > 1) {
        must(XMPI_Remove(1, NULL) == MPI_SUCCESS, "the code of a removal");
        if (XMPI_Get_process_status() == XMPI_REMOVED)
            return;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        must(XMPI_Get_wsize(rank, &next.count, &next.displ) == MPI_SUCCESS, "the known block");
        int64_t all = 0;
        for (int64_t i = 0; i < next.count; i++)
            must(data[i] == value(next.displ + i, 0), "an element");
        MPI_Allreduce(&next.count, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        must(all == ROWS, "the number of rows");
    }
    must(next.count == ROWS && next.displ == 0, "the last block");
    free(data);
    printf("redistribute: ok remove\n");
}

static void run_requests(void)
{
    int got = -1, mine = rank;
    double *data = room(ROWS, sizeof *data);
    int64_t count = rank == 0 ? ROWS : 0, other = rank == size - 1 ? ROWS : 0;
    MPI_Request request[2];
    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &request[1]);
    XMPI_Register_vector(&data, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED);
    must(XMPI_Redistribute_data(count, 0, other, 0) == MPI_SUCCESS, "the code");
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    must(got == (rank + size - 1) % size, "what a persistent request has received");
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    free(data);
    if (rank == 0)
        printf("redistribute: ok requests\n");
}

/* A vector, or a sparse matrix with an element in each row. */
struct simple {
    double *data;
    int *ia, *ja;
};

static void make_simple(struct simple *s, block_t b, int64_t rows, int sparse)
{
    s->data = room(b.count, sizeof *s->data);
    s->ia = room(b.count + 1, sizeof *s->ia);
    s->ja = room(b.count, sizeof *s->ja);
    for (int64_t i = 0; i < b.count; i++) {
        s->data[i] = value(b.displ + i, 0);
        s->ja[i] = 1;
        s->ia[i + 1] = (int)i + 1;
    }
    if (sparse)
        XMPI_Register_sparse(&s->ia, &s->ja, &s->data, rows, MPI_DOUBLE, XMPI_DISTRIBUTED);
    else
        XMPI_Register_vector(&s->data, rows, MPI_DOUBLE, XMPI_DISTRIBUTED);
}

static void must_hold(const struct simple *s, block_t b, int sparse)
{
    for (int64_t i = 0; i < b.count; i++)
        must(s->data[i] == value(b.displ + i, 0) && (!sparse || s->ia[i + 1] == i + 1),
             "an element");
}

static void end_simple(struct simple *s, const char *mode)
{
    free(s->data);
    free(s->ia);
    free(s->ja);
    if (rank == 0)
        printf("redistribute: ok %s\n", mode);
}

/* Equal blocks (0), or all rows on the last member. */
static block_t simple_block(int layout, int64_t rows)
{
    int64_t half = rows / size;
    if (layout == 0)
        return (block_t){rank + 1 == size ? rows - half * (size - 1) : half, rank * half};
    return (block_t){rank + 1 == size ? rows : 0, 0};
}

/* Where the last member may not allocate more. */
static void must_lack_memory(const struct simple *s, block_t now, block_t next)
{
    struct rlimit limit, little;
    const double *before = s->data;
    getrlimit(RLIMIT_DATA, &limit);
    little = limit;
    little.rlim_cur = 1; /* what there is stays; nothing more can be written to */
    if (rank + 1 == size)
        setrlimit(RLIMIT_DATA, &little);
    int code = move(now, next);
    setrlimit(RLIMIT_DATA, &limit);
    must(code == MPI_ERR_NO_MEM && s->data == before, "the code or the pointer after no memory");
}

/* Then it may. */
static void run_memory(int sparse)
{
    struct simple s;
    int64_t rows = 4 << 20;
    block_t now = simple_block(0, rows), next = simple_block(1, rows);
    make_simple(&s, now, rows, sparse);
    must_lack_memory(&s, now, next);
    must_hold(&s, now, sparse);
    must(move(now, next) == MPI_SUCCESS, "the code with memory");
    must_hold(&s, next, sparse);
    end_simple(&s, "memory");
}

/* To and fro; before each move one member wants something else than the others, who know theirs. */
static void run_known(int sparse)
{
    struct simple s;
    int64_t rows = 17 << 20; /* too many for storage that is kept */
    block_t at[2] = {simple_block(0, rows), simple_block(1, rows)};
    make_simple(&s, at[0], rows, sparse);
    for (int i = 0; i < 6; i++) {
        block_t now = at[i % 2], next = at[(i + 1) % 2], other = next;
        const double *before = s.data;
        if (rank == (i % 4 < 2 ? size - 1 : 0))
            other.count += other.count > 0 ? -1 : 1;
        must(move(now, other) == MPI_ERR_COUNT && s.data == before, "the code for other blocks");
        if (i % 2 == 0)
            must_lack_memory(&s, now, next);
        must_hold(&s, now, sparse);
        must(move(now, next) == MPI_SUCCESS, "the code");
        must_hold(&s, next, sparse);
    }
    end_simple(&s, "known");
}

/* A line of /proc/self/status, in MiB. */
static long memory_of(const char *name)
{
    char line[256];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    must(file != NULL, "/proc/self/status");
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = atol(line + strlen(name));
    fclose(file);
    return kilobytes / 1024;
}

/* 128 MiB on each of two members: the first gets half of the other's, or both change places. */
static void run_peak(int swap, long most)
{
    int64_t part = (int64_t)16 << 20, moved = part / 2;
    block_t now = {part, rank * part};
    block_t next = rank == 0 ? (block_t){part + moved, 0} : (block_t){part - moved, part + moved};
    if (swap)
        next = (block_t){part, (1 - rank) * part};
    double *data = room(now.count, sizeof *data);
    for (int64_t i = 0; i < now.count; i++)
        data[i] = value(now.displ + i, 0);
    XMPI_Register_vector(&data, 2 * part, MPI_DOUBLE, XMPI_DISTRIBUTED);
    long before = memory_of("VmRSS:");
    must(move(now, next) == MPI_SUCCESS, "the code");
    long more = memory_of("VmHWM:") - before;
    for (int64_t i = 0; i < next.count; i++)
        must(data[i] == value(next.displ + i, 0), "an element");
    free(data);
    if (more > most) {
        fprintf(stderr, "redistribute: rank %d used %ld MiB more, not %ld\n", rank, more, most);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (rank == 0)
        printf("redistribute: ok peak\n");
}

/* Messages of the program that are under way go on while members wait for one that comes later. */
static void run_messages(void)
{
    enum { ROUNDS = 5, MANY = 1 << 20 };
    double *sent = room(MANY, sizeof *sent), *data = room(ROWS, sizeof *data);
    int64_t count = rank == 0 ? ROWS : 0;
    XMPI_Register_vector(&data, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank == 0)
            MPI_Isend(sent, MANY, MPI_DOUBLE, 1, i, MPI_COMM_WORLD, &request);
        if (rank == 1) {
            usleep(30000);
            MPI_Recv(sent, MANY, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        must(XMPI_Redistribute_data(count, 0, count, 0) == MPI_SUCCESS, "the code");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(data);
    free(sent);
    if (rank == 0)
        printf("redistribute: ok %d\n", ROUNDS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    must(argc > 1 && size <= MEMBERS_MAX, "the usage");
    if (strcmp(argv[1], "random") == 0 && argc > 3)
        run_random((unsigned)atoi(argv[2]), atoi(argv[3]));
    else if (strcmp(argv[1], "memory") == 0)
        run_memory(argc > 2);
    else if (strcmp(argv[1], "known") == 0)
        run_known(argc > 2);
    else if (strcmp(argv[1], "peak") == 0 && argc > 3)
        run_peak(strcmp(argv[2], "swap") == 0, atol(argv[3]));
    else if (strcmp(argv[1], "remove") == 0)
        run_remove();
    else if (strcmp(argv[1], "requests") == 0)
        run_requests();
    else
        run_messages();
    MPI_Finalize();
    return 0;
}
