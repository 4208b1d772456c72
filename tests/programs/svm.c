/* A linear support vector machine by sub-gradient descent; a random sample of rows in each step. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DIM 4

typedef struct {
    double x[DIM];
    int label;
} sample_t;

static const int nsamples = 240;
static int rank, nprocs;

static unsigned lcg(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void generate(sample_t *s, int count, int first)
{
    for (int i = 0; i < count; i++) {
        unsigned state = 12345u + (unsigned)(first + i);
        double side = 0;
        for (int d = 0; d < DIM; d++) {
            s[i].x[d] = (double)(lcg(&state) % 2000) / 1000 - 1;
            side += (d % 2 ? -1 : 1) * s[i].x[d];
        }
        s[i].label = side > 0.1 ? 1 : -1;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);

    int count, first;
    {
        int q = nsamples / nprocs, r = nsamples % nprocs;
        count = rank < r ? q + 1 : q;
        first = rank < r ? rank * (q + 1) : r * (q + 1) + (rank - r) * q;
    }
    sample_t *samples = malloc(count * sizeof(sample_t));
    generate(samples, count, first);

    double w[DIM] = {0}, lambda = 0.01;
    unsigned seed = 7;
#pragma xmpi loop
    for (int t = 1; t <= 80; t++) {
        double grad[DIM] = {0}, sum[DIM];
        int lo = (int)(lcg(&seed) % (nsamples / 2)), hi = lo + nsamples / 2;
        for (int i = 0; i < count; i++) {
            double margin = 0;
            if (first + i < lo || first + i >= hi)
                continue;
            for (int d = 0; d < DIM; d++)
                margin += w[d] * samples[i].x[d];
            if (margin * samples[i].label < 1)
                for (int d = 0; d < DIM; d++)
                    grad[d] -= samples[i].label * samples[i].x[d];
        }
        MPI_Allreduce(grad, sum, DIM, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int d = 0; d < DIM; d++)
            w[d] -= 1 / (lambda * (t + 10)) * (lambda * w[d] + 2 * sum[d] / nsamples);
    }
    int right = 0, all;
    for (int i = 0; i < count; i++) {
        double f = 0;
        for (int d = 0; d < DIM; d++)
            f += w[d] * samples[i].x[d];
        right += (f > 0) == (samples[i].label > 0);
    }
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("w %.6f %.6f %.6f %.6f, %d of %d right\n", w[0], w[1], w[2], w[3], all, nsamples);
    free(samples);
    MPI_Finalize();
    return 0;
}
