#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "river.c"
/* A river of which every process has the whole course, and computes the reaches from lo to hi only; what
 * flows in comes from the neighbour upstream. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct reach {
    long level, bed;
};

int main(int argc, char **argv)
{
    int rank, size, n = 53;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 15 "river.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 16 "river.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int share = (n + size - 1) / size;
    int lo = rank * share < n ? rank * share : n;
    int hi = lo + share < n ? lo + share : n;
#line 19 "river.c"
xmpi_displ = (long long)lo; xmpi_count = (long long)hi - (long long)lo; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo);
    struct reach *river = malloc((size_t)n * sizeof *river);
    long *flow = malloc((size_t)n * sizeof *flow);
if (xmpi_gen_initial()) {
#line 22 "river.c"
    for (int i = 0; i < n; i++) {
        river[i].level = i * i % 37 + 40;
        river[i].bed = (n - i) % 9;
        flow[i] = 0;
    }
#line 26 "river.c"
}
if (xmpi_gen_initial()) {
#line 27 "river.c"
    for (int day = 0; day < 3; day++)
        river[day].level += 100;
#line 28 "river.c"
}
xmpi_gen_data("river", (void *)&river, sizeof *river, XMPI_GEN_OWNED, (long long)(n), 1); xmpi_gen_elements("river", "2i8"); xmpi_gen_data("flow", (void *)&flow, sizeof *flow, XMPI_GEN_OWNED, (long long)(n), 1); xmpi_gen_elements("flow", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(48LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("river.c:30", 0);
    for (int hour = 0; 
#line 30 "river.c"
xmpi_gen_joining() || (
#line 30 "river.c"
                       hour < 48
#line 30 "river.c"
)
#line 30 "river.c"
                                ; hour++) {
#line 30 "river.c"
xmpi_gen_live("river.c:30:hour", &hour, sizeof hour); xmpi_gen_elements("river.c:30:hour", "i4"); if (xmpi_gen_point()) { hi = (int)(xmpi_displ + xmpi_count);
#line 30 "river.c"
}
        for (int i = lo; i < hi; i++)
            flow[i] = river[i].level > river[i].bed ? (river[i].level - river[i].bed) / 3 : 0;
        long in = 0, out = lo < hi ? flow[hi - 1] : 0;
        int full = lo < hi;
        long mine[2] = {out, full}, *others = malloc((size_t)size * sizeof mine);
        MPI_Allgather(mine, 2, MPI_LONG, others, 2, MPI_LONG, MPI_COMM_WORLD);
        for (int r = 0; r < rank; r++)
            in = others[2 * r + 1] ? others[2 * r] : in;
        for (int i = hi - 1; i >= lo; i--) {
            long from = i > lo ? flow[i - 1] : in;
            river[i].level += from - flow[i] + (i == 0 ? 5 + hour % 4 : 0);
        }
        free(others);
    }
#line 44 "river.c"
xmpi_gen_loop_end();
    long own = 0, sum;
    for (int i = lo; i < hi; i++)
        own += river[i].level * (i + 1) + flow[i];
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld\n", sum);
    free(river);
    free(flow);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"river.c:30\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allgather\"],\"line\":36},\"line\":31,\"repeated\":0,\"stages\":[{\"line\":31,\"loop\":true,\"reads\":[\"river\"],\"writes\":[\"flow\"]},{\"line\":33,\"loop\":false,\"reads\":[\"flow\"],\"writes\":[]}],\"tiled\":false},{\"line\":37,\"repeated\":0,\"stages\":[{\"line\":37,\"loop\":true,\"reads\":[],\"writes\":[]},{\"line\":39,\"loop\":true,\"reads\":[\"flow\",\"river\"],\"writes\":[\"river\"]},{\"line\":43,\"loop\":true,\"reads\":[],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
