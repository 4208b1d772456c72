#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "power.c"
/* Power iteration with a dense matrix; the range by a helper function, begin and end only.
 * The result is the same for any layout. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int block_low(int id, int p, int n)
{
    return id * n / p;
}

static void multiply(const double *A, const double *x, double *y, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += A[i * n + j] * x[j];
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 26 "power.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 27 "power.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
if (xmpi_gen_initial()) {
#line 28 "power.c"
    if (rank == 0)
        n = argc > 1 ? atoi(argv[1]) : 40;
#line 29 "power.c"
} xmpi_gen_live("power.c:24:n", &n, sizeof n); xmpi_gen_elements("power.c:24:n", "i4");
if (xmpi_gen_initial()) {
#line 30 "power.c"
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
#line 30 "power.c"
} xmpi_gen_live("power.c:24:n", &n, sizeof n); xmpi_gen_elements("power.c:24:n", "i4");
    int lo = block_low(rank, size, n);
    int hi = block_low(rank + 1, size, n) - 1;
#line 32 "power.c"
xmpi_displ = (long long)lo; xmpi_count = (long long)hi - (long long)lo + 1; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo);
    double *A = malloc((size_t)(hi - lo + 1) * (size_t)n * sizeof *A);
    double *y = malloc((size_t)(hi - lo + 1) * sizeof *y);
    double *x = malloc((size_t)n * sizeof *x);
    int *counts 
#line 36 "power.c"
; if (xmpi_gen_initial()) { counts
#line 36 "power.c"
                = malloc((size_t)size * sizeof *counts);
#line 36 "power.c"
} else { counts = 0; }
    int *displs 
#line 37 "power.c"
; if (xmpi_gen_initial()) { displs
#line 37 "power.c"
                = malloc((size_t)size * sizeof *displs);
#line 37 "power.c"
} else { displs = 0; }
if (xmpi_gen_initial()) {
#line 38 "power.c"
    for (int r = 0; r < size; r++) {
        displs[r] = block_low(r, size, n);
        counts[r] = block_low(r + 1, size, n) - displs[r];
    }
#line 41 "power.c"
}
if (xmpi_gen_initial()) {
#line 42 "power.c"
    for (int i = lo; i <= hi; i++)
        for (int j = 0; j < n; j++)
            A[(i - lo) * n + j] = 1.0 / (1 + i + j);
#line 44 "power.c"
}
if (xmpi_gen_initial()) {
#line 45 "power.c"
    for (int i = 0; i < n; i++)
        x[i] = 1;
#line 46 "power.c"
}
    double norm = 0;
    int it = 0;
{ extern char xmpi_wrap_sqrt[] __asm__("__wrap_sqrt") __attribute__((weak)), xmpi_replaced_sqrt[] __attribute__((weak)); xmpi_gen_library("power.c:56", "sqrt", xmpi_wrap_sqrt, xmpi_replaced_sqrt); } xmpi_gen_data("A", (void *)&A, sizeof *A, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(n)); xmpi_gen_elements("A", "f8"); xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("x", "f8"); xmpi_gen_data("y", (void *)&y, sizeof *y, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("y", "f8"); xmpi_gen_constant("A"); xmpi_gen_live("power.c:48:it", &it, sizeof it); xmpi_gen_elements("power.c:48:it", "i4"); xmpi_gen_live("power.c:24:n", &n, sizeof n); xmpi_gen_elements("power.c:24:n", "i4"); xmpi_gen_live("power.c:47:norm", &norm, sizeof norm); xmpi_gen_elements("power.c:47:norm", "f8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("power.c:50", 0);
    while (
#line 50 "power.c"
xmpi_gen_joining() || (
#line 50 "power.c"
           it < 15
#line 50 "power.c"
)
#line 50 "power.c"
                  ) {
#line 50 "power.c"
if (xmpi_gen_point()) { hi = (int)(xmpi_displ + xmpi_count - 1); xmpi_gen_free(counts); counts = 0;
#line 36 "power.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(displs); displs = 0;
#line 37 "power.c"
         displs = malloc((size_t)size * sizeof *displs);
#line 38 "power.c"
    for (int r = 0; r < size; r++) {
        displs[r] = block_low(r, size, n);
        counts[r] = block_low(r + 1, size, n) - displs[r];
    }
{ int xmpi_part = (int)(lo); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(xmpi_count); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
#line 50 "power.c"
}
        multiply(A, x, y, hi - lo + 1, n);
        MPI_Allgatherv(y, hi - lo + 1, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        norm = 0;
        for (int i = 0; i < n; i++)
            norm += x[i] * x[i];
        norm = sqrt(norm);
        for (int i = 0; i < n; i++)
            x[i] /= norm;
        it++;
    }
#line 60 "power.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %d %.17g %.17g\n", it, norm, x[n - 1]);
    free(A);
    free(x);
    free(y);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"power.c:50\",\"sections\":[{\"event\":{\"arrays\":[\"y\",\"x\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":52},\"line\":51,\"repeated\":0,\"stages\":[{\"line\":51,\"loop\":true,\"reads\":[\"A\",\"x\",\"y\"],\"writes\":[\"y\"]}],\"tiled\":false},{\"line\":54,\"repeated\":0,\"stages\":[{\"line\":54,\"loop\":true,\"reads\":[\"x\"],\"writes\":[]},{\"line\":57,\"loop\":true,\"reads\":[\"x\"],\"writes\":[\"x\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
