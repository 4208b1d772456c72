#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "assembled.c"
/* Steepest descent for a sparse system. A function of the file assembles the rows that it is told, and returns the
 * matrix in a struct, with their number: after a reconfiguration it assembles the rows that the process then has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows;
    int *start, *column;
    double *value;
} matrix;

static matrix assemble(int first, int rows, int side)
{
    matrix a;
    int n = side * side, k = 0;
    a.rows = rows;
    a.start = malloc(((size_t)rows + 1) * sizeof *a.start);
    a.column = malloc(5 * (size_t)rows * sizeof *a.column);
    a.value = malloc(5 * (size_t)rows * sizeof *a.value);
    a.start[0] = 0;
    for (int i = 0; i < rows; i++) {
        int g = first + i, near[] = {g - side, g - 1, g + 1, g + side};
        for (int j = 0; j < 4; j++)
            if (near[j] >= 0 && near[j] < n && (j == 0 || j == 3 || near[j] / side == g / side)) {
                a.column[k] = near[j];
                a.value[k++] = -1;
            }
        a.column[k] = g;
        a.value[k++] = 8;
        a.start[i + 1] = k;
    }
    return a;
}

static void multiply(const matrix *a, const double *x, double *y)
{
    for (int i = 0; i < a->rows; i++) {
        y[i] = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            y[i] += a->value[k] * x[a->column[k]];
    }
}

int main(int argc, char **argv)
{
    int rank, size, side = 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 49 "assembled.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 50 "assembled.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int n = side * side, rows = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int *counts 
#line 53 "assembled.c"
; if (xmpi_gen_initial()) { counts
#line 53 "assembled.c"
                = malloc((size_t)size * sizeof *counts);
#line 53 "assembled.c"
} else { counts = 0; }
#line 53 "assembled.c"
                                                         
#line 53 "assembled.c"
int
#line 53 "assembled.c"
                                                         *firsts 
#line 53 "assembled.c"
; if (xmpi_gen_initial()) { firsts
#line 53 "assembled.c"
                                                                 = malloc((size_t)size * sizeof *firsts);
#line 53 "assembled.c"
} else { firsts = 0; }
if (xmpi_gen_initial()) {
#line 54 "assembled.c"
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 54 "assembled.c"
}
if (xmpi_gen_initial()) {
#line 55 "assembled.c"
    firsts[0] = 0;
#line 55 "assembled.c"
}
if (xmpi_gen_initial()) {
#line 56 "assembled.c"
    for (int r = 1; r < size; r++)
        firsts[r] = firsts[r - 1] + counts[r - 1];
#line 57 "assembled.c"
}
    matrix a 
#line 58 "assembled.c"
; if (xmpi_gen_initial()) { a
#line 58 "assembled.c"
             = assemble(first, rows, side);
#line 58 "assembled.c"
} else { a.rows = 0; a.start = 0; a.column = 0; a.value = 0; } xmpi_displ = (long long)first; xmpi_count = (long long)rows; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &a.rows, sizeof a.rows); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
    double *x = malloc((size_t)n * sizeof *x), *own = malloc((size_t)rows * sizeof *own);
if (xmpi_gen_initial()) {
#line 60 "assembled.c"
    for (int i = 0; i < n; i++)
        x[i] = 0;
#line 61 "assembled.c"
}
xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("x", "f8"); xmpi_gen_data("own", (void *)&own, sizeof *own, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("own", "f8"); xmpi_gen_live("assembled.c:47:side", &side, sizeof side); xmpi_gen_elements("assembled.c:47:side", "i4"); xmpi_gen_live("assembled.c:51:n", &n, sizeof n); xmpi_gen_elements("assembled.c:51:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(25LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("assembled.c:63", 0);
    for (int k = 0; 
#line 63 "assembled.c"
xmpi_gen_joining() || (
#line 63 "assembled.c"
                    k < 25
#line 63 "assembled.c"
)
#line 63 "assembled.c"
                          ; k++) {
#line 63 "assembled.c"
xmpi_gen_live("assembled.c:63:k", &k, sizeof k); xmpi_gen_elements("assembled.c:63:k", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 53 "assembled.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(firsts); firsts = 0;
#line 53 "assembled.c"
                                                          firsts = malloc((size_t)size * sizeof *firsts);
#line 54 "assembled.c"
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 55 "assembled.c"
    firsts[0] = 0;
#line 56 "assembled.c"
    for (int r = 1; r < size; r++)
        firsts[r] = firsts[r - 1] + counts[r - 1];
#line 58 "assembled.c"
           a = assemble(first, rows, side);
a.rows = (int)(xmpi_count);
#line 63 "assembled.c"
}
        multiply(&a, x, own);
        for (int i = 0; i < rows; i++)
            own[i] = x[first + i] + 0.125 * (1 + (first + i) % 3 - own[i]);
        MPI_Allgatherv(own, rows, MPI_DOUBLE, x, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    }
#line 68 "assembled.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.15g %.15g\n", x[0], x[n / 2]);
    free(a.start);
    free(a.column);
    free(a.value);
    free(x);
    free(own);
    free(counts);
    free(firsts);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"assembled.c:63\",\"sections\":[{\"event\":{\"arrays\":[\"own\",\"x\",\"counts\",\"firsts\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":67},\"line\":64,\"repeated\":0,\"stages\":[{\"line\":64,\"loop\":true,\"reads\":[\"a.start\",\"a.value\",\"x\",\"a.column\",\"own\"],\"writes\":[\"own\"]},{\"line\":65,\"loop\":true,\"reads\":[\"x\",\"own\"],\"writes\":[\"own\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
