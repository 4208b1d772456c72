/* Globals and static variables, with the rank taken in a helper.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int me, everyone;
static long first, rows;
static int total_rows, calls;
static volatile int stop;
double *grid, *line;

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &everyone);
}

static void read_input(int rows_wanted)
{
    if (me == 0)
        total_rows = rows_wanted;
    MPI_Bcast(&total_rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static double pass(void)
{
    double sum = 0;
    calls++;
    for (long r = 0; r < rows; r++)
        for (int c = 0; c < 5; c++)
            sum += grid[r * 5 + c] += line[c] + (double)(first + r);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Comm world = MPI_COMM_WORLD;
    double sum, total = 0;

    start(&argc, &argv);
#pragma xmpi initial
    read_input(20);
#pragma xmpi domain(total_rows) range(rows, first)
    {
        rows = total_rows / everyone;
        first = rows * me;
    }
    grid = calloc((size_t)rows * 5, sizeof *grid);
    line = calloc(5, sizeof *line);
#pragma xmpi data distributed(grid[total_rows][5])
#pragma xmpi data replicated(line[5])
#pragma xmpi initial
    line[2] = 3;
#pragma xmpi loop
    for (;;) {
        if (stop || calls == 10)
            break;
        sum = pass();
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, world);
        line[calls % 5] += 1;
        if (total > 1e9)
            stop = 1;
        if (total > 1e12)
            goto out;
    }
out:
    if (me == 0)
        printf("result %.17g %d\n", total, calls);
    free(grid);
    free(line);
    MPI_Finalize();
    return 0;
}
