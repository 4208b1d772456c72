/* Cars move along a road cut into stretches: what is needed of the neighbours is in variables of its own, and
 * the last cell of a stretch is reached by its length. One place more than needed is allocated, and the
 * number of cells is a multiple of that of stretches. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4 };

int main(int argc, char **argv)
{
    int rank, size, n = 36;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = (int)((long)n * rank / size), hi = (int)((long)n * (rank + 1) / size);
    int cells = (hi - lo) * LENGTH;
    int behind = (rank + size - 1) % size, ahead = (rank + 1) % size;
    int *road = malloc(((size_t)cells + 1) * sizeof *road);
    int *moved = malloc(((size_t)cells + 1) * sizeof *moved);
    for (int i = 0; i < cells; i++)
        road[i] = (lo * LENGTH + i) * 7 % 5 < 2;
    long passed = 0;
#pragma xmpi loop
    for (int tick = 0; tick < 50; tick++) {
        int coming = 0, room = 0;
        MPI_Sendrecv(&road[(hi - lo) * LENGTH - 1], 1, MPI_INT, ahead, 0, &coming, 1, MPI_INT, behind, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&road[0], 1, MPI_INT, behind, 1, &room, 1, MPI_INT, ahead, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        long own = 0, all;
        for (int i = 0; i < cells; i++) {
            int left = i == 0 ? coming : road[i - 1], right = i < cells - 1 ? road[i + 1] : room;
            moved[i] = road[i] ? right : left;
            own += road[i] && !right;
        }
        for (int i = 0; i < cells; i++)
            road[i] = moved[i];
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        passed = passed * 3 % 100003 + all;
    }
    if (rank == 0)
        printf("result %ld\n", passed);
    free(road);
    free(moved);
    MPI_Finalize();
    return 0;
}
