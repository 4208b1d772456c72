/* SPDX-License-Identifier: BSD-3-Clause
 * Spawns two processes of the program that it is told, and waits for nothing but their start. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm children;
    MPI_Init(&argc, &argv);
    MPI_Comm_spawn(argc > 1 ? argv[1] : "true", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &children, MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return 0;
}
