#include <xmpi_gen.h>
#line 1 "handed.c"
/* A struct with a field that a function returns, and that is handed to the solver by value. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct grid {
    int n, lo, cnt;
    double *u;
};
static struct grid make(int n)
{
    struct grid g;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g.n = n;
    g.lo = (int)((long)g.n * rank / size);
    g.cnt = (int)((long)g.n * (rank + 1) / size) - g.lo;
    g.u = malloc((size_t)g.cnt * sizeof *g.u);
    for (int i = 0; i < g.cnt; i++)
        g.u[i] = g.lo + i;
    return g;
}
static double solve(struct grid g, int steps)
{
    double sum = 0;
xmpi_gen_refresh(XMPI_GEN_DISPL, &g.lo, sizeof g.lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &g.cnt, sizeof g.cnt); xmpi_gen_data("g.u", (void *)&g.u, sizeof *g.u, XMPI_GEN_DISTRIBUTED, (long long)(g.n), 1); xmpi_gen_elements("g.u", "f8"); xmpi_gen_live("handed.c:23:steps", &steps, sizeof steps); xmpi_gen_elements("handed.c:23:steps", "i4"); xmpi_gen_live("handed.c:25:sum", &sum, sizeof sum); xmpi_gen_elements("handed.c:25:sum", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("handed.c:27", 0);
    for (int k = 0; 
#line 27 "handed.c"
xmpi_gen_joining() || (
#line 27 "handed.c"
                    k < steps
#line 27 "handed.c"
)
#line 27 "handed.c"
                             ; k++) {
#line 27 "handed.c"
xmpi_gen_live("handed.c:27:k", &k, sizeof k); xmpi_gen_elements("handed.c:27:k", "i4"); (void)xmpi_gen_point();
        double s = 0;
        for (int i = 0; i < g.cnt; i++) {
            g.u[i] += 0.01 * (g.lo + i);
            s += g.u[i];
        }
        MPI_Allreduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#line 34 "handed.c"
xmpi_gen_loop_end();
    return sum;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 41 "handed.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    struct grid g = make(1000);
#line 42 "handed.c"
xmpi_gen_domain((long long)(g.n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &g.lo, sizeof g.lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &g.cnt, sizeof g.cnt);
xmpi_gen_alias("g.u", (void *)&g.u);
#line 43 "handed.c"
    double sum = solve(g, 60), last = 0, all;
    for (int i = 0; i < g.cnt; i++)
        last += g.u[i] * (g.lo + i);
    MPI_Reduce(&last, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.12g %.12g\n", sum, all);
    free(g.u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"handed.c:27\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":33},\"line\":29,\"repeated\":0,\"stages\":[{\"line\":29,\"loop\":true,\"reads\":[\"g.u\"],\"writes\":[\"g.u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
