/* Particle-in-cell in one dimension: electrons in a periodic box; particles are divided, the grid
 * is everywhere. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 32
#define PARTICLES 600
static const double length = 6.283185307179586, dt = 0.1;

static long long rho_fix[CELLS], rho_sum[CELLS]; /* charge in fixed point: sums do not round */
static double E[CELLS];

static void deposit(const double *x, int n)
{
    for (int c = 0; c < CELLS; c++)
        rho_fix[c] = 0;
    for (int i = 0; i < n; i++) {
        double s = x[i] / length * CELLS;
        int c = (int)s % CELLS;
        long long right = (long long)((s - floor(s)) * (1 << 20));
        rho_fix[c] += (1 << 20) - right;
        rho_fix[(c + 1) % CELLS] += right;
    }
    MPI_Allreduce(rho_fix, rho_sum, CELLS, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void solve_field(void)
{
    double mean = 0, h = length / CELLS;
    E[0] = 0;
    for (int c = 1; c < CELLS; c++) {
        double rho = 1 - (double)rho_sum[c] / (1 << 20) * CELLS / PARTICLES;
        E[c] = E[c - 1] + h * rho;
    }
    for (int c = 0; c < CELLS; c++)
        mean += E[c] / CELLS;
    for (int c = 0; c < CELLS; c++)
        E[c] -= mean;
}

static void push(double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double s = x[i] / length * CELLS, w = s - floor(s);
        int c = (int)s % CELLS;
        v[i] -= dt * ((1 - w) * E[c] + w * E[(c + 1) % CELLS]);
        x[i] += dt * v[i];
        x[i] -= length * floor(x[i] / length);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int lo = rank * PARTICLES / size, hi = (rank + 1) * PARTICLES / size;
    const int np = hi - lo;
    double *x = malloc(np * sizeof *x), *v = malloc(np * sizeof *v);
    for (int i = 0; i < np; i++) {
        double g = (lo + i + 0.5) / PARTICLES * length;
        x[i] = g + 0.05 * sin(g);
        if (x[i] >= length)
            x[i] -= length;
        v[i] = 0;
    }
    double time = 0;
    int step = 0;
#pragma xmpi loop
    while (time < 3.0) {
        deposit(x, np);
        solve_field();
        push(x, v, np);
        time += dt;
        step++;
    }
    double energy = 0;
    for (int c = 0; c < CELLS; c++)
        energy += E[c] * E[c];
    if (rank == 0)
        printf("%d steps, t = %.2f, field energy %.15g\n", step, time, energy);
    free(x);
    free(v);
    MPI_Finalize();
    return 0;
}
