/* Made from lattice.c by xmpicc 0.1.0, which put the calls of XMPI into it. Changes belong there. */
#include <xmpi_gen.h>
static void *xmpi_rows_next;
static void *xmpi_rows_sand;

/* Sand falls over on a lattice: rows reached through pointers, which a function makes, with a row of
 * the neighbours' on either side; the two lattices change places. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 12 };

static int **lattice(int rows, int columns)
{
    int **row = malloc((size_t)rows * sizeof *row);
    int *cells = calloc((size_t)rows * (size_t)columns, sizeof *cells);
    for (int i = 0; i < rows; i++)
        row[i] = cells + i * columns;
    return row;
}

static void exchange(int **sand, int rows, int above, int below)
{
    MPI_Sendrecv(sand[1], WIDTH, MPI_INT, above, 0, sand[rows + 1], WIDTH, MPI_INT, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(sand[rows], WIDTH, MPI_INT, below, 1, sand[0], WIDTH, MPI_INT, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int topple(int **from, int **to, int rows)
{
    int fallen = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < WIDTH; j++) {
            int in = (from[i - 1][j] > 3) + (from[i + 1][j] > 3);
            in += j > 0 ? from[i][j - 1] > 3 : 0;
            in += j + 1 < WIDTH ? from[i][j + 1] > 3 : 0;
            to[i][j] = from[i][j] + in - (from[i][j] > 3 ? 4 : 0);
            fallen += from[i][j] > 3;
        }
    return fallen;
}

int main(int argc, char **argv)
{
    int rank, size, n = 41, fallen, total = 1, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
    xmpi_gen_domain((long long)(n));
    xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    int **sand = lattice(rows + 2, WIDTH), **next = lattice(rows + 2, WIDTH);
    if (xmpi_gen_initial()) {
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < WIDTH; j++)
                sand[i][j] = (first + i) * (j + 3) % 11;
    }

    /* What the loop works on, and what a joining process takes over. */
    xmpi_rows_sand = rows + 2 > 0 ? (void *)sand[0] : (void *)0;
    xmpi_rows_next = rows + 2 > 0 ? (void *)next[0] : (void *)0;
    xmpi_gen_data("sand", (void *)&xmpi_rows_sand, sizeof **sand, XMPI_GEN_DISTRIBUTED,
                  (long long)(n), 12LL);
    xmpi_gen_halo("sand", 1LL);
    xmpi_gen_elements("sand", "i4");
    xmpi_gen_data("next", (void *)&xmpi_rows_next, sizeof **next, XMPI_GEN_DISTRIBUTED,
                  (long long)(n), 12LL);
    xmpi_gen_halo("next", 1LL);
    xmpi_gen_elements("next", "i4");
    xmpi_gen_live("lattice.c:42:total", &total, sizeof total);
    xmpi_gen_elements("lattice.c:42:total", "i4");
    xmpi_gen_live("lattice.c:42:rounds", &rounds, sizeof rounds);
    xmpi_gen_elements("lattice.c:42:rounds", "i4");
    xmpi_gen_repeats(XMPI_GEN_REPEATS, "");
    xmpi_gen_loop_begin("lattice.c:54", 0);
    while (xmpi_gen_joining() || (total > 0 && rounds < 60)) {
        xmpi_rows_sand = rows + 2 > 0 ? (void *)sand[0] : (void *)0;
        xmpi_rows_next = rows + 2 > 0 ? (void *)next[0] : (void *)0;
        if (xmpi_gen_point()) { /* the rows have been divided anew */
            sand = xmpi_gen_rows((void *)sand, xmpi_rows_sand, (long long)(rows + 2),
                                 sizeof **sand * (unsigned long)(12));
            next = xmpi_gen_rows((void *)next, xmpi_rows_next, (long long)(rows + 2),
                                 sizeof **next * (unsigned long)(12));
            above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
            below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
        }

        int **other = sand;
        exchange(sand, rows, above, below);
        fallen = topple(sand, next, rows);
        MPI_Allreduce(&fallen, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        sand = next;
        next = other;
        rounds++;
    }
    xmpi_gen_loop_end();
    long own = 0, sum;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < WIDTH; j++)
            own += sand[i][j] * (long)((first + i) * WIDTH + j);
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %d %d %ld\n", rounds, total, sum);
    free(sand[0]);
    free(sand);
    free(next[0]);
    free(next);
    MPI_Finalize();
    return 0;
}

/* What an iteration consists of, and word to the runtime that there is an adaptive loop. */
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"lattice.c:54\",\"sections\":[{\"event\":{\"arrays\":[\"sand\"],"
    "\"calls\":[\"MPI_Sendrecv\"],\"line\":56},\"line\":54,\"repeated\":0,\"stages\":[],"
    "\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":58},"
    "\"line\":57,\"repeated\":0,\"stages\":[{\"line\":57,\"loop\":true,\"reads\":[\"sand\"],"
    "\"writes\":[\"next\"]}],\"tiled\":false}]}";

__attribute__((constructor)) static void xmpi_describe(void)
{
    xmpi_gen_program(1);
    xmpi_gen_structure(xmpi_iteration);
}
