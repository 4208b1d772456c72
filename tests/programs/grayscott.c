/* Reaction and diffusion of two substances (Gray and Scott) on a torus; parameters in a struct. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nx, ny;
    double du, dv, feed, kill;
} params_t;

typedef struct {
    int rank, size;
    int first, rows;
    int *counts, *displs;
} part_t;

static double laplace(const double *f, int i, int j, const params_t *p)
{
    int up = (i + p->nx - 1) % p->nx, down = (i + 1) % p->nx;
    int left = (j + p->ny - 1) % p->ny, right = (j + 1) % p->ny;
    return f[up * p->ny + j] + f[down * p->ny + j] + f[i * p->ny + left] + f[i * p->ny + right] -
           4 * f[i * p->ny + j];
}

static void react(const params_t *p, const part_t *part, const double *u, const double *v,
                  double *un, double *vn)
{
    for (int i = 0; i < part->rows; i++)
        for (int j = 0; j < p->ny; j++) {
            int g = (part->first + i) * p->ny + j, l = i * p->ny + j;
            double uvv = u[g] * v[g] * v[g];
            un[l] = u[g] + p->du * laplace(u, part->first + i, j, p) - uvv + p->feed * (1 - u[g]);
            vn[l] = v[g] + p->dv * laplace(v, part->first + i, j, p) + uvv -
                    (p->feed + p->kill) * v[g];
        }
}

int main(int argc, char **argv)
{
    params_t p = {28, 20, 0.16, 0.08, 0.035, 0.065};
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.size);
    part.first = part.rank * p.nx / part.size;
    part.rows = (part.rank + 1) * p.nx / part.size - part.first;
    part.counts = malloc(part.size * sizeof(int));
    part.displs = malloc(part.size * sizeof(int));
    for (int r = 0; r < part.size; r++) {
        part.displs[r] = r * p.nx / part.size * p.ny;
        part.counts[r] = (r + 1) * p.nx / part.size * p.ny - part.displs[r];
    }
    double *u = malloc(p.nx * p.ny * sizeof(double)), *v = malloc(p.nx * p.ny * sizeof(double));
    double *un = malloc(part.rows * p.ny * sizeof(double));
    double *vn = malloc(part.rows * p.ny * sizeof(double));
    for (int i = 0; i < p.nx * p.ny; i++) {
        u[i] = 1;
        v[i] = i % 7 == 0 ? 0.5 : 0;
    }
#pragma xmpi loop
    for (int step = 0; step < 30; step++) {
        react(&p, &part, u, v, un, vn);
        MPI_Allgatherv(un, part.rows * p.ny, MPI_DOUBLE, u, part.counts, part.displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
        MPI_Allgatherv(vn, part.rows * p.ny, MPI_DOUBLE, v, part.counts, part.displs, MPI_DOUBLE,
                       MPI_COMM_WORLD);
    }
    if (part.rank == 0)
        printf("%.17g %.17g\n", u[p.ny + 3], v[p.ny + 3]);
    free(u);
    free(v);
    free(un);
    free(vn);
    free(part.counts);
    free(part.displs);
    MPI_Finalize();
    return 0;
}
