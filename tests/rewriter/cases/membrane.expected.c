#include <xmpi_gen.h>
#line 1 "membrane.c"
/* A membrane that swings: three states of (rows + 2) x (columns + 2) points, edge points in the ghost rows;
 * a function of the file computes the interior. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define AT(u, i, j) (u)[(i) * (columns + 2) + (j)]

static void swing(const double *before, const double *now, double *after, int rows, int columns)
{
    for (int i = 1; i < rows + 1; i++)
        for (int j = 1; j <= columns; j++)
            AT(after, i, j) = 2 * AT(now, i, j) - AT(before, i, j) +
                              0.25 * (AT(now, i - 1, j) + AT(now, i + 1, j) + AT(now, i, j - 1) +
                                      AT(now, i, j + 1) - 4 * AT(now, i, j));
}

int main(int argc, char **argv)
{
    int rank, size, n = 40, columns = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 22 "membrane.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 23 "membrane.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    if (argc > 1)
        n = atoi(argv[1]);
    int rows = n / size, first = rank * rows;
    if (rank == size - 1)
        rows = n - first;
#line 28 "membrane.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first);
    int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    size_t points = (size_t)(rows + 2) * (size_t)(columns + 2);
    double *before = calloc(points, sizeof *before), *now = calloc(points, sizeof *now);
    double *after = calloc(points, sizeof *after);
if (xmpi_gen_initial()) {
#line 33 "membrane.c"
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= columns; j++)
            AT(before, i, j) = AT(now, i, j) = (first + i) % 8 == 3 ? j : 0;
#line 35 "membrane.c"
}
xmpi_gen_data("now", (void *)&now, sizeof *now, XMPI_GEN_DISTRIBUTED, (long long)(n), 9LL); xmpi_gen_halo("now", 1LL); xmpi_gen_elements("now", "f8"); xmpi_gen_data("before", (void *)&before, sizeof *before, XMPI_GEN_DISTRIBUTED, (long long)(n), 9LL); xmpi_gen_halo("before", 1LL); xmpi_gen_elements("before", "f8"); xmpi_gen_data("after", (void *)&after, sizeof *after, XMPI_GEN_DISTRIBUTED, (long long)(n), 9LL); xmpi_gen_halo("after", 1LL); xmpi_gen_elements("after", "f8"); xmpi_gen_live("membrane.c:20:columns", &columns, sizeof columns); xmpi_gen_elements("membrane.c:20:columns", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(60LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("membrane.c:37", 0);
    for (int t = 0; 
#line 37 "membrane.c"
xmpi_gen_joining() || (
#line 37 "membrane.c"
                    t < 60
#line 37 "membrane.c"
)
#line 37 "membrane.c"
                          ; t++) {
#line 37 "membrane.c"
xmpi_gen_live("membrane.c:37:t", &t, sizeof t); xmpi_gen_elements("membrane.c:37:t", "i4"); if (xmpi_gen_point()) {
#line 29 "membrane.c"
        up = rank == 0 ? MPI_PROC_NULL : rank - 1;
#line 29 "membrane.c"
                                                   down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
#line 37 "membrane.c"
}
        MPI_Request request[4];
        MPI_Status status[4];
        MPI_Irecv(&AT(now, 0, 0), columns + 2, MPI_DOUBLE, up, t, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&AT(now, rows + 1, 0), columns + 2, MPI_DOUBLE, down, t, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(&AT(now, 1, 0), columns + 2, MPI_DOUBLE, up, t, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(&AT(now, rows, 0), columns + 2, MPI_DOUBLE, down, t, MPI_COMM_WORLD, &request[3]);
        MPI_Waitall(4, request, status);
        swing(before, now, after, rows, columns);
        double *last = before;
        before = now;
        now = after;
        after = last;
    }
#line 50 "membrane.c"
xmpi_gen_loop_end();
    double own = 0, most;
    for (int i = 1; i <= rows; i++)
        own = AT(now, i, 3) > own ? AT(now, i, 3) : own;
    MPI_Reduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", most);
    free(before);
    free(now);
    free(after);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"membrane.c:37\",\"sections\":[{\"event\":{\"arrays\":[\"now\"],\"calls\":[\"MPI_Irecv\",\"MPI_Isend\",\"MPI_Waitall\"],\"line\":40},\"line\":37,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":45,\"repeated\":0,\"stages\":[{\"line\":45,\"loop\":true,\"reads\":[\"now\",\"before\"],\"writes\":[\"after\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
