/* SPDX-License-Identifier: BSD-3-Clause
 * The start goes by a file, the environment and options, and iterations may change these:
 *     file        the file has other bytes, as many as before
 *     again       it is written again, with the same bytes
 *     appears     one that the start has looked for is there
 *     log         one that the start has appended to is longer
 *     device      (the start reads a file that is none)
 *     kernel      (the start reads a file that the kernel makes)
 *     variable    the environment has another value, the folder and the locale are others
 *     options     (options are read as far as the first letter of several)
 *     nowhere     (the start cannot write a file)
 *     file large  as the first, where there is too much to be looked at */
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mode;
static long factor, rest;

static int is(const char *name)
{
    return strcmp(mode, name) == 0;
}

static void write_input(long value, int large)
{
    FILE *f = fopen("input.txt", "w");
    fprintf(f, "%05ld\n", value);
    for (int i = 0; large && i < 300000; i++)
        fprintf(f, "line\n");
    fclose(f);
}

static long read_number(const char *path, long otherwise)
{
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return otherwise;
    if (fscanf(f, "%ld", &otherwise) != 1)
        otherwise = 17;
    fclose(f);
    return otherwise;
}

static void start(int argc, char **argv, int rank)
{
    factor = read_number("input.txt", 3);
    factor += read_number("restart.txt", 0);
    if (is("device"))
        factor += read_number("/dev/full", 0);
    if (is("kernel"))
        factor += read_number("/proc/self/stat", 0) > 0;
    if (is("log") && rank == 0) {
        FILE *f = fopen("log.txt", "a");
        fprintf(f, "start\n");
        fclose(f);
    }
    if (is("nowhere")) {
        FILE *f = fopen("missing/out.txt", "w");
        factor += f == NULL;
        if (f != NULL)
            fclose(f);
    }
    rest = getenv("REST") != NULL ? atol(getenv("REST")) : 5;
    for (int option; (option = getopt(argc, argv, "+abr:")) != -1 && option != 'a';)
        rest += option == 'r' ? atol(optarg) : 100;
    rest += 10 * optind;
}

static void change(int large)
{
    char line[32] = "log\n";
    FILE *f = is("appears") ? fopen("restart.txt", "w") : is("log") ? fopen("log.txt", "a") : NULL;
    if (is("file") || is("again"))
        write_input(is("file") ? 8 : 7, large);
    if (is("appears"))
        snprintf(line, sizeof line, "4\n");
    if (f == NULL)
        return;
    fputs(line, f);
    fclose(f);
}

static void change_process(void)
{
    setenv("REST", "9", 1);
    setlocale(LC_ALL, "C.UTF-8");
    if (chdir("/") != 0)
        MPI_Abort(MPI_COMM_WORLD, 4);
}

int main(int argc, char **argv)
{
    int rank, size, n = 40, steps = 30;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int plain = strcmp(argv[1], "-ab") != 0;
    mode = argv[plain ? 1 : 2];
    int large = argc > 2 && strcmp(argv[2], "large") == 0;
    start(plain ? 0 : argc, argv, rank);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    long *v = calloc((size_t)count + 1, sizeof *v), mine = 0, sum = 0;
    for (int i = 0; i < count; i++)
        v[i] = first + i;
#pragma xmpi loop state(rows(v[n] from first, count), same(step))
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < count; i++)
            v[i] = (v[i] * factor + rest) % 10007;
        MPI_Barrier(MPI_COMM_WORLD);
        if (step == 5 && rank == 0)
            change(large);
        if (step == 5 && is("variable"))
            change_process();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < count; i++)
        mine += v[i] * (first + i + 1) % 10007;
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld\n", sum);
    MPI_Finalize();
    return 0;
}
