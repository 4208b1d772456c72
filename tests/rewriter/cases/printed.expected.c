#include <xmpi_gen.h>
#line 1 "printed.c"
/* What is put out of the rows: some by their places in blocks, which is said, and what blocks come to. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "printed.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "printed.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 12 "printed.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = calloc((size_t)count, sizeof *u), sum = 0, all = 0, squares = 0;
if (xmpi_gen_initial()) {
#line 14 "printed.c"
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#line 15 "printed.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("printed.c:13:sum", &sum, sizeof sum); xmpi_gen_elements("printed.c:13:sum", "f8"); xmpi_gen_live("printed.c:13:squares", &squares, sizeof squares); xmpi_gen_elements("printed.c:13:squares", "f8"); xmpi_gen_live("printed.c:13:all", &all, sizeof all); xmpi_gen_elements("printed.c:13:all", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(30LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("printed.c:17", 0);
    for (int k = 0; 
#line 17 "printed.c"
xmpi_gen_joining() || (
#line 17 "printed.c"
                    k < 30
#line 17 "printed.c"
)
#line 17 "printed.c"
                          ; k++)
{ xmpi_gen_live("printed.c:17:k", &k, sizeof k); xmpi_gen_elements("printed.c:17:k", "i4"); (void)xmpi_gen_point();
#line 18 "printed.c"
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * (displ + i);
#line 19 "printed.c"
} xmpi_gen_loop_end();
    for (int i = 0; i < count; i += 5)
        printf("sample %g\n", u[i]);
    printf("rank %d of %d: rows from %d, %g to %g\n", rank, size, displ, u[0], u[count - 1]);
    for (int i = 0; i < count; i++)
        sum += u[i];
    printf("rank %d: mean %g\n", rank, sum / count);
    double square = sum * sum;
    MPI_Reduce(&square, &squares, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("squares %g\n", squares);
    double edge = u[0], edges = 0;
    MPI_Reduce(&edge, &edges, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("first rows %g\n", edges);
    for (int r = 0; r < size; r++) {
        if (r == rank)
            for (int i = 0; i < count; i++)
                if ((displ + i) % 10 == 0)
                    printf("row %d: %g\n", displ + i, u[i]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("first %g\nresult %.12g\n", u[0], all);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"printed.c:17\",\"sections\":[{\"line\":18,\"repeated\":0,\"stages\":[{\"line\":18,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
