/* SPDX-License-Identifier: BSD-3-Clause
 * Plays a program of structures.h with real files, messages and memory: explicit I/O by pieces of
 * own rows, for the arrays that do not fit. A plain program of MPI.
 *
 * Usage: sections PROGRAM ROWS ITERATIONS LAYOUTS, in a folder with the folder disk, where the
 * arrays are. Each line of the file LAYOUTS is a layout: a name and the rows of each process; rank
 * 0 prints "layout NAME SECONDS" for it, the median of its iterations. In the one whose name is
 * "instrument" all arrays are on the disk and what would be read ahead is waited for at once; each
 * rank prints what the model needs: "node RANK seek READ WRITE issue SECONDS message SECONDS", and
 * for each stage "stage RANK NUMBER computation SECONDS read BYTES SECONDS CALLS write BYTES
 * SECONDS CALLS", all of its quickest iteration. Every row that is read is looked at: it has its
 * number and how often its array was written. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/papers/structures.h"

enum { MOST = 64, NAME = 64, REPEATS = 9, WORDS = STRUCTURE_ROW / sizeof(double) };

double compute(int count, int width, int flops, double *row); /* compute.c */

typedef struct {
    double bytes, seconds, calls;
} transfers_t;

typedef struct {
    double computation;
    transfers_t reads, writes;
} seen_t;

static structure_t structure;
static const xmpi_mheta_program_t *program = &structure.program;
static int rank, size, domain, iterations, count, displ;
static int file[XMPI_MHETA_ARRAYS];
static double *kept[XMPI_MHETA_ARRAYS]; /* own rows, NULL: on the disk */
static double *piece[XMPI_MHETA_ARRAYS][2];
static long version[XMPI_MHETA_ARRAYS]; /* how often it was written */
static bool forced;
static seen_t seen[XMPI_MHETA_STAGES]; /* of this iteration */
static seen_t quickest[XMPI_MHETA_STAGES];

