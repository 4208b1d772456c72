#include <mpi.h>
#include <stdlib.h>

/* One field of all rows behind another, with a pointer to each. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *state = malloc((size_t)count * 2 * sizeof *state);
    for (int i = 0; i < count; i++) {
        state[i] = displ + i;
        state[count + i] = 1;
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        double *place = state, *speed = state + count;
        for (int i = 0; i < count; i++) {
            speed[i] -= place[i] / 100;
            place[i] += speed[i] / 100;
        }
    }
    MPI_Finalize();
    return 0;
}
