#include <xmpi_gen.h>
#line 1 "auction.c"
/* Bids in rounds. The lots are dealt by counts that a loop sums up; after the rounds the program deals the
 * lots again in its mind, and its own formula has to be right. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, lots = 45, first = 0, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "auction.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "auction.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    for (int r = 0; r <= rank; r++) {
        first += count;
        count = lots / size + (r < lots % size);
    }
#line 16 "auction.c"
xmpi_gen_domain((long long)(lots)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    long *price = malloc((size_t)count * sizeof *price), best = 0;
if (xmpi_gen_initial()) {
#line 18 "auction.c"
    for (int i = 0; i < count; i++)
        price[i] = (first + i) * 13 % 29;
#line 19 "auction.c"
}
xmpi_gen_data("price", (void *)&price, sizeof *price, XMPI_GEN_DISTRIBUTED, (long long)(lots), 1); xmpi_gen_elements("price", "i8"); xmpi_gen_live("auction.c:17:best", &best, sizeof best); xmpi_gen_elements("auction.c:17:best", "i8"); xmpi_gen_live("auction.c:9:lots", &lots, sizeof lots); xmpi_gen_elements("auction.c:9:lots", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(25LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("auction.c:21", 0);
    for (int round = 0; 
#line 21 "auction.c"
xmpi_gen_joining() || (
#line 21 "auction.c"
                        round < 25
#line 21 "auction.c"
)
#line 21 "auction.c"
                                  ; round++) {
#line 21 "auction.c"
xmpi_gen_live("auction.c:21:round", &round, sizeof round); xmpi_gen_elements("auction.c:21:round", "i4"); (void)xmpi_gen_point();
        long own = 0;
        for (int i = 0; i < count; i++) {
            price[i] += (price[i] * 7 + best + first + i) % 17;
            own = price[i] > own ? price[i] : own;
        }
        MPI_Allreduce(&own, &best, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        if (best > 300)
            break;
    }
#line 30 "auction.c"
xmpi_gen_loop_end(); 
first = 0;
count = 0;
for (int r = 0; r <= rank; r++) {
        first += count;
        count = lots / size + (r < lots % size);
    }
if (xmpi_gen_restore("auction.c:21")) {
}
    int share = lots / size, rest = lots % size;
    long sum = 0, total = 0;
    for (int i = 0; i < share + (rank < rest); i++)
        sum += price[i] * (rank * share + (rank < rest ? rank : rest) + i);
    MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld %ld\n", best, total);
    free(price);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"auction.c:21\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":27},\"line\":23,\"repeated\":0,\"stages\":[{\"line\":23,\"loop\":true,\"reads\":[\"price\"],\"writes\":[\"price\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
