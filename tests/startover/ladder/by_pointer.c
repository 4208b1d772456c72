/* SPDX-License-Identifier: BSD-3-Clause
 * An array of fixed size of main's is the parameter of the function with the loop, and a table of
 * numbers is worked on by a pointer to it alone. */
#include "ladder.h"

enum { N = 60 };

static int rank, size, first, count;

static void run(double *u)
{
    double table[8] = {0}, *t = table, *v = malloc((size_t)(count + 7) * sizeof *v);
    for (int i = 0; i < count; i++)
        v[i] = first + i;
#pragma xmpi loop
    for (int s = 0; s < 30; s++) {
        t[s % 8] += 1;
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + 0.1 * ((first + i + s) % 8);
            v[i] += u[i] + t[(s + 3) % 8];
        }
    }
    for (int i = 0; i < count; i++)
        u[i] += v[i];
}

int main(int argc, char **argv)
{
    double u[N];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = N * rank / size, count = N * (rank + 1) / size - first;
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 11;
    run(u);
    tell(u, count);
    MPI_Finalize();
    return 0;
}
