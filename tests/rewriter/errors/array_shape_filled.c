#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct particle {
    double x, v;
};

/* As many particles as are in the part of a process, whatever their numbers. */
int main(int argc, char **argv)
{
    int rank, size, total = 200, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct particle *p = malloc(total * sizeof *p);
    for (int i = 0; i < total; i++) {
        double x = fmod(i * 0.618, 1.0);
        if (x * size >= rank && x * size < rank + 1)
            p[n++] = (struct particle){x, i};
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < n; i++)
            p[i].v += 0.1 * p[i].x;
    MPI_Finalize();
    return 0;
}
