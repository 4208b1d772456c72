#include <xmpi_gen.h>
#line 1 "nested.c"
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
#line 20 "nested.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &(p->rank), sizeof(p->rank));
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
#line 21 "nested.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &(p->size), sizeof(p->size));
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
#line 54 "nested.c"
xmpi_gen_domain((long long)(sim.part.n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &sim.f.len, sizeof sim.f.len); xmpi_gen_refresh(XMPI_GEN_DISPL, &sim.part.lo, sizeof sim.part.lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &sim.part.cnt, sizeof sim.part.cnt);
xmpi_gen_data("sim.f.u", (void *)&sim.f.u, sizeof *sim.f.u, XMPI_GEN_DISTRIBUTED, (long long)(sim.part.n), 1); xmpi_gen_elements("sim.f.u", "f8"); xmpi_gen_live("nested.c:53:sim.step", &sim.step, sizeof sim.step); xmpi_gen_elements("nested.c:53:sim.step", "i4"); xmpi_gen_live("nested.c:53:sim.steps", &sim.steps, sizeof sim.steps); xmpi_gen_elements("nested.c:53:sim.steps", "i4"); xmpi_gen_live("nested.c:53:sim.dt", &sim.dt, sizeof sim.dt); xmpi_gen_elements("nested.c:53:sim.dt", "f8"); xmpi_gen_live("nested.c:53:sim.total", &sim.total, sizeof sim.total); xmpi_gen_elements("nested.c:53:sim.total", "f8"); xmpi_gen_live("nested.c:53:sim.t", &sim.t, sizeof sim.t); xmpi_gen_elements("nested.c:53:sim.t", "f8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("nested.c:56", 0);
    while (
#line 56 "nested.c"
xmpi_gen_joining() || (
#line 56 "nested.c"
           sim.step < sim.steps
#line 56 "nested.c"
)
#line 56 "nested.c"
                               )
{ (void)xmpi_gen_point();
#line 57 "nested.c"
        advance(&sim);
#line 57 "nested.c"
} xmpi_gen_loop_end();
    if (sim.part.rank == 0)
        printf("result %.12g %.12g\n", sim.t, sim.total);
    free(sim.f.u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"nested.c:56\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":46},\"line\":42,\"repeated\":0,\"stages\":[{\"line\":42,\"loop\":true,\"reads\":[\"sim.f.u\"],\"writes\":[\"sim.f.u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
