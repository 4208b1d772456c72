#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "sieve.c"
/* Sieve by passes: own flags of long long range, the next prime agreed on by all; a goto ends it.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int id, p;
    long long n = 400;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
#line 13 "sieve.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &id, sizeof id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
#line 14 "sieve.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &p, sizeof p);
    long long low = id * n / p;
    long long high = (id + 1) * n / p;
#line 16 "sieve.c"
xmpi_displ = (long long)low; xmpi_count = (long long)high - (long long)low; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &low, sizeof low);
    char *marked = malloc((size_t)(high - low));
    if (marked == NULL) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
if (xmpi_gen_initial()) {
#line 22 "sieve.c"
    memset(marked, 0, (size_t)(high - low));
#line 22 "sieve.c"
}
    long long prime = 2;
    int passes = 0;
xmpi_gen_data("marked", (void *)&marked, sizeof *marked, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("marked", "i1"); xmpi_gen_live("sieve.c:23:prime", &prime, sizeof prime); xmpi_gen_elements("sieve.c:23:prime", "i8"); xmpi_gen_live("sieve.c:11:n", &n, sizeof n); xmpi_gen_elements("sieve.c:11:n", "i8"); xmpi_gen_live("sieve.c:24:passes", &passes, sizeof passes); xmpi_gen_elements("sieve.c:24:passes", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("sieve.c:26", 0);
    while (
#line 26 "sieve.c"
xmpi_gen_joining() || (
#line 26 "sieve.c"
           1
#line 26 "sieve.c"
)
#line 26 "sieve.c"
            ) {
#line 26 "sieve.c"
if (xmpi_gen_point()) { high = (long long)(xmpi_displ + xmpi_count);
#line 26 "sieve.c"
}
        if (prime * prime >= n)
{ xmpi_gen_loop_end();
#line 28 "sieve.c"
            goto done;
#line 28 "sieve.c"
}
        for (long long i = low; i < high; i++)
            if (i > prime && i % prime == 0)
                marked[i - low] = 1;
        long long own = n, next;
        for (long long i = high - 1; i >= low; i--)
            if (i > prime && !marked[i - low])
                own = i;
        MPI_Allreduce(&own, &next, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
        prime = next;
        passes++;
    }
#line 39 "sieve.c"
xmpi_gen_loop_end();
done:;
    long long mine = 0, all = 0;
    for (long long i = low; i < high; i++)
        mine += i > 1 && !marked[i - low];
    MPI_Reduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (id == 0)
        printf("result %d %lld %lld\n", passes, prime, all);
    free(marked);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"sieve.c:26\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":36},\"line\":29,\"repeated\":0,\"stages\":[{\"line\":29,\"loop\":true,\"reads\":[],\"writes\":[\"marked\"]},{\"line\":33,\"loop\":true,\"reads\":[\"marked\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
