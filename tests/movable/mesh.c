/* SPDX-License-Identifier: BSD-3-Clause
 * A mesh that is refined and made coarse: memory is allocated, grown, aligned and freed in every
 * step. */
#include "point.h"

typedef struct cell {
    struct cell *child[4];
    double *value;
    int values;
} cell_t;

static cell_t *make(int values, double from)
{
    cell_t *cell = calloc(1, sizeof *cell);
    void *data = NULL;
    if (posix_memalign(&data, 64, (size_t)values * sizeof(double)) != 0)
        abort();
    cell->value = data;
    cell->values = values;
    for (int i = 0; i < values; i++)
        cell->value[i] = from + i;
    return cell;
}

static void drop(cell_t *cell)
{
    for (int i = 0; cell != NULL && i < 4; i++)
        drop(cell->child[i]);
    if (cell != NULL)
        free(cell->value);
    free(cell);
}

static unsigned long visit(const cell_t *cell, unsigned long sum)
{
    for (int i = 0; i < cell->values; i++)
        sum = mix(sum, cell->value[i]);
    for (int i = 0; i < 4; i++)
        sum = cell->child[i] != NULL ? visit(cell->child[i], sum) : sum + 1;
    return sum;
}

/* One cell, which the numbers choose, is refined, made coarse, or given more values. */
static void change(cell_t *cell, unsigned long by, double from)
{
    for (int level = 0; level < 6 && cell->child[by % 4] != NULL; level++, by /= 4)
        cell = cell->child[by % 4];
    int which = (int)(by % 4), what = (int)(by / 4 % 3);
    if (what == 0 && cell->child[which] == NULL) {
        cell->child[which] = make(1 + (int)(by % 3000), from);
    } else if (what == 1) {
        drop(cell->child[which]);
        cell->child[which] = NULL;
    } else {
        int values = 1 + (int)(by % 5000);
        cell->value = realloc(cell->value, (size_t)values * sizeof(double));
        for (int i = cell->values; i < values; i++)
            cell->value[i] = from - i;
        cell->values = values;
    }
}

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cell_t *mesh = make(10, rank);
    unsigned long sum = (unsigned long)rank + 1, all = 0;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        for (int i = 0; i < 5; i++)
            change(mesh, (sum >> 7) + (unsigned long)i * 977, step + rank);
        sum = visit(mesh, sum);
        MPI_Allreduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_BXOR, MPI_COMM_WORLD);
        sum += all;
    }
    say("mesh", sum);
    drop(mesh);
    MPI_Finalize();
    return 0;
}
