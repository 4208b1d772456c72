/* Made from braces.c by xmpicc 0.1.0, which put the calls of XMPI into it. Changes belong there. */
#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;

/* A ring of cells: what a rank has of its own is in arrays that begin in braces, and in declarations of
 * several names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double warm(double t)
{
    return 0.9 * t + 1;
}

static double cool(double t)
{
    return 0.8 * t;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    const int block[] = {rank * n / size, (rank + 1) * n / size - rank * n / size};
    int first = block[0], count = block[1];
    int days = 0;
    int before = (rank + size - 1) % size;
    int behind = (rank + 1) % size;
    int nb[2];
    if (xmpi_gen_initial()) {
        __builtin_memcpy(nb, (int[2]){MPI_PROC_NULL, MPI_PROC_NULL}, sizeof nb);
        if (rank > 0)
            nb[0] = rank - 1;
        if (rank + 1 < size)
            nb[1] = rank + 1;
    } else {
        __builtin_memset(&nb, 0, sizeof nb);
    }
    int whole[1] = {n};
    int part[1];
    int start[1];
    if (xmpi_gen_initial()) {
        __builtin_memcpy(part, (int[1]){count}, sizeof part);
        __builtin_memcpy(start, (int[1]){first}, sizeof start);
    } else {
        __builtin_memset(&part, 0, sizeof part);
        __builtin_memset(&start, 0, sizeof start);
    }
    MPI_Datatype slice;
    char where[8];
    int mask[4];
    if (xmpi_gen_initial()) {
        MPI_Type_create_subarray(1, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &slice);
        MPI_Type_commit(&slice);
        __builtin_memcpy(where, (char[8]){"middle"}, sizeof where);
        if (rank == 0)
            strcpy(where, "begin");
        else if (rank == size - 1)
            strcpy(where, "end");
        __builtin_memcpy(mask, (int[4]){0}, sizeof mask);
        mask[rank % 4] = 1;
    } else {
        slice = 0;
        __builtin_memset(&where, 0, sizeof where);
        __builtin_memset(&mask, 0, sizeof mask);
    }
    double (*change)(double) = 0;
    if (xmpi_gen_initial()) {
        change = rank % 2 == 0 ? warm : cool;
    }
    double *u = calloc((size_t)count, sizeof *u);
    double *v;
    double sum = 0;
    int ends[2];
    int length = 0;
    if (xmpi_gen_initial()) {
        for (int i = 0; i < count; i++)
            u[i] = (first + i) % 7;
        __builtin_memcpy(ends, (int[2]){first, first + count - 1}, sizeof ends);
        length = count;
    } else {
        __builtin_memset(&ends, 0, sizeof ends);
    }
    xmpi_displ = (long long)first;
    xmpi_count = (long long)count;
    xmpi_gen_domain((long long)(n));
    xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &length, sizeof length);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
    int odd;
    int wrong = 0;

    /* What the loop works on, and what a joining process takes over. */
    {
        extern char xmpi_wrap_strcmp[] __asm__("__wrap_strcmp") __attribute__((weak)),
                                               xmpi_replaced_strcmp[] __attribute__((weak));
        xmpi_gen_library("braces.c:55", "strcmp", xmpi_wrap_strcmp, xmpi_replaced_strcmp);
    }
    xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1);
    xmpi_gen_elements("u", "f8");
    xmpi_gen_live("braces.c:44:sum", &sum, sizeof sum);
    xmpi_gen_elements("braces.c:44:sum", "f8");
    xmpi_gen_live("braces.c:49:wrong", &wrong, sizeof wrong);
    xmpi_gen_elements("braces.c:49:wrong", "i4");
    xmpi_gen_live("braces.c:26:days", &days, sizeof days);
    xmpi_gen_elements("braces.c:26:days", "i4");
    xmpi_gen_live("braces.c:32:whole", &whole, sizeof whole);
    xmpi_gen_elements("braces.c:32:whole", "i4");
    if (xmpi_gen_initial())
        xmpi_gen_bound(40LL);
    xmpi_gen_repeats(XMPI_GEN_REPEATS, "");
    xmpi_gen_least(1);
    xmpi_gen_loop_begin("braces.c:51", 0);
    for (int k = 0; xmpi_gen_joining() || (k < 40); k++) {
        xmpi_gen_live("braces.c:51:k", &k, sizeof k);
        xmpi_gen_elements("braces.c:51:k", "i4");
        if (xmpi_gen_point()) { /* the rows have been divided anew */
            before = (rank + size - 1) % size;
            behind = (rank + 1) % size;
            __builtin_memcpy(nb, (int[2]){MPI_PROC_NULL, MPI_PROC_NULL}, sizeof nb);
            if (rank > 0)
                nb[0] = rank - 1;
            if (rank + 1 < size)
                nb[1] = rank + 1;
            __builtin_memcpy(part, (int[1]){count}, sizeof part);
            __builtin_memcpy(start, (int[1]){first}, sizeof start);
            MPI_Type_create_subarray(1, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &slice);
            MPI_Type_commit(&slice);
            __builtin_memcpy(where, (char[8]){"middle"}, sizeof where);
            if (rank == 0)
                strcpy(where, "begin");
            else if (rank == size - 1)
                strcpy(where, "end");
            __builtin_memcpy(mask, (int[4]){0}, sizeof mask);
            mask[rank % 4] = 1;
            change = rank % 2 == 0 ? warm : cool;
            __builtin_memcpy(ends, (int[2]){first, first + count - 1}, sizeof ends);
            length = count;
            length = (int)(xmpi_count);
        }

        odd = (nb[0] < 0) != (rank == 0) || (nb[1] < 0) != (rank == size - 1) ||
              ends[0] != first || ends[1] != first + length - 1 || !mask[rank % 4] ||
              mask[(rank + 1) % 4] || change != (rank % 2 == 0 ? warm : cool) ||
              strcmp(where, rank == 0 ? "begin" : rank == size - 1 ? "end" : "middle") != 0;
        int bytes;
        MPI_Type_size(slice, &bytes);
        odd = odd || bytes != count * (int)sizeof *u;
        double left;
        MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        v = u;
        double own = 0;
        for (int i = count - 1; i >= 0; i--) {
            v[i] = 0.5 * (v[i] + (i > 0 ? v[i - 1] : left));
            own += v[i] * (first + i);
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        int all;
        MPI_Allreduce(&odd, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all;
        days++;
    }
    xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.9g after %d days, wrong %d\n", sum, days, wrong);
    MPI_Type_free(&slice);
    free(u);
    MPI_Finalize();
    return 0;
}

/* What an iteration consists of, and word to the runtime that there is an adaptive loop. */
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"braces.c:51\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],"
    "\"calls\":[\"MPI_Sendrecv\"],\"line\":60},\"line\":52,\"repeated\":0,\"stages\":[{\"line\":52,"
    "\"loop\":true,\"reads\":[\"nb\",\"ends\",\"mask\",\"where\"],\"writes\":[]},{\"line\":58,"
    "\"loop\":false,\"reads\":[\"u\"],\"writes\":[]}],\"tiled\":false},{\"event\":{\"arrays\":[],"
    "\"calls\":[\"MPI_Allreduce\"],\"line\":68},\"line\":64,\"repeated\":0,"
    "\"stages\":[{\"line\":64,\"loop\":true,\"reads\":[\"v\"],\"writes\":[\"v\"]}],\"tiled\":false}]}";

__attribute__((constructor)) static void xmpi_describe(void)
{
    xmpi_gen_program(1);
    xmpi_gen_structure(xmpi_iteration);
}
