#include <mpi.h>
#include <stdlib.h>

void exchange(double *u, int n, MPI_Comm comm);
void exchange_rows(double (*u)[4], int n, MPI_Comm comm);

/* Only functions of another file know where the process's own rows lie. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = calloc(2 * (count + 2), sizeof *u), *v = calloc(count + 1, sizeof *v);
    double(*w)[4] = calloc(count + 2, sizeof *w);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        exchange(u, count, MPI_COMM_WORLD);
        exchange(v, count, MPI_COMM_WORLD);
        exchange_rows(w, count, MPI_COMM_WORLD);
    }
    free(u);
    free(v);
    free(w);
    MPI_Finalize();
    return 0;
}
