/* SPDX-License-Identifier: BSD-3-Clause
 * A wrapper of aligned_alloc, fields in a struct on the heap. */
#include "ladder.h"

typedef struct {
    double *height, *speed, *next;
} fields_t;

static void *take(size_t count, size_t width)
{
    void *p = aligned_alloc(64, (count * width + 63) / 64 * 64);
    if (p == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(p, 0, count * width);
    return p;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    fields_t *f = malloc(sizeof *f);
    f->height = take(count + 2, sizeof(double));
    f->speed = take(count + 2, sizeof(double));
    f->next = take(count + 2, sizeof(double));
    for (int i = 1; i <= count; i++)
        f->height[i] = 1 + (first + i) % 5;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(&f->height[1], 1, MPI_DOUBLE, up, 0, &f->height[count + 1], 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++) {
            f->speed[i] += 0.1 * (f->height[i + 1] - f->height[i]);
            f->next[i] = f->height[i] + 0.1 * f->speed[i];
        }
        for (int i = 1; i <= count; i++)
            f->height[i] = f->next[i];
    }
    tell(f->height + 1, count);
    MPI_Finalize();
    return 0;
}
