/* SPDX-License-Identifier: BSD-3-Clause
 * Sleeps and waits for the others, over and over, as mpi_sleep in O. Sievert (2003), §4.2, and says
 * what MPI takes for it.
 *
 * Usage: sleep ITERATIONS MILLISECONDS: rank 0 prints the seconds of MPI_Init, those of a barrier
 * (the mean) and those of MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank, iterations = argc > 1 ? atoi(argv[1]) : 100;
    long pause = argc > 2 ? atol(argv[2]) * 1000000 : 0;
    const struct timespec time = {pause / 1000000000, pause % 1000000000};
    double start = now();
    MPI_Init(&argc, &argv);
    double init = now() - start, waited = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma xmpi loop
    for (int it = 0; it < iterations; it++) {
        if (pause > 0)
            nanosleep(&time, NULL);
        double before = now();
        MPI_Barrier(MPI_COMM_WORLD);
        waited += now() - before;
    }
    start = now();
    MPI_Finalize();
    if (rank == 0)
        printf("init %.6f\nbarrier %.9f\nfinalize %.6f\n", init, waited / iterations,
               now() - start);
    return 0;
}
