#include <xmpi_gen.h>
#line 1 "jacobi.c"
/* Matrix and vectors in main, tables in setup.
 * The result is the same for any layout. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void divide(int n, int rank, int size, int *count, int *displ)
{
    int rest = n % size;
    *count = n / size + (rank < rest);
    *displ = rank * (n / size) + (rank < rest ? rank : rest);
}

int main(int argc, char **argv)
{
    int rank, size, n, count, displ, it;
    double *A, *b, *x, *x_new, change = 0;
    int *counts, *displs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 22 "jacobi.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
#line 22 "jacobi.c"
                                          /* who am I */
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 23 "jacobi.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
if (xmpi_gen_initial()) {
    {
        n = 0;
        if (rank == 0)
            n = argc > 1 ? atoi(argv[1]) : 40;
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
#line 30 "jacobi.c"
} xmpi_gen_live("jacobi.c:17:n", &n, sizeof n); xmpi_gen_elements("jacobi.c:17:n", "? i4");

    divide(n, rank, size, &count, &displ);
#line 32 "jacobi.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    A = malloc(((size_t)count * (size_t)n + 1) * sizeof *A);
    b = malloc(((size_t)count + 1) * sizeof *b);
    x = malloc((size_t)n * sizeof *x);
    if (A == NULL || b == NULL || x == NULL) {
        if (rank == 0)
            fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
xmpi_gen_data("A", (void *)&A, sizeof *A, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(n)); xmpi_gen_elements("A", "f8"); xmpi_gen_outofcore("A"); xmpi_gen_data("b", (void *)&b, sizeof *b, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("b", "f8"); xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("x", "f8"); xmpi_gen_constant("A"); xmpi_gen_constant("b");
if (xmpi_gen_initial()) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < n; j++)
            A[i * n + j] = displ + i == j ? 2.0 * n : 1.0 / (1 + j);
        b[i] = displ + i;
    }
#line 47 "jacobi.c"
}
if (xmpi_gen_initial()) {
    for (int i = 0; i < n; i++)
        x[i] = 0;
#line 50 "jacobi.c"
}
if (xmpi_gen_initial()) {
    {
        x_new = malloc(((size_t)count + 1) * sizeof *x_new);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        if (x_new == NULL || counts == NULL || displs == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
#line 60 "jacobi.c"
} else { x_new = 0; counts = 0; displs = 0; }
{ extern char xmpi_wrap_fabs[] __asm__("__wrap_fabs") __attribute__((weak)), xmpi_replaced_fabs[] __attribute__((weak)); xmpi_gen_library("jacobi.c:70", "fabs", xmpi_wrap_fabs, xmpi_replaced_fabs); } { extern char xmpi_wrap_fmax[] __asm__("__wrap_fmax") __attribute__((weak)), xmpi_replaced_fmax[] __attribute__((weak)); xmpi_gen_library("jacobi.c:70", "fmax", xmpi_wrap_fmax, xmpi_replaced_fmax); } xmpi_gen_live("jacobi.c:17:it", &it, sizeof it); xmpi_gen_elements("jacobi.c:17:it", "i4"); xmpi_gen_live("jacobi.c:18:change", &change, sizeof change); xmpi_gen_elements("jacobi.c:18:change", "f8"); xmpi_gen_live("jacobi.c:17:n", &n, sizeof n); xmpi_gen_elements("jacobi.c:17:n", "? i4"); if (xmpi_gen_initial()) xmpi_gen_bound(30LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("jacobi.c:62", 5LL);
    for (it = 0; 
#line 62 "jacobi.c"
xmpi_gen_joining() || (
#line 62 "jacobi.c"
                 it < 30 && (it == 0 || change > 1e-12)
#line 62 "jacobi.c"
)
#line 62 "jacobi.c"
                                                       ; it++) {
#line 62 "jacobi.c"
if (xmpi_gen_point()) { xmpi_gen_free(x_new); x_new = 0; xmpi_gen_free(counts); counts = 0; xmpi_gen_free(displs); displs = 0;
#line 52 "jacobi.c"
    {
        x_new = malloc(((size_t)count + 1) * sizeof *x_new);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        if (x_new == NULL || counts == NULL || displs == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
#line 62 "jacobi.c"
}
        change = 0;
        for (int i = 0; i < count; i++) {
            double sum = b[i];
            for (int j = 0; j < n; j++)
                if (j != displ + i)
                    sum -= A[i * n + j] * x[j];
            x_new[i] = sum / A[i * n + displ + i];
            change = fmax(change, fabs(x_new[i] - x[displ + i]));
        }
        MPI_Allgatherv(x_new, count, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
#line 74 "jacobi.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %d %.17g %.17g\n", it, x[0], x[n - 1]);
    free(A);
    free(b);
    free(x);
    free(x_new);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"jacobi.c:62\",\"sections\":[{\"event\":{\"arrays\":[\"x_new\",\"x\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\",\"MPI_Allreduce\"],\"line\":72},\"line\":64,\"repeated\":0,\"stages\":[{\"line\":64,\"loop\":true,\"reads\":[\"b\",\"A\",\"x\",\"x_new\"],\"writes\":[\"x_new\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
