/* A time integrator that calls the iterative part, with its adaptive loop, once in each step and
 * looks at the field in between. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int count, displ;

static int settle(long *field, long *total, int limit)
{
    int used = 0;
#pragma xmpi loop
    for (int k = 0; k < limit; k++) {
        long own = 0;
        for (int i = 0; i < count; i++) {
            field[i] = (field[i] * 5 + displ + i + k) % 4099;
            own += field[i];
        }
        MPI_Allreduce(&own, total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        used++;
        if (*total % 17 == 0)
            break;
    }
    return used;
}

int main(int argc, char **argv)
{
    int rank, size, n = 59, step = 0, used = 0;
    long total = 1, history = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = (n - rank + size - 1) / size;
    displ = 0;
    for (int r = 0; r < rank; r++)
        displ += (n - r + size - 1) / size;
    long *field = malloc((size_t)count * sizeof *field);
    for (int i = 0; i < count; i++)
        field[i] = displ + i;
    while (step < 9) {
        long kick = total % 10;
        for (int i = 0; i < count; i++)
            field[i] += kick;
        used += settle(field, &total, 3 + step % 3);
        history = (history * 7 + total) % 1000003;
        step++;
    }
    if (rank == 0)
        printf("result %ld %d %ld\n", history, used, total);
    free(field);
    MPI_Finalize();
    return 0;
}
