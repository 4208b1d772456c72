/* SPDX-License-Identifier: BSD-3-Clause
 * The whole loop is inside a parallel region of OpenMP: each thread comes by the point, and one of
 * them talks to other ranks. */
// flags: -fopenmp
#include <omp.h>

#include "point.h"

enum { THREADS = 3 };

int main(int argc, char **argv)
{
    int rank, steps = atoi(argv[1]);
    double part[THREADS] = {0}, all = 0;
    unsigned long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(THREADS)
    for (int step = 0; step < steps; step++) {
        XMPI_Point();
        part[omp_get_thread_num()] += rank + step + all;
#pragma omp barrier
#pragma omp master
        {
            MPI_Allreduce(&part[step % THREADS], &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            all /= 2 * step + 3;
            sum = mix(sum, all);
        }
#pragma omp barrier
    }
    say("region", sum);
    MPI_Finalize();
    return 0;
}
