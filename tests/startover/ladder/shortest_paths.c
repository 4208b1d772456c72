/* SPDX-License-Identifier: BSD-3-Clause
 * Floyd and Warshall's shortest paths: every process makes the whole graph and takes its rows; who
 * has row k is looked for, and copies it for all, number by number. */
#include "ladder.h"

static void share(int n, int size, int rank, int *first, int *last)
{
    int most = n / size + (n % size != 0), fewer = size * most - n;
    *first = rank <= size - fewer ? rank * most : n - (size - rank) * (most - 1);
    *last = *first + most - (rank >= size - fewer ? 2 : 1);
}

static int *make_graph(int n)
{
    int *graph = malloc(sizeof(int) * n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            graph[i * n + j] = i == j ? 0 : 1 + (i * 31 + j * 17) % 97;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (graph[i * n + j] % 5 == 4)
                graph[i * n + j] = 1000;
    return graph;
}

static int owner_of(int k, int n, int size)
{
    int owner = 0;
    for (int r = 0; r < size; r++) {
        int from, to;
        share(n, size, r, &from, &to);
        if (k >= from && k <= to) {
            owner = r;
            break;
        }
    }
    return owner;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, first, last, i, j;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    share(n, size, rank, &first, &last);
    int rows = last - first + 1, *graph = make_graph(n);
    int *a = malloc(sizeof(int) * rows * n), *pivot = malloc(sizeof(int) * n);
    for (i = 0; i < rows; i++)
        for (j = 0; j < n; j++)
            a[i * n + j] = graph[(first + i) * n + j];
    free(graph);
#pragma xmpi loop
    for (int k = 0; k < n; k++) {
        int owner = owner_of(k, n, size);
        if (rank == owner)
            for (j = 0; j < n; j++)
                pivot[j] = a[(k - first) * n + j];
        MPI_Bcast(pivot, n, MPI_INT, owner, MPI_COMM_WORLD);
        for (i = 0; i < rows; i++)
            for (j = 0; j < n; j++)
                if (a[i * n + k] + pivot[j] < a[i * n + j])
                    a[i * n + j] = a[i * n + k] + pivot[j];
    }
    double *sum = calloc(rows + 1, sizeof(double));
    for (i = 0; i < rows; i++)
        for (j = 0; j < n; j++)
            sum[i] += a[i * n + j];
    tell(sum, rows);
    MPI_Finalize();
    return 0;
}
