#include <xmpi_gen.h>
#line 1 "solver.c"
/* The loop in a function, everything in parameters; input checked and broadcast in main.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void partition(int n, int rank, int size, int *count, int *displ)
{
    int base = n / size, rest = n % size;
    *count = rank < rest ? base + 1 : base;
    *displ = rank < rest ? rank * (base + 1) : rest * (base + 1) + (rank - rest) * base;
}

static double dot(const double *a, const double *b, int count)
{
    long own = 0, all;
    for (int i = 0; i < count; i++)
        own += (long)(a[i] * b[i] * 64);
    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return (double)all / 64;
}

static double iterate(double *u, double *v, int count, int displ, int steps)
{
    double value = 0;
xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_alias("u", (void *)&u); xmpi_gen_alias("v", (void *)&v); xmpi_gen_live("solver.c:23:steps", &steps, sizeof steps); xmpi_gen_elements("solver.c:23:steps", "i4"); xmpi_gen_live("solver.c:25:value", &value, sizeof value); xmpi_gen_elements("solver.c:25:value", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("solver.c:27", 0);
    for (int k = 0; 
#line 27 "solver.c"
xmpi_gen_joining() || (
#line 27 "solver.c"
                    k < steps
#line 27 "solver.c"
)
#line 27 "solver.c"
                             ; k++) {
#line 27 "solver.c"
xmpi_gen_live("solver.c:27:k", &k, sizeof k); xmpi_gen_elements("solver.c:27:k", "i4"); (void)xmpi_gen_point();
        for (int i = 0; i < count; i++)
            v[i] = u[i] + (displ + i) % 3;
        value += dot(u, v, count);
        for (int i = 0; i < count; i++)
            u[i] = 0.5 * v[i];
        if (value < 0)
{ xmpi_gen_loop_end();
#line 34 "solver.c"
            return -1;
#line 34 "solver.c"
}
    }
#line 35 "solver.c"
xmpi_gen_loop_end();
    return value;
}

int main(int argc, char **argv)
{
    int rank, size, n, steps = 10, count, displ;
    double *u, *v;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 44 "solver.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 45 "solver.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    if (argc > 3) {
        if (rank == 0)
            fprintf(stderr, "usage: solver [n]\n");
        MPI_Finalize();
        return 1;
    }
    n = argc > 1 ? atoi(argv[1]) : 37;
if (xmpi_gen_initial()) {
#line 53 "solver.c"
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
#line 53 "solver.c"
} xmpi_gen_live("solver.c:41:n", &n, sizeof n); xmpi_gen_elements("solver.c:41:n", "i4");
if (xmpi_gen_initial()) {
#line 54 "solver.c"
    if (n < size) {
        fprintf(stderr, "too many processes\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
#line 57 "solver.c"
}
    partition(n, rank, size, &count, &displ);
#line 58 "solver.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    u = malloc((size_t)count * sizeof *u);
    v = malloc((size_t)count * sizeof *v);
if (xmpi_gen_initial()) {
#line 61 "solver.c"
    for (int i = 0; i < count; i++)
        u[i] = displ + i;
#line 62 "solver.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("v", "f8");
#line 63 "solver.c"
    double value = iterate(u, v, count, displ, steps);
    if (rank == 0)
        printf("result %.17g\n", value);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"solver.c:27\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":19},\"line\":28,\"repeated\":0,\"stages\":[{\"line\":28,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"v\"]},{\"line\":17,\"loop\":true,\"reads\":[\"u\",\"v\"],\"writes\":[]}],\"tiled\":false},{\"line\":31,\"repeated\":0,\"stages\":[{\"line\":31,\"loop\":true,\"reads\":[\"v\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
