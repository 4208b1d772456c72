#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "cellarray.c"
/* Structs in an array of fixed size, set in a function that gets the array. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

struct cell {
    double x;
    int tag;
};

static void refresh(struct cell v[MOST], int n, int k)
{
    for (int i = 0; i < n; i++)
        v[i].x = 0.5 * v[i].x + (k + i) % 11;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 33;
    struct cell v[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 25 "cellarray.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 26 "cellarray.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * n / size, hi = (rank + 1) * n / size;
#line 27 "cellarray.c"
xmpi_displ = (long long)lo; xmpi_count = (long long)hi - (long long)lo; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo);
    double *u = calloc((size_t)(hi - lo), sizeof *u), sum = 0;
    memset(v, 0, sizeof v);
if (xmpi_gen_initial()) {
#line 30 "cellarray.c"
    if (rank == 0)
        for (int i = 0; i < n; i++)
            v[i].x = i % 7;
#line 32 "cellarray.c"
} xmpi_gen_live("cellarray.c:23:v", &v, sizeof v); xmpi_gen_elements("cellarray.c:23:v", "f8 i4 x4");
if (xmpi_gen_initial()) {
#line 33 "cellarray.c"
    MPI_Bcast(v, (int)sizeof v, MPI_BYTE, 0, MPI_COMM_WORLD);
#line 33 "cellarray.c"
} xmpi_gen_live("cellarray.c:23:v", &v, sizeof v); xmpi_gen_elements("cellarray.c:23:v", "f8 i4 x4");
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("cellarray.c:23:v", &v, sizeof v); xmpi_gen_elements("cellarray.c:23:v", "f8 i4 x4"); xmpi_gen_live("cellarray.c:22:n", &n, sizeof n); xmpi_gen_elements("cellarray.c:22:n", "i4"); xmpi_gen_live("cellarray.c:28:sum", &sum, sizeof sum); xmpi_gen_elements("cellarray.c:28:sum", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(12LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("cellarray.c:35", 0);
    for (int k = 0; 
#line 35 "cellarray.c"
xmpi_gen_joining() || (
#line 35 "cellarray.c"
                    k < 12
#line 35 "cellarray.c"
)
#line 35 "cellarray.c"
                          ; k++) {
#line 35 "cellarray.c"
xmpi_gen_live("cellarray.c:35:k", &k, sizeof k); xmpi_gen_elements("cellarray.c:35:k", "i4"); if (xmpi_gen_point()) { hi = (int)(xmpi_displ + xmpi_count);
#line 35 "cellarray.c"
}
        double own = 0;
        refresh(v, n, k);
        for (int i = lo; i < hi; i++) {
            u[i - lo] = 0.5 * u[i - lo] + v[i].x;
            own += u[i - lo];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#line 43 "cellarray.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.9g %d\n", sum, v[0].tag);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"cellarray.c:35\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":42},\"line\":37,\"repeated\":0,\"stages\":[{\"line\":37,\"loop\":true,\"reads\":[\"v\"],\"writes\":[\"v\"]},{\"line\":38,\"loop\":true,\"reads\":[\"u\",\"v\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
