#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct field {
    double *q[2];
};

static void exchange(struct field *f, int n)
{
    for (int j = 0; j < 2; j++) {
        double *a = f->q[j];
        a[0] = a[n];
        a[n + 1] = a[1];
    }
}

/* Several arrays, which no data clause can name. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    struct field f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    for (int j = 0; j < 2; j++)
        f.q[j] = calloc(count + 2, sizeof(double));
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        exchange(&f, count);
        for (int j = 0; j < 2; j++)
            for (int i = 1; i <= count; i++)
                f.q[j][i] += f.q[j][i - 1];
    }
    printf("%g\n", f.q[0][1]);
    MPI_Finalize();
    return 0;
}
