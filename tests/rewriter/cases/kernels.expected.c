#include <xmpi_gen.h>
#line 1 "kernels.c"
/* A field whose kernels are chosen by a table of function pointers: what they change is known by which functions of
 * the file somebody takes the address of. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, n = 97, first, rows;
static long *u, *old, calls;

static void mix(long *a, int count)
{
    for (int i = 0; i < count; i++)
        old[i] = a[i];
    for (int i = 0; i < count; i++)
        a[i] = (old[i] * 3 + old[i] * 0 + first + i) % 10007;
    calls++;
}

static void shift(long *a, int count)
{
    for (int i = 0; i < count; i++)
        a[i] = (a[i] + calls) % 10007;
}

static long digest(void)
{
    long own = 0, sum = 0;
    for (int i = 0; i < rows; i++)
        own += u[i] * (1 + (first + i) % 5);
    MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    void (*const kernels[2])(long *, int) = {mix, shift};
    long (*check)(void) = digest;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 39 "kernels.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 40 "kernels.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    first = rank * n / size;
    rows = (rank + 1) * n / size - first;
#line 42 "kernels.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    u = malloc((size_t)rows * sizeof *u);
    old = malloc((size_t)rows * sizeof *old);
if (xmpi_gen_initial()) {
#line 45 "kernels.c"
    for (int i = 0; i < rows; i++)
        u[i] = (first + i) * 37 % 101;
#line 46 "kernels.c"
}
    long total = 0;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "i8"); xmpi_gen_data("old", (void *)&old, sizeof *old, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("old", "i8"); xmpi_gen_live("kernels.c:47:total", &total, sizeof total); xmpi_gen_elements("kernels.c:47:total", "i8"); xmpi_gen_live("kernels.c:8:calls", &calls, sizeof calls); xmpi_gen_elements("kernels.c:8:calls", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("kernels.c:49", 0);
    for (int k = 0; 
#line 49 "kernels.c"
xmpi_gen_joining() || (
#line 49 "kernels.c"
                    k < 40
#line 49 "kernels.c"
)
#line 49 "kernels.c"
                          ; k++) {
#line 49 "kernels.c"
xmpi_gen_live("kernels.c:49:k", &k, sizeof k); xmpi_gen_elements("kernels.c:49:k", "i4"); (void)xmpi_gen_point();
        kernels[k % 3 == 2](u, rows);
        total = (total * 7 + check()) % 1000003;
    }
#line 52 "kernels.c"
xmpi_gen_loop_end();
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld %ld\n", total, calls);
    free(u);
    free(old);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"kernels.c:49\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":51},\"line\":50,\"repeated\":0,\"stages\":[{\"line\":50,\"loop\":false,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
