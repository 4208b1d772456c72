/* SPDX-License-Identifier: BSD-3-Clause
 * A table of row pointers in two loops: a spare that has left the first one comes to the second. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 30
#define STEPS 16
#define COLUMNS 3
static inline int place(int i, int j)
{
    return i * COLUMNS + j;
}

struct cell {
    double x;
    int tag;
};
#define TIMES 3
static int rank;
static int size;
static int n;
static int count;
static int displ;
static int k;
static double *u;
static double *v;
static long *x;
static double sum_norm1;
static struct cell **y;
static struct cell *y_block;
static double *past2;
static double sum_past2;
static int step;
static double *moved0;
static int *z;
static double past51[STEPS];
static double sum_past51;
static void fill_v(int k)
{
        int i_fill_v = 0;
        while (i_fill_v < count) {
            int i = i_fill_v++;
        for (int j = 0; j < COLUMNS; j++) {
            v[place(i, j)] = 1 + 0.1 * (((displ + i) * 7 + j) % 11);
        }}
}

static void stage1(int k)
{
        for (int i = 0; i < count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            v[place(i, j)] = 0.9 * v[place(i, j)] + 0.01 * (((displ + i) + k) % 5);
        }}
}

static void fill_x(int k)
{
        for (int g = displ; g < displ + count; g++) {
            x[g - displ] = (g * 7 + 1) % 101;
        }
}

static void stage3(int k)
{
        double t = 0;
        for (int g = displ; g < displ + count; g++) {
            t += (double)x[g - displ] * x[g - displ];
        }
        MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum_norm1 = t;
}

static void stage4(int k)
{
        double t = 0;
        for (int i = 0; i < count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            t = y[i][j].x > t ? y[i][j].x : t;
        }}
        MPI_Reduce(&t, &sum_past2, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Bcast(&sum_past2, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void stage7(int k)
{
        for (int i = 0; i < count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            moved0[i] = y[i][j].x;
        }}
}

static void stage9(int k)
{
        int own = count, next = 0, *each = malloc(size * sizeof *each), *who = malloc(n * sizeof *who);
        double t = 0, all = 0;
        MPI_Allgather(&own, 1, MPI_INT, each, 1, MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < size; r++)
            for (int i = 0; i < each[r]; i++)
                who[next++] = r;
        for (int i = 0; i < n; i++)
            if (who[i] == rank)
                t += (1 + i % 4) * (double)u[i - displ];
        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("owners1 %.9g\n", all);
        free(who);
        free(each);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = ROWS;
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    u = calloc((size_t)count, sizeof(double));
    {
        for (int i = 0; i < count; i++) {
            u[i] = sin(0.3 * (displ + i) + 1);
        }
    }
    v = calloc((size_t)count * COLUMNS, sizeof(double));
    fill_v(0);
    x = (long *)calloc((size_t)(count), sizeof(long));
    if (x == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fill_x(0);
    sum_norm1 = 0;
    y_block = calloc((size_t)count * COLUMNS, sizeof(struct cell));
    y = malloc((size_t)count * sizeof(struct cell *));
    for (int i = 0; i < count; i++)
        y[i] = y_block + i * COLUMNS;
    {
        struct cell *all = calloc((size_t)n * 3, sizeof *all);
        if (rank == 0)
            for (int i = 0; i < n * 3; i++)
                all[i].x = 1 + 0.1 * ((i * 7 + 2) % 11);
        MPI_Bcast(all, n * 3 * (int)sizeof *all, MPI_BYTE, 0, MPI_COMM_WORLD);
        memcpy(y[0], all + displ * 3, (size_t)count * 3 * sizeof *all);
        free(all);
    }
    past2 = calloc(STEPS, sizeof(double));
    sum_past2 = 0;
    z = calloc((size_t)count, sizeof(int));
    {
        int *all = calloc((size_t)n * 1, sizeof *all);
        if (rank == 0)
            for (int i = 0; i < n * 1; i++)
                all[i] = (i * 7 + 2) % 101;
        int own = count, *of = malloc(2 * size * sizeof *of), *from = of + size;
        MPI_Allgather(&own, 1, MPI_INT, of, 1, MPI_INT, MPI_COMM_WORLD);
        from[0] = 0;
        for (int r = 1; r < size; r++)
            from[r] = from[r - 1] + of[r - 1];
        MPI_Scatterv(all, of, from, MPI_INT, &z[0], own, MPI_INT, 0, MPI_COMM_WORLD);
        free(of);
        free(all);
    }
    memset(past51, 0, sizeof past51);
    sum_past51 = 0;
    for (int cycle = 0; cycle < 2; cycle++) {
    for (step = 0; step < TIMES; step++) {
        if (step == 1)
            continue;
    moved0 = malloc(count * sizeof *moved0);
        stage7(step);
    k = 0;
#pragma xmpi loop
    do {
        {
        for (int g = displ; g < displ + count; g++) {
            u[g - displ] = 0.9 * u[g - displ] + 0.01 * ((g + k) % 5);
        }
        }
        stage1(k);
        {
        for (int i = 0; i < count; i++) {
            x[i] = (5 * x[i] + 3 * (displ + i)) % 1009;
        }
        }
        stage3(k);
        stage4(k);
        past2[k] = sum_past2;
        {
        for (int i = 1; i <= count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            y[i - 1][j].x = 0.8 * y[i - 1][j].x + 0.1 / (1 + fabs(past2[k / 2])) + 0.01 * ((displ + i - 1) % 7) + 0.01 * u[i - 1];
            y[i - 1][j].tag += 1;
        }}
        }
        k++;
    } while (k < STEPS);
#pragma xmpi loop
    for (int m = 0; m < STEPS; m++) {
        {
        for (int g = displ; g < displ + count; g++) {
            z[g - displ] = (5 * z[g - displ] + g % 7 + x[g - displ] % 13) % 1009;
        }
        }
        {
        double t = 0;
        for (int g = displ; g < displ + count; g++) {
        for (int j = 0; j < COLUMNS; j++) {
            t += v[place(g - displ, j)];
        }}
        MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum_past51 = t;
        }
        past51[m] = sum_past51;
        {
        for (int g = displ; g < displ + count; g++) {
        for (int j = 0; j < COLUMNS; j++) {
            v[place(g - displ, j)] = 0.8 * v[place(g - displ, j)] + 0.1 / (1 + fabs(past51[m / 2])) + (g == 0 || m % 3 == 0 ? 0.05 : 0.0) + 0.01 * y[g - displ][j].x;
        }}
        }
    }
        {
        for (int i = 0; i < count; i++) {
            x[i] = (5 * x[i] + 3 * (displ + i)) % 1009;
        }
        }
        {
        double moved = 0, all = 0;
        for (int i = 1; i <= count; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            moved += fabs((double)y[i - 1][j].x - moved0[(i - 1)]);
        }}
        MPI_Reduce(&moved, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("moved0 %.9g\n", all);
        }
    free(moved0);
        stage9(step);
    }}
    if (rank == 0) {
        double t = 0;
        for (int i = 0; i < STEPS; i++)
            t += past2[i];
        printf("past2 %.9g\n", t);
    }
    if (rank == 0) {
        double t = 0;
        for (int i = 0; i < STEPS; i++)
            t += past51[i];
        printf("past51 %.9g\n", t);
    }
    {
        int mine = count * 1 * (int)sizeof(double), *of = malloc(2 * size * sizeof *of), *from = of + size;
        double *all = malloc((size_t)n * 1 * sizeof *all);
        double t = 0;
        MPI_Gather(&mine, 1, MPI_INT, of, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int r = 0; r < size; r++)
            from[r] = r == 0 ? 0 : from[r - 1] + of[r - 1];
        MPI_Gatherv(&u[0], mine, MPI_BYTE, all, of, from, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            for (int i = 0; i < n * 1; i++)
                t += (1 + i % 7) * (double)all[i];
            printf("all of u %.9g\n", t);
        }
        free(all);
        free(of);
    }
    {
        int mine = count * 3 * (int)sizeof(double), *of = malloc(2 * size * sizeof *of), *from = of + size;
        double *all = malloc((size_t)n * 3 * sizeof *all);
        double t = 0;
        MPI_Gather(&mine, 1, MPI_INT, of, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int r = 0; r < size; r++)
            from[r] = r == 0 ? 0 : from[r - 1] + of[r - 1];
        MPI_Gatherv(&v[(0) * COLUMNS], mine, MPI_BYTE, all, of, from, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            for (int i = 0; i < n * 3; i++)
                t += (1 + i % 7) * (double)all[i];
            printf("all of v %.9g\n", t);
        }
        free(all);
        free(of);
    }
    {
        int mine = count * 1 * (int)sizeof(long), *of = malloc(2 * size * sizeof *of), *from = of + size;
        long *all = malloc((size_t)n * 1 * sizeof *all);
        double t = 0;
        MPI_Gather(&mine, 1, MPI_INT, of, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int r = 0; r < size; r++)
            from[r] = r == 0 ? 0 : from[r - 1] + of[r - 1];
        MPI_Gatherv(&x[0], mine, MPI_BYTE, all, of, from, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            for (int i = 0; i < n * 1; i++)
                t += (1 + i % 7) * (double)all[i];
            printf("all of x %.9g\n", t);
        }
        free(all);
        free(of);
    }
    {
        double t = -1e30, all = 0;
        for (int g = displ; g < displ + count; g++) {
        for (int j = 0; j < COLUMNS; j++) {
            if (y[g - displ][j].x > t)
                t = y[g - displ][j].x;
        }}
        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("largest of y %.9g\n", all);
    }
    {
        double t = 0, all = 0;
        for (int i = 1; i <= count; i++) {
            t += (1 + (displ + i - 1) % 5) * (double)z[i - 1];
        }
        MPI_Allreduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("sum of z %.9g\n", all);
    }
    free(u);
    free(v);
    free(x);
    free(y_block);
    free(z);
    MPI_Finalize();
    return 0;
}
