/* Bodies on a line: chunks with the rest to the last rank, positions gathered in place, globals.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES 30

static double *position, *speed;
static int me, procs, begin, end;
static int *counts, *starts;

static void setup_range(void)
{
    int chunk = BODIES / procs;
    begin = me * chunk;
    end = me == procs - 1 ? BODIES : begin + chunk;
}

static double force(int i)
{
    double sum = 0;
    for (int j = 0; j < BODIES; j++)
        if (j != i)
            sum += 1 / ((position[j] - position[i]) + (j > i ? 0.5 : -0.5));
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    setup_range();
    position = malloc(BODIES * sizeof *position);
    speed = calloc((size_t)(end - begin), sizeof *speed);
    counts = malloc((size_t)procs * sizeof *counts);
    starts = malloc((size_t)procs * sizeof *starts);
    int own = end - begin;
    MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    starts[0] = 0;
    for (int r = 1; r < procs; r++)
        starts[r] = starts[r - 1] + counts[r - 1];
    for (int i = 0; i < BODIES; i++)
        position[i] = i;
    int step = 0;
#pragma xmpi loop interval(2)
    do {
        for (int i = begin; i < end; i++)
            speed[i - begin] += 0.01 * force(i);
        for (int i = begin; i < end; i++)
            position[i] += 0.01 * speed[i - begin];
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, position, counts, starts, MPI_DOUBLE,
                       MPI_COMM_WORLD);
        step++;
    } while (step < 10);
    if (me == 0)
        printf("result %d %.17g %.17g\n", step, position[0], position[BODIES - 1]);
    free(position);
    free(speed);
    free(counts);
    free(starts);
    MPI_Finalize();
    return 0;
}
