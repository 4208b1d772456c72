/* SPDX-License-Identifier: BSD-3-Clause
 * Lattice Boltzmann in two dimensions, a driven cavity: cells are structs of nine numbers each. */
#include "ladder.h"

#define Q 9
typedef struct {
    double f[Q];
} cell_t;

static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static const int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

typedef struct {
    int nx, ny;          /* the whole lattice */
    int y0, nyl;         /* my slab */
    int rank, size;
    double omega, ulid;
    cell_t *cell, *next; /* (nyl + 2) x nx */
    MPI_Datatype row;
} lattice_t;

#define AT(l, a, x, y) ((l)->a[(size_t)(y) * (l)->nx + (x)])

static double equilibrium(int q, double rho, double ux, double uy)
{
    double cu = 3 * (cx[q] * ux + cy[q] * uy);
    return w[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}

static void init(lattice_t *l)
{
    for (int y = 0; y < l->nyl + 2; y++)
        for (int x = 0; x < l->nx; x++)
            for (int q = 0; q < Q; q++)
                AT(l, cell, x, y).f[q] = AT(l, next, x, y).f[q] = equilibrium(q, 1.0, 0, 0);
}

static void communicate(lattice_t *l)
{
    int below = l->rank > 0 ? l->rank - 1 : MPI_PROC_NULL;
    int above = l->rank < l->size - 1 ? l->rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&AT(l, cell, 0, 1), 1, l->row, below, 0, &AT(l, cell, 0, l->nyl + 1), 1, l->row, above, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(l, cell, 0, l->nyl), 1, l->row, above, 1, &AT(l, cell, 0, 0), 1, l->row, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void collide(lattice_t *l)
{
    for (int y = 1; y <= l->nyl; y++)
        for (int x = 0; x < l->nx; x++) {
            cell_t *c = &AT(l, cell, x, y);
            double rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; q++) {
                rho += c->f[q];
                ux += cx[q] * c->f[q];
                uy += cy[q] * c->f[q];
            }
            ux /= rho;
            uy /= rho;
            for (int q = 0; q < Q; q++)
                c->f[q] += l->omega * (equilibrium(q, rho, ux, uy) - c->f[q]);
        }
}

/* pull scheme; walls half way between cells */
static void stream(lattice_t *l)
{
    for (int y = 1; y <= l->nyl; y++) {
        int gy = l->y0 + y - 1;
        for (int x = 0; x < l->nx; x++)
            for (int q = 0; q < Q; q++) {
                int sx = x - cx[q], sy = gy - cy[q];
                if (sx < 0 || sx >= l->nx || sy < 0)
                    AT(l, next, x, y).f[q] = AT(l, cell, x, y).f[opp[q]];
                else if (sy >= l->ny)
                    AT(l, next, x, y).f[q] = AT(l, cell, x, y).f[opp[q]] + 6 * w[q] * cx[q] * l->ulid;
                else
                    AT(l, next, x, y).f[q] = AT(l, cell, sx, y - cy[q]).f[q];
            }
    }
    cell_t *t = l->cell;
    l->cell = l->next;
    l->next = t;
}

static double mass(const lattice_t *l)
{
    double m = 0, all;
    for (int y = 1; y <= l->nyl; y++)
        for (int x = 0; x < l->nx; x++)
            for (int q = 0; q < Q; q++)
                m += AT(l, cell, x, y).f[q];
    MPI_Allreduce(&m, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double kinetic(const lattice_t *l)
{
    double e = 0, all = 0;
    for (int y = 1; y <= l->nyl; y++)
        for (int x = 0; x < l->nx; x++) {
            const cell_t *c = &AT(l, cell, x, y);
            double rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; q++) {
                rho += c->f[q];
                ux += cx[q] * c->f[q];
                uy += cy[q] * c->f[q];
            }
            e += 0.5 * (ux * ux + uy * uy) / rho;
        }
    MPI_Reduce(&e, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    lattice_t l;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &l.size);
    l.ny = argc > 1 ? atoi(argv[1]) : 40;
    l.nx = argc > 2 ? atoi(argv[2]) : 12;
    int steps = argc > 3 ? atoi(argv[3]) : 30;
    l.omega = 1.4;
    l.ulid = 0.08;
    l.y0 = l.rank * l.ny / l.size;
    l.nyl = (l.rank + 1) * l.ny / l.size - l.y0;
    l.cell = malloc((size_t)(l.nyl + 2) * l.nx * sizeof(cell_t));
    l.next = malloc((size_t)(l.nyl + 2) * l.nx * sizeof(cell_t));
    if (l.cell == NULL || l.next == NULL) {
        fprintf(stderr, "rank %d: no memory for %d rows\n", l.rank, l.nyl);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Type_contiguous(l.nx * Q, MPI_DOUBLE, &l.row);
    MPI_Type_commit(&l.row);
    init(&l);
    double m0 = mass(&l);
#pragma xmpi loop
    for (int t = 1; t <= steps; t++) {
        collide(&l);
        communicate(&l);
        stream(&l);
        if (t % 10 == 0) {
            double m = mass(&l), e = kinetic(&l);
            if (l.rank == 0)
                printf("%5d mass %.7f energy %.7e\n", t, m / m0, e);
        }
    }
    MPI_Type_free(&l.row);
    free(l.cell);
    free(l.next);
    MPI_Finalize();
    return 0;
}
