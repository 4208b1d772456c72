#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "ferry.c"
/* Cars move along a road cut into stretches: what is needed of the neighbours is in variables of its own, and
 * the last cell of a stretch is reached by its length. One place more than needed is allocated, and the
 * number of cells is a multiple of that of stretches. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4 };

int main(int argc, char **argv)
{
    int rank, size, n = 36;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 14 "ferry.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 15 "ferry.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = (int)((long)n * rank / size), hi = (int)((long)n * (rank + 1) / size);
#line 16 "ferry.c"
xmpi_displ = (long long)lo; xmpi_count = (long long)hi - (long long)lo; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo);
    int cells = (hi - lo) * LENGTH;
    int behind = (rank + size - 1) % size, ahead = (rank + 1) % size;
    int *road = malloc(((size_t)cells + 1) * sizeof *road);
    int *moved = malloc(((size_t)cells + 1) * sizeof *moved);
if (xmpi_gen_initial()) {
#line 21 "ferry.c"
    for (int i = 0; i < cells; i++)
        road[i] = (lo * LENGTH + i) * 7 % 5 < 2;
#line 22 "ferry.c"
}
    long passed = 0;
xmpi_gen_data("road", (void *)&road, sizeof *road, XMPI_GEN_DISTRIBUTED, (long long)(n), 4LL); xmpi_gen_elements("road", "i4"); xmpi_gen_data("moved", (void *)&moved, sizeof *moved, XMPI_GEN_DISTRIBUTED, (long long)(n), 4LL); xmpi_gen_elements("moved", "i4"); xmpi_gen_live("ferry.c:23:passed", &passed, sizeof passed); xmpi_gen_elements("ferry.c:23:passed", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(50LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("ferry.c:25", 0);
    for (int tick = 0; 
#line 25 "ferry.c"
xmpi_gen_joining() || (
#line 25 "ferry.c"
                       tick < 50
#line 25 "ferry.c"
)
#line 25 "ferry.c"
                                ; tick++) {
#line 25 "ferry.c"
xmpi_gen_live("ferry.c:25:tick", &tick, sizeof tick); xmpi_gen_elements("ferry.c:25:tick", "i4"); if (xmpi_gen_point()) { hi = (int)(xmpi_displ + xmpi_count);
#line 17 "ferry.c"
        cells = (hi - lo) * LENGTH;
#line 18 "ferry.c"
        behind = (rank + size - 1) % size;
#line 18 "ferry.c"
                                           ahead = (rank + 1) % size;
#line 25 "ferry.c"
}
        int coming = 0, room = 0;
        MPI_Sendrecv(&road[(hi - lo) * LENGTH - 1], 1, MPI_INT, ahead, 0, &coming, 1, MPI_INT, behind, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&road[0], 1, MPI_INT, behind, 1, &room, 1, MPI_INT, ahead, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        long own = 0, all;
        for (int i = 0; i < cells; i++) {
            int left = i == 0 ? coming : road[i - 1], right = i < cells - 1 ? road[i + 1] : room;
            moved[i] = road[i] ? right : left;
            own += road[i] && !right;
        }
        for (int i = 0; i < cells; i++)
            road[i] = moved[i];
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        passed = passed * 3 % 100003 + all;
    }
#line 41 "ferry.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", passed);
    free(road);
    free(moved);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"ferry.c:25\",\"sections\":[{\"event\":{\"arrays\":[\"road\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":27},\"line\":25,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":39},\"line\":32,\"repeated\":0,\"stages\":[{\"line\":32,\"loop\":true,\"reads\":[\"road\"],\"writes\":[\"moved\"]},{\"line\":37,\"loop\":true,\"reads\":[\"moved\"],\"writes\":[\"road\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
