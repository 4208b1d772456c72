/* SPDX-License-Identifier: BSD-3-Clause
 * Smith-Waterman local alignment with linear gaps. Columns are divided among the processes; each
 * row passes through them as a pipeline. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MATCH 3
#define MISMATCH -2
#define GAP -2

static char letter(int i, int k)
{
    return "ACGT"[(unsigned)(i * 2654435761u + k * 40503u + i / 3) >> 7 & 3];
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int m = 30, n = argc > 1 ? atoi(argv[1]) : 120;
    int chunk = n / size, rest = n % size;
    int cols = chunk + (rank < rest ? 1 : 0);
    int start = rank * chunk + (rank < rest ? rank : rest);
    char *a = malloc(m), *b = malloc(cols + 1);
    for (int i = 0; i < m; i++)
        a[i] = letter(i, 1);
    for (int j = 1; j <= cols; j++)
        b[j] = letter(start + j - 1 + 5, 1);
    int *prev = calloc(cols + 1, sizeof(int)), *cur = calloc(cols + 1, sizeof(int));
    int best = 0;
#pragma xmpi loop state(rows(prev[n] from start, cols at 1 halo 1 : 0), same(i), own(best: max), scratch(cur))
    for (int i = 0; i < m; i++) {
        if (rank > 0)
            MPI_Recv(&cur[0], 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            cur[0] = 0;
        for (int j = 1; j <= cols; j++) {
            int s = prev[j - 1] + (a[i] == b[j] ? MATCH : MISMATCH);
            if (prev[j] + GAP > s)
                s = prev[j] + GAP;
            if (cur[j - 1] + GAP > s)
                s = cur[j - 1] + GAP;
            if (s < 0)
                s = 0;
            cur[j] = s;
            if (s > best)
                best = s;
        }
        if (rank < size - 1)
            MPI_Send(&cur[cols], 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
        int *t = prev;
        prev = cur;
        cur = t;
    }
    int all;
    MPI_Reduce(&best, &all, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("best score %d\n", all);
    free(a);
    free(b);
    free(prev);
    free(cur);
    MPI_Finalize();
    return 0;
}
