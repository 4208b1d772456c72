#include <xmpi_gen.h>
#line 1 "nestedpart.c"
/* A struct in a struct, reached by dots only. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int rank, size;
    int rows, count, displ;
};

struct world {
    struct part part;
    double *u;
};

int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.part.rank);
#line 20 "nestedpart.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &w.part.rank, sizeof w.part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.part.size);
#line 21 "nestedpart.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &w.part.size, sizeof w.part.size);
    w.part.rows = argc > 1 ? atoi(argv[1]) : 33;
    w.part.displ = w.part.rows * w.part.rank / w.part.size;
    w.part.count = w.part.rows * (w.part.rank + 1) / w.part.size - w.part.displ;
#line 24 "nestedpart.c"
xmpi_gen_domain((long long)(w.part.rows)); xmpi_gen_refresh(XMPI_GEN_DISPL, &w.part.displ, sizeof w.part.displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &w.part.count, sizeof w.part.count);
    w.u = calloc((size_t)w.part.count, sizeof(double));
    double sum = 0;
xmpi_gen_data("w.u", (void *)&w.u, sizeof *w.u, XMPI_GEN_DISTRIBUTED, (long long)(w.part.rows), 1); xmpi_gen_elements("w.u", "f8"); xmpi_gen_live("nestedpart.c:26:sum", &sum, sizeof sum); xmpi_gen_elements("nestedpart.c:26:sum", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(12LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("nestedpart.c:28", 0);
    for (int k = 0; 
#line 28 "nestedpart.c"
xmpi_gen_joining() || (
#line 28 "nestedpart.c"
                    k < 12
#line 28 "nestedpart.c"
)
#line 28 "nestedpart.c"
                          ; k++) {
#line 28 "nestedpart.c"
xmpi_gen_live("nestedpart.c:28:k", &k, sizeof k); xmpi_gen_elements("nestedpart.c:28:k", "i4"); (void)xmpi_gen_point();
        double own = 0;
        for (int i = 0; i < w.part.count; i++) {
            w.u[i] = 0.5 * w.u[i] + (w.part.displ + i) % 7;
            own += w.u[i];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#line 35 "nestedpart.c"
xmpi_gen_loop_end();
    if (w.part.rank == 0)
        printf("result %.9g\n", sum);
    free(w.u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"nestedpart.c:28\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":34},\"line\":30,\"repeated\":0,\"stages\":[{\"line\":30,\"loop\":true,\"reads\":[\"w.u\"],\"writes\":[\"w.u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
