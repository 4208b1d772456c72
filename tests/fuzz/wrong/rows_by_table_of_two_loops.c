/* SPDX-License-Identifier: BSD-3-Clause
 * Rows that one loop has by a table of pointers, which is made anew for the other one. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 19
static int block_begin(int r, int n, int size)
{
    return (r * ((n + size - 1) / size) < n ? r * ((n + size - 1) / size) : n);
}

#define STEPS 14
#define COLUMNS 2
static inline int place(int i, int j)
{
    return i * COLUMNS + j;
}

struct cell {
    double x;
    int tag;
};
#define TIMES 4
#define AT(i, j) ((i) * COLUMNS + (j))
struct part {
    int rank;
    int size;
    int n;
    int count;
    int displ;
};
struct data {
    int k;
    int *u;
    struct cell **v;
    struct cell *v_block;
    double *trail0;
    double sum_trail0;
    int times0;
    double sum_norm50;
    double *x;
    double sum_norm40;
};
struct world {
    struct part part;
    struct data data;
};
static void identify(int k, struct world *w)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->part.size);
}

static void stage3(int k, struct world *w)
{
        for (int i = 0; i < w->part.count; i++) {
            w->data.u[i] = (5 * w->data.u[i] + (w->part.displ + i) % 7) % 1009;
        }
}

static void stage4(int k, struct world *w)
{
        double t = 0;
        for (int i = 1; i <= w->part.count; i++) {
            t += w->data.u[i - 1];
        }
        MPI_Reduce(&t, &w->data.sum_norm50, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&w->data.sum_norm50, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void fill_x(int k, struct world *w)
{
        for (int i = 1; i <= w->part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            w->data.x[AT(i - 1, j)] = sin(0.3 * (w->part.displ + i - 1) + j);
        }}
}

static void stage5(int k, struct world *w)
{
        double t = 0;
        for (int i = 0; i < w->part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            t += fabs((double)w->data.x[AT(i, j)]);
        }}
        MPI_Reduce(&t, &w->data.sum_norm40, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&w->data.sum_norm40, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void iterate(int from, struct world *w)
{
#pragma xmpi loop
    for (w->data.k = 0; w->data.k < STEPS; w->data.k++) {
        int k = w->data.k;
        {
        for (int i = 0; i < w->part.count; i++) {
            w->data.u[i] = (5 * w->data.u[i] + 3 * (w->part.displ + i)) % 1009;
        }
        }
        {
        double t = 0;
        for (int i = 0; i < w->part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            t = w->data.v[i][j].x > t ? w->data.v[i][j].x : t;
        }}
        MPI_Reduce(&t, &w->data.sum_trail0, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Bcast(&w->data.sum_trail0, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
        for (int j = 0; j < 3; j++)
            w->data.trail0[k * 3 + j] = w->data.sum_trail0 * (j + 1);
        {
        int i_trail0 = 0;
        while (i_trail0 < w->part.count) {
            int i = i_trail0++;
        for (int j = 0; j < COLUMNS; j++) {
            w->data.v[i][j].x = 0.9 * w->data.v[i][j].x + 0.01 * (k % 3);
        }}
        }
    }
}

int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    identify(0, &w);
    w.part.n = ROWS;
    w.part.displ = block_begin(w.part.rank, w.part.n, w.part.size);
    w.part.count = block_begin((w.part.rank + 1), w.part.n, w.part.size) - w.part.displ;
    w.data.u = calloc((size_t)w.part.count, sizeof(int));
    {
        int *all = calloc((size_t)w.part.n * 1, sizeof *all);
        if (w.part.rank == 0)
            for (int i = 0; i < w.part.n * 1; i++)
                all[i] = (i * 7 + 2) % 101;
        int own = w.part.count, *of = malloc(2 * w.part.size * sizeof *of), *from = of + w.part.size;
        MPI_Allgather(&own, 1, MPI_INT, of, 1, MPI_INT, MPI_COMM_WORLD);
        from[0] = 0;
        for (int r = 1; r < w.part.size; r++)
            from[r] = from[r - 1] + of[r - 1];
        MPI_Scatterv(all, of, from, MPI_INT, &w.data.u[0], own, MPI_INT, 0, MPI_COMM_WORLD);
        free(of);
        free(all);
    }
    w.data.v_block = calloc((size_t)w.part.count * COLUMNS, sizeof(struct cell));
    w.data.v = malloc((size_t)w.part.count * sizeof(struct cell *));
    for (int i = 0; i < w.part.count; i++)
        w.data.v[i] = w.data.v_block + i * COLUMNS;
    {
        for (int i = 1; i <= w.part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            w.data.v[i - 1][j].x = 1 + 0.1 * (((w.part.displ + i - 1) * 7 + j) % 11);
        }}
    }
    w.data.trail0 = calloc(STEPS * 3, sizeof(double));
    w.data.sum_trail0 = 0;
    w.data.times0 = 0;
    w.data.sum_norm50 = 0;
    w.data.x = malloc((size_t)w.part.count * COLUMNS * sizeof(double));
    memset(w.data.x, 0, (size_t)w.part.count * COLUMNS * sizeof(double));
    fill_x(0, &w);
    w.data.sum_norm40 = 0;
    for (int step = 0; step < TIMES; step++) {
    iterate(0, &w);
        stage5(step, &w);
        {
        for (int i = 1; i <= w.part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            w.data.x[AT(i - 1, j)] = 0.8 * w.data.x[AT(i - 1, j)] + 0.1 / (1 + fabs(w.data.sum_norm40)) + 0.1 * sin(0.2 * (w.part.displ + i - 1));
        }}
        }
#pragma xmpi loop
    for (int m = 0; m < STEPS; m++) {
        stage3(m, &w);
        stage4(m, &w);
    }
        w.data.times0 += step + 1;
    }
    if (w.part.rank == 0)
        printf("times0 %d\n", w.data.times0);
    if (w.part.rank == 0) {
        double t = 0;
        for (int i = 0; i < STEPS * 3; i++)
            t += (1 + i % 4) * w.data.trail0[i];
        printf("trail0 %.9g\n", t);
    }
    {
        double t = -1e30, all = 0;
        for (int i = 0; i < w.part.count; i++) {
            if (w.data.u[i] > t)
                t = w.data.u[i];
        }
        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (w.part.rank == 0)
            printf("largest of u %.9g\n", all);
    }
    {
        double t = -1e30, all = 0;
        for (int i = 0; i < w.part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            if (w.data.v[i][j].x > t)
                t = w.data.v[i][j].x;
        }}
        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (w.part.rank == 0)
            printf("largest of v %.9g\n", all);
    }
    {
        double t = 0, all = 0;
        for (int i = 1; i <= w.part.count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            t += (1 + (w.part.displ + i - 1) % 5) * (double)w.data.x[AT(i - 1, j)];
        }}
        MPI_Allreduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (w.part.rank == 0)
            printf("sum of x %.9g\n", all);
    }
    free(w.data.u);
    free(w.data.v_block);
    free(w.data.x);
    MPI_Finalize();
    return 0;
}
