/* Two processes divide an array of fixed size by branches that say where each begins; an initial statement fills
 * it. */
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 40 };

static long u[ROWS];

int main(int argc, char **argv)
{
    int rank, begin, end, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        begin = 0;
        end = 25;
    } else {
        begin = 25;
        end = ROWS;
    }
#pragma xmpi initial
    for (int i = 0; i < ROWS; i++)
        u[i] = i % 7;
#pragma xmpi domain(ROWS) range(count, begin)
    count = end - begin;
#pragma xmpi loop
    for (int k = 0; k < 24; k++)
        for (int i = begin; i < begin + count; i++)
            u[i] = (u[i] * 5 + k) % 1009;
    long own = 0, total = 0;
    for (int i = begin; i < begin + count; i++)
        own += u[i] * (1 + i % 11);
    MPI_Reduce(&own, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld\n", total);
    MPI_Finalize();
    return 0;
}
