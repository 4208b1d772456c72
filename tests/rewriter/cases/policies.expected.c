#include <xmpi_gen.h>
#line 1 "policies.c"
/* A loop with a policy of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "policies.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "policies.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
#line 13 "policies.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    long *x = malloc((size_t)(count + 1) * sizeof *x), sum = 0;
if (xmpi_gen_initial()) {
#line 15 "policies.c"
    for (int i = 0; i < count; i++)
        x[i] = displ + i;
#line 16 "policies.c"
}
xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("x", "i8"); xmpi_gen_live("policies.c:14:sum", &sum, sizeof sum); xmpi_gen_elements("policies.c:14:sum", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(100LL); xmpi_gen_policy("hpmp tolerance=0.02 window=2"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("policies.c:18", 5LL);
    for (int step = 0; 
#line 18 "policies.c"
xmpi_gen_joining() || (
#line 18 "policies.c"
                       step < 100
#line 18 "policies.c"
)
#line 18 "policies.c"
                                 ; step++) {
#line 18 "policies.c"
xmpi_gen_live("policies.c:18:step", &step, sizeof step); xmpi_gen_elements("policies.c:18:step", "i4"); (void)xmpi_gen_point();
        long own = 0;
        for (int i = 0; i < count; i++)
            own += x[i] = x[i] / 2 + step;
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
#line 23 "policies.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", sum);
    free(x);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"policies.c:18\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":22},\"line\":20,\"repeated\":0,\"stages\":[{\"line\":20,\"loop\":true,\"reads\":[\"x\"],\"writes\":[\"x\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
