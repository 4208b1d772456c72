#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "histogram.c"
/* Letters counted in growing parts of a text that rank 0 makes; full arrays and a struct.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int length, start, stop;
} slice_t;

enum { LETTERS = 26 };

static slice_t slice_of(int length, int rank, int size)
{
    slice_t slice;
    int part = (length + size - 1) / size;
    slice.length = length;
    slice.start = rank * part < length ? rank * part : length;
    slice.stop = (rank + 1) * part < length ? (rank + 1) * part : length;
    return slice;
}

int main(int argc, char **argv)
{
    int rank, size, length = 5000;
    long seen[LETTERS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 29 "histogram.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 30 "histogram.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    char *text = malloc((size_t)length);
if (xmpi_gen_initial()) {
#line 32 "histogram.c"
    if (rank == 0)
        for (int i = 0; i < length; i++)
            text[i] = (char)('a' + i * i % LETTERS);
#line 34 "histogram.c"
}
if (xmpi_gen_initial()) {
#line 35 "histogram.c"
    MPI_Bcast(text, length, MPI_CHAR, 0, MPI_COMM_WORLD);
#line 35 "histogram.c"
}
    int start = slice_of(length, rank, size).start;
    int stop = slice_of(length, rank, size).stop;
#line 37 "histogram.c"
xmpi_displ = (long long)start; xmpi_count = (long long)stop - (long long)start; xmpi_gen_domain((long long)(length)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &start, sizeof start);
xmpi_gen_data("text", (void *)&text, sizeof *text, XMPI_GEN_REPLICATED, (long long)(length), 1); xmpi_gen_elements("text", "i1"); xmpi_gen_constant("text"); xmpi_gen_live("histogram.c:27:seen", &seen, sizeof seen); xmpi_gen_elements("histogram.c:27:seen", "26i8"); if (xmpi_gen_initial()) xmpi_gen_bound(9LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("histogram.c:39", 0);
    for (int shift = 0; 
#line 39 "histogram.c"
xmpi_gen_joining() || (
#line 39 "histogram.c"
                        shift < 9
#line 39 "histogram.c"
)
#line 39 "histogram.c"
                                 ; shift++) {
#line 39 "histogram.c"
xmpi_gen_live("histogram.c:39:shift", &shift, sizeof shift); xmpi_gen_elements("histogram.c:39:shift", "i4"); if (xmpi_gen_point()) { stop = (int)(xmpi_displ + xmpi_count);
#line 39 "histogram.c"
}
        long own[LETTERS], all[LETTERS];
        memset(own, 0, sizeof own);
        for (int i = start; i < stop; i++)
            own[(text[i] - 'a' + shift) % LETTERS]++;
        MPI_Allreduce(own, all, LETTERS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < LETTERS; k++)
            seen[k] += (shift + 1) * all[k];
    }
#line 47 "histogram.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld %ld %ld\n", seen[0], seen[7], seen[25]);
    free(text);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"histogram.c:39\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":44},\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[],\"writes\":[]},{\"line\":42,\"loop\":true,\"reads\":[\"text\"],\"writes\":[]}],\"tiled\":false},{\"line\":45,\"repeated\":0,\"stages\":[{\"line\":45,\"loop\":true,\"reads\":[\"seen\"],\"writes\":[\"seen\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
