/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, of which every process writes down how it was started: its
 * arguments, each with its NUL, the folder, the umask, the variable SAYS.
 *
 * Usage: says ARGUMENTS...: writes $SAYS_TO/PID; prints "says: ok MEMBERS". */
#define _GNU_SOURCE
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { ROWS = 40, ITERATIONS = 30 };

static void write_down(int argc, char **argv)
{
    char path[PATH_MAX], *folder = get_current_dir_name();
    const char *variable = getenv("SAYS");
    mode_t mask = umask(0);
    snprintf(path, sizeof path, "%s/%d", getenv("SAYS_TO"), (int)getpid());
    FILE *file = fopen(path, "w");
    for (int i = 0; i < argc; i++)
        fwrite(argv[i], 1, strlen(argv[i]) + 1, file);
    fprintf(file, "%s\n%o\n%s\n", folder, (unsigned)mask, variable != NULL ? variable : "none");
    fclose(file);
    umask(mask);
    free(folder);
}

int main(int argc, char **argv)
{
    int rank, size, count, displ, it = 0;
    write_down(argc, argv);
    for (int i = 1; i < argc; i++)
        memset(argv[i], 'x', strlen(argv[i])); /* programs take them to pieces */
    xmpi_gen_program(1);
    MPI_Init(NULL, NULL);
    if (chdir("below") != 0) /* whoever joins goes there from where all have started */
        MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    count = ROWS / size + (rank < ROWS % size);
    displ = rank * (ROWS / size) + (rank < ROWS % size ? rank : ROWS % size);
    xmpi_gen_domain(ROWS);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_loop_begin("says.c", 0);
    for (it = 0; xmpi_gen_joining() || it < ITERATIONS; it++) {
        int rows = 0;
        xmpi_gen_point();
        MPI_Allreduce(&count, &rows, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rows != ROWS)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("says: ok %d\n", size);
    MPI_Finalize();
    return 0;
}
