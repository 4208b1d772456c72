/* The parts of all ranks in a struct whose address a function of the file is given. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int rank, size, n, lo, cnt; int *cnts, *offs; } part_t;
static void tell(part_t *p)
{
    p->cnts = malloc((size_t)p->size * sizeof(int));
    p->offs = malloc((size_t)p->size * sizeof(int));
    for (int i = 0; i < p->size; i++) {
        p->offs[i] = i * p->n / p->size;
        p->cnts[i] = (i + 1) * p->n / p->size - p->offs[i];
    }
}
int main(int argc, char **argv)
{
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.size);
    part.n = 400;
    part.lo = part.rank * part.n / part.size;
    part.cnt = (part.rank + 1) * part.n / part.size - part.lo;
    tell(&part);
    double *x = calloc((size_t)part.n, sizeof *x), *y = malloc((size_t)part.cnt * sizeof *y);
#pragma xmpi loop
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < part.cnt; i++)
            y[i] = x[part.lo + i] * 0.5 + (part.lo + i) % 7 + x[(part.lo + i + 1) % part.n] * 0.25;
        MPI_Allgatherv(y, part.cnt, MPI_DOUBLE, x, part.cnts, part.offs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (part.rank == 0) {
        double s = 0;
        for (int i = 0; i < part.n; i++)
            s += x[i] * (i % 6);
        printf("result %.12g\n", s);
    }
    free(x);
    free(y);
    free(part.cnts);
    free(part.offs);
    MPI_Finalize();
    return 0;
}
