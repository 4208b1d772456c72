#include <xmpi_gen.h>
#line 1 "counted_places.c"
/* An integer that counts places of numbers is what all goes by where it is handed back, and of no
 * account where it is not: the one has to be known before the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int count(int first, int end)
{
    double last[4];
    int k = 0;
    for (int i = first; i < end; i++)
        last[k++ % 4] = i;
    (void)last;
    return k;
}

static void fill(double *field, int rows)
{
    double buffer[2];
    int k = 0;
    for (int i = 0; i < rows; i++) {
        buffer[k++ % 2] = 0.5;
        field[i] = buffer[i % 2];
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 31 "counted_places.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 32 "counted_places.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int n = 48;
    int first = rank * n / size;
    int rows = count(first, (rank + 1) * n / size);
#line 35 "counted_places.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    double *field = malloc(sizeof(double) * (size_t)rows), sum = 0, all;
if (xmpi_gen_initial()) {
#line 37 "counted_places.c"
    fill(field, rows);
#line 37 "counted_places.c"
}
xmpi_gen_data("field", (void *)&field, sizeof *field, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("field", "f8"); xmpi_gen_live("counted_places.c:36:sum", &sum, sizeof sum); xmpi_gen_elements("counted_places.c:36:sum", "f8"); xmpi_gen_live("counted_places.c:36:all", &all, sizeof all); xmpi_gen_elements("counted_places.c:36:all", "? f8"); if (xmpi_gen_initial()) xmpi_gen_bound(10LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("counted_places.c:39", 0);
    for (int step = 0; 
#line 39 "counted_places.c"
xmpi_gen_joining() || (
#line 39 "counted_places.c"
                       step < 10
#line 39 "counted_places.c"
)
#line 39 "counted_places.c"
                                ; step++)
{ xmpi_gen_live("counted_places.c:39:step", &step, sizeof step); xmpi_gen_elements("counted_places.c:39:step", "i4"); (void)xmpi_gen_point();
#line 40 "counted_places.c"
        for (int i = 0; i < rows; i++)
            field[i] = 0.5 * field[i] + 1;
#line 41 "counted_places.c"
} xmpi_gen_loop_end();
    for (int i = 0; i < rows; i++)
        sum += field[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.12f\n", all);
    free(field);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"counted_places.c:39\",\"sections\":[{\"line\":40,\"repeated\":0,\"stages\":[{\"line\":40,\"loop\":true,\"reads\":[\"field\"],\"writes\":[\"field\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
