/* A struct with a field that a function returns, and that is handed to the solver by value. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct grid {
    int n, lo, cnt;
    double *u;
};
static struct grid make(int n)
{
    struct grid g;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g.n = n;
    g.lo = (int)((long)g.n * rank / size);
    g.cnt = (int)((long)g.n * (rank + 1) / size) - g.lo;
    g.u = malloc((size_t)g.cnt * sizeof *g.u);
    for (int i = 0; i < g.cnt; i++)
        g.u[i] = g.lo + i;
    return g;
}
static double solve(struct grid g, int steps)
{
    double sum = 0;
#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        double s = 0;
        for (int i = 0; i < g.cnt; i++) {
            g.u[i] += 0.01 * (g.lo + i);
            s += g.u[i];
        }
        MPI_Allreduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return sum;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct grid g = make(1000);
    double sum = solve(g, 60), last = 0, all;
    for (int i = 0; i < g.cnt; i++)
        last += g.u[i] * (g.lo + i);
    MPI_Reduce(&last, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.12g %.12g\n", sum, all);
    free(g.u);
    MPI_Finalize();
    return 0;
}
