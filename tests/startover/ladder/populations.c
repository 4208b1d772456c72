/* SPDX-License-Identifier: BSD-3-Clause
 * Populations that move on a lattice: an array for each, behind pointers in a struct, and those that
 * cross an edge are packed into one message. */
#include "ladder.h"

enum { KINDS = 3 };
static const int step_of[KINDS] = {0, 1, -1};

struct lattice {
    int width, height, mine, first;
    double *now[KINDS], *next[KINDS];
};

static void collide(struct lattice *l)
{
    for (int y = 1; y <= l->mine; y++)
        for (int x = 0; x < l->width; x++) {
            int k = y * l->width + x;
            double sum = 0;
            for (int q = 0; q < KINDS; q++)
                sum += l->now[q][k];
            for (int q = 0; q < KINDS; q++)
                l->next[q][k] = 0.7 * l->now[q][k] + 0.1 * sum;
        }
}

static void exchange(struct lattice *l, int lower, int upper, double *out, double *in)
{
    int w = l->width;
    memcpy(out, l->next[1] + l->mine * w, w * sizeof(double));
    MPI_Sendrecv(out, w, MPI_DOUBLE, upper, 5, in, w, MPI_DOUBLE, lower, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(l->next[1], in, w * sizeof(double));
    memcpy(out, l->next[2] + w, w * sizeof(double));
    MPI_Sendrecv(out, w, MPI_DOUBLE, lower, 6, in, w, MPI_DOUBLE, upper, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(l->next[2] + (l->mine + 1) * w, in, w * sizeof(double));
}

static void stream(struct lattice *l)
{
    for (int q = 0; q < KINDS; q++)
        for (int y = 1; y <= l->mine; y++)
            for (int x = 0; x < l->width; x++)
                l->now[q][y * l->width + x] = l->next[q][(y - step_of[q]) * l->width + x];
}

int main(int argc, char **argv)
{
    struct lattice l = {.width = 5, .height = argc > 1 ? atoi(argv[1]) : 40};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    l.first = l.height * rank / size;
    l.mine = l.height * (rank + 1) / size - l.first;
    for (int q = 0; q < KINDS; q++) {
        l.now[q] = calloc((l.mine + 2) * l.width, sizeof(double));
        l.next[q] = calloc((l.mine + 2) * l.width, sizeof(double));
        for (int k = l.width; k < (l.mine + 1) * l.width; k++)
            l.now[q][k] = 1 + (l.first * l.width + k + q) % 4;
    }
    double *out = malloc(l.width * sizeof(double)), *in = malloc(l.width * sizeof(double));
    int lower = (rank + size - 1) % size, upper = (rank + 1) % size;
#pragma xmpi loop
    for (int k = 0; k < 25; k++) {
        collide(&l);
        exchange(&l, lower, upper, out, in);
        stream(&l);
    }
    for (int q = 0; q < KINDS; q++)
        tell(l.now[q] + l.width, l.mine * l.width);
    MPI_Finalize();
    return 0;
}
