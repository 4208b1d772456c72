#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    FILE *rows = fopen("rows", "rb");
    double *x = calloc(count, sizeof *x);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        fseek(rows, displ * (long)sizeof *x, SEEK_SET);
        for (int i = 0; i < count; i++) {
            double y;
            if (fread(&y, sizeof y, 1, rows) != 1)
                MPI_Abort(MPI_COMM_WORLD, 1);
            x[i] += y;
        }
    }
    fclose(rows);
    free(x);
    MPI_Finalize();
    return 0;
}
