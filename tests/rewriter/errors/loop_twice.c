#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void coarse(int n)
{
#pragma xmpi loop
    for (int i = 0; i < n; i++)
        printf("%d\n", i);
}

static void fine(int n)
{
#pragma xmpi loop
    for (int i = 0; i < 2 * n; i++)
        printf("%d\n", i);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1)
        coarse(argc);
    else
        fine(argc);
    MPI_Finalize();
    return 0;
}
