/* The elements lie in the struct itself: they are no rows of the array of structs that the pointer could be. */
#include <mpi.h>
#include <stdlib.h>

struct field {
    int length;
    double values[];
};

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    struct field *f = malloc(sizeof *f + count * sizeof(double));
    f->length = count;
    for (int i = 0; i < count; i++)
        f->values[i] = first + i;
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        for (int i = 0; i < count; i++)
            f->values[i] /= 2;
    MPI_Finalize();
    return 0;
}
