/* SPDX-License-Identifier: BSD-3-Clause
 * Red and black rows by their global number, the range from a macro. */
#include "ladder.h"

#define BLOCK_LOW(id, p, n) ((id) * (n) / (p))
#define BLOCK_HIGH(id, p, n) (BLOCK_LOW((id) + 1, p, n) - 1)
#define BLOCK_SIZE(id, p, n) (BLOCK_HIGH(id, p, n) - BLOCK_LOW(id, p, n) + 1)

int main(int argc, char **argv)
{
    int id, p, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int low = BLOCK_LOW(id, p, n), local = BLOCK_SIZE(id, p, n);
    double *x = (double *)calloc(local + 2, sizeof(double));
    for (int i = 1; i <= local; i++)
        x[i] = sqrt(low + i);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int colour = 0; colour < 2; colour++) {
            if (id > 0)
                MPI_Send(&x[1], 1, MPI_DOUBLE, id - 1, 7, MPI_COMM_WORLD);
            if (id < p - 1) {
                MPI_Recv(&x[local + 1], 1, MPI_DOUBLE, id + 1, 7, MPI_COMM_WORLD, &status);
                MPI_Send(&x[local], 1, MPI_DOUBLE, id + 1, 8, MPI_COMM_WORLD);
            }
            if (id > 0)
                MPI_Recv(&x[0], 1, MPI_DOUBLE, id - 1, 8, MPI_COMM_WORLD, &status);
            for (int i = 1; i <= local; i++)
                if ((low + i) % 2 == colour)
                    x[i] = 0.5 * (x[i - 1] + x[i + 1]);
        }
    }
    tell(x + 1, local);
    MPI_Finalize();
    return 0;
}
