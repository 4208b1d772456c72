/* The stationary distribution of a Markov chain; everything global, as in an old in-house code. */
#include "mpi.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define S 64

int rank, nproc;
int nloc, ioff;
int *rcnt, *rdsp;
double *P;      /* my columns of the transition matrix, as rows: nloc x S */
double *pi_new; /* nloc */
double pi_all[S];

void setup_partition(void)
{
    int q, r, p;
    q = S / nproc;
    r = S % nproc;
    rcnt = (int *)malloc(nproc * sizeof(int));
    rdsp = (int *)malloc(nproc * sizeof(int));
    for (p = 0; p < nproc; p++) {
        rcnt[p] = p < r ? q + 1 : q;
        rdsp[p] = p < r ? p * (q + 1) : p * q + r;
    }
    nloc = rcnt[rank];
    ioff = rdsp[rank];
}

void allocate(void)
{
    P = (double *)malloc(nloc * S * sizeof(double));
    pi_new = (double *)malloc(nloc * sizeof(double));
}

void init(void)
{
    int i, j;
    for (i = 0; i < nloc; i++)
        for (j = 0; j < S; j++) {
            int g = i + ioff;
            P[i * S + j] = (g == (j + 1) % S ? 0.5 : 0.0) + (g == j * 3 % S ? 0.3 : 0.0) + 0.2 / S;
        }
    for (j = 0; j < S; j++)
        pi_all[j] = j == 0 ? 1.0 : 0.0;
}

double multiply(void)
{
    int i, j;
    double diff = 0;
    for (i = 0; i < nloc; i++) {
        double s = 0;
        for (j = 0; j < S; j++)
            s += P[i * S + j] * pi_all[j];
        pi_new[i] = s;
        diff = fmax(diff, fabs(s - pi_all[i + ioff]));
    }
    return diff;
}

int main(int argc, char *argv[])
{
    int it;
    double diff, gdiff;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    setup_partition();
    allocate();
    init();
#pragma xmpi loop
    for (it = 0; it < 500; it++) {
        diff = multiply();
        MPI_Allgatherv(pi_new, nloc, MPI_DOUBLE, pi_all, rcnt, rdsp, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Allreduce(&diff, &gdiff, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (gdiff < 1e-10)
            break;
    }
    if (rank == 0)
        printf("%d iterations, pi[0] = %.15f, pi[17] = %.15f\n", it, pi_all[0], pi_all[17]);
    MPI_Finalize();
    return 0;
}
