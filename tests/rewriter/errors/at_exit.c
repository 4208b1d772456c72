/* What the end of the program does with own rows is behind the loop as what main does. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double *u;
static int rank, size, count, displ, n = 480;
static void (*last)(void);
static void say(void)
{
    printf("%g\n", u[0]);
}
static void put(void)
{
    u[0] = 7;
}
__attribute__((destructor)) static void end(void)
{
    printf("%g\n", u[count - 1]);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    atexit(say);
    last = put;
    atexit(last);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    u = malloc(sizeof(double) * (size_t)count);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop divisible
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + 1;
    MPI_Finalize();
    return 0;
}
