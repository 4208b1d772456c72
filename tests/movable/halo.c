/* SPDX-License-Identifier: BSD-3-Clause
 * A box in three dimensions whose faces go to the six neighbours of a Cartesian grid, as derived
 * datatypes that are made before the loop. What handles errors is another thing in the grid than
 * in the world, of which it was made. */
#include "point.h"

enum { N = 8, SIDE = N + 2, CELLS = SIDE * SIDE * SIDE };

static MPI_Comm grid;
static MPI_Datatype face[3][2][2]; /* by dimension, direction, and whether it is received */

static MPI_Datatype slice(int dimension, int at)
{
    int sizes[3] = {SIDE, SIDE, SIDE}, part[3] = {N, N, N}, start[3] = {1, 1, 1};
    MPI_Datatype type;
    part[dimension] = 1;
    start[dimension] = at;
    MPI_Type_create_subarray(3, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static void make_faces(void)
{
    for (int d = 0; d < 3; d++) {
        face[d][0][0] = slice(d, N);
        face[d][0][1] = slice(d, 0);
        face[d][1][0] = slice(d, 1);
        face[d][1][1] = slice(d, N + 1);
    }
}

static void free_faces(void)
{
    for (int i = 0; i < 12; i++)
        MPI_Type_free(&face[i / 4][i / 2 % 2][i % 2]);
}

static void exchange(double *u)
{
    for (int d = 0; d < 3; d++)
        for (int way = 0; way < 2; way++) {
            int from, to;
            MPI_Cart_shift(grid, d, way == 0 ? 1 : -1, &from, &to);
            MPI_Sendrecv(u, 1, face[d][way][0], to, 2 * d + way, u, 1, face[d][way][1], from,
                         2 * d + way, grid, MPI_STATUS_IGNORE);
        }
}

static void relax(const double *u, double *next)
{
    const int step[3] = {SIDE * SIDE, SIDE, 1};
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            for (int k = 1; k <= N; k++) {
                int at = (i * SIDE + j) * SIDE + k;
                next[at] = u[at] / 4;
                for (int d = 0; d < 3; d++)
                    next[at] += (u[at - step[d]] + u[at + step[d]]) / 8;
            }
}

static int ends_at_errors(MPI_Comm comm)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    int ends = handler == MPI_ERRORS_ARE_FATAL;
    if (!ends)
        MPI_Errhandler_free(&handler);
    return ends;
}

int main(int argc, char **argv)
{
    int rank, size, dims[3] = {0, 0, 0}, round[3] = {1, 0, 1}, me[3], n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, round, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    make_faces();
    double *u = calloc(CELLS, sizeof *u), *next = calloc(CELLS, sizeof *next);
    for (int i = 0; i < CELLS; i++)
        u[i] = i * 7 % 13 + rank;
    unsigned long sum = 0;
    int step = 0;
    for (; goes_on(step, n); step++) {
        XMPI_Point();
        exchange(u);
        relax(u, next);
        double *other = u;
        u = next;
        next = other;
        MPI_Cart_coords(grid, rank, 3, me);
        sum = mix(sum, u[CELLS / 2 + step % N] + me[0] + 2 * me[1] + 4 * me[2]);
        sum = mix(sum, ends_at_errors(grid) + 2 * ends_at_errors(MPI_COMM_WORLD));
    }
    for (int i = 0; i < CELLS; i++)
        sum = mix(sum, u[i]);
    free_faces();
    MPI_Comm_free(&grid);
    say_steps(step, n);
    say("halo", sum);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
