#include <xmpi_gen.h>
static void *xmpi_rows_a[2];
static void *xmpi_rows_b[2];
#line 1 "sheets.c"
/* The loop is in a function that gets arrays of pointers to rows; main has made them, and uses them after the call.
 * One of them is made by a function, and the block of the other has a pointer of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double **grid(int rows, int columns)
{
    double *cells = calloc((size_t)(rows + 2) * (size_t)columns, sizeof *cells);
    double **row = malloc((size_t)(rows + 2) * sizeof *row);
    for (int i = 0; i < rows + 2; i++)
        row[i] = cells + (size_t)i * (size_t)columns;
    return row;
}

static double relax(double **a, double **b, int rows, int columns, int rank, int size, int steps)
{
    double change = 0;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
xmpi_rows_a[0] = rows + 2 > 0 ? (void *)a[0] : (void *)0; xmpi_rows_a[1] = (void *)a; xmpi_rows_b[0] = rows > 0 ? (void *)b[0] : (void *)0; xmpi_rows_b[1] = (void *)b; xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows); xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank); xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size); xmpi_gen_data("a", (void *)&xmpi_rows_a[0], sizeof **a, XMPI_GEN_DISTRIBUTED, 61LL, (long long)(columns)); xmpi_gen_halo("a", 1LL); xmpi_gen_elements("a", "f8"); xmpi_gen_data("b", (void *)&xmpi_rows_b[0], sizeof **b, XMPI_GEN_DISTRIBUTED, 61LL, (long long)(columns)); xmpi_gen_elements("b", "f8"); xmpi_gen_live("sheets.c:16:steps", &steps, sizeof steps); xmpi_gen_elements("sheets.c:16:steps", "i4"); xmpi_gen_live("sheets.c:16:columns", &columns, sizeof columns); xmpi_gen_elements("sheets.c:16:columns", "i4"); xmpi_gen_live("sheets.c:18:change", &change, sizeof change); xmpi_gen_elements("sheets.c:18:change", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("sheets.c:21", 0);
    for (int k = 0; 
#line 21 "sheets.c"
xmpi_gen_joining() || (
#line 21 "sheets.c"
                    k < steps
#line 21 "sheets.c"
)
#line 21 "sheets.c"
                             ; k++) {
#line 21 "sheets.c"
xmpi_rows_a[0] = rows + 2 > 0 ? (void *)a[0] : (void *)0; xmpi_rows_a[1] = (void *)a; xmpi_rows_b[0] = rows > 0 ? (void *)b[0] : (void *)0; xmpi_rows_b[1] = (void *)b; xmpi_gen_live("sheets.c:21:k", &k, sizeof k); xmpi_gen_elements("sheets.c:21:k", "i4"); if (xmpi_gen_point()) { a = xmpi_gen_rows((void *)a, xmpi_rows_a[0], (long long)(rows + 2), sizeof **a * (unsigned long)(columns)); xmpi_rows_a[1] = (void *)a; b = xmpi_gen_rows((void *)b, xmpi_rows_b[0], (long long)(rows), sizeof **b * (unsigned long)(columns)); xmpi_rows_b[1] = (void *)b;
#line 19 "sheets.c"
        up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 19 "sheets.c"
                                                  down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#line 21 "sheets.c"
}
        double own = 0;
        MPI_Sendrecv(a[1], columns, MPI_DOUBLE, up, 0, a[rows + 1], columns, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(a[rows], columns, MPI_DOUBLE, down, 1, a[0], columns, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < columns - 1; j++)
                b[i - 1][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < columns - 1; j++) {
                double d = b[i - 1][j] - a[i][j];
                own = d > own ? d : own;
                a[i][j] = b[i - 1][j];
            }
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
#line 37 "sheets.c"
xmpi_gen_loop_end();
    return change;
}

int main(int argc, char **argv)
{
    int rank, size, n = 61, m = 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 45 "sheets.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 46 "sheets.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = n * rank / size, rows = n * (rank + 1) / size - first;
#line 47 "sheets.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    double **a = grid(rows, m), **b = malloc((size_t)rows * sizeof *b);
    double *cells = calloc((size_t)rows * (size_t)m, sizeof *cells);
    for (int i = 0; i < rows; i++)
        b[i] = &cells[i * m];
if (xmpi_gen_initial()) {
#line 52 "sheets.c"
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i - 1][j] = (first + i) * (j + 3) % 11;
#line 54 "sheets.c"
}
xmpi_gen_alias("b", (void *)&cells); xmpi_gen_live("sheets.c:43:m", &m, sizeof m); xmpi_gen_elements("sheets.c:43:m", "i4");
#line 55 "sheets.c"
    double change = relax(a, b, rows, m, rank, size, 60);
#line 55 "sheets.c"
a = xmpi_rows_a[1]; b = xmpi_rows_b[1];
#line 55 "sheets.c"
                                                          
#line 55 "sheets.c"
double
#line 55 "sheets.c"
                                                          own = 0; 
#line 55 "sheets.c"
double
#line 55 "sheets.c"
                                                                   sum = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++)
            own += (a[i][j] + cells[(i - 1) * m + j]) * (first + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.10g %.12g\n", change, sum);
    free(a[0]);
    free(a);
    free(cells);
    free(b);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"sheets.c:21\",\"sections\":[{\"event\":{\"arrays\":[\"a\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":23},\"line\":21,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":36},\"line\":27,\"repeated\":0,\"stages\":[{\"line\":27,\"loop\":true,\"reads\":[\"a\"],\"writes\":[\"b\"]},{\"line\":30,\"loop\":true,\"reads\":[\"b\",\"a\"],\"writes\":[\"a\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
