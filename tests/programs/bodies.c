/* N bodies in the plane: an array of structs on every rank, each rank moves its own. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y;
    double vx, vy;
    double mass;
} Body;

#define G 0.0001
#define DT 0.01

static void init_bodies(Body *b, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        b[i].x = cos(0.37 * i) * (1 + i % 5);
        b[i].y = sin(0.73 * i) * (1 + i % 7);
        b[i].vx = b[i].vy = 0.0;
        b[i].mass = 1.0 + i % 3;
    }
}

static void compute_force(const Body *all, int n, int me, double *fx, double *fy)
{
    int j;
    *fx = *fy = 0.0;
    for (j = 0; j < n; j++) {
        double dx = all[j].x - all[me].x, dy = all[j].y - all[me].y;
        double r2 = dx * dx + dy * dy + 1e-3;
        if (j == me)
            continue;
        *fx += G * all[j].mass * dx / (r2 * sqrt(r2));
        *fy += G * all[j].mass * dy / (r2 * sqrt(r2));
    }
}

int main(int argc, char *argv[])
{
    int rank, size, n = 30, nsteps = 20, i, step;
    Body *bodies, *mine;
    int *counts, *displs;
    MPI_Datatype body_type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        n = atoi(argv[1]);

    MPI_Type_contiguous(5, MPI_DOUBLE, &body_type);
    MPI_Type_commit(&body_type);

    counts = (int *)malloc(sizeof(int) * (size_t)size);
    displs = (int *)malloc(sizeof(int) * (size_t)size);
    for (i = 0; i < size; i++) {
        counts[i] = n / size + (i < n % size ? 1 : 0);
        displs[i] = i == 0 ? 0 : displs[i - 1] + counts[i - 1];
    }
    int my_count = counts[rank];
    int my_start = displs[rank];

    bodies = (Body *)malloc(sizeof(Body) * (size_t)n);
    mine = (Body *)malloc(sizeof(Body) * (size_t)my_count);
    init_bodies(bodies, n);

#pragma xmpi loop
    for (step = 0; step < nsteps; step++) {
        for (i = 0; i < my_count; i++) {
            double fx, fy;
            compute_force(bodies, n, my_start + i, &fx, &fy);
            mine[i] = bodies[my_start + i];
            mine[i].vx += DT * fx;
            mine[i].vy += DT * fy;
            mine[i].x += DT * mine[i].vx;
            mine[i].y += DT * mine[i].vy;
        }
        MPI_Allgatherv(mine, my_count, body_type, bodies, counts, displs, body_type,
                       MPI_COMM_WORLD);
    }

    if (rank == 0) {
        double cx = 0.0, cy = 0.0;
        for (i = 0; i < n; i++) {
            cx += bodies[i].x * bodies[i].mass;
            cy += bodies[i].y * bodies[i].mass;
        }
        printf("after %d steps: %.15g %.15g\n", step, cx, cy);
    }
    MPI_Type_free(&body_type);
    free(bodies);
    free(mine);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
