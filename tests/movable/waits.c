/* SPDX-License-Identifier: BSD-3-Clause
 * Iterates until there is a file "stop": for those who steer it. */
#include <unistd.h>

#include "point.h"

int main(int argc, char **argv)
{
    int rank, stop = 0;
    unsigned long sum = 1, steps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (!stop) {
        XMPI_Point();
        usleep(2000);
        steps++;
        sum += (unsigned long)rank;
        stop = access("stop", F_OK) == 0;
        MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    say("waits", sum == 1 + steps * (unsigned long)rank ? (unsigned long)rank : 99);
    MPI_Finalize();
    return 0;
}
