#include <xmpi_gen.h>
#line 1 "chronicle.c"
/* A history to which each iteration adds a row and which it reads as a whole, a number that only a pointer leads
 * to, and two extents with the same default, which need not stay the same. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 24, PARTS = 4 };

static int rows = 48, columns = 48;

int main(int argc, char **argv)
{
    int rank, size;
    long phase = 3, *shift = &phase, *past = calloc((size_t)STEPS * PARTS, sizeof *past);
    if (argc > 1)
        rows = atoi(argv[1]);
    if (argc > 2)
        columns = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 20 "chronicle.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 21 "chronicle.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * rows / size, count = (rank + 1) * rows / size - first;
#line 22 "chronicle.c"
xmpi_gen_domain((long long)(rows)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    long *u = malloc((size_t)count * (size_t)columns * sizeof *u);
if (xmpi_gen_initial()) {
#line 24 "chronicle.c"
    for (int i = 0; i < count * columns; i++)
        u[i] = (first * columns + i) % 17;
#line 25 "chronicle.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(rows), (long long)(columns)); xmpi_gen_elements("u", "i8"); xmpi_gen_data("past", (void *)&past, sizeof *past, XMPI_GEN_REPLICATED, 96LL, 1); xmpi_gen_elements("past", "i8"); xmpi_gen_live("chronicle.c:9:columns", &columns, sizeof columns); xmpi_gen_elements("chronicle.c:9:columns", "i4"); xmpi_gen_live("chronicle.c:14:phase", &phase, sizeof phase); xmpi_gen_elements("chronicle.c:14:phase", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(STEPS)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("chronicle.c:27", 0);
    for (int k = 0; 
#line 27 "chronicle.c"
xmpi_gen_joining() || (
#line 27 "chronicle.c"
                    k < STEPS
#line 27 "chronicle.c"
)
#line 27 "chronicle.c"
                             ; k++) {
#line 27 "chronicle.c"
xmpi_gen_live("chronicle.c:27:k", &k, sizeof k); xmpi_gen_elements("chronicle.c:27:k", "i4"); (void)xmpi_gen_point();
        long part[PARTS] = {0}, all[PARTS], sum = 0;
        for (int i = 0; i < count * columns; i++)
            part[(first * columns + i) % PARTS] += u[i];
        MPI_Allreduce(part, all, PARTS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int j = 0; j < PARTS; j++)
            past[k * PARTS + j] = all[j];
        for (int j = 0; j < STEPS * PARTS; j++)
            sum += past[j];
        *shift += 5;
        for (int i = 0; i < count * columns; i++)
            u[i] = (u[i] * 7 + sum + *shift) % 1009;
    }
#line 39 "chronicle.c"
xmpi_gen_loop_end();
    long own = 0, total = 0;
    for (int i = 0; i < count * columns; i++)
        own += u[i] * (1 + (first * columns + i) % 11);
    MPI_Reduce(&own, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld\n", total);
    free(past);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"chronicle.c:27\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":31},\"line\":29,\"repeated\":0,\"stages\":[{\"line\":29,\"loop\":true,\"reads\":[\"u\"],\"writes\":[]}],\"tiled\":false},{\"line\":32,\"repeated\":0,\"stages\":[{\"line\":32,\"loop\":true,\"reads\":[],\"writes\":[\"past\"]},{\"line\":34,\"loop\":true,\"reads\":[\"past\"],\"writes\":[]},{\"line\":36,\"loop\":false,\"reads\":[\"shift\"],\"writes\":[\"shift\"]},{\"line\":37,\"loop\":true,\"reads\":[\"u\",\"shift\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
