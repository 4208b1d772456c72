/* SPDX-License-Identifier: BSD-3-Clause
 * A struct that is set member by member, and given to MPI_MAXLOC. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 90, steps = argc > 2 ? atoi(argv[2]) : 300;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nloc = n / size, i0 = rank * nloc;
    if (rank < n % size) {
        nloc++;
        i0 += rank;
    } else
        i0 += n % size;
    double *rho = malloc((nloc + 2) * sizeof *rho), *flux = malloc((nloc + 2) * sizeof *flux);
    int *passed = malloc((nloc + 2) * sizeof *passed), is = rank == 0 ? 2 : 1,
        ie = rank == size - 1 ? nloc - 1 : nloc;
    for (int i = 0; i <= nloc + 1; i++) {
        rho[i] = 0.2 + 0.1 * ((i0 + i) % 4);
        passed[i] = -1;
    }
    struct {
        double v;
        int i;
    } in, out = {0, -1};
    int jams = 0;
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        int up = rank ? rank - 1 : MPI_PROC_NULL, dn = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
        MPI_Sendrecv(&rho[nloc], 1, MPI_DOUBLE, dn, 0, &rho[0], 1, MPI_DOUBLE, up, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&rho[1], 1, MPI_DOUBLE, up, 1, &rho[nloc + 1], 1, MPI_DOUBLE, dn, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i <= nloc; i++) {
            double l = rho[i], r = rho[i + 1], ql = l < 0.5 ? l * (1 - l) : 0.25,
                   qr = r > 0.5 ? r * (1 - r) : 0.25;
            flux[i] = ql < qr ? ql : qr;
            if (i0 + i - 1 == out.i)
                flux[i] *= 0.7;
        }
        for (int i = is; i <= ie; i++)
            rho[i] += 0.5 * (flux[i - 1] - flux[i]);
        if (rank == 0)
            rho[1] = t % 40 < 20 ? 0.45 : 0.1;
        if (rank == size - 1)
            rho[nloc] = 0.3;
        in.v = -1;
        in.i = -1;
        for (int i = 1; i <= nloc; i++) {
            if (rho[i] > 0.6 && passed[i] < 0)
                passed[i] = t;
            if (rho[i] > in.v)
                in.v = rho[i], in.i = i0 + i - 1;
        }
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
        if (out.v > 0.7)
            jams++;
    }
    double s[2] = {0, 0}, g[2];
    for (int i = 1; i <= nloc; i++)
        s[0] += rho[i] * (i0 + i), s[1] += passed[i] * (double)(i0 + i);
    MPI_Reduce(s, g, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("rho %.8e passed %.0f jams %d last %d\n", g[0], g[1], jams, out.i);
    MPI_Finalize();
    return 0;
}
