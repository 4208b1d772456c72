#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "stages.c"
/* Adaptive loops in functions that main calls one after another: a polynomial is tabulated, then
 * sorted into bins. Each function divides the rows by itself. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long tabulate(long *table, int n, int rounds)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "stages.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "stages.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int low = (int)((long)rank * n / size), high = (int)((long)(rank + 1) * n / size);
#line 12 "stages.c"
xmpi_displ = (long long)low; xmpi_count = (long long)high - (long long)low; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &low, sizeof low); high = (int)(xmpi_displ + xmpi_count);
    long *part = malloc((size_t)(high - low) * sizeof *part), checksum = 0;
if (xmpi_gen_initial()) {
#line 14 "stages.c"
    for (int i = low; i < high; i++)
        part[i - low] = i;
#line 15 "stages.c"
}
xmpi_gen_data("stages.c:13:part", (void *)&part, sizeof *part, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("stages.c:13:part", "i8"); xmpi_gen_live("stages.c:7:rounds", &rounds, sizeof rounds); xmpi_gen_elements("stages.c:7:rounds", "i4"); xmpi_gen_live("stages.c:13:checksum", &checksum, sizeof checksum); xmpi_gen_elements("stages.c:13:checksum", "i8"); xmpi_gen_live("stages.c:7:n", &n, sizeof n); xmpi_gen_elements("stages.c:7:n", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_call(1); xmpi_gen_loop_begin("stages.c:17", 0);
    for (int round = 0; 
#line 17 "stages.c"
xmpi_gen_joining() || (
#line 17 "stages.c"
                        round < rounds
#line 17 "stages.c"
)
#line 17 "stages.c"
                                      ; round++) {
#line 17 "stages.c"
xmpi_gen_live("stages.c:17:round", &round, sizeof round); xmpi_gen_elements("stages.c:17:round", "i4"); if (xmpi_gen_point()) { high = (int)(xmpi_displ + xmpi_count);
#line 17 "stages.c"
} if (xmpi_gen_elsewhere("stages.c:17")) return 0;
        long own = 0, sum = 0;
        for (int i = low; i < high; i++) {
            part[i - low] = (part[i - low] * (i + 3) + round) % 9973;
            own += part[i - low];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        checksum = (checksum * 31 + sum) % 1000003;
    }
#line 25 "stages.c"
xmpi_gen_loop_end(); xmpi_gen_return(1);
    long *sparse = calloc((size_t)n, sizeof *sparse);
    for (int i = low; i < high; i++)
        sparse[i] = part[i - low];
    MPI_Allreduce(sparse, table, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(sparse);
    free(part);
    return checksum;
}

enum { BINS = 16 };

static void bin(const long *table, int n, long bins[BINS])
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 40 "stages.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 41 "stages.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int chunk = (n + size - 1) / size;
    int begin = rank * chunk < n ? rank * chunk : n;
    int end = begin + chunk < n ? begin + chunk : n;
#line 44 "stages.c"
xmpi_displ = (long long)begin; xmpi_count = (long long)end - (long long)begin; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &begin, sizeof begin); end = (int)(xmpi_displ + xmpi_count);
    int width = 1;
xmpi_gen_data("stages.c:37:table", (void *)&table, sizeof *table, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("stages.c:37:table", "? i8"); xmpi_gen_live("stages.c:45:width", &width, sizeof width); xmpi_gen_elements("stages.c:45:width", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_call(1); xmpi_gen_loop_begin("stages.c:47", 0);
    while (
#line 47 "stages.c"
xmpi_gen_joining() || (
#line 47 "stages.c"
           width < 4096
#line 47 "stages.c"
)
#line 47 "stages.c"
                       ) {
#line 47 "stages.c"
if (xmpi_gen_point()) { end = (int)(xmpi_displ + xmpi_count);
#line 47 "stages.c"
}
        long own[BINS] = {0}, sum[BINS];
        for (int i = begin; i < end; i++)
            own[table[i] / width % BINS] += i;
        MPI_Allreduce(own, sum, BINS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < BINS; k++)
            bins[k] += sum[k] * (k + width);
        width *= 2;
    }
#line 55 "stages.c"
xmpi_gen_loop_end(); xmpi_gen_return(1);
}

int main(int argc, char **argv)
{
    int rank, n = 83;
    long bins[BINS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 63 "stages.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    long *table = malloc((size_t)n * sizeof *table);
xmpi_gen_live("stages.c:60:n", &n, sizeof n); xmpi_gen_elements("stages.c:60:n", "i4"); xmpi_gen_live("stages.c:61:bins", &bins, sizeof bins); xmpi_gen_elements("stages.c:61:bins", "16i8"); xmpi_gen_call(0);
#line 65 "stages.c"
    long checksum 
#line 65 "stages.c"
; if (xmpi_gen_enter("stages.c:17")) { checksum
#line 65 "stages.c"
                  = tabulate(table, n, 15);
#line 65 "stages.c"
} xmpi_gen_return(0); xmpi_gen_live("stages.c:65:checksum", &checksum, sizeof checksum); xmpi_gen_elements("stages.c:65:checksum", "i8");
xmpi_gen_drop("stages.c:13:part"); xmpi_gen_alias("stages.c:37:table", (void *)&table); xmpi_gen_live("stages.c:61:bins", &bins, sizeof bins); xmpi_gen_elements("stages.c:61:bins", "16i8"); xmpi_gen_live("stages.c:65:checksum", &checksum, sizeof checksum); xmpi_gen_elements("stages.c:65:checksum", "i8"); xmpi_gen_call(0);
#line 66 "stages.c"
    bin(table, n, bins);
#line 66 "stages.c"
xmpi_gen_return(0);
    if (rank == 0) {
        printf("result %ld", checksum);
        for (int k = 0; k < BINS; k++)
            printf(" %ld", bins[k]);
        printf("\n");
    }
    free(table);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"stages.c:17\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":23},\"line\":19,\"repeated\":0,\"stages\":[{\"line\":19,\"loop\":true,\"reads\":[\"stages.c:13:part\"],\"writes\":[\"stages.c:13:part\"]}],\"tiled\":false}]}";
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration_2[] =
    "{\"loop\":\"stages.c:47\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":51},\"line\":49,\"repeated\":0,\"stages\":[{\"line\":49,\"loop\":true,\"reads\":[\"stages.c:37:table\"],\"writes\":[]}],\"tiled\":false},{\"line\":52,\"repeated\":0,\"stages\":[{\"line\":52,\"loop\":true,\"reads\":[],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
