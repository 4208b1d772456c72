/* Made from function.c by xmpicc 0.1.0, which put the calls of XMPI into it. Changes belong there. */
#include <xmpi_gen.h>

/* The loop in a function: pointers, rank and range arrive as parameters, through another one.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double smooth(int n, double *u, double *sums, long count, int displ, int rank, int steps)
{
    double last = 0;
    int *owners;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    if (xmpi_gen_initial()) {
        owners = calloc((size_t)size, sizeof *owners);
        if (owners == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Allgather(&rank, 1, MPI_INT, owners, 1, MPI_INT, MPI_COMM_WORLD);
    } else {
        owners = 0;
    }

    xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 2LL * 3LL);
    xmpi_gen_elements("u", "f8");

    /* What the loop works on, and what a joining process takes over. */
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    xmpi_gen_alias("totals", (void *)&sums);
    xmpi_gen_live("function.c:7:steps", &steps, sizeof steps);
    xmpi_gen_elements("function.c:7:steps", "i4");
    xmpi_gen_live("function.c:9:last", &last, sizeof last);
    xmpi_gen_elements("function.c:9:last", "f8");
    if (xmpi_gen_initial())
        xmpi_gen_bound((long long)(steps));
    xmpi_gen_repeats(XMPI_GEN_REPEATS, "");
    xmpi_gen_loop_begin("function.c:22", 0);
    for (int step = 0; xmpi_gen_joining() || (step < steps); step++) {
        xmpi_gen_live("function.c:22:step", &step, sizeof step);
        xmpi_gen_elements("function.c:22:step", "i4");
        if (xmpi_gen_point()) { /* the rows have been divided anew */
            xmpi_gen_free(owners);
            owners = 0;
            {
                owners = calloc((size_t)size, sizeof *owners);
                if (owners == NULL)
                    MPI_Abort(MPI_COMM_WORLD, 1);
                MPI_Allgather(&rank, 1, MPI_INT, owners, 1, MPI_INT, MPI_COMM_WORLD);
            }
        }

        double local = 0;
        for (long i = 0; i < count * 6; i++) {
            u[i] = 0.5 * u[i] + (double)(6 * displ + i + owners[0]);
            local += u[i];
        }
        MPI_Allreduce(&local, &last, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sums[step % 4] += last;
        if (last < 0) {
            xmpi_gen_loop_end();
            return -1;
        }
    }
    xmpi_gen_loop_end();
    free(owners);
    return last;
}

static double run(double *field, double *sums, int n, const int *steps)
{
    int rank, size, displ;
    long count;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    {
        count = n / size;
        displ = rank * (int)count;
    }
    xmpi_gen_domain((long long)(n));
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    if (xmpi_gen_initial()) {
        for (long i = 0; i < count * 6; i++)
            field[i] = (double)((i + 6 * displ) % 7);
    }
    xmpi_gen_alias("u", (void *)&field);
    xmpi_gen_alias("totals", (void *)&sums);
    double result = smooth(n, field, sums, count, displ, rank, *steps);
    return rank == 0 ? result : -1;
}

int main(int argc, char **argv)
{
    int steps = 9;
    MPI_Init(&argc, &argv);
    double *u = malloc(64 * 6 * sizeof *u);
    double *totals = calloc(4, sizeof *totals);

    xmpi_gen_data("totals", (void *)&totals, sizeof *totals, XMPI_GEN_REPLICATED, 4LL, 1);
    xmpi_gen_elements("totals", "f8");
    xmpi_gen_alias("u", (void *)&u);
    xmpi_gen_live("function.c:57:steps", &steps, sizeof steps);
    xmpi_gen_elements("function.c:57:steps", "i4");
    double result = run(u, totals, 64, &steps);
    if (result >= 0)
        printf("result %.17g %.17g %d\n", result, totals[1], steps);
    free(u);
    free(totals);
    MPI_Finalize();
    return 0;
}

/* What an iteration consists of, and word to the runtime that there is an adaptive loop. */
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"function.c:22\",\"sections\":[{\"event\":{\"arrays\":[],"
    "\"calls\":[\"MPI_Allreduce\"],\"line\":28},\"line\":24,\"repeated\":0,"
    "\"stages\":[{\"line\":24,\"loop\":true,\"reads\":[\"u\",\"owners\"],\"writes\":[\"u\"]}],"
    "\"tiled\":false},{\"line\":29,\"repeated\":0,\"stages\":[{\"line\":29,\"loop\":false,"
    "\"reads\":[\"totals\"],\"writes\":[\"totals\"]}],\"tiled\":false}]}";

__attribute__((constructor)) static void xmpi_describe(void)
{
    xmpi_gen_program(1);
    xmpi_gen_structure(xmpi_iteration);
}
