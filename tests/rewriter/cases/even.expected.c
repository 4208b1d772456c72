#include <xmpi_gen.h>
#line 1 "even.c"
/* Blocks of equal size, checked before; a ring of totals with neighbours; several columns.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 24
#define COLUMNS 3

int main(int argc, char **argv)
{
    int rank, size, count, offset, left, right;
    double *grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 15 "even.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 16 "even.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
if (xmpi_gen_initial()) {
#line 17 "even.c"
    if (N % size != 0) {
        if (rank == 0)
            printf("%d rows for %d processes\n", N, size);
        MPI_Finalize();
        return 1;
    }
#line 22 "even.c"
}
    count = N / size;
    offset = rank * count;
#line 24 "even.c"
xmpi_gen_domain(24LL); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &offset, sizeof offset);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    grid = malloc(sizeof(double) * (size_t)count * COLUMNS);
if (xmpi_gen_initial()) {
#line 28 "even.c"
    for (int i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i * COLUMNS + j] = offset + i + j;
#line 30 "even.c"
}
    double first = 0;
xmpi_gen_data("grid", (void *)&grid, sizeof *grid, XMPI_GEN_DISTRIBUTED, 24LL, 3LL); xmpi_gen_elements("grid", "f8"); xmpi_gen_live("even.c:31:first", &first, sizeof first); xmpi_gen_elements("even.c:31:first", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(8LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("even.c:33", 0);
    for (int step = 0; 
#line 33 "even.c"
xmpi_gen_joining() || (
#line 33 "even.c"
                       step < 8
#line 33 "even.c"
)
#line 33 "even.c"
                               ; step++) {
#line 33 "even.c"
xmpi_gen_live("even.c:33:step", &step, sizeof step); xmpi_gen_elements("even.c:33:step", "i4"); if (xmpi_gen_point()) {
#line 25 "even.c"
    left = (rank + size - 1) % size;
#line 26 "even.c"
    right = (rank + 1) % size;
#line 33 "even.c"
}
        double passed = grid[0], taken = 0;
        MPI_Sendrecv(&passed, 1, MPI_DOUBLE, left, 0, &taken, 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == size - 1)
            first = taken;
        MPI_Bcast(&first, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < COLUMNS; j++)
                grid[i * COLUMNS + j] = 0.5 * grid[i * COLUMNS + j] + first + offset + i;
    }
#line 43 "even.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.17g %.17g\n", first, grid[1]);
    free(grid);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"even.c:33\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Sendrecv\",\"MPI_Bcast\"],\"line\":35},\"line\":34,\"repeated\":0,\"stages\":[{\"line\":34,\"loop\":false,\"reads\":[\"grid\"],\"writes\":[]}],\"tiled\":false},{\"line\":40,\"repeated\":0,\"stages\":[{\"line\":40,\"loop\":true,\"reads\":[\"grid\"],\"writes\":[\"grid\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
