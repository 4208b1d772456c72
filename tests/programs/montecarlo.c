/* Pi by throwing darts, batch after batch, until the error estimate is small enough. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* splitmix64: the k-th random number, whoever asks */
static uint64_t splitmix(uint64_t k)
{
    uint64_t z = k * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static double uniform(uint64_t k)
{
    return (double)(splitmix(k) >> 11) / 9007199254740992.0;
}

int main(int argc, char *argv[])
{
    long long batch = 5000, total_hits = 0, total_darts = 0;
    int myid, numprocs;
    double tolerance = argc > 1 ? atof(argv[1]) : 0.008;
    double pi = 0, error = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &myid);

    if (argc > 2)
        batch = atoll(argv[2]);

    long long per = batch / numprocs, extra = batch % numprocs;
    long long from = myid * per + (myid < extra ? myid : extra);
    long long to = from + per + (myid < extra ? 1 : 0);

#pragma xmpi loop interval(2)
    while (error > tolerance) {
        long long hits = 0, all_hits = 0;
        for (long long i = from; i < to; i++) {
            double x = uniform(2 * (total_darts + i)), y = uniform(2 * (total_darts + i) + 1);
            if (x * x + y * y <= 1.0)
                hits++;
        }
        MPI_Allreduce(&hits, &all_hits, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        total_hits += all_hits;
        total_darts += batch;
        double p = (double)total_hits / (double)total_darts;
        pi = 4 * p;
        error = 4 * sqrt(p * (1 - p) / (double)total_darts);
    }

    if (myid == 0)
        printf("pi = %.10f +- %.6f (%lld darts)\n", pi, error, total_darts);
    MPI_Finalize();
    return 0;
}
