/* The knapsack problem by dynamic programming: one row of the table after another, each divided
 * over the capacities. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

int main(int argc, char **argv)
{
    int me, np, items = 24, capacity = 150;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int width = capacity + 1;
    int block = width / np;
    int lo = me * block;
    int hi = me == np - 1 ? width : lo + block;

    int *best = calloc(width, sizeof *best);
    int *row = malloc((hi - lo) * sizeof *row);
    int *cnt = malloc(np * sizeof *cnt), *dsp = malloc(np * sizeof *dsp);
    for (int p = 0; p < np; p++) {
        dsp[p] = p * block;
        cnt[p] = p == np - 1 ? width - dsp[p] : block;
    }

    int item = 0;
#pragma xmpi loop interval(2)
    do {
        int weight = 3 + item * 7 % 19, value = 5 + item * 11 % 23;
        for (int c = lo; c < hi; c++) {
            int without = best[c];
            int with = c >= weight ? best[c - weight] + value : 0;
            row[c - lo] = MAX(with, without);
        }
        MPI_Allgatherv(row, hi - lo, MPI_INT, best, cnt, dsp, MPI_INT, MPI_COMM_WORLD);
    } while (++item < items);

    if (!me)
        printf("best value %d with capacity %d, %d with %d\n", best[capacity], capacity,
               best[MIN(50, capacity)], MIN(50, capacity));
    free(best), free(row), free(cnt), free(dsp);
    MPI_Finalize();
    return 0;
}
