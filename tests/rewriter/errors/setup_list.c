#include <mpi.h>
#include <stdlib.h>

struct row {
    double value;
    struct row *next;
};

/* The list is made again after a change, with the values of the begin. */
int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    struct row *head;
#pragma xmpi setup
    {
        head = NULL;
        for (int i = 0; i < count; i++) {
            struct row *row = malloc(sizeof *row);
            row->value = displ + i;
            row->next = head;
            head = row;
        }
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (struct row *row = head; row != NULL; row = row->next)
            row->value *= 0.9;
    MPI_Finalize();
    return 0;
}
