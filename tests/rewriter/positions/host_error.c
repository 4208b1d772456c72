/* An error that only gcc sees, behind and among inserted text. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma xmpi setup
    {
        n = rank;
    }
#ifdef __clang__
#define missing 0
#endif
#pragma xmpi loop
    for (int i = 0; i < 3; i++) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); rank = missing + n;
    }
    MPI_Finalize();
    return 0;
}
