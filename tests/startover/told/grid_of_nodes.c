/* SPDX-License-Identifier: BSD-3-Clause
 * Processes are counted by nodes, and send in an order of two: rows are divided all the same. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rank, size, node, place, first, count;
    double *u, *v;
    MPI_Request talk[2][4];
} part_t;

static void divide(part_t *p, int n)
{
    int each = 4;
    if (getenv("PROCESSES_OF_NODE") != NULL)
        each = atoi(getenv("PROCESSES_OF_NODE"));
    p->node = p->rank / each;
    p->place = p->rank % each;
    p->count = n / p->size + (p->rank < n % p->size);
    p->first = p->rank * (n / p->size) + (p->rank < n % p->size ? p->rank : n % p->size);
    p->u = calloc(p->count + 2, sizeof(double));
    p->v = calloc(p->count + 2, sizeof(double));
    for (int i = 1; i <= p->count; i++)
        p->u[i] = sin(p->first + i);
    const int up = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL,
              down = p->rank + 1 < p->size ? p->rank + 1 : MPI_PROC_NULL;
    for (int k = 0; k < 2; k++) {
        double *f = k ? p->v : p->u;
        MPI_Send_init(f + 1, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &p->talk[k][0]);
        MPI_Recv_init(f + p->count + 1, 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &p->talk[k][1]);
        MPI_Send_init(f + p->count, 1, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &p->talk[k][2]);
        MPI_Recv_init(f, 1, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &p->talk[k][3]);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60, cur = 0;
    part_t part, *p = &part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    divide(p, n);
    if (p->node < 0)
        printf("process %d of node %d\n", p->place, p->node);
#pragma xmpi loop
    for (int t = 0; t < 80; t++) {
        double *f = cur ? p->v : p->u, *g = cur ? p->u : p->v;
        MPI_Startall(4, p->talk[cur]);
        MPI_Waitall(4, p->talk[cur], MPI_STATUSES_IGNORE);
        for (int i = 1; i <= p->count; i++)
            g[i] = (f[i - 1] + f[i + 1]) / 2 + 1e-3 * sin(p->first + i);
        cur ^= 1;
    }
    double sum = 0, all = 0;
    for (int i = 1; i <= p->count; i++)
        sum += (cur ? p->v : p->u)[i] * (p->first + i);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (p->rank == 0)
        printf("%.9e\n", all);
    for (int k = 0; k < 8; k++)
        MPI_Request_free(&p->talk[k / 4][k % 4]);
    MPI_Finalize();
    return 0;
}
