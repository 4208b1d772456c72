/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that keep their members: by what they have read, or opened, or told wrongly. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10, n = 24, step, alike = 7;
    const char *what = argc > 2 ? argv[2] : "";
    MPI_File file = MPI_FILE_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "input") == 0 && rank == 0 && scanf("%d", &n) != 1)
        n = 24;
    if (strcmp(what, "open") == 0 && rank == 1)
        open("/dev/null", O_RDONLY);
    if (strcmp(what, "file") == 0)
        MPI_File_open(MPI_COMM_WORLD, "stays.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(what, "different") == 0)
        alike = rank;
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    if (strcmp(what, "overlap") == 0 && rank > 0)
        first--, count++;
    if (strcmp(what, "hole") == 0 && rank == 0)
        count--;
    if (strcmp(what, "later") == 0 && size > 3 && rank == 1)
        count--;
    int *v = calloc((size_t)count + 1, sizeof *v);
#pragma xmpi loop state(rows(v[n] from first, count), same(step, alike))
    for (step = 0; step < steps; step++)
        for (int i = 0; i < count; i++)
            v[i] += first + i;
    int mine = 0, all = 0;
    for (int i = 0; i < count; i++)
        mine += v[i];
    MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", all);
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
