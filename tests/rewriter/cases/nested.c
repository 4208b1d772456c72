/* Structs in a struct: the part of a process, the field, and the state of the simulation. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct part {
    int rank, size, n, lo, cnt;
};
struct field {
    double *u;
    int len;
};
struct sim {
    struct part part;
    struct field f;
    double t, dt, total;
    int step, steps;
};
static void part_init(struct part *p, int n)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    p->n = n;
    p->lo = (int)((long)n * p->rank / p->size);
    p->cnt = (int)((long)n * (p->rank + 1) / p->size) - p->lo;
}
static void sim_init(struct sim *s, int n)
{
    part_init(&s->part, n);
    s->f.len = s->part.cnt;
    s->f.u = malloc((size_t)s->f.len * sizeof(double));
    for (int i = 0; i < s->f.len; i++)
        s->f.u[i] = s->part.lo + i;
    s->t = 0;
    s->dt = 0.5;
    s->total = 0;
    s->step = 0;
    s->steps = 60;
}
static void advance(struct sim *s)
{
    double sum = 0;
    for (int i = 0; i < s->f.len; i++) {
        s->f.u[i] += s->dt * 0.01 * (s->part.lo + i);
        sum += s->f.u[i];
    }
    MPI_Allreduce(&sum, &s->total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    s->t += s->dt;
    s->step++;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct sim sim;
    sim_init(&sim, 1000);
#pragma xmpi loop
    while (sim.step < sim.steps)
        advance(&sim);
    if (sim.part.rank == 0)
        printf("result %.12g %.12g\n", sim.t, sim.total);
    free(sim.f.u);
    MPI_Finalize();
    return 0;
}
