#include <xmpi_gen.h>
#line 1 "globals.c"
/* Globals and static variables, with the rank taken in a helper.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int me, everyone;
static long first, rows;
static int total_rows, calls;
static volatile int stop;
double *grid, *line;

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#line 16 "globals.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &me, sizeof me);
    MPI_Comm_size(MPI_COMM_WORLD, &everyone);
#line 17 "globals.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &everyone, sizeof everyone);
}

static void read_input(int rows_wanted)
{
    if (me == 0)
        total_rows = rows_wanted;
    MPI_Bcast(&total_rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static double pass(void)
{
    double sum = 0;
    calls++;
    for (long r = 0; r < rows; r++)
        for (int c = 0; c < 5; c++)
            sum += grid[r * 5 + c] += line[c] + (double)(first + r);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Comm world = MPI_COMM_WORLD;
    double sum, total = 0;

    start(&argc, &argv);
if (xmpi_gen_initial()) {
    read_input(20);
#line 44 "globals.c"
} xmpi_gen_live("globals.c:9:total_rows", &total_rows, sizeof total_rows); xmpi_gen_elements("globals.c:9:total_rows", "i4");

    {
        rows = total_rows / everyone;
        first = rows * me;
    }
#line 49 "globals.c"
xmpi_gen_domain((long long)(total_rows)); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first);
    grid = calloc((size_t)rows * 5, sizeof *grid);
    line = calloc(5, sizeof *line);
xmpi_gen_data("grid", (void *)&grid, sizeof *grid, XMPI_GEN_DISTRIBUTED, (long long)(total_rows), 5LL); xmpi_gen_elements("grid", "f8");
xmpi_gen_data("line", (void *)&line, sizeof *line, XMPI_GEN_REPLICATED, 5LL, 1); xmpi_gen_elements("line", "f8");
if (xmpi_gen_initial()) {
    line[2] = 3;
#line 55 "globals.c"
}
xmpi_gen_live("globals.c:10:stop", (void *)&stop, sizeof stop); xmpi_gen_elements("globals.c:10:stop", "i4"); xmpi_gen_live("globals.c:9:calls", &calls, sizeof calls); xmpi_gen_elements("globals.c:9:calls", "i4"); xmpi_gen_live("globals.c:40:total", &total, sizeof total); xmpi_gen_elements("globals.c:40:total", "f8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("globals.c:57", 0);
    for (;;) {
#line 57 "globals.c"
(void)xmpi_gen_point();
        if (stop || calls == 10)
            break;
        sum = pass();
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, world);
        line[calls % 5] += 1;
        if (total > 1e9)
            stop = 1;
        if (total > 1e12)
{ xmpi_gen_loop_end();
#line 66 "globals.c"
            goto out;
#line 66 "globals.c"
}
    }
#line 67 "globals.c"
xmpi_gen_loop_end();
out:
    if (me == 0)
        printf("result %.17g %d\n", total, calls);
    free(grid);
    free(line);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"globals.c:57\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":61},\"line\":60,\"repeated\":0,\"stages\":[{\"line\":60,\"loop\":true,\"reads\":[\"line\",\"grid\"],\"writes\":[\"grid\"]}],\"tiled\":false},{\"line\":62,\"repeated\":0,\"stages\":[{\"line\":62,\"loop\":false,\"reads\":[\"line\"],\"writes\":[\"line\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
