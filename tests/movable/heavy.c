/* SPDX-License-Identifier: BSD-3-Clause
 * Large arrays, of which each iteration writes a little; others that come and go, whose first
 * values are to be zeros. Arguments: iterations, MiB, milliseconds that an iteration takes at
 * least. */
#include "point.h"

#include <time.h>

enum { COME_AND_GO = 5 };

/* What is not zero of an array that has just come. */
static unsigned long odd(const double *array, size_t n)
{
    unsigned long found = 0;
    for (size_t i = 0; i < n; i++)
        found += array[i] != 0;
    return found;
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    size_t length = (size_t)(argc > 2 ? atoi(argv[2]) : 4) << 17;
    const struct timespec pause = {.tv_nsec = 1000000L * (argc > 3 ? atoi(argv[3]) : 0)};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *large = malloc(length * sizeof *large), *other = NULL;
    for (size_t i = 0; i < length; i++)
        large[i] = (double)(i + (size_t)rank);
    unsigned long sum = 0;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        if (step % COME_AND_GO == 0) {
            free(other);
            other = calloc(length / 4 + (size_t)(step % 3) * 10000, sizeof *other);
            sum += odd(other, length / 4);
        }
        double got, mine = 0;
        for (size_t i = (size_t)step * 4099 % 512; i < length; i += 51200) {
            large[i] = large[i] / 2 + step;
            other[i / 4] += large[i];
            mine += other[i / 4];
        }
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = mix(sum, got);
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < length; i++)
        sum = mix(sum, large[i]);
    say("heavy", sum);
    MPI_Finalize();
    return 0;
}
