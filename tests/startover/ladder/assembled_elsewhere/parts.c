/* SPDX-License-Identifier: BSD-3-Clause
 * Divides the rows, and makes those of the matrix, entry by entry. */
#include "solver.h"
#include <mpi.h>
#include <stdlib.h>

void part_init(struct part *p, int n)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    p->counts = malloc(p->size * sizeof(int));
    p->displs = malloc(p->size * sizeof(int));
    for (int i = 0, at = 0; i < p->size; i++) {
        p->counts[i] = n / p->size + (i < n % p->size);
        p->displs[i] = at;
        at += p->counts[i];
    }
    p->count = p->counts[p->rank];
    p->first = p->displs[p->rank];
}

int csr_assemble(struct csr *a, int n, const struct part *p)
{
    int k = 0;
    a->n = n;
    a->rows = p->count;
    a->first = p->first;
    a->ptr = malloc((a->rows + 1) * sizeof *a->ptr);
    a->col = malloc((3 * a->rows + 1) * sizeof *a->col);
    a->val = malloc((3 * a->rows + 1) * sizeof *a->val);
    if (a->ptr == NULL || a->col == NULL || a->val == NULL)
        return -1;
    for (int i = 0; i < a->rows; i++) {
        int g = a->first + i;
        a->ptr[i] = k;
        if (g > 0) {
            a->col[k] = g - 1;
            a->val[k++] = -1;
        }
        a->col[k] = g;
        a->val[k++] = 2.2;
        if (g < n - 1) {
            a->col[k] = g + 1;
            a->val[k++] = -1;
        }
    }
    a->ptr[a->rows] = k;
    return 0;
}

void csr_multiply(const struct csr *a, const double *x, double *y)
{
    for (int i = 0; i < a->rows; i++) {
        double sum = 0;
        for (int k = a->ptr[i]; k < a->ptr[i + 1]; k++)
            sum += a->val[k] * x[a->col[k]];
        y[i] = sum;
    }
}
