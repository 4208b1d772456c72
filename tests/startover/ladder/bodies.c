/* SPDX-License-Identifier: BSD-3-Clause
 * Bodies that attract each other: all positions are gathered in every step. */
#include "ladder.h"

typedef struct {
    double x, y;
} point_t;

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *displs = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size ? 1 : 0);
        displs[r] = r == 0 ? 0 : displs[r - 1] + counts[r - 1];
    }
    int count = counts[rank], first = displs[rank];
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    point_t *all = malloc(n * sizeof(point_t)), *mine = malloc((count + 1) * sizeof(point_t));
    point_t *speed = calloc(count + 1, sizeof(point_t));
    for (int i = 0; i < count; i++) {
        mine[i].x = cos(first + i);
        mine[i].y = sin(2.0 * (first + i));
    }
#pragma xmpi loop
    for (int step = 0; step < 20; step++) {
        MPI_Allgatherv(mine, count, type, all, counts, displs, type, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++) {
            double fx = 0, fy = 0;
            for (int j = 0; j < n; j++) {
                double dx = all[j].x - mine[i].x, dy = all[j].y - mine[i].y;
                double d = dx * dx + dy * dy + 0.1;
                fx += dx / d;
                fy += dy / d;
            }
            speed[i].x += 0.001 * fx;
            speed[i].y += 0.001 * fy;
        }
        for (int i = 0; i < count; i++) {
            mine[i].x += speed[i].x;
            mine[i].y += speed[i].y;
        }
    }
    double *x = malloc((count + 1) * sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = mine[i].x + mine[i].y;
    tell(x, count);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
