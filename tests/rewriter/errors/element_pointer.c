#include <mpi.h>
#include <stdlib.h>

struct row {
    int length;
    double *values;
};

int main(int argc, char **argv)
{
    int rank, size, n = 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    struct row *rows = malloc(count * sizeof *rows);
    for (int i = 0; i < count; i++) {
        rows[i].length = 1 + (first + i) % 5;
        rows[i].values = calloc(rows[i].length, sizeof(double));
    }
#pragma xmpi loop
    for (int t = 0; t < 10; t++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < rows[i].length; j++)
                rows[i].values[j] += t;
    MPI_Finalize();
    return 0;
}
