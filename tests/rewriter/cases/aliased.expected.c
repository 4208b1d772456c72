#include <xmpi_gen.h>
#line 1 "aliased.c"
/* A function of the loop is another name of one: what it does is not looked into. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int halves(int x)
{
    return x / 2;
}
int scaled(int x) __attribute__((alias("halves")));

int main(int argc, char **argv)
{
    int rank; 
#line 14 "aliased.c"
int
#line 14 "aliased.c"
              size; 
#line 14 "aliased.c"
int
#line 14 "aliased.c"
                    n = 400; 
#line 14 "aliased.c"
xmpi_gen_watch(); int
#line 14 "aliased.c"
                             half = scaled(14);
#line 14 "aliased.c"
xmpi_gen_watched("aliased.c:14: scaled");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 16 "aliased.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 17 "aliased.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * n / size, count = (rank + 1) * n / size - lo;
#line 18 "aliased.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *a = malloc((size_t)count * sizeof *a);
if (xmpi_gen_initial()) {
#line 20 "aliased.c"
    for (int i = 0; i < count; i++)
        a[i] = lo + i;
#line 21 "aliased.c"
}
{ static char xmpi_relies[512] __attribute__((section("xmpi_relies"))) = "?" "aliased.c:25" "\0" "scaled"; xmpi_gen_relies(xmpi_relies); } xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("a", "f8"); xmpi_gen_live("aliased.c:14:half", &half, sizeof half); xmpi_gen_elements("aliased.c:14:half", "~ i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS_AS_RELIED, "it calls scaled, of another file, at aliased.c:25"); xmpi_gen_loop_begin("aliased.c:23", 0);
    for (int k = 0; 
#line 23 "aliased.c"
xmpi_gen_joining() || (
#line 23 "aliased.c"
                    k < 40
#line 23 "aliased.c"
)
#line 23 "aliased.c"
                          ; k++)
{ xmpi_gen_live("aliased.c:23:k", &k, sizeof k); xmpi_gen_elements("aliased.c:23:k", "i4"); (void)xmpi_gen_point();
#line 24 "aliased.c"
        for (int i = 0; i < count; i++)
            a[i] = 0.95 * a[i] + scaled(k) + half;
#line 25 "aliased.c"
} xmpi_gen_loop_end();
    double own = 0, sum;
    for (int i = 0; i < count; i++)
        own += a[i] * (lo + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(a);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"aliased.c:23\",\"sections\":[{\"line\":24,\"repeated\":0,\"stages\":[{\"line\":24,\"loop\":true,\"reads\":[\"a\"],\"writes\":[\"a\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
