#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(long n);
struct list {
    int n;
    struct list *next;
};
void read_list(struct list *list);

int main(int argc, char **argv)
{
    int rank, size, n = 8;
    MPI_Datatype triple;
    struct list list;
    MPI_Status status;
#pragma xmpi initial
    MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi initial
    MPI_Type_contiguous(3, MPI_INT, &triple);
#pragma xmpi initial
    read_list(&list);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work(triple + list.n + status.MPI_TAG);
    MPI_Finalize();
    return 0;
}
