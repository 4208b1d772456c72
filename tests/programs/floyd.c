/* All shortest paths (Floyd and Warshall): rows are divided, the owner of row k sends it to all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define BLOCK_LOW(id, p, n) ((id) * (n) / (p))
#define BLOCK_HIGH(id, p, n) (BLOCK_LOW((id) + 1, p, n) - 1)
#define BLOCK_SIZE(id, p, n) (BLOCK_HIGH(id, p, n) - BLOCK_LOW(id, p, n) + 1)

int main(int argc, char *argv[])
{
    int id, p, n = 24, k;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);

    int low = BLOCK_LOW(id, p, n);
    int rows = BLOCK_SIZE(id, p, n);
    int *a = malloc((size_t)rows * n * sizeof(int));
    int *tmp = malloc((size_t)n * sizeof(int));

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = low + i == j ? 0 : 1 + (7 * (low + i) + 13 * j) % 50;

    #pragma xmpi loop
    for (k = 0; k < n; k++) {
        int own = k >= low && k < low + rows ? id : -1, root;
        MPI_Allreduce(&own, &root, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (root == id)
            for (int j = 0; j < n; j++)
                tmp[j] = a[(k - low) * n + j];
        MPI_Bcast(tmp, n, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < n; j++)
                a[i * n + j] = MIN(a[i * n + j], a[i * n + k] + tmp[j]);
    }

    long sum = 0, total = 0;
    for (int i = 0; i < rows * n; i++)
        sum += a[i];
    MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!id)
        printf("sum of all distances: %ld\n", total);
    free(a);
    free(tmp);
    MPI_Finalize();
    return 0;
}
