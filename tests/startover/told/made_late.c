/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that the first iteration makes. */
/* None: no state(...) can keep memory of 'prev' that iterations make */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <complex.h>
#include <math.h>
typedef double complex cplx;
static cplx *prev = NULL;
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 128, its = argc > 2 ? atoi(argv[2]) : 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int cnt = n / size + (rank < n % size),
        off = rank * (n / size) + (rank < n % size ? rank : n % size);
    cplx *psi = calloc(cnt + 2, sizeof *psi), *rhs = malloc((cnt + 1) * sizeof *rhs),
         *work = calloc(cnt + 2, sizeof *work);
    double *k2 = malloc((cnt + 1) * sizeof *k2);
    for (int i = 0; i < cnt; i++) {
        k2[i] = 2.5 + 0.3 * cos(0.1 * (off + i)) + (off + i > n - 10 ? 1 : 0);
        rhs[i] = off + i == n / 4 ? 1 : 0.01 * I * (off + i) / n;
    }
    double omega = 0.5, lastnorm = 0;
    int restarts = 0;
#pragma xmpi loop
    for (int it = 0; it < its; it++) {
        if (!prev)
            prev = calloc(cnt + 2, sizeof *prev);
        MPI_Sendrecv(psi + 1, 1, MPI_C_DOUBLE_COMPLEX, rank ? rank - 1 : MPI_PROC_NULL, 0,
                     psi + cnt + 1, 1, MPI_C_DOUBLE_COMPLEX,
                     rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(psi + cnt, 1, MPI_C_DOUBLE_COMPLEX, rank < size - 1 ? rank + 1 : MPI_PROC_NULL,
                     1, psi, 1, MPI_C_DOUBLE_COMPLEX, rank ? rank - 1 : MPI_PROC_NULL, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double l[2] = {0, 0}, g[2];
        for (int i = 1; i <= cnt; i++) {
            work[i] = (rhs[i - 1] + psi[i - 1] + psi[i + 1]) / (k2[i - 1] + 0.2 * I) - psi[i];
            l[0] += creal(work[i] * conj(work[i]));
            l[1] += creal((work[i] - prev[i]) * conj(prev[i]));
        }
        MPI_Allreduce(l, g, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (it > 0 && g[0] > lastnorm)
            omega *= 0.5, restarts++;
        else if (omega < 0.9)
            omega *= 1.02;
        for (int i = 1; i <= cnt; i++) {
            psi[i] += omega * work[i];
            prev[i] = work[i];
        }
        lastnorm = g[0] + 1e-3 * fabs(g[1]);
    }
    double s[2] = {0, 0}, t[2];
    for (int i = 1; i <= cnt; i++)
        s[0] += creal(psi[i]) * (off + i), s[1] += cimag(psi[i]) * (off + i);
    MPI_Reduce(s, t, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.7e %.7e omega %.7f restarts %d\n", t[0], t[1], omega, restarts);
    free(prev);
    free(psi);
    MPI_Finalize();
    return 0;
}
