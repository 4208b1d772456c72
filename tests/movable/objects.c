/* SPDX-License-Identifier: BSD-3-Clause
 * Objects of MPI of every kind, which stay what they are wherever the processes are. */
#include "../mpi/programs/handles_made.c"
#include "point.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    unsigned long sum = 0;
    MPI_Init(&argc, &argv);
    made_make();
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        made_compare("in the loop");
        made_use("in the loop");
        for (int i = 0; i < 64; i++)
            sum = mix(sum, mine.received[i]);
    }
    say("objects", sum);
    made_free();
    MPI_Finalize();
    return 0;
}
