/* A file that the first iteration opens. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, displ = rank * count;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    int zero = -1;
#pragma xmpi loop
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + k;
        char c = 0;
        if (zero < 0)
            zero = open("/dev/zero", O_RDONLY);
        if (read(zero, &c, 1) == 1)
            for (int i = 0; i < count; i++) u[i] += c;
    }
    double last = 0, result = 0;
    for (int i = 0; i < count; i++)
        last += u[i] * (displ + i);
    MPI_Reduce(&last, &result, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    close(zero);
    if (rank == 0)
        printf("result %.9g\n", result);
    MPI_Finalize();
    return 0;
}
