/* The price of an American put by finite differences, explicit in time (Brennan and Schwartz). */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;

typedef struct {
    real strike, rate, sigma, maturity, smax;
    int nodes, steps;
} contract_t;

typedef struct {
    int rank, size, lo, n;
} layout_t;

static layout_t make_layout(int nodes)
{
    layout_t l;
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &l.size);
    l.n = nodes / l.size + (l.rank < nodes % l.size);
    l.lo = l.rank * (nodes / l.size) + (l.rank < nodes % l.size ? l.rank : nodes % l.size);
    return l;
}

int main(int argc, char **argv)
{
    const contract_t c = {100, 0.05, 0.3, 1.0, 300, 61, 200};
    MPI_Init(&argc, &argv);
    layout_t l = make_layout(c.nodes);
    int *all_n = malloc(l.size * sizeof(int)), *all_lo = malloc(l.size * sizeof(int));
    MPI_Allgather(&l.n, 1, MPI_INT, all_n, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&l.lo, 1, MPI_INT, all_lo, 1, MPI_INT, MPI_COMM_WORLD);
    real *v = malloc(c.nodes * sizeof(real)), *w = malloc(l.n * sizeof(real));
    real ds = c.smax / (c.nodes - 1), dt = c.maturity / c.steps;
    for (int i = 0; i < c.nodes; i++)
        v[i] = fmax(c.strike - i * ds, 0);
#pragma xmpi loop interval(10)
    for (int t = 0; t < c.steps; t++) {
        for (int k = 0; k < l.n; k++) {
            int i = l.lo + k;
            real s = i * ds, hold = 0;
            if (i == 0) {
                hold = c.strike;
            } else if (i < c.nodes - 1) {
                real gamma = (v[i + 1] - 2 * v[i] + v[i - 1]) / (ds * ds);
                real delta = (v[i + 1] - v[i - 1]) / (2 * ds);
                hold = v[i] + dt * (0.5 * c.sigma * c.sigma * s * s * gamma + c.rate * s * delta - c.rate * v[i]);
            }
            w[k] = fmax(hold, fmax(c.strike - s, 0));
        }
        MPI_Allgatherv(w, l.n, MPI_DOUBLE, v, all_n, all_lo, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (l.rank == 0)
        printf("%.10f %.10f\n", v[20], v[22]);
    free(v);
    free(w);
    free(all_n);
    free(all_lo);
    MPI_Finalize();
    return 0;
}
