/* One struct for everything, the loop left in many ways, and rank calls in odd places.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rank, size, n, count, displ;
    double tolerance;
} context_t;

static void divide(context_t *c)
{
    c->count = c->n / c->size;
    c->displ = c->rank * c->count;
}

static int iterate(context_t *c, double *restrict u, double (*table)[4], int most)
{
    int it, i, visits[4];
    double error = 1, weights[8];

    memset(visits, 0, sizeof visits);
    for (i = 0; i < c->size; i++)
        if (i > 1000)
            exit(3);
    for (i = 0; i < 8; i++)
        weights[i] = i;
    if (most > 0) {
#pragma xmpi data distributed(table[c->n])
#pragma xmpi loop interval(4)
        for (it = 0; it < most; ++it) {
            switch (it % 3) {
            case 0:
                error *= 0.5;
                break;
            default:
                error *= 0.75;
            }
            for (i = 0; i < c->count; i++) {
                if (u[i] < 0)
                    return -1;
                else if (u[i] > 1e30) goto done;
                u[i] += weights[(c->displ + i) % 8] + table[i][2];
                if (i > 100)
                    continue;
            }
            do {
                visits[it % 4]++;
            } while (it < 0);
            if (error < c->tolerance)
                break;
            else if (it == 12345) return 0; else if (it == 12346) { return 1; }
        }
    }
    else
        return 0;
done:
    return it + visits[0];
}

int main(int argc, char *argv[])
{
    int error = MPI_Init(&argc, &argv);
    context_t context = {0};
    context_t *c = &context;
    if (error != MPI_SUCCESS)
        return 1;
    if ((error = MPI_Comm_rank(MPI_COMM_WORLD, &c->rank)) != MPI_SUCCESS) {
        fprintf(stderr, "no rank\n");
        return 1;
    }
    {
        int unused;
        MPI_Comm_size(MPI_COMM_WORLD, &unused);
        MPI_Comm_size(MPI_COMM_WORLD, &c->size);
    }
#pragma xmpi initial
    {
        c->n = 32;
        c->tolerance = 1e-3;
    }
#pragma xmpi domain(c->n) range(c->count, c->displ)
    divide(c);
    double *u = malloc(((size_t)c->count + 1) * sizeof *u);
    double(*table)[4] = malloc(((size_t)c->count + 1) * sizeof *table);
#pragma xmpi data distributed(u[c->n])
#pragma xmpi initial
    for (int i = 0; i < c->count; i++) {
        u[i] = i + c->displ;
        for (int k = 0; k < 4; k++)
            table[i][k] = k;
    }
    int iterations = iterate(c, u, table, argc > 1 ? atoi(argv[1]) : 20);
    double sum = 0, all;
    for (int i = 0; i < c->count; i++)
        sum += u[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (c->rank == 0)
        printf("result %d %.17g\n", iterations, all);
    free(u);
    free(table);
    MPI_Finalize();
    return 0;
}
