#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "before.c"
/* Heat equation: the first own cell is how many the processes before have, which MPI_Exscan leaves
 * open on rank 0. What is put out is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 60, first = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "before.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "before.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = n / size + (rank < n % size);
#line 13 "before.c"
xmpi_count = (long long)count; if (xmpi_gen_initial()) { MPI_Scan(&xmpi_count, &xmpi_displ, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD); xmpi_displ -= xmpi_count; } xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
if (xmpi_gen_initial()) {
#line 14 "before.c"
    MPI_Exscan(&count, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#line 14 "before.c"
}
if (xmpi_gen_initial()) {
#line 15 "before.c"
    if (rank == 0)
        first = 0;
#line 16 "before.c"
}
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
if (xmpi_gen_initial()) {
#line 19 "before.c"
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 7;
#line 20 "before.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("u", 1LL); xmpi_gen_elements("u", "f8"); xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("v", 1LL); xmpi_gen_elements("v", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)((long long)((long long)(20) - (long long)(1)) + 1)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("before.c:22", 0);
    for (int t = 1; 
#line 22 "before.c"
xmpi_gen_joining() || (
#line 22 "before.c"
                    t <= 20
#line 22 "before.c"
)
#line 22 "before.c"
                           ; t++) {
#line 22 "before.c"
xmpi_gen_live("before.c:22:t", &t, sizeof t); xmpi_gen_elements("before.c:22:t", "i4"); if (xmpi_gen_point()) { first = 0;
#line 14 "before.c"
    MPI_Exscan(&count, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#line 15 "before.c"
    if (rank == 0)
        first = 0;
#line 17 "before.c"
        up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 17 "before.c"
                                                  down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#line 22 "before.c"
}
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, up, 0, u + count + 1, 1, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, down, 1, u, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = u[i] + 0.3 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *w = u;
        u = v;
        v = w;
    }
#line 32 "before.c"
xmpi_gen_loop_end();
    double own = 0, all;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.10g\n", all);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"before.c:22\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":23},\"line\":22,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":27,\"repeated\":0,\"stages\":[{\"line\":27,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"v\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
