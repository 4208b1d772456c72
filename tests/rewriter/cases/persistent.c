/* Sand on a slope slides from row to row: ghost rows come by persistent requests, as many as there are
 * neighbours, which are made before the loop and freed after it. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 6 };

int main(int argc, char **argv)
{
    int rank, size, n = 33;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, rows = n * (rank + 1) / size - first;
    size_t room = ((size_t)rows + 2) * COLUMNS;
    int *sand = calloc(room, sizeof *sand), *next = calloc(room, sizeof *next);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            sand[i * COLUMNS + j] = (first + i) * (j + 3) % 17;
    MPI_Request request[4];
    MPI_Status status[4];
    int requests = 0;
    if (rank > 0) {
        MPI_Recv_init(&sand[0], COLUMNS, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request[requests++]);
        MPI_Send_init(&sand[COLUMNS], COLUMNS, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &request[requests++]);
    }
    if (rank < size - 1) {
        MPI_Recv_init(&sand[(rows + 1) * COLUMNS], COLUMNS, MPI_INT, rank + 1, 1, MPI_COMM_WORLD,
                      &request[requests++]);
        MPI_Send_init(&sand[rows * COLUMNS], COLUMNS, MPI_INT, rank + 1, 0, MPI_COMM_WORLD,
                      &request[requests++]);
    }
    int highest = 0;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        int own = 0, all;
        for (int r = 0; r < requests; r++)
            MPI_Start(&request[r]);
        MPI_Waitall(requests, request, status);
        for (int i = COLUMNS; i < (rows + 1) * COLUMNS; i++)
            next[i] = sand[i] + (sand[i - COLUMNS] > sand[i] + 1) - (sand[i] > sand[i + COLUMNS] + 1);
        for (int i = COLUMNS; i < (rows + 1) * COLUMNS; i++) {
            sand[i] = next[i];
            own = own > sand[i] ? own : sand[i];
        }
        MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        highest = (highest * 5 + all) % 10007;
    }
    for (int r = 0; r < requests; r++)
        MPI_Request_free(&request[r]);
    if (rank == 0)
        printf("result %d\n", highest);
    free(sand);
    free(next);
    MPI_Finalize();
    return 0;
}
