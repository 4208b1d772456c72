/* Advection of a cloud by a constant wind; the MPI calls are in another file. */
#include "advect.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    problem_t problem = {.nx = 30, .ny = 24, .u = 1.0, .v = 0.5, .dt = 0.4};
    strip_t strip;
    int me, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    strip.row = problem.nx * me / all;
    strip.nrows = problem.nx * (me + 1) / all - strip.row;

    double *q = calloc((size_t)problem.nx * problem.ny, sizeof *q);
    double *fresh = calloc((size_t)strip.nrows * problem.ny, sizeof *fresh);
    int *counts = malloc(all * sizeof *counts), *displs = malloc(all * sizeof *displs);
    for (int r = 0; r < all; r++) {
        displs[r] = problem.nx * r / all * problem.ny;
        counts[r] = problem.nx * (r + 1) / all * problem.ny - displs[r];
    }
    for (int i = 10; i < 15; i++)
        for (int j = 6; j < 12; j++)
            q[i * problem.ny + j] = 1.0;

    double mass = 0, peak = 0;
#pragma xmpi data replicated(q[problem.nx][problem.ny], mass)
#pragma xmpi loop
    for (int step = 0; step < 40; step++) {
        field_step(&problem, &strip, q, fresh);
        mass = par_sum(field_mass(&problem, &strip, fresh));
        par_collect(fresh, strip.nrows * problem.ny, q, counts, displs);
        peak = 0;
        for (int k = 0; k < problem.nx * problem.ny; k++)
            peak = q[k] > peak ? q[k] : peak;
    }
    if (me == 0)
        printf("mass %.9f, peak %.15f\n", mass, peak);
    free(q);
    free(fresh);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
