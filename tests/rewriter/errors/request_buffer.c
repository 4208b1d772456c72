#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, rows = n * (rank + 1) / size - first;
    double *u = calloc((size_t)rows + 2, sizeof *u), *v = calloc((size_t)rows + 2, sizeof *v);
    MPI_Request request[2];
    MPI_Recv_init(u, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(u + rows, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request[1]);
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        for (int i = 1; i <= rows; i++)
            v[i] = (u[i - 1] + u[i]) / 2;
        double *other = u;
        u = v;
        v = other;
    }
    MPI_Finalize();
    return 0;
}
