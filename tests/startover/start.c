/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that goes by what the start has made of "w" and "table", in the line that stands for it.
 */
#include "ladder/ladder.h"
#include <getopt.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    double own_row = 0, w = 0.97, table[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    /* START */
    double *all = calloc(3 * (size_t)count + 3, sizeof *all), *x = all, *d = x + count,
           *r = d + count, rho = 1;
    for (int i = 0; i < count; i++) {
        x[i] = 0;
        d[i] = r[i] = 1 + (first + i) % 4;
    }
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            x[i] += 0.1 * d[i] / rho + table[k % 8];
            r[i] *= w;
            d[i] = r[i] + 0.5 * d[i];
            own += r[i] * r[i];
        }
        MPI_Allreduce(&own, &rho, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (own_row < 0)
        printf("%g\n", own_row);
    tell(x, count);
    MPI_Finalize();
    return 0;
}
