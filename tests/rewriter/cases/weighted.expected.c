#include <xmpi_gen.h>
#line 1 "weighted.c"
/* The longest of the sequences of Collatz that begin in growing parts: rows differ in work, and tell
 * how much it was. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int length_of(long value)
{
    int length = 0;
    for (; value != 1; length++)
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    return length;
}

int main(int argc, char **argv)
{
    int rank, size, n = 200, longest = 0, from = 0;
    long at = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 20 "weighted.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 21 "weighted.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = (int)((long)rank * n / size), count = (int)((long)(rank + 1) * n / size) - first;
#line 22 "weighted.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    int *cost;
if (xmpi_gen_initial()) {
    {
        cost = malloc(((size_t)count + 1) * sizeof *cost);
        for (int i = 0; i < count; i++)
            cost[i] = 1;
    }
#line 29 "weighted.c"
} else { cost = 0; }
xmpi_gen_live("weighted.c:18:at", &at, sizeof at); xmpi_gen_elements("weighted.c:18:at", "i8"); xmpi_gen_live("weighted.c:17:longest", &longest, sizeof longest); xmpi_gen_elements("weighted.c:17:longest", "i4"); xmpi_gen_live("weighted.c:17:from", &from, sizeof from); xmpi_gen_elements("weighted.c:17:from", "i4"); xmpi_gen_live("weighted.c:17:n", &n, sizeof n); xmpi_gen_elements("weighted.c:17:n", "i4"); xmpi_gen_weight((void *)&cost, XMPI_GEN_INT32, XMPI_GEN_DISTRIBUTED); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("weighted.c:31", 4LL);
    for (int round = 0; 
#line 31 "weighted.c"
xmpi_gen_joining() || (
#line 31 "weighted.c"
                        round < 40
#line 31 "weighted.c"
)
#line 31 "weighted.c"
                                  ; round++) {
#line 31 "weighted.c"
xmpi_gen_live("weighted.c:31:round", &round, sizeof round); xmpi_gen_elements("weighted.c:31:round", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(cost); cost = 0;
#line 25 "weighted.c"
    {
        cost = malloc(((size_t)count + 1) * sizeof *cost);
        for (int i = 0; i < count; i++)
            cost[i] = 1;
    }
#line 31 "weighted.c"
}
        int best[2] = {0, 0}, all[2];
        for (int i = 0; i < count; i++) {
            long value = at + first + i;
            cost[i] = length_of(value);
            if (cost[i] > best[0]) {
                best[0] = cost[i];
                best[1] = (int)value;
            }
        }
        MPI_Allreduce(best, all, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
        if (all[0] > longest) {
            longest = all[0];
            from = all[1];
        }
        at += n;
    }
#line 47 "weighted.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %d steps from %d\n", longest, from);
    free(cost);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"weighted.c:31\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":41},\"line\":33,\"repeated\":0,\"stages\":[{\"line\":33,\"loop\":true,\"reads\":[\"cost\"],\"writes\":[\"cost\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
