/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, which checks in every iteration that each element of every
 * array is what it must be, whatever has been reconfigured meanwhile.
 *
 * Usage: evolve ROWS ITERATIONS [FILE]: prints "evolve: ok ITERATIONS"; with FILE, rank 0 appends a
 * line for each iteration: the number of members, and the node of each as it says itself. A process
 * that joins ends before it has joined when EVOLVE_DIES is "exit" or "kill", once for each file
 * "die" that it can remove. EVOLVE_PAUSE_MS makes iterations last. The
 * last rank ends by MPI_Abort with 7, exit with 5, or SIGKILL, in iteration 50 when EVOLVE_ENDS is
 * "abort", "exit" or "kill". With EVOLVE_HOLDINGS every process says at the end what it holds, and
 * what it held in this iteration. Every process goes to the folder EVOLVE_FOLDER behind MPI_Init,
 * if there is one. With EVOLVE_FINALIZES "never" the program does not call MPI_Finalize, with
 * "atexit" it does when it exits; with "killed" rank 0 is killed instead. With EVOLVE_ALARM a
 * signal comes every millisecond, which interrupts whatever it can. The file EVOLVE_REMOVES is
 * removed when all processes of the start are there. With EVOLVE_SAYS every process says that it
 * was in iteration 30, and three times that the program ends.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "leaks.h"
#include "xmpi_gen.h"

enum { ROW_LENGTH = 3 };

static double element(long row, int column, int iteration)
{
    return (double)row * 8 + column + 1e-3 * iteration;
}

static void fail(const char *what, int iteration, int rank, long row)
{
    fprintf(stderr, "evolve: iteration %d, rank %d: %s is wrong in row %ld\n", iteration, rank,
            what, row);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void advance(double *a, int *b, double *x, int count, int displ, int it, int rank)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < ROW_LENGTH; j++) {
            if (a[i * ROW_LENGTH + j] != element(displ + i, j, it))
                fail("a", it, rank, displ + i);
            a[i * ROW_LENGTH + j] = element(displ + i, j, it + 1);
        }
        if (b[i] != displ + i)
            fail("b", it, rank, displ + i);
        x[displ + i] = x[displ + i] + 1;
    }
}

static void check_x(const double *x, int rows, int it, int rank)
{
    for (int i = 0; i < rows; i++)
        if (x[i] != i + it)
            fail("x", it, rank, i);
}

static void report(const char *file, int it, int rank, int size)
{
    enum { LENGTH = 32 };
    char mine[LENGTH] = "", *all = malloc((size_t)size * LENGTH);
    const char *node = getenv("XMPI_NODE");
    snprintf(mine, sizeof mine, " %s", node != NULL ? node : "here");
    MPI_Gather(mine, LENGTH, MPI_CHAR, all, LENGTH, MPI_CHAR, 0, MPI_COMM_WORLD);
    FILE *out = rank == 0 ? fopen(file, "a") : NULL;
    if (out != NULL) {
        fprintf(out, "%d %d", it, size);
        for (int i = 0; i < size; i++)
            fputs(all + i * LENGTH, out);
        fputc('\n', out);
        fclose(out);
    }
    free(all);
}

static int threads(void)
{
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;)
        n += task->d_name[0] != '.';
    if (tasks != NULL)
        closedir(tasks);
    return n;
}

/* On the way to the others. One that is killed has said that it is there: the thread that does so
 * has ended, and the one that looks after the process is left. */
static void die(void)
{
    const char *how = getenv("EVOLVE_DIES");
    if (how == NULL || !xmpi_gen_joining() || unlink("die") != 0)
        return;
    while (strcmp(how, "kill") == 0 && threads() > 2)
        usleep(1000);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    exit(0);
}

static void end_early(int it, int rank, int size)
{
    const char *how = getenv("EVOLVE_ENDS");
    if (how == NULL || it != 50 || rank != size - 1)
        return;
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    exit(5);
}

static void tick(int number)
{
    (void)number;
}

