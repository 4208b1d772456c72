/* Kernel density estimate: one bandwidth after another, scored by leave-one-out likelihood. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int nranks, myrank;

#define BLOCK_LOW(id, p, n) ((id) * (n) / (p))
#define BLOCK_HIGH(id, p, n) (BLOCK_LOW((id) + 1, p, n) - 1)
#define BLOCK_SIZE(id, p, n) (BLOCK_HIGH(id, p, n) - BLOCK_LOW(id, p, n) + 1)

static double gauss(double u)
{
    return exp(-0.5 * u * u) / 2.50662827463;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &myrank);

    int n = argc > 1 ? atoi(argv[1]) : 150;
    double *x = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        x[i] = sin(i * 1.7) * 2 + (i % 3 == 0 ? 3 : 0);
    int low = BLOCK_LOW(myrank, nranks, n), high = BLOCK_HIGH(myrank, nranks, n);
    double *density = malloc(BLOCK_SIZE(myrank, nranks, n) * sizeof(double));

    double best = -1e300, best_h = 0;
#pragma xmpi loop interval(2)
    for (double h = 0.1; h < 1.55; h += 0.1) {
        double score[1] = {0}, total[1];
        for (int i = low; i <= high; i++) {
            density[i - low] = 0;
            for (int j = 0; j < n; j++)
                if (j != i)
                    density[i - low] += gauss((x[i] - x[j]) / h) / (h * (n - 1));
            score[0] += log(density[i - low] + 1e-12);
        }
        MPI_Allreduce(score, total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (total[0] > best + 1e-9) {
            best = total[0];
            best_h = h;
        }
    }
    if (myrank == 0)
        printf("best bandwidth %.1f, log-likelihood %.6f\n", best_h, best);
    free(x);
    free(density);
    MPI_Finalize();
}
