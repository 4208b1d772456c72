/* SPDX-License-Identifier: BSD-3-Clause
 * Two ghost cells on each side, and fluxes at the faces of the own ones, one more than these, in an
 * array of pointers of a struct, each of which is freed at the end. Rank 0 keeps a log, and makes a
 * picture now and then. */
#include "ladder.h"

enum { GHOSTS = 2 };

struct tube {
    int n, cells, first, rank, left, right;
    double *height, *speed, *flux[2];
};

static void divide(struct tube *t, int n)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    t->n = n;
    t->rank = rank;
    t->cells = n / size + (rank < n % size);
    t->first = rank * (n / size) + (rank < n % size ? rank : n % size);
    t->left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    t->right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    t->height = malloc((t->cells + 2 * GHOSTS) * sizeof(double));
    t->speed = malloc((t->cells + 2 * GHOSTS) * sizeof(double));
    for (int k = 0; k < 2; k++)
        t->flux[k] = malloc((t->cells + 1) * sizeof(double));
    for (int i = 0; i < t->cells + 2 * GHOSTS; i++) {
        t->height[i] = 2 + sin(0.2 * (t->first + i - GHOSTS));
        t->speed[i] = 0;
    }
}

static void fill_ghosts(struct tube *t, double *a)
{
    MPI_Sendrecv(a + GHOSTS, GHOSTS, MPI_DOUBLE, t->left, 0, a + GHOSTS + t->cells, GHOSTS,
                 MPI_DOUBLE, t->right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + t->cells, GHOSTS, MPI_DOUBLE, t->right, 1, a, GHOSTS, MPI_DOUBLE, t->left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int g = 0; g < GHOSTS; g++) {
        if (t->left == MPI_PROC_NULL)
            a[g] = a[GHOSTS];
        if (t->right == MPI_PROC_NULL)
            a[GHOSTS + t->cells + g] = a[GHOSTS + t->cells - 1];
    }
}

static void find_fluxes(struct tube *t)
{
    for (int k = 0; k <= t->cells; k++) {
        int i = GHOSTS - 1 + k;
        double slope = t->height[i + 2] - t->height[i - 1];
        t->flux[0][k] = 0.5 * (t->speed[i] + t->speed[i + 1]) - 0.01 * slope;
        t->flux[1][k] = 0.5 * (t->height[i] + t->height[i + 1]);
    }
}

static void update(struct tube *t, double dt)
{
    for (int i = 0; i < t->cells; i++) {
        t->height[GHOSTS + i] -= dt * (t->flux[0][i + 1] - t->flux[0][i]);
        t->speed[GHOSTS + i] -= dt * (t->flux[1][i + 1] - t->flux[1][i]);
    }
}

/* The greatest value is the same however the cells are divided. */
static void record(const struct tube *t, int step, FILE *log)
{
    double most = 0, all = 0;
    for (int i = GHOSTS; i < GHOSTS + t->cells; i++)
        most = fmax(most, t->height[i]);
    MPI_Reduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (t->rank != 0)
        return;
    fprintf(log, "%d %.9g\n", step, all);
    if (step % 5 == 0) {
        char name[32];
        snprintf(name, sizeof name, "picture.%d", step);
        FILE *picture = fopen(name, "w");
        fprintf(picture, "%.9g\n", all);
        fclose(picture);
    }
}

/* What is in the file NAME, as a sum. */
static long read_back(const char *name)
{
    long sum = 0;
    int c;
    FILE *f = fopen(name, "r");
    for (long at = 1; f != NULL && (c = getc(f)) != EOF; at++)
        sum += at * c;
    if (f != NULL)
        fclose(f);
    return sum;
}

int main(int argc, char **argv)
{
    struct tube t;
    double time = 0;
    int step = 0;
    FILE *log = NULL;
    MPI_Init(&argc, &argv);
    divide(&t, argc > 1 ? atoi(argv[1]) : 60);
    if (t.rank == 0)
        log = fopen("tube.log", "w");
#pragma xmpi loop
    while (time < 1) {
        double most = 0, all;
        for (int i = GHOSTS; i < GHOSTS + t.cells; i++)
            most = fmax(most, fabs(t.speed[i]) + sqrt(t.height[i]));
        MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        fill_ghosts(&t, t.height);
        fill_ghosts(&t, t.speed);
        find_fluxes(&t);
        update(&t, 0.05 / all);
        time += 0.05 / all;
        record(&t, step++, log);
    }
    if (t.rank == 0) {
        fclose(log);
        printf("%d steps: %ld %ld %ld\n", step, read_back("tube.log"), read_back("picture.0"),
               read_back("picture.20"));
    }
    tell(t.height + GHOSTS, t.cells);
    free(t.height);
    free(t.speed);
    for (int k = 0; k < 2; k++)
        free(t.flux[k]);
    MPI_Finalize();
    return 0;
}