static void start_alarm(void)
{
    struct sigaction action = {.sa_handler = tick}; /* without SA_RESTART */
    struct itimerval every = {{0, 1000}, {0, 1000}};
    if (getenv("EVOLVE_ALARM") == NULL)
        return;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static void say_end(void)
{
    printf("evolve: atexit\n");
}

static void say_status(int status, void *what)
{
    printf("evolve: %s %d\n", (const char *)what, status);
}

__attribute__((destructor)) static void say_last(void)
{
    if (getenv("EVOLVE_SAYS") != NULL)
        printf("evolve: destructor\n");
}

static void listen_to_end(void)
{
    static char on_end[] = "on_exit";
    if (getenv("EVOLVE_SAYS") == NULL)
        return;
    atexit(say_end);
    on_exit(say_status, on_end);
}

static void finalize(void)
{
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *finalizes =
        getenv("EVOLVE_FINALIZES") != NULL ? getenv("EVOLVE_FINALIZES") : "main";
    int rank, size, count, displ, rows = 0, it = 0;
    unsigned checksum = 0;
    int warm = getenv("EVOLVE_HOLDINGS") != NULL ? atoi(getenv("EVOLVE_HOLDINGS")) : 0;
    holdings_t then = {0};
    const char *file = argc > 3 ? argv[3] : NULL;
    int iterations = argc > 2 ? atoi(argv[2]) : 10;
    int *counts = NULL, *displs = NULL;
    struct {
        int twice;
        char word[8];
    } state = {0, ""};

    start_alarm();
    xmpi_gen_program(1);
    if (strcmp(finalizes, "atexit") == 0)
        atexit(finalize);
    listen_to_end();
    MPI_Init(&argc, &argv);
    if (getenv("EVOLVE_REMOVES") != NULL)
        unlink(getenv("EVOLVE_REMOVES"));
    if (getenv("EVOLVE_FOLDER") != NULL && chdir(getenv("EVOLVE_FOLDER")) != 0)
        fail("the folder", 0, 0, 0);
    int communicators = warm > 0 ? communicators_left() : 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    if (xmpi_gen_initial())
        rows = argc > 1 ? atoi(argv[1]) : 100; /* a joiner gets it from the others */
    die();
    xmpi_gen_live("rows", &rows, sizeof rows);
    count = rows / size + (rank < rows % size);
    displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    double *a = malloc((size_t)count * ROW_LENGTH * sizeof *a + 1);
    int *b = malloc((size_t)count * sizeof *b + 1);
    double *x = malloc((size_t)rows * sizeof *x + 1);
    if (xmpi_gen_initial()) {
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < ROW_LENGTH; j++)
                a[i * ROW_LENGTH + j] = element(displ + i, j, 0);
            b[i] = displ + i;
        }
        for (int i = 0; i < rows; i++)
            x[i] = i;
        strcpy(state.word, "kept");
    }
    if (xmpi_gen_initial()) {
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
    xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, rows, ROW_LENGTH);
    xmpi_gen_data("b", (void *)&b, sizeof *b, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, rows, 1);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_live("state", &state, sizeof state);
    xmpi_gen_live("checksum", &checksum, sizeof checksum);
    xmpi_gen_loop_begin("evolve.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        if (xmpi_gen_point()) {
            xmpi_gen_free(counts);
            xmpi_gen_free(displs);
            counts = malloc((size_t)size * sizeof *counts);
            displs = malloc((size_t)size * sizeof *displs);
            MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
            MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
        }
        int world_rank, world_size, sum, one = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &world_size);
        if (world_rank != rank || world_size != size || state.twice != 2 * it ||
            strcmp(state.word, "kept") != 0)
            fail("a variable", it, rank, -1);
        end_early(it, rank, size);
        check_x(x, rows, it, rank);
        advance(a, b, x, count, displ, it, rank);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, counts, displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
#if MPI_VERSION >= 4
        MPI_Allreduce_c(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#else
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
        if (sum != size)
            fail("the sum", it, rank, -1);
        state.twice += 2;
        checksum = checksum * 31 + (unsigned)it;
        if (file != NULL)
            report(file, it, rank, size);
        if (it == 30 && getenv("EVOLVE_SAYS") != NULL)
            printf("evolve: in 30\n");
        if (warm > 0 && it >= warm && then.fds == 0)
            then = holdings(communicators);
        if (getenv("EVOLVE_PAUSE_MS") != NULL)
            usleep(1000 * (useconds_t)atoi(getenv("EVOLVE_PAUSE_MS")));
    }
    xmpi_gen_loop_end();
    if (then.fds > 0)
        print_holdings(&then);
    if (rank == 0)
        printf("evolve: ok %d %u\n", it, checksum);
    free(a);
    free(b);
    free(x);
    free(counts);
    free(displs);
    if (strcmp(finalizes, "killed") == 0 && rank == 0)
        raise(SIGKILL);
    if (strcmp(finalizes, "main") == 0 || strcmp(finalizes, "killed") == 0)
        MPI_Finalize();
    return 0;
}
