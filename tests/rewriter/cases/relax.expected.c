#include <xmpi_gen.h>
#line 1 "relax.c"
/* Own rows only, pointers exchanged, early exit by a norm; range by a macro.
 * The result is the same for any layout. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LOW(r, p, n) ((long)(r) * (n) / (p))

int main(int argc, char **argv)
{
    int rank, size;
    const long n = 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 15 "relax.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 16 "relax.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    long displ = LOW(rank, size, n);
    long count = LOW(rank + 1, size, n) - displ;
#line 18 "relax.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *old = malloc((size_t)count * sizeof(double));
    double *new = malloc((size_t)count * sizeof(double));
    if (old == NULL || new == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
if (xmpi_gen_initial()) {
#line 23 "relax.c"
    for (long i = 0; i < count; i++)
        old[i] = (double)(displ + i);
#line 24 "relax.c"
}
    double worst = 1;
    int it = 0;
{ extern char xmpi_wrap_fabs[] __asm__("__wrap_fabs") __attribute__((weak)), xmpi_replaced_fabs[] __attribute__((weak)); xmpi_gen_library("relax.c:32", "fabs", xmpi_wrap_fabs, xmpi_replaced_fabs); } { extern char xmpi_wrap_fmax[] __asm__("__wrap_fmax") __attribute__((weak)), xmpi_replaced_fmax[] __attribute__((weak)); xmpi_gen_library("relax.c:32", "fmax", xmpi_wrap_fmax, xmpi_replaced_fmax); } xmpi_gen_data("old", (void *)&old, sizeof *old, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("old", "f8"); xmpi_gen_data("new", (void *)&new, sizeof *new, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("new", "f8"); xmpi_gen_live("relax.c:25:worst", &worst, sizeof worst); xmpi_gen_elements("relax.c:25:worst", "f8"); xmpi_gen_live("relax.c:26:it", &it, sizeof it); xmpi_gen_elements("relax.c:26:it", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("relax.c:28", 0);
    for (;;) {
#line 28 "relax.c"
(void)xmpi_gen_point();
        double own = 0;
        for (long i = 0; i < count; i++) {
            new[i] = 0.5 * (old[i] + 1.0 / (1.0 + old[i]));
            own = fmax(own, fabs(new[i] - old[i]));
        }
        double *tmp = old;
        old = new;
        new = tmp;
        MPI_Allreduce(&own, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        it++;
        if (worst < 1e-3)
            break;
    }
#line 41 "relax.c"
xmpi_gen_loop_end();
    double local = 0, sum = 0;
    for (long i = 0; i < count; i++)
        local = fmax(local, old[i]);
    MPI_Reduce(&local, &sum, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %d %.17g %.17g\n", it, worst, sum);
    free(old);
    free(new);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"relax.c:28\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":37},\"line\":30,\"repeated\":0,\"stages\":[{\"line\":30,\"loop\":true,\"reads\":[\"old\",\"new\"],\"writes\":[\"new\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
