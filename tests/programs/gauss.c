/* Gaussian elimination without pivoting, rows in blocks; the owner of row k sends it to all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                              \
    do {                                                                         \
        int err_ = (call);                                                       \
        if (err_ != MPI_SUCCESS) {                                               \
            fprintf(stderr, "%s:%d: MPI error %d\n", __FILE__, __LINE__, err_); \
            MPI_Abort(MPI_COMM_WORLD, err_);                                     \
        }                                                                        \
    } while (0)

int main(int argc, char **argv)
{
    int rank, nprocs, n = 40;
    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &nprocs));
    if (argc == 2)
        n = atoi(argv[1]);

    int first = (int)((long)rank * n / nprocs);
    int last = (int)((long)(rank + 1) * n / nprocs) - 1;
    int rows = last - first + 1;

    double *a = malloc((size_t)rows * (size_t)(n + 1) * sizeof(double));
    double *pivot = malloc((size_t)(n + 1) * sizeof(double));
    if (a == NULL || pivot == NULL) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < rows; i++) {
        int g = first + i;
        for (int j = 0; j < n; j++)
            a[i * (n + 1) + j] = g == j ? n + 1.0 : 1.0 / (1 + (g + j) % 5);
        a[i * (n + 1) + n] = g % 3;
    }

#pragma xmpi loop interval(4)
    for (int k = 0; k < n; k++) {
        int owner = 0, mine = k >= first && k <= last ? rank : 0;
        CHECK(MPI_Allreduce(&mine, &owner, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        if (rank == owner) {
            double *row = a + (k - first) * (n + 1);
            for (int j = n; j >= k; j--)
                row[j] /= row[k];
            memcpy(pivot, row, (size_t)(n + 1) * sizeof(double));
        }
        CHECK(MPI_Bcast(pivot, n + 1, MPI_DOUBLE, owner, MPI_COMM_WORLD));
        for (int i = 0; i < rows; i++) {
            if (first + i == k)
                continue;
            double f = a[i * (n + 1) + k];
            for (int j = k; j <= n; j++)
                a[i * (n + 1) + j] -= f * pivot[j];
        }
    }

    /* Now column n is the solution. */
    double own = 0, sum = 0;
    for (int i = 0; i < rows; i++)
        own += (first + i + 1) * a[i * (n + 1) + n];
    CHECK(MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD));
    if (rank == 0)
        printf("n = %d, weighted sum of the solution %.9f\n", n, sum);
    free(a);
    free(pivot);
    CHECK(MPI_Finalize());
    return 0;
}
