/* The adaptive loop is the solver inside a time step: in every step a right-hand side is made and
 * relaxed until it changes little. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 47;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank * n / size, hi = (rank + 1) * n / size;
    double *heat = malloc((size_t)(hi - lo) * sizeof *heat);
    double *source = malloc((size_t)(hi - lo) * sizeof *source);
    double time = 0, dt = 0.125;
    int solved = 0;
    for (int i = lo; i < hi; i++)
        heat[i - lo] = i % 11;
    for (int step = 0; step < 7; step++) {
        time += dt;
        if (step == 5)
            continue;
        double peak = 0;
        for (int i = lo; i < hi; i++)
            source[i - lo] = heat[i - lo] + time * (i % 3);
        int sweep = 0;
#pragma xmpi loop
        do {
            double own = 0;
            for (int i = lo; i < hi; i++) {
                heat[i - lo] = (heat[i - lo] + source[i - lo]) / 2 + dt;
                if (heat[i - lo] > own)
                    own = heat[i - lo];
            }
            MPI_Allreduce(&own, &peak, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            sweep++;
        } while (sweep < 5 + step % 2);
        solved += sweep;
        dt = peak > 20 ? dt / 2 : dt;
    }
    double own = 0, top;
    for (int i = lo; i < hi; i++)
        own = heat[i - lo] > own ? heat[i - lo] : own;
    MPI_Reduce(&own, &top, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g %.17g %d\n", time, top, solved);
    free(heat);
    free(source);
    MPI_Finalize();
    return 0;
}
