/* Prefix sums of a long vector, again and again: own sums first, then what the ranks before have. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    int p, my_rank;
    long n = 200;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    comm = MPI_COMM_WORLD;
    MPI_Comm_size(comm, &p);
    MPI_Comm_rank(comm, &my_rank);

    long local_n = n / p + (my_rank < n % p);
    long offset = my_rank * (n / p) + (my_rank < n % p ? my_rank : n % p);
    unsigned long *a = malloc(local_n * sizeof *a);
    for (long i = 0; i < local_n; i++)
        a[i] = (unsigned long)(offset + i + 1);

    unsigned long last = 0;
    for (int round = 0; round < 2; round++)
        for (long i = 1; i < local_n; i++)
            a[i] ^= (unsigned long)round;

    int step;
#pragma xmpi loop
    for (step = 0; step < 15; step++) {
        unsigned long before = 0, total;
        for (long i = 1; i < local_n; i++)
            a[i] += a[i - 1];
        unsigned long mine = local_n > 0 ? a[local_n - 1] : 0;
        MPI_Exscan(&mine, &before, 1, MPI_UNSIGNED_LONG, MPI_SUM, comm);
        if (my_rank == 0)
            before = 0;
        for (long i = 0; i < local_n; i++)
            a[i] = (a[i] + before) % 1000003;
        MPI_Allreduce(&mine, &total, 1, MPI_UNSIGNED_LONG, MPI_SUM, comm);
        last = total % 1000003;
    }
    unsigned long sum = 0, all;
    for (long i = 0; i < local_n; i++)
        sum += a[i] * (unsigned long)(offset + i + 1);
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, comm);
    if (my_rank == 0)
        printf("%d steps: %lu %lu\n", step, last, all);
    free(a);
    MPI_Finalize();
    return 0;
}
