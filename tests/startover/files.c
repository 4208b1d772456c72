/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 0 writes a file from the start on, reads a line of another one in each iteration
 * (none, with a second argument: it only writes then), and says something on standard output before
 * the loop; a file that is written and closed before it, one that is taken away there and
 * appended to by iterations, one that is there for a moment only, and one that gets another name.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void put(const char *path)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "for a moment\n");
    fclose(file);
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10, n = 40;
    long total = 0;
    FILE *log = NULL, *input = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool reads = argc <= 2;
    if (rank == 0) {
        FILE *made = fopen("input.txt", "w");
        for (int i = 0; i < steps; i++)
            fprintf(made, "%d\n", i * 37 % 101);
        fclose(made);
        remove("sums.txt");
        put("probe.txt");
        remove("probe.txt");
        put("draft.txt");
        rename("draft.txt", "settled.txt");
        printf("the input is made\n");
        input = fopen("input.txt", "r");
        log = fopen("log.txt", "w");
        fprintf(log, "# step total\n");
    }
    int each = n / size, first = rank * each;
    if (rank == size - 1)
        each = n - first;
    long *v = calloc((size_t)each + 1, sizeof *v);
    for (int i = 0; i < each; i++)
        v[i] = first + i;
    int step = 0;
#pragma xmpi loop state(rows(v[n] from first, each), same(step, total))
    while (step < steps) {
        int add = 0;
        long mine = 0;
        if (rank == 0 && reads && fscanf(input, "%d", &add) != 1)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Bcast(&add, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < each; i++) {
            v[i] = (v[i] * 3 + add) % 10007;
            mine += v[i];
        }
        MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) {
            FILE *sums = fopen("sums.txt", "a");
            fprintf(sums, "%ld\n", total);
            fclose(sums);
            fprintf(log, "%d %ld\n", step, total);
        }
        step++;
    }
    if (rank == 0) {
        fclose(log);
        fclose(input);
        printf("total %ld\n", total);
    }
    MPI_Finalize();
    return 0;
}
