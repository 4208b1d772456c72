/* SPDX-License-Identifier: BSD-3-Clause
 * Particles in a ring of boxes, in linked lists; those that leave a box go to the neighbour. */
#include "point.h"

typedef struct particle {
    struct particle *next;
    double x, v;
    int id;
} particle_t;

typedef struct {
    double x, v, id;
} packed_t;

static particle_t *box;

static void add(double x, double v, int id)
{
    particle_t **at = &box, *p = malloc(sizeof *p);
    while (*at != NULL && (*at)->id < id)
        at = &(*at)->next;
    *p = (particle_t){*at, x, v, id};
    *at = p;
}

/* Those beyond the end BEYOND (1) or before the begin (-1) of the box. */
static packed_t *take(double from, double to, int beyond, int *n)
{
    packed_t *out = NULL;
    *n = 0;
    for (particle_t **at = &box; *at != NULL;) {
        particle_t *p = *at;
        if (beyond > 0 ? p->x < to : p->x >= from) {
            at = &p->next;
            continue;
        }
        out = realloc(out, (size_t)(*n + 1) * sizeof *out);
        out[(*n)++] = (packed_t){p->x, p->v, p->id};
        *at = p->next;
        free(p);
    }
    return out;
}

static void exchange(packed_t *out, int n, int to, int from, double shift)
{
    MPI_Request request;
    MPI_Status status;
    int come;
    MPI_Isend(out, 3 * n, MPI_DOUBLE, to, 5, MPI_COMM_WORLD, &request);
    MPI_Probe(from, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &come);
    packed_t *in = malloc((size_t)(come + 1) * sizeof(double));
    MPI_Recv(in, come, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < come / 3; i++)
        add(in[i].x + shift, in[i].v, (int)in[i].id);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 60; i++)
        add(rank + i / 60.0, (i * 7 % 11 - 5) * 0.013, rank * 60 + i);
    unsigned long sum = 0;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int step = 0; step < n; step++) {
        int go;
        XMPI_Point();
        for (particle_t *p = box; p != NULL; p = p->next) {
            p->v += 1e-3 * (p->id % 3 - 1);
            p->x += p->v > 0.5 ? 0.5 : p->v < -0.5 ? -0.5 : p->v;
        }
        packed_t *out = take(rank, rank + 1, 1, &go);
        exchange(out, go, right, left, rank == 0 ? -size : 0);
        out = take(rank, rank + 1, -1, &go);
        exchange(out, go, left, right, rank == size - 1 ? size : 0);
        for (const particle_t *p = box; p != NULL; p = p->next)
            sum = mix(sum, p->x);
    }
    say("particles", sum);
    MPI_Finalize();
    return 0;
}
