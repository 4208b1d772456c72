#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "nbody.c"
/* Bodies on a line: chunks with the rest to the last rank, positions gathered in place, globals.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES 30

static double *position, *speed;
static int me, procs, begin, end;
static int *counts, *starts;

static void setup_range(void)
{
    int chunk = BODIES / procs;
    begin = me * chunk;
    end = me == procs - 1 ? BODIES : begin + chunk;
}

static double force(int i)
{
    double sum = 0;
    for (int j = 0; j < BODIES; j++)
        if (j != i)
            sum += 1 / ((position[j] - position[i]) + (j > i ? 0.5 : -0.5));
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#line 32 "nbody.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &me, sizeof me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
#line 33 "nbody.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &procs, sizeof procs);
    setup_range();
    position = malloc(BODIES * sizeof *position);
    speed = calloc((size_t)(end - begin), sizeof *speed);
if (xmpi_gen_initial()) {
#line 37 "nbody.c"
    counts = malloc((size_t)procs * sizeof *counts);
#line 37 "nbody.c"
} else { counts = 0; }
if (xmpi_gen_initial()) {
#line 38 "nbody.c"
    starts = malloc((size_t)procs * sizeof *starts);
#line 38 "nbody.c"
} else { starts = 0; }
    int own = end - begin;
#line 39 "nbody.c"
xmpi_displ = (long long)begin; xmpi_count = (long long)end - (long long)begin; xmpi_gen_domain(30LL); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &begin, sizeof begin); xmpi_gen_refresh(XMPI_GEN_COUNT, &own, sizeof own);
if (xmpi_gen_initial()) {
#line 40 "nbody.c"
    MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 40 "nbody.c"
}
if (xmpi_gen_initial()) {
#line 41 "nbody.c"
    starts[0] = 0;
#line 41 "nbody.c"
}
if (xmpi_gen_initial()) {
#line 42 "nbody.c"
    for (int r = 1; r < procs; r++)
        starts[r] = starts[r - 1] + counts[r - 1];
#line 43 "nbody.c"
}
if (xmpi_gen_initial()) {
#line 44 "nbody.c"
    for (int i = 0; i < BODIES; i++)
        position[i] = i;
#line 45 "nbody.c"
}
    int step = 0;
xmpi_gen_data("speed", (void *)&speed, sizeof *speed, XMPI_GEN_DISTRIBUTED, 30LL, 1); xmpi_gen_elements("speed", "f8"); xmpi_gen_data("position", (void *)&position, sizeof *position, XMPI_GEN_REPLICATED, 30LL, 1); xmpi_gen_elements("position", "f8"); xmpi_gen_live("nbody.c:46:step", &step, sizeof step); xmpi_gen_elements("nbody.c:46:step", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("nbody.c:48", 2LL);
    do {
#line 48 "nbody.c"
if (xmpi_gen_point()) { end = (int)(xmpi_displ + xmpi_count); xmpi_gen_free(counts); counts = 0;
#line 37 "nbody.c"
    counts = malloc((size_t)procs * sizeof *counts); xmpi_gen_free(starts); starts = 0;
#line 38 "nbody.c"
    starts = malloc((size_t)procs * sizeof *starts);
#line 40 "nbody.c"
    MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 41 "nbody.c"
    starts[0] = 0;
#line 42 "nbody.c"
    for (int r = 1; r < procs; r++)
        starts[r] = starts[r - 1] + counts[r - 1];
#line 48 "nbody.c"
}
        for (int i = begin; i < end; i++)
            speed[i - begin] += 0.01 * force(i);
        for (int i = begin; i < end; i++)
            position[i] += 0.01 * speed[i - begin];
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, position, counts, starts, MPI_DOUBLE,
                       MPI_COMM_WORLD);
        step++;
    } while (step < 10);
#line 56 "nbody.c"
xmpi_gen_loop_end();
    if (me == 0)
        printf("result %d %.17g %.17g\n", step, position[0], position[BODIES - 1]);
    free(position);
    free(speed);
    free(counts);
    free(starts);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"nbody.c:48\",\"sections\":[{\"event\":{\"arrays\":[\"position\",\"counts\",\"starts\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":53},\"line\":49,\"repeated\":0,\"stages\":[{\"line\":49,\"loop\":true,\"reads\":[\"position\",\"speed\"],\"writes\":[\"speed\"]},{\"line\":51,\"loop\":true,\"reads\":[\"speed\",\"position\"],\"writes\":[\"position\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
