#include <xmpi_gen.h>
#line 1 "halves.c"
/* Two processes divide an array of fixed size by branches that say where each begins; an initial statement fills
 * it. */
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 40 };

static long u[ROWS];

int main(int argc, char **argv)
{
    int rank, begin, end, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 14 "halves.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    if (rank == 0) {
        begin = 0;
        end = 25;
    } else {
        begin = 25;
        end = ROWS;
    }
if (xmpi_gen_initial()) {
    for (int i = 0; i < ROWS; i++)
        u[i] = i % 7;
#line 24 "halves.c"
}

    count = end - begin;
#line 26 "halves.c"
xmpi_gen_domain((long long)(ROWS)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &begin, sizeof begin);
xmpi_gen_data("u", (void *)u, sizeof *u, XMPI_GEN_OWNED, (long long)(ROWS), 1); xmpi_gen_fixed("u", 320UL); xmpi_gen_elements("u", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(24LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("halves.c:28", 0);
    for (int k = 0; 
#line 28 "halves.c"
xmpi_gen_joining() || (
#line 28 "halves.c"
                    k < 24
#line 28 "halves.c"
)
#line 28 "halves.c"
                          ; k++)
{ xmpi_gen_live("halves.c:28:k", &k, sizeof k); xmpi_gen_elements("halves.c:28:k", "i4"); (void)xmpi_gen_point();
#line 29 "halves.c"
        for (int i = begin; i < begin + count; i++)
            u[i] = (u[i] * 5 + k) % 1009;
#line 30 "halves.c"
} xmpi_gen_loop_end();
    long own = 0, total = 0;
    for (int i = begin; i < begin + count; i++)
        own += u[i] * (1 + i % 11);
    MPI_Reduce(&own, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld\n", total);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"halves.c:28\",\"sections\":[{\"line\":29,\"repeated\":0,\"stages\":[{\"line\":29,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
