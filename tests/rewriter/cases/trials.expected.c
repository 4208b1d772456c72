#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "trials.c"
/* Monte Carlo with a share of the trials for each process: a count, and no first row.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIALS 7200

/* Numbers without a state: draw I of round R. */
static double draw(unsigned r, unsigned i)
{
    unsigned x = r * 2654435761u + i * 40503u + 12345u;
    x ^= x >> 13;
    x *= 2246822519u;
    x ^= x >> 16;
    return x / 4294967296.0;
}

int main(int argc, char *argv[])
{
    int rank, size, mine, i, total_hits = 0, rounds = 0;
    int *weights;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 25 "trials.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 26 "trials.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    mine = TRIALS / size;
#line 27 "trials.c"
xmpi_count = (long long)mine; if (xmpi_gen_initial()) { MPI_Scan(&xmpi_count, &xmpi_displ, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD); xmpi_displ -= xmpi_count; } xmpi_gen_domain(7200LL); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &mine, sizeof mine);
    weights = (int *)malloc((size_t)mine * sizeof(int));
if (xmpi_gen_initial()) {
#line 29 "trials.c"
    for (i = 0; i < mine; i++)
        weights[i] = 1;
#line 30 "trials.c"
} xmpi_gen_live("trials.c:21:i", &i, sizeof i); xmpi_gen_elements("trials.c:21:i", "~ i4");

xmpi_gen_data("weights", (void *)&weights, sizeof *weights, XMPI_GEN_DISTRIBUTED, 7200LL, 1); xmpi_gen_elements("weights", "i4"); xmpi_gen_constant("weights"); xmpi_gen_live("trials.c:21:rounds", &rounds, sizeof rounds); xmpi_gen_elements("trials.c:21:rounds", "i4"); xmpi_gen_live("trials.c:21:total_hits", &total_hits, sizeof total_hits); xmpi_gen_elements("trials.c:21:total_hits", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("trials.c:33", 2LL);
    do {
#line 33 "trials.c"
(void)xmpi_gen_point();
        int hits = 0, all, weight = 0;
        for (i = 0; i < mine; i++)
            weight += weights[i];
        for (i = 0; i < 100; i++)
            hits += draw((unsigned)rounds, (unsigned)i) < 0.5 ? weight : 0;
        MPI_Allreduce(&hits, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        total_hits += all / 100;
        rounds++;
    } while (rounds < 12);
#line 42 "trials.c"
xmpi_gen_loop_end();

    if (rank == 0)
        printf("result %d of %d\n", total_hits, rounds * TRIALS);
    free(weights);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"trials.c:33\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":39},\"line\":35,\"repeated\":0,\"stages\":[{\"line\":35,\"loop\":true,\"reads\":[\"weights\"],\"writes\":[]},{\"line\":37,\"loop\":true,\"passes\":0,\"reads\":[],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
