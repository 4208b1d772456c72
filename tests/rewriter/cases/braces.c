/* A ring of cells: what a rank has of its own is in arrays that begin in braces, and in declarations of
 * several names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double warm(double t)
{
    return 0.9 * t + 1;
}

static double cool(double t)
{
    return 0.8 * t;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int block[] = {rank * n / size, (rank + 1) * n / size - rank * n / size};
    int first = block[0], count = block[1];
    int days = 0, before = (rank + size - 1) % size, behind = (rank + 1) % size;
    int nb[2] = {MPI_PROC_NULL, MPI_PROC_NULL};
    if (rank > 0)
        nb[0] = rank - 1;
    if (rank + 1 < size)
        nb[1] = rank + 1;
    int whole[1] = {n}, part[1] = {count}, start[1] = {first};
    MPI_Datatype slice;
    MPI_Type_create_subarray(1, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &slice);
    MPI_Type_commit(&slice);
    char where[8] = "middle";
    if (rank == 0)
        strcpy(where, "begin");
    else if (rank == size - 1)
        strcpy(where, "end");
    int mask[4] = {0};
    mask[rank % 4] = 1;
    double (*change)(double) = rank % 2 == 0 ? warm : cool, *u = calloc((size_t)count, sizeof *u),
           *v, sum = 0;
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi setup
    int ends[2] = {first, first + count - 1}, length = count, odd;
    int wrong = 0;
#pragma xmpi loop
    for (int k = 0; k < 40; k++) {
        odd = (nb[0] < 0) != (rank == 0) || (nb[1] < 0) != (rank == size - 1) ||
              ends[0] != first || ends[1] != first + length - 1 || !mask[rank % 4] ||
              mask[(rank + 1) % 4] || change != (rank % 2 == 0 ? warm : cool) ||
              strcmp(where, rank == 0 ? "begin" : rank == size - 1 ? "end" : "middle") != 0;
        int bytes;
        MPI_Type_size(slice, &bytes);
        odd = odd || bytes != count * (int)sizeof *u;
        double left;
        MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        v = u;
        double own = 0;
        for (int i = count - 1; i >= 0; i--) {
            v[i] = 0.5 * (v[i] + (i > 0 ? v[i - 1] : left));
            own += v[i] * (first + i);
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        int all;
        MPI_Allreduce(&odd, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all;
        days++;
    }
    if (rank == 0)
        printf("result %.9g after %d days, wrong %d\n", sum, days, wrong);
    MPI_Type_free(&slice);
    free(u);
    MPI_Finalize();
    return 0;
}
