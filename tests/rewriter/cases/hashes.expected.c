#include <xmpi_gen.h>
#line 1 "hashes.c"
/* Numbers drawn by hashing, with constants of 64 bits that no signed type holds.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GOLDEN 0x9E3779B97F4A7C15ULL

static uint64_t hash(uint64_t x)
{
    x += GOLDEN;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 31);
}

int main(int argc, char **argv)
{
    int rank, size, n = 44;
    uint64_t seed = hash(UINT64_MAX);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 22 "hashes.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 23 "hashes.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#line 24 "hashes.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    uint64_t *value = malloc((size_t)count * sizeof *value);
if (xmpi_gen_initial()) {
#line 26 "hashes.c"
    for (int i = 0; i < count; i++)
        value[i] = hash((uint64_t)(first + i) ^ seed);
#line 27 "hashes.c"
}
    uint64_t sum = 0;
xmpi_gen_data("value", (void *)&value, sizeof *value, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("value", "i8"); xmpi_gen_live("hashes.c:28:sum", &sum, sizeof sum); xmpi_gen_elements("hashes.c:28:sum", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(11LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("hashes.c:30", 0);
    for (int k = 0; 
#line 30 "hashes.c"
xmpi_gen_joining() || (
#line 30 "hashes.c"
                    k < 11
#line 30 "hashes.c"
)
#line 30 "hashes.c"
                          ; k++) {
#line 30 "hashes.c"
xmpi_gen_live("hashes.c:30:k", &k, sizeof k); xmpi_gen_elements("hashes.c:30:k", "i4"); (void)xmpi_gen_point();
        uint64_t own = 0, all;
        for (int i = 0; i < count; i++) {
            value[i] = hash(value[i] + (uint64_t)k);
            own += value[i] > 0xF000000000000000ULL;
        }
        MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
    }
#line 38 "hashes.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %d\n", (int)sum);
    free(value);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"hashes.c:30\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":36},\"line\":32,\"repeated\":0,\"stages\":[{\"line\":32,\"loop\":true,\"reads\":[\"value\"],\"writes\":[\"value\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
