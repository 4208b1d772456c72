#include <xmpi_gen.h>
#line 1 "printed_fixed.c"
/* The largest ones of own rows, added up: of an array of fixed size that the start fills. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, n = 48;
    int size;
    double v[64][2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 14 "printed_fixed.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 15 "printed_fixed.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 16 "printed_fixed.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = calloc((size_t)count, sizeof *u);
if (xmpi_gen_initial()) {
#line 18 "printed_fixed.c"
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#line 19 "printed_fixed.c"
}
    memset(v, 0, sizeof v);
if (xmpi_gen_initial()) {
#line 21 "printed_fixed.c"
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 2; j++)
            v[i][j] = 1 + (displ + i) % 5;
#line 23 "printed_fixed.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(20LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("printed_fixed.c:25", 0);
    for (int k = 0; 
#line 25 "printed_fixed.c"
xmpi_gen_joining() || (
#line 25 "printed_fixed.c"
                    k < 20
#line 25 "printed_fixed.c"
)
#line 25 "printed_fixed.c"
                          ; k++) {
#line 25 "printed_fixed.c"
xmpi_gen_live("printed_fixed.c:25:k", &k, sizeof k); xmpi_gen_elements("printed_fixed.c:25:k", "i4"); if (xmpi_gen_point()) {
#line 21 "printed_fixed.c"
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 2; j++)
            v[i][j] = 1 + (displ + i) % 5;
#line 25 "printed_fixed.c"
}
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * k;
    }
#line 28 "printed_fixed.c"
xmpi_gen_loop_end();
    double own = 0, sum = 0;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double most = 0, of_all = 0;
    for (int i = 0; i < count; i++)
        if (v[i][0] > most)
            most = v[i][0];
    MPI_Reduce(&most, &of_all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g, %g\n", sum, of_all);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"printed_fixed.c:25\",\"sections\":[{\"line\":26,\"repeated\":0,\"stages\":[{\"line\":26,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
