// flags: -std=gnu17
/* A cellular automaton of one dimension (rule 110), cells at the border from the neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);

    long n = 120, start = n * rank / size, len = n * (rank + 1) / size - start;
    char *cells = malloc(max(len, 1L)), *news = malloc(max(len, 1L));
    for (long i = 0; i < len; i++)
        cells[i] = start + i == n - 1;

    int prev = (rank + size - 1) % size, next = (rank + 1) % size;
    long population = 0;
#pragma xmpi loop
    for (int t = 0; t < 40; t++) {
        char l, r;
        MPI_Request q[4];
        MPI_Irecv(&l, 1, MPI_CHAR, prev, 0, comm, &q[0]);
        MPI_Irecv(&r, 1, MPI_CHAR, next, 1, comm, &q[1]);
        MPI_Isend(&cells[len - 1], 1, MPI_CHAR, next, 0, comm, &q[2]);
        MPI_Isend(&cells[0], 1, MPI_CHAR, prev, 1, comm, &q[3]);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        long own = 0;
        for (long i = 0; i < len; i++) {
            int a = i > 0 ? cells[i - 1] : l, b = cells[i], c = i + 1 < len ? cells[i + 1] : r;
            news[i] = 110 >> (a << 2 | b << 1 | c) & 1;
            own += news[i];
        }
        for (long i = 0; i < len; i++)
            cells[i] = news[i];
        MPI_Allreduce(&own, &population, 1, MPI_LONG, MPI_SUM, comm);
        if (rank == 0)
            printf("%ld ", population);
    }
    if (rank == 0)
        printf("\n");
    free(cells);
    free(news);
    MPI_Finalize();
}
