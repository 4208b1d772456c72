/* Pi by strips, a number of rounds; nothing but scalars, reduced in every round. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("%d processes\n", size);
#pragma xmpi loop
    for (int round = 1; round <= 10; round++) {
        double sum = 0, all;
        int strips = round * 100;
        for (int i = rank; i < strips; i += size) {
            double x = (i + 0.5) / strips;
            sum += 4 / (1 + x * x) / strips;
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += all;
    }
    if (rank == 0)
        printf("result %.10f\n", total / 10);
    MPI_Finalize();
    return 0;
}