static void stop(const char *what)
{
    fprintf(stderr, "sections: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double *need(int rows)
{
    double *memory = calloc((size_t)rows + 1, STRUCTURE_ROW);
    if (memory == NULL)
        stop("there is no memory");
    return memory;
}

/* --- the disk -----------------------------------------------------------------------------------
 */

/* ROWS from BEGIN of the block on. */
static void fetch(int array, double *to, int begin, int rows)
{
    ssize_t bytes = (ssize_t)rows * STRUCTURE_ROW;
    if (pread(file[array], to, (size_t)bytes, (off_t)(displ + begin) * STRUCTURE_ROW) != bytes)
        stop("an array cannot be read");
}

static void store(int array, const double *from, int begin, int rows)
{
    ssize_t bytes = (ssize_t)rows * STRUCTURE_ROW;
    if (pwrite(file[array], from, (size_t)bytes, (off_t)(displ + begin) * STRUCTURE_ROW) != bytes)
        stop("an array cannot be written");
}

static void note(transfers_t *transfers, int rows, double start)
{
    transfers->bytes += (double)rows * STRUCTURE_ROW;
    transfers->seconds += MPI_Wtime() - start;
    transfers->calls++;
}

typedef struct {
    pthread_t thread;
    bool running;
    int array, begin, rows;
    double *to;
} ahead_t;

static void *fetch_ahead(void *argument)
{
    ahead_t *ahead = argument;
    fetch(ahead->array, ahead->to, ahead->begin, ahead->rows);
    return NULL;
}

static void await(ahead_t *ahead)
{
    if (ahead->running)
        pthread_join(ahead->thread, NULL);
    ahead->running = false;
}

static void issue(ahead_t *ahead, int array, double *to, int begin, int rows)
{
    *ahead = (ahead_t){.array = array, .begin = begin, .rows = rows, .to = to, .running = true};
    if (pthread_create(&ahead->thread, NULL, fetch_ahead, ahead) != 0)
        stop("there is no thread to read ahead");
}

/* --- rows ---------------------------------------------------------------------------------------
 */

static void check(int array, const double *row, int begin, int rows)
{
    for (int i = 0; i < rows; i++)
        if (row[(size_t)i * WORDS] != (double)(displ + begin + i + version[array]))
            stop("a row is not what was written");
}

static void make_rows(int array, double *row, int begin, int rows)
{
    for (int i = 0; i < rows; i++)
        row[(size_t)i * WORDS] = (double)(displ + begin + i + version[array] + 1);
}

static int rows_at(int begin, int end)
{
    return begin + STRUCTURE_PIECE < end ? STRUCTURE_PIECE : end - begin;
}

/* The rows of an array for the piece from BEGIN on, of those before END. */
static double *rows_of(int stage, const xmpi_mheta_access_t *access, ahead_t *ahead, int begin,
                       int end)
{
    int array = access->array, side = begin / STRUCTURE_PIECE % 2, next = begin + STRUCTURE_PIECE;
    if (kept[array] != NULL)
        return kept[array] + (size_t)begin * WORDS;
    double *row = piece[array][side], start = MPI_Wtime();
    if (!access->reads)
        return row;
    if (access->ahead && ahead->running)
        await(ahead);
    else
        fetch(array, row, begin, rows_at(begin, end));
    note(&seen[stage].reads, rows_at(begin, end), start);
    if (access->ahead && !forced && next < end)
        issue(ahead, array, piece[array][1 - side], next, rows_at(next, end));
    return row;
}

static void play_piece(int stage, ahead_t *ahead, int begin, int end)
{
    const xmpi_mheta_stage_t *s = &program->stage[stage];
    double *row[XMPI_MHETA_ARRAYS];
    int rows = rows_at(begin, end);
    for (int a = 0; a < s->accesses; a++) {
        row[a] = rows_of(stage, &s->access[a], ahead, begin, end);
        if (s->access[a].reads)
            check(s->access[a].array, row[a], begin, rows);
    }
    double start = MPI_Wtime(), unit = 1;
    compute(rows * structure.work[stage], 0, 0, &unit);
    seen[stage].computation += MPI_Wtime() - start;
    for (int a = 0; a < s->accesses; a++) {
        int array = s->access[a].array;
        if (!s->access[a].writes)
            continue;
        make_rows(array, row[a], begin, rows);
        start = MPI_Wtime();
        if (kept[array] == NULL) {
            store(array, row[a], begin, rows);
            note(&seen[stage].writes, rows, start);
        }
    }
}

/* Part TILE of TILES of the rows. */
static void play_stage(int stage, int tile, int tiles, ahead_t *ahead)
{
    int end = count * (tile + 1) / tiles;
    for (int begin = count * tile / tiles; begin < end; begin += STRUCTURE_PIECE)
        play_piece(stage, ahead, begin, end);
    if (tile < tiles - 1)
        return;
    for (int a = 0; a < program->stage[stage].accesses; a++)
        version[program->stage[stage].access[a].array] += program->stage[stage].access[a].writes;
}

/* --- communication ------------------------------------------------------------------------------
 */

static void exchange(void)
{
    MPI_Request request[4];
    double out = rank, in[2];
    int n = 0;
    for (int peer = rank - 1; peer <= rank + 1; peer += 2) {
        if (peer < 0 || peer >= size)
            continue;
        MPI_Isend(&out, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &request[n++]);
        MPI_Irecv(&in[peer > rank], 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &request[n++]);
    }
    MPI_Status status[4];
    MPI_Waitall(n, request, status);
}

static void reduce(void)
{
    double own = 1, sum;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void play_pipeline(const xmpi_mheta_section_t *section, int stage)
{
    ahead_t ahead = {0};
    double edge = 0;
    for (int tile = 0; tile < section->tiles; tile++) {
        if (rank > 0)
            MPI_Recv(&edge, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        play_stage(stage, tile, section->tiles, &ahead);
        if (rank < size - 1)
            MPI_Send(&edge, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
    }
}

static void play_iteration(void)
{
    for (int t = 0; t < program->sections; t++) { /* of one stage each */
        ahead_t ahead = {0};
        if (program->section[t].pattern == XMPI_MHETA_PIPELINE)
            play_pipeline(&program->section[t], t);
        else
            play_stage(t, 0, 1, &ahead);
        if (program->section[t].pattern == XMPI_MHETA_NEIGHBOURS)
            exchange();
        if (program->section[t].pattern == XMPI_MHETA_REDUCTION)
            reduce();
    }
}

/* --- memory -------------------------------------------------------------------------------------
 */

/* What is used most stays in memory first; what comes behind one that does not fit is out with it
 * (all arrays have rows of one size). */
static int kept_arrays(void)
{
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    int arrays = program->arrays;
    if (forced)
        return 0;
    if ((double)arrays * count * STRUCTURE_ROW <= memory)
        return arrays;
    memory -= (double)arrays * STRUCTURE_PIECE * STRUCTURE_ROW;
    return memory > 0 && count > 0 ? (int)(memory / STRUCTURE_ROW / count) : 0;
}

static void take_rows(void)
{
    int in_core = kept_arrays();
    for (int m = 0; m < program->arrays; m++) {
        piece[m][0] = need(STRUCTURE_PIECE);
        piece[m][1] = need(STRUCTURE_PIECE);
        kept[m] = m < in_core ? need(count) : NULL;
        if (kept[m] != NULL)
            fetch(m, kept[m], 0, count);
    }
}

static void give_rows(void)
{
    for (int m = 0; m < program->arrays; m++) {
        if (kept[m] != NULL)
            store(m, kept[m], 0, count);
        free(kept[m]);
        free(piece[m][0]);
        free(piece[m][1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* --- what is measured ---------------------------------------------------------------------------
 */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, ascending);
    return value[n / 2];
}

static void *nothing(void *argument)
{
    return argument;
}

static void report_node(void)
{
    double seek[2][REPEATS], issued[REPEATS], message[REPEATS], start, byte = 0;
    pthread_t thread;
    int scratch = open("disk/scratch", O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < REPEATS; i++) {
        start = MPI_Wtime();
        if (pwrite(scratch, &byte, 1, rank) != 1)
            stop("the disk cannot be written");
        seek[1][i] = MPI_Wtime() - start;
        start = MPI_Wtime();
        if (pread(scratch, &byte, 1, rank) != 1)
            stop("the disk cannot be read");
        seek[0][i] = MPI_Wtime() - start;
        start = MPI_Wtime();
        if (pthread_create(&thread, NULL, nothing, NULL) != 0)
            stop("there is no thread to read ahead");
        issued[i] = MPI_Wtime() - start;
        pthread_join(thread, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        start = MPI_Wtime();
        exchange();
        message[i] = MPI_Wtime() - start;
    }
    close(scratch);
    printf("node %d seek %.9f %.9f issue %.9f message %.9f\n", rank, median(seek[0], REPEATS),
           median(seek[1], REPEATS), median(issued, REPEATS), median(message, REPEATS));
}

static double busy(const seen_t *stage)
{
    double sum = 0;
    for (int s = 0; s < program->stages; s++)
        sum += stage[s].computation + stage[s].reads.seconds + stage[s].writes.seconds;
    return sum;
}

/* The iteration in which this rank was disturbed least. */
static void keep_quickest(int iteration)
{
    if (iteration == 0 || busy(seen) < busy(quickest))
        memcpy(quickest, seen, sizeof quickest);
}

static void report_stages(void)
{
    for (int s = 0; s < program->stages; s++)
        printf("stage %d %d computation %.9f read %.0f %.9f %.0f write %.0f %.9f %.0f\n", rank, s,
               quickest[s].computation, quickest[s].reads.bytes, quickest[s].reads.seconds,
               quickest[s].reads.calls, quickest[s].writes.bytes, quickest[s].writes.seconds,
               quickest[s].writes.calls);
    fflush(stdout);
}

static void play(const char *name)
{
    double *seconds = calloc((size_t)iterations + 1, sizeof *seconds);
    forced = strcmp(name, "instrument") == 0;
    take_rows();
    for (int k = 0; k < iterations && seconds != NULL; k++) {
        memset(seen, 0, sizeof seen);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        play_iteration();
        double own = MPI_Wtime() - start;
        keep_quickest(k);
        MPI_Allreduce(&own, &seconds[k], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("layout %s %.9f\n", name, median(seconds, iterations));
    if (forced) {
        report_node();
        report_stages();
    }
    free(seconds);
    give_rows();
}

/* --- the beginning ------------------------------------------------------------------------------
 */

static void make_arrays(void)
{
    char name[NAME];
    for (int m = 0; m < program->arrays; m++) {
        snprintf(name, sizeof name, "disk/array.%d", m);
        file[m] = open(name, O_RDWR | O_CREAT, 0600);
        double *row = need(1);
        for (int i = rank; i < domain && file[m] >= 0; i += size) {
            row[0] = i;
            displ = i;
            store(m, row, 0, 1);
        }
        free(row);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static bool read_layout(FILE *layouts, char *name)
{
    int next = 0;
    if (fscanf(layouts, "%63s", name) != 1)
        return false;
    for (int i = 0, rows; i < size; i++) {
        if (fscanf(layouts, "%d", &rows) != 1 || rows < 0)
            stop("a layout is none");
        if (i == rank) {
            displ = next;
            count = rows;
        }
        next += rows;
    }
    if (next != domain)
        stop("a layout has other rows");
    return true;
}

int main(int argc, char **argv)
{
    char name[NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *layouts = argc == 5 ? fopen(argv[4], "r") : NULL;
    if (layouts == NULL || (domain = atoi(argv[2])) < 1 || (iterations = atoi(argv[3])) < 1)
        stop("usage: sections PROGRAM ROWS ITERATIONS LAYOUTS");
    for (int i = 0; i < STRUCTURES; i++)
        if (strcmp(structure_make(i).name, argv[1]) == 0)
            structure = structure_make(i);
    if (structure.name == NULL)
        stop("there is no such program");
    make_arrays();
    while (read_layout(layouts, name))
        play(name);
    fclose(layouts);
    MPI_Finalize();
    return 0;
}
