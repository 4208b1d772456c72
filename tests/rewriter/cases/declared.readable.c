/* Made from declared.c by xmpicc 0.1.0, which put the calls of XMPI into it. Changes belong there. */
#include <xmpi_gen.h>

/* Loop variable in the for; declarations in initial and setup; no braces round the body. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int ask(void)
{
    int n = 24;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return n;
}

static void advance(double *v, int count, const int *offset, int left, int it)
{
    for (int i = left < 0; i < count; i++)
        v[i] += (*offset + i) * it;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int n;
    if (xmpi_gen_initial()) {
        n = ask(); /* everybody's */
    }
    xmpi_gen_live("declared.c:25:n", &n, sizeof n);
    xmpi_gen_elements("declared.c:25:n", "i4");
    int count, displ;
    count = n / size, displ = rank * count;
    xmpi_gen_domain((long long)(n));
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    double *v = 0;
    if (xmpi_gen_initial()) {
        v = calloc((size_t)count, sizeof *v);
    }

    xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(n), 1);
    xmpi_gen_elements("v", "f8");
    int *offset = 0;
    if (xmpi_gen_initial()) {
        offset = malloc(sizeof *offset);
        *offset = displ;
    }
    int left;
    double scratch[3];
    double factor;
    double half;
    if (xmpi_gen_initial()) {
        factor = 0.5 * ask();
        half = factor / 2;
        if (rank > 0)
            left = rank - 1;
        else
            left = size - 1;
    } else {
        left = 0;
    }
    xmpi_gen_live("declared.c:39:factor", &factor, sizeof factor);
    xmpi_gen_elements("declared.c:39:factor", "f8");
    xmpi_gen_live("declared.c:39:half", &half, sizeof half);
    xmpi_gen_elements("declared.c:39:half", "f8");

    /* What the loop works on, and what a joining process takes over. */
    xmpi_gen_live("declared.c:39:half", &half, sizeof half);
    xmpi_gen_elements("declared.c:39:half", "f8");
    xmpi_gen_live("declared.c:39:factor", &factor, sizeof factor);
    xmpi_gen_elements("declared.c:39:factor", "f8");
    xmpi_gen_live("declared.c:39:scratch", &scratch, sizeof scratch);
    xmpi_gen_elements("declared.c:39:scratch", "? 3f8");
    if (xmpi_gen_initial())
        xmpi_gen_bound(11LL);
    xmpi_gen_repeats(XMPI_GEN_REPEATS, "");
    xmpi_gen_loop_begin("declared.c:46", 0);
    for (int it = 0; xmpi_gen_joining() || (it < 11); it++) {
        xmpi_gen_live("declared.c:46:it", &it, sizeof it);
        xmpi_gen_elements("declared.c:46:it", "i4");
        if (xmpi_gen_point()) { /* the rows have been divided anew */
            xmpi_gen_free(offset);
            offset = malloc(sizeof *offset);
            *offset = displ;
            if (rank > 0)
                left = rank - 1;
            else
                left = size - 1;
        }

        scratch[it % 3] = half / factor, advance(v, count, offset, left, it + (int)scratch[it % 3]);
    }
    xmpi_gen_loop_end();
    double sum = 0, all;
    for (int i = 0; i < count; i++)
        sum += v[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", all);
    free(v);
    free(offset);
    MPI_Finalize();
    return 0;
}

/* What an iteration consists of, and word to the runtime that there is an adaptive loop. */
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"declared.c:46\",\"sections\":[{\"line\":47,\"repeated\":0,"
    "\"stages\":[{\"line\":47,\"loop\":true,\"reads\":[\"scratch\",\"offset\",\"v\"],"
    "\"writes\":[\"scratch\",\"v\"]}],\"tiled\":false}]}";

__attribute__((constructor)) static void xmpi_describe(void)
{
    xmpi_gen_program(1);
    xmpi_gen_structure(xmpi_iteration);
}
