/* SPDX-License-Identifier: BSD-3-Clause
 * A pointer leads to the struct that has the arrays. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define Q 9
typedef struct {
    int nx, ny, first, rows, rank, size, up, down;
    double tau, uin;
    double *f, *g;
    char *solid;
    MPI_Request rq[2][4];
} lbm_t;
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[Q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                            1. / 36, 1. / 36, 1. / 36, 1. / 36};
static const int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
#define AT(p, i, j) ((p) + ((size_t)(i)*L->ny + (j)) * Q)
static double feq(int q, double rho, double ux, double uy)
{
    double cu = 3 * (cx[q] * ux + cy[q] * uy);
    return w[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}
static void divide(lbm_t *L)
{
    int q = L->nx / L->size, r = L->nx % L->size;
    L->rows = q + (L->rank < r ? 1 : 0);
    L->first = L->rank * q + (L->rank < r ? L->rank : r);
    L->up = L->rank ? L->rank - 1 : MPI_PROC_NULL;
    L->down = L->rank + 1 < L->size ? L->rank + 1 : MPI_PROC_NULL;
}
static void setup(lbm_t *L)
{
    size_t n = (size_t)(L->rows + 2) * L->ny * Q;
    L->f = malloc(n * sizeof(double));
    L->g = malloc(n * sizeof(double));
    L->solid = calloc((L->rows + 2) * L->ny, 1);
    for (int i = 0; i < L->rows + 2; i++)
        for (int j = 0; j < L->ny; j++) {
            int x = L->first + i - 1;
            if (j == 0 || j == L->ny - 1)
                L->solid[i * L->ny + j] = 1;
            if (x >= L->nx / 4 && x < L->nx / 4 + 3 && j > L->ny / 3 && j < 2 * L->ny / 3)
                L->solid[i * L->ny + j] = 1;
            for (int q = 0; q < Q; q++)
                AT(L->f, i, j)[q] = AT(L->g, i, j)[q] = feq(q, 1, L->uin, 0);
        }
    int m = L->ny * Q;
    for (int k = 0; k < 2; k++) {
        double *p = k ? L->g : L->f;
        MPI_Send_init(p + m, m, MPI_DOUBLE, L->up, 1, MPI_COMM_WORLD, &L->rq[k][0]);
        MPI_Recv_init(p + (size_t)(L->rows + 1) * m, m, MPI_DOUBLE, L->down, 1, MPI_COMM_WORLD,
                      &L->rq[k][1]);
        MPI_Send_init(p + (size_t)L->rows * m, m, MPI_DOUBLE, L->down, 2, MPI_COMM_WORLD,
                      &L->rq[k][2]);
        MPI_Recv_init(p, m, MPI_DOUBLE, L->up, 2, MPI_COMM_WORLD, &L->rq[k][3]);
    }
}
static void collide(lbm_t *L, double *f)
{
    for (int i = 1; i <= L->rows; i++)
        for (int j = 0; j < L->ny; j++) {
            double *c = AT(f, i, j), rho = 0, ux = 0, uy = 0;
            if (L->solid[i * L->ny + j]) {
                double t[Q];
                for (int q = 0; q < Q; q++)
                    t[q] = c[opp[q]];
                memcpy(c, t, sizeof t);
                continue;
            }
            for (int q = 0; q < Q; q++) {
                rho += c[q];
                ux += c[q] * cx[q];
                uy += c[q] * cy[q];
            }
            ux /= rho;
            uy /= rho;
            if (L->first + i - 1 == 0) {
                rho = 1;
                ux = L->uin;
                uy = 0;
            }
            for (int q = 0; q < Q; q++)
                c[q] += (feq(q, rho, ux, uy) - c[q]) / L->tau;
        }
}
static void stream(lbm_t *L, const double *f, double *g)
{
    for (int i = 1; i <= L->rows; i++)
        for (int j = 0; j < L->ny; j++)
            for (int q = 0; q < Q; q++) {
                int x = L->first + i - 1 - cx[q], y = j - cy[q];
                if (y < 0 || y >= L->ny) {
                    AT(g, i, j)[q] = AT(f, i, j)[opp[q]];
                    continue;
                }
                if (x < 0)
                    AT(g, i, j)[q] = feq(q, 1, L->uin, 0);
                else if (x >= L->nx)
                    AT(g, i, j)[q] = AT(f, i, j)[q];
                else
                    AT(g, i, j)[q] = AT(f, i - cx[q], y)[q];
            }
}
int main(int argc, char **argv)
{
    lbm_t lb, *L = &lb;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &L->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &L->size);
    L->nx = argc > 1 ? atoi(argv[1]) : 48;
    L->ny = 24;
    L->tau = 0.7;
    L->uin = 0.05;
    int steps = argc > 2 ? atoi(argv[2]) : 150;
    divide(L);
    setup(L);
    int cur = 0;
#pragma xmpi loop
    for (int s = 0; s < steps; s++) {
        double *f = cur ? L->g : L->f, *g = cur ? L->f : L->g;
        collide(L, f);
        MPI_Startall(4, L->rq[cur]);
        MPI_Waitall(4, L->rq[cur], MPI_STATUSES_IGNORE);
        stream(L, f, g);
        cur ^= 1;
    }
    double m[2] = {0, 0}, t[2];
    for (int i = 1; i <= L->rows; i++)
        for (int j = 0; j < L->ny; j++)
            for (int q = 0; q < Q; q++) {
                double v = AT(cur ? L->g : L->f, i, j)[q];
                m[0] += v;
                m[1] += v * cx[q] * (L->first + i);
            }
    MPI_Reduce(m, t, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (L->rank == 0)
        printf("mass %.9e momentum %.9e\n", t[0], t[1]);
    for (int k = 0; k < 2; k++)
        for (int r = 0; r < 4; r++)
            MPI_Request_free(&L->rq[k][r]);
    free(L->f);
    free(L->g);
    free(L->solid);
    MPI_Finalize();
    return 0;
}
