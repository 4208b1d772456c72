/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, with an array that is out of core and one with ghost rows,
 * which change places in every iteration; each element of both is checked.
 *
 * Usage: outofcore ROWS ITERATIONS [ENDS]: prints "outofcore: ok ITERATIONS on disk N", whether
 * somebody has had arrays in files (1) or nobody (0). In iteration ENDS the last rank is killed. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpi_gen.h"

enum { LENGTH = 8192 };

static double element(long row, int column, int iteration)
{
    return (double)row * LENGTH + column + 1e-3 * iteration;
}

static int files(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    const char *folder = getenv("XMPI_OOC_DIR");
    while (maps != NULL && folder != NULL && fgets(line, sizeof line, maps) != NULL)
        n += strstr(line, folder) != NULL;
    if (maps != NULL)
        fclose(maps);
    return n;
}

static void advance(const double *from, double *to, int count, int displ, int it)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < LENGTH; j++) {
            if (from[(size_t)i * LENGTH + j] != element(displ + i, j, it)) {
                fprintf(stderr, "outofcore: iteration %d: row %d is wrong\n", it, displ + i);
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
            to[(size_t)i * LENGTH + j] = element(displ + i, j, it + 1);
        }
}

int main(int argc, char **argv)
{
    int rank, size, it = 0, used = 0, rows = argc > 1 ? atoi(argv[1]) : 100;
    int iterations = argc > 2 ? atoi(argv[2]) : 10, ends = argc > 3 ? atoi(argv[3]) : -1;
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
    double *a = malloc((size_t)count * LENGTH * sizeof *a);
    double *b = malloc((size_t)(count + 2) * LENGTH * sizeof *b);
    xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_outofcore("a");
    xmpi_gen_data("b", (void *)&b, sizeof *b, XMPI_GEN_DISTRIBUTED, rows, LENGTH);
    xmpi_gen_halo("b", 1);
    xmpi_gen_outofcore("b");
    if (xmpi_gen_initial())
        for (int i = 0; i < count; i++)
            for (int j = 0; j < LENGTH; j++)
                a[(size_t)i * LENGTH + j] = element(displ + i, j, 0);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_live("used", &used, sizeof used);
    xmpi_gen_repeats(XMPI_GEN_REPEATS, NULL); /* changes are checked */
    xmpi_gen_loop_begin("outofcore.c", 0);
    for (it = 0; xmpi_gen_joining() || it < iterations; it++) {
        xmpi_gen_point();
        if (it == ends && rank == size - 1)
            raise(SIGKILL);
        if (it % 2 == 0)
            advance(a, b + LENGTH, count, displ, it);
        else
            advance(b + LENGTH, a, count, displ, it);
        int now = files(), all = 0;
        MPI_Allreduce(&now, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        used = used || all > 0;
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("outofcore: ok %d on disk %d\n", it, used);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
