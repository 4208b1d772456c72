/* Salt in a lagoon that is stirred and drained every day: two adaptive loops, one after the other in
 * a third, of which each needs none of the values that only the other one works with. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, cells = argc > 1 ? atoi(argv[1]) : 90;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)cells * rank / size);
    int count = (int)((long)cells * (rank + 1) / size) - first;
    double *salt = malloc((size_t)count * sizeof *salt);
    double *drained = calloc((size_t)count, sizeof *drained);
    double stirred = 0, strength = 0.25;
    for (int i = 0; i < count; i++)
        salt[i] = (first + i) % 16;
    long hours = 0;
    for (int day = 0; day < 2; day++) {
        int hour;
#pragma xmpi loop
        for (hour = 0; hour < 20 && strength > 0; hour++) {
            double mine = 0;
            for (int i = 0; i < count; i++) {
                salt[i] += strength * ((first + i) % 4) + cells;
                mine += (long)salt[i];
            }
            MPI_Allreduce(&mine, &stirred, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            strength = (long)stirred % 5 * 0.25 + 0.25;
        }
        hours += hour;
        double begun = stirred + day;
#pragma xmpi loop
        for (int ebb = 0; ebb < 20; ebb++)
            for (int i = 0; i < count; i++)
                drained[i] += 0.5 * salt[i] + (long)begun % (first + i + 1);
    }
    double mine = 0, all;
    for (int i = 0; i < count; i++)
        mine += (long)drained[i];
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("hours %ld drained %.10g\n", hours, all);
    free(salt);
    free(drained);
    MPI_Finalize();
    return 0;
}
