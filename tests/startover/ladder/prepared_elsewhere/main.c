/* SPDX-License-Identifier: BSD-3-Clause
 * Another file reads the input on rank 0, divides the rows, fills tables and a struct, and does
 * what an iteration does. */
#include "../ladder.h"
#include "work.h"

int main(int argc, char **argv)
{
    work_t w;
    MPI_Init(&argc, &argv);
    work_prepare(&w, argc, argv);
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        work_step(&w);
    tell(w.all + w.first, w.count);
    MPI_Finalize();
    return 0;
}
