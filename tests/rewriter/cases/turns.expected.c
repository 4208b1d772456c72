#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "turns.c"
/* Votes go round in a hall: everybody has all seats, and the counts and displacements of all ranks are in arrays of
 * fixed size, with room for more ranks than there are. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>

enum { SEATS = 45, MOST = 64 };

static int votes[SEATS], counts[MOST], displs[MOST];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 14 "turns.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 15 "turns.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * SEATS / size, hi = (rank + 1) * SEATS / size;
#line 16 "turns.c"
xmpi_displ = (long long)lo; xmpi_count = (long long)hi - (long long)lo; xmpi_gen_domain(45LL); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo);
if (xmpi_gen_initial()) {
#line 17 "turns.c"
    for (int p = 0; p < size; p++) {
        displs[p] = p * SEATS / size;
        counts[p] = (p + 1) * SEATS / size - displs[p];
    }
#line 20 "turns.c"
}
    for (int i = 0; i < SEATS; i++)
        votes[i] = i * 7 % 5;
    long all = 0;
xmpi_gen_live("turns.c:8:votes", &votes, sizeof votes); xmpi_gen_elements("turns.c:8:votes", "45i4"); xmpi_gen_live("turns.c:23:all", &all, sizeof all); xmpi_gen_elements("turns.c:23:all", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("turns.c:25", 0);
    for (int round = 0; 
#line 25 "turns.c"
xmpi_gen_joining() || (
#line 25 "turns.c"
                        round < 40
#line 25 "turns.c"
)
#line 25 "turns.c"
                                  ; round++) {
#line 25 "turns.c"
xmpi_gen_live("turns.c:25:round", &round, sizeof round); xmpi_gen_elements("turns.c:25:round", "i4"); if (xmpi_gen_point()) { hi = (int)(xmpi_displ + xmpi_count);
#line 17 "turns.c"
    for (int p = 0; p < size; p++) {
        displs[p] = p * SEATS / size;
        counts[p] = (p + 1) * SEATS / size - displs[p];
    }
{ int xmpi_part = (int)(lo); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(xmpi_count); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
#line 25 "turns.c"
}
        int turned[SEATS];
        for (int i = lo; i < hi; i++)
            turned[i - lo] = (votes[(i + 1) % SEATS] + 2 * votes[(i + SEATS - 1) % SEATS] + round) % 7;
        MPI_Allgatherv(turned, hi - lo, MPI_INT, votes, counts, displs, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < SEATS; i++)
            all = (all * 3 + votes[i]) % 100003;
    }
#line 32 "turns.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", all);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"turns.c:25\",\"sections\":[{\"event\":{\"arrays\":[\"votes\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":29},\"line\":27,\"repeated\":0,\"stages\":[{\"line\":27,\"loop\":true,\"reads\":[\"votes\"],\"writes\":[]}],\"tiled\":false},{\"line\":30,\"repeated\":0,\"stages\":[{\"line\":30,\"loop\":true,\"reads\":[\"votes\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
