#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int f9(int r) { return r; }
static int f8(int r) { return f9(r); }
static int f7(int r) { return f8(r); }
static int f6(int r) { return f7(r); }
static int f5(int r) { return f6(r); }
static int f4(int r) { return f5(r); }
static int f3(int r) { return f4(r); }
static int f2(int r) { return f3(r); }
static int f1(int r) { return f2(r); }
static int f0(int r) { return f1(r); }

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size, displ = rank * count;
    double *u = malloc(sizeof(double) * (size_t)count);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        int acc = f0(rank);
        for (int i = 0; i < count; i++)
            u[i] += .01 * acc;
    }
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
