#include <xmpi_gen.h>
#line 1 "shadow.c"
/* Setup with variables of its own that are also the loop's; values changed in several places. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    int rank, size, n = 18;
    int i; /* of all small loops */
    struct {
        int *counts;
        int neighbours[2];
    } halo;
    struct { int here, there; } pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 17 "shadow.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 18 "shadow.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    long long count, displ;

    for (i = 0, count = n / size, displ = 0; i < rank; i++)
        displ += count;
#line 22 "shadow.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
if (xmpi_gen_initial()) {
    {
        int step, *all = malloc((size_t)size * sizeof *all);
        halo.counts = malloc((size_t)size * sizeof *halo.counts);
        for (step = 0; step < size; step++)
            halo.counts[step] = (int)count + step;
        halo.neighbours[0] = (rank + size - 1) % size;
        halo.neighbours[1] = (rank + 1) % size;
        pair.here = rank;
        pair.there = size - rank;
        free(all);
    }
#line 34 "shadow.c"
} else { halo.counts = 0; __builtin_memset(&halo.neighbours, 0, sizeof halo.neighbours); __builtin_memset(&pair, 0, sizeof pair); }
    long *cells = malloc((size_t)count * sizeof *cells);
xmpi_gen_data("cells", (void *)&cells, sizeof *cells, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("cells", "i8");
if (xmpi_gen_initial()) {
    for (i = 0; i < count; i++)
        cells[i] = i;
#line 39 "shadow.c"
} xmpi_gen_live("shadow.c:9:i", &i, sizeof i); xmpi_gen_elements("shadow.c:9:i", "~ i4");
    long sum = 0, all;
xmpi_gen_live("shadow.c:40:all", &all, sizeof all); xmpi_gen_elements("shadow.c:40:all", "? i8"); xmpi_gen_live("shadow.c:40:sum", &sum, sizeof sum); xmpi_gen_elements("shadow.c:40:sum", "i8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("shadow.c:42", 0);
    for (int step = 0, top = 16; 
#line 42 "shadow.c"
xmpi_gen_joining() || (
#line 42 "shadow.c"
                                 step < top
#line 42 "shadow.c"
)
#line 42 "shadow.c"
                                           ; step++) {
#line 42 "shadow.c"
xmpi_gen_live("shadow.c:42:step", &step, sizeof step); xmpi_gen_elements("shadow.c:42:step", "i4"); xmpi_gen_live("shadow.c:42:top", &top, sizeof top); xmpi_gen_elements("shadow.c:42:top", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(halo.counts); halo.counts = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#line 24 "shadow.c"
    {
        int step, *all = malloc((size_t)size * sizeof *all);
        halo.counts = malloc((size_t)size * sizeof *halo.counts);
        for (step = 0; step < size; step++)
            halo.counts[step] = (int)count + step;
        halo.neighbours[0] = (rank + size - 1) % size;
        halo.neighbours[1] = (rank + 1) % size;
        pair.here = rank;
        pair.there = size - rank;
        free(all);
    }
#pragma GCC diagnostic pop
#line 42 "shadow.c"
}
        for (i = 0; i < count; i++)
            cells[i] += (long)displ + i;
        if (cells[0] < 0)
            continue;
        long own = (rank == size - 1 ? cells[count - 1] : 0) + (halo.counts[0] != count || halo.neighbours[0] != (rank + size - 1) % size || pair.here != rank || pair.there != size - rank);
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
        if (sum > 1000000) top--;
    }
#line 51 "shadow.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", sum);
    free(cells);
    free(halo.counts);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"shadow.c:42\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":48},\"line\":43,\"repeated\":0,\"stages\":[{\"line\":43,\"loop\":true,\"reads\":[\"cells\"],\"writes\":[\"cells\"]},{\"line\":45,\"loop\":false,\"reads\":[\"cells\",\"halo.counts\",\"halo.neighbours\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
