/* Two sweeps, of which messages stand before the first. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double *x, *y;
static int me, np, lo, rows;
static void swap_ghosts(void)
{
    int before = me ? me - 1 : MPI_PROC_NULL, after = me + 1 < np ? me + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(x + 1, 1, MPI_DOUBLE, before, 7, x + rows + 1, 1, MPI_DOUBLE, after, 7,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(x + rows, 1, MPI_DOUBLE, after, 8, x, 1, MPI_DOUBLE, before, 8, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    const int n = 300;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    lo = me * (n / np) + (me < n % np ? me : n % np);
    rows = n / np + (me < n % np);
    x = calloc(rows + 2, sizeof *x);
    y = calloc(rows + 2, sizeof *y);
    for (int i = 1; i <= rows; i++)
        x[i] = (lo + i) % 17;
#pragma xmpi loop divisible
    for (int k = 0; k < 120; k++) {
        swap_ghosts();
        for (int i = 1; i <= rows; i++)
            y[i] = 0.5 * x[i] + 0.25 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i <= rows; i++)
            x[i] = y[i];
        for (int i = 1; i <= rows; i++)
            y[i] = 0.5 * x[i] + 0.25 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i <= rows; i++)
            x[i] = y[i];
    }
    double s = 0, t;
    for (int i = 1; i <= rows; i++)
        s += x[i] * (lo + i);
    MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!me)
        printf("%.13g\n", t);
    MPI_Finalize();
    return 0;
}
