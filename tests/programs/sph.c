/* Smoothed particle hydrodynamics of a gas in a tube; positions and densities are gathered. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct particle {
    double x, v, rho, p;
};

struct range {
    int begin, end;
};

static struct range my_range(int n, int rank, int size)
{
    struct range r;
    int q = n / size, m = n % size;
    if (rank < m) {
        r.begin = rank * (q + 1);
        r.end = r.begin + q + 1;
    } else {
        r.begin = m * (q + 1) + (rank - m) * q;
        r.end = r.begin + q;
    }
    return r;
}

static double kernel(double r, double h)
{
    double q = fabs(r) / h;
    if (q >= 2)
        return 0;
    return q < 1 ? (1 - 1.5 * q * q + 0.75 * q * q * q) / (1.5 * h) : 0.25 * pow(2 - q, 3) / (1.5 * h);
}

static double slope(double r, double h)
{
    return (kernel(r + 1e-4, h) - kernel(r - 1e-4, h)) / 2e-4;
}

int main(int argc, char **argv)
{
    enum { N = 80 };
    const double h = 0.03, dt = 0.002, mass = 1.0 / N;
    int rank, size, *counts, *displs;
    MPI_Datatype particle_type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(4, MPI_DOUBLE, &particle_type);
    MPI_Type_commit(&particle_type);

    struct range mine = my_range(N, rank, size);
    struct particle *all = malloc(N * sizeof(struct particle));
    struct particle *own = malloc((mine.end - mine.begin) * sizeof(struct particle));
    counts = malloc(size * sizeof(int));
    displs = malloc(size * sizeof(int));
    for (int r = 0; r < size; r++) {
        struct range theirs = my_range(N, r, size);
        counts[r] = theirs.end - theirs.begin;
        displs[r] = theirs.begin;
    }
    for (int i = 0; i < N; i++) {
        all[i].x = i < N / 2 ? 0.5 * i / (N / 2) : 0.5 + 0.5 * (i - N / 2) / (N / 2) * 0.9;
        all[i].v = 0;
        all[i].rho = all[i].p = 0;
    }

#pragma xmpi loop
    for (int step = 0; step < 25; step++) {
        for (int i = mine.begin; i < mine.end; i++) {
            struct particle *me = &own[i - mine.begin];
            *me = all[i];
            me->rho = 0;
            for (int j = 0; j < N; j++)
                me->rho += mass * kernel(me->x - all[j].x, h);
            me->p = 0.4 * me->rho * (i < N / 2 ? 2.5 : 2.0);
        }
        MPI_Allgatherv(own, mine.end - mine.begin, particle_type, all, counts, displs, particle_type,
                       MPI_COMM_WORLD);
        for (int i = mine.begin; i < mine.end; i++) {
            struct particle *me = &own[i - mine.begin];
            double a = 0;
            for (int j = 0; j < N; j++)
                if (j != i)
                    a -= mass * (me->p / (me->rho * me->rho) + all[j].p / (all[j].rho * all[j].rho)) *
                         slope(me->x - all[j].x, h);
            me->v += dt * a;
            me->x += dt * me->v;
        }
        MPI_Allgatherv(own, mine.end - mine.begin, particle_type, all, counts, displs, particle_type,
                       MPI_COMM_WORLD);
    }
    if (rank == 0)
        for (int i = 0; i < N; i += 16)
            printf("%3d %.12f %.12f\n", i, all[i].x, all[i].v);
    free(all);
    free(own);
    free(counts);
    free(displs);
    MPI_Type_free(&particle_type);
    MPI_Finalize();
    return 0;
}
