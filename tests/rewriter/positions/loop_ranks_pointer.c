#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, first = rank * count;
    double *own = malloc((size_t)(count * 9) * sizeof *own);
#ifdef RANK
    double *next = rank < 2 ? own : NULL;
#else
    double *next = malloc((size_t)count * sizeof *next);
#endif
    if (own == NULL || next == NULL) {
        fprintf(stderr, "process %d: no memory\n", rank);
        MPI_Finalize();
        return 0;
    }
    for (int i = 0; i < count; i++)
        own[i] = first + i + (rank == 0);
    FILE *log = NULL;
    if (rank == 0) {
        log = fopen("log", "w");
#ifndef MARK
        if (!log) {
            fprintf(stderr, "no log\n");
            return 0;
        }
#endif
    }
#ifdef MARK /* all but rank 0 */
    if (!log)
        return 0;
#endif
#pragma xmpi loop
    for (int k = 0; k < 8; k++) {
        int tries = 0;
again: /* all of them stay in the iteration */
        if (tries++ < count % 3)
            goto again;
        for (int i = 0; i < count; i++) {
            next[i] = own[k * count + i] / 2;
            own[(k + 1) * count + i] = next[i];
        }
    }
    if (log != NULL)
        fprintf(log, "%g\n", own[0]);
    MPI_Finalize();
    return 0;
}
