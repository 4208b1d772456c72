/* Rank 0 and the others leave the loop in branches of their own, by what rank 0 has told them (WAY
 * 0); and not by the same (1 to 4). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, k;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *all = calloc((size_t)size, sizeof *all), *own = calloc(9, sizeof *own);
#pragma xmpi loop
    for (k = 0; k < 40; k++) {
        own[k % 9] += rank + k;
        if (rank == 0) {
            int sum = 0;
            MPI_Gather(&own[k % 9], 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
            for (int i = 0; i < size; i++)
                sum += all[i];
            MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
#if WAY == 1
            sum += own[0];
#endif
            if (sum > 90)
                break;
        } else {
            int sum = 0;
            MPI_Gather(&own[k % 9], 1, MPI_INT, NULL, 1, MPI_INT, 0, MPI_COMM_WORLD);
#if WAY == 2
            MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_SELF);
#else
            MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
#if WAY == 3
            if (sum > 80)
                break;
#elif WAY == 4
            if (sum > 90)
                return 0;
#else
            if (sum > 90)
                break;
#endif
        }
    }
    printf("%d %d\n", k, own[0]);
    MPI_Finalize();
    return 0;
}
