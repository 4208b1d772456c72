#include <xmpi_gen.h>
#line 1 "pair.c"
/* Colonies on a strip: two states behind an array of pointers, the current one by its index; further
 * pointers lead into the arrays, and a helper computes the index. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Columns = 12 };

static unsigned *state[2];
static int current;

static inline int at(int row, int column, int columns)
{
    return row * columns + column;
}

int main(int argc, char **argv)
{
    int rank, size, rows = 30, i, j;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 21 "pair.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 22 "pair.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    if (argc > 1)
        rows = atoi(argv[1]);
    int first = rank * rows / size;
    int own = (rank + 1) * rows / size - first;
#line 26 "pair.c"
xmpi_gen_domain((long long)(rows)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &own, sizeof own);
    state[0] = calloc((size_t)(own + 2) * Columns, sizeof(unsigned));
    state[1] = calloc((size_t)(own + 2) * Columns, sizeof(unsigned));
    unsigned *mean = calloc((size_t)rows, sizeof *mean);
if (xmpi_gen_initial()) {
#line 30 "pair.c"
    for (i = 1; i <= own; i++)
        for (j = 0; j < Columns; j++)
            state[0][at(i, j, Columns)] = (unsigned)((first + i) * 7 + j * 3) % 11;
#line 32 "pair.c"
} xmpi_gen_live("pair.c:19:i", &i, sizeof i); xmpi_gen_elements("pair.c:19:i", "~ i4"); xmpi_gen_live("pair.c:19:j", &j, sizeof j); xmpi_gen_elements("pair.c:19:j", "~ i4");
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
xmpi_gen_data("state[0]", (void *)&state[0], sizeof *state[0], XMPI_GEN_DISTRIBUTED, (long long)(rows), 12LL); xmpi_gen_halo("state[0]", 1LL); xmpi_gen_elements("state[0]", "i4"); xmpi_gen_data("state[1]", (void *)&state[1], sizeof *state[1], XMPI_GEN_DISTRIBUTED, (long long)(rows), 12LL); xmpi_gen_halo("state[1]", 1LL); xmpi_gen_elements("state[1]", "i4"); xmpi_gen_data("mean", (void *)&mean, sizeof *mean, XMPI_GEN_OWNED, (long long)(rows), 1); xmpi_gen_elements("mean", "i4"); xmpi_gen_live("pair.c:10:current", &current, sizeof current); xmpi_gen_elements("pair.c:10:current", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(20LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("pair.c:36", 0);
    for (int step = 0; 
#line 36 "pair.c"
xmpi_gen_joining() || (
#line 36 "pair.c"
                       step < 20
#line 36 "pair.c"
)
#line 36 "pair.c"
                                ; step++) {
#line 36 "pair.c"
xmpi_gen_live("pair.c:36:step", &step, sizeof step); xmpi_gen_elements("pair.c:36:step", "i4"); if (xmpi_gen_point()) {
#line 33 "pair.c"
        above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 34 "pair.c"
        below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
#line 36 "pair.c"
}
        unsigned *old = state[current], *new = state[1 - current], *share = mean + first;
        MPI_Sendrecv(old + Columns, Columns, MPI_UNSIGNED, above, 0, old + (own + 1) * Columns,
                     Columns, MPI_UNSIGNED, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&old[own * Columns], Columns, MPI_UNSIGNED, below, 1, &old[0], Columns,
                     MPI_UNSIGNED, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (i = 1; i <= own; i++)
            for (j = 0; j < Columns; j++)
                new[at(i, j, Columns)] = (old[at(i, j, Columns)] + old[at(i - 1, j, Columns)] +
                                          2 * old[at(i + 1, j, Columns)] + (unsigned)j) %
                                         23;
        for (i = 0; i < own; i++)
            share[i] += new[at(i + 1, step % Columns, Columns)];
        current = 1 - current;
    }
#line 50 "pair.c"
xmpi_gen_loop_end();
    unsigned sum[2] = {0, 0}, all[2];
    for (i = 1; i <= own; i++)
        for (j = 0; j < Columns; j++)
            sum[0] += state[current][at(i, j, Columns)] * (unsigned)(first + i);
    for (i = first; i < first + own; i++)
        sum[1] += mean[i] * (unsigned)i;
    MPI_Reduce(sum, all, 2, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %u %u\n", all[0], all[1]);
    free(state[0]);
    free(state[1]);
    free(mean);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"pair.c:36\",\"sections\":[{\"event\":{\"arrays\":[\"state[0]\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":38},\"line\":37,\"repeated\":0,\"stages\":[{\"line\":37,\"loop\":false,\"reads\":[\"state[0]\"],\"writes\":[]}],\"tiled\":false},{\"line\":42,\"repeated\":0,\"stages\":[{\"line\":42,\"loop\":true,\"reads\":[\"state[0]\"],\"writes\":[\"state[0]\"]},{\"line\":47,\"loop\":true,\"reads\":[\"state[0]\",\"mean\"],\"writes\":[\"mean\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
