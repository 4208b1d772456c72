#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct field { double *a; int count; };

static void decay(void *context)
{
    struct field *field = context;
    for (int i = 0; i < field->count; i++)
        field->a[i] *= 0.99;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    struct field field = {malloc((size_t)count * sizeof(double)), count};
    void *context = &field;
    void (*step)(void *) = decay;
    for (int i = 0; i < count; i++)
        field.a[i] = displ + i;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        step(context);
    printf("%g\n", field.a[0]);
    MPI_Finalize();
    return 0;
}
