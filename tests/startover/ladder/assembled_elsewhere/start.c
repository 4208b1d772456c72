/* SPDX-License-Identifier: BSD-3-Clause
 * Everything is made in main, by one file, and the loop is in another. */
#include "../ladder.h"
#include "solver.h"

int main(int argc, char **argv)
{
    struct part p;
    struct csr a;
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 40;
    part_init(&p, n);
    if (csr_assemble(&a, n, &p) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double *b = malloc((p.count + 1) * sizeof *b), *x = malloc((p.count + 1) * sizeof *x), rest;
    for (int i = 0; i < p.count; i++)
        b[i] = sin(0.1 * (p.first + i));
    int iterations = solve(&a, &p, b, x, 60, &rest);
    if (p.rank == 0)
        printf("%d iterations\n", iterations);
    tell(x, p.count);
    MPI_Finalize();
    return 0;
}
