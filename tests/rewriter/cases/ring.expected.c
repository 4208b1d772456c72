#include <xmpi_gen.h>
#line 1 "ring.c"
/* A wave on a ring: two ghost cells on each side, the ends of the string are neighbours. What is
 * known by a pragma, and the layout of the program is there again when equal blocks are gathered.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 12 "ring.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 13 "ring.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int chunk = n / size;
    if (rank == size - 1)
        chunk += n % size;
    int first = rank * (n / size);
#line 17 "ring.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &chunk, sizeof chunk); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    long *wave = malloc((size_t)(chunk + 4) * sizeof *wave);
    long *next = malloc((size_t)chunk * sizeof *next);
if (xmpi_gen_initial()) {
#line 22 "ring.c"
    for (int i = 0; i < chunk; i++)
        wave[i + 2] = (first + i) * (first + i) % 101;
#line 23 "ring.c"
}
xmpi_gen_data("wave", (void *)&wave, sizeof *wave, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("wave", 2LL); xmpi_gen_elements("wave", "i8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("next", "i8");
xmpi_gen_live("ring.c:10:n", &n, sizeof n); xmpi_gen_elements("ring.c:10:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(30LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("ring.c:26", 0);
    for (int step = 0; 
#line 26 "ring.c"
xmpi_gen_joining() || (
#line 26 "ring.c"
                       step < 30
#line 26 "ring.c"
)
#line 26 "ring.c"
                                ; step++) {
#line 26 "ring.c"
xmpi_gen_live("ring.c:26:step", &step, sizeof step); xmpi_gen_elements("ring.c:26:step", "i4"); if (xmpi_gen_point()) {
#line 18 "ring.c"
        left = (rank + size - 1) % size;
#line 19 "ring.c"
        right = (rank + 1) % size;
#line 26 "ring.c"
}
        MPI_Sendrecv(&wave[2], 2, MPI_LONG, left, 1, &wave[chunk + 2], 2, MPI_LONG, right, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&wave[chunk], 2, MPI_LONG, right, 2, &wave[0], 2, MPI_LONG, left, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < chunk; i++)
            next[i] = (wave[i] + 3 * wave[i + 1] + wave[i + 3] + 2 * wave[i + 4] + step) % 1009;
        for (int i = 0; i < chunk; i++)
            wave[i + 2] = next[i];
        if (wave[2] < 0)
{ xmpi_gen_loop_end(); 
chunk = n / size;
if (rank == size - 1)
        chunk += n % size;
first = rank * (n / size);
if (xmpi_gen_restore("ring.c:26")) {
#line 18 "ring.c"
        left = (rank + size - 1) % size;
#line 19 "ring.c"
        right = (rank + 1) % size;
}
#line 36 "ring.c"
            return 1;
#line 36 "ring.c"
}
    }
#line 37 "ring.c"
xmpi_gen_loop_end(); 
chunk = n / size;
if (rank == size - 1)
        chunk += n % size;
first = rank * (n / size);
if (xmpi_gen_restore("ring.c:26")) {
#line 18 "ring.c"
        left = (rank + size - 1) % size;
#line 19 "ring.c"
        right = (rank + 1) % size;
}
    long own = 0, *all = malloc((size_t)size * sizeof *all), mixed = 0;
    for (int i = 0; i < chunk; i++)
        own += wave[i + 2] * (rank * (n / size) + i);
    MPI_Allgather(&own, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        mixed += all[r];
    if (rank == 0)
        printf("result %ld\n", mixed);
    free(all);
    free(wave);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"ring.c:26\",\"sections\":[{\"event\":{\"arrays\":[\"wave\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":27},\"line\":26,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":31,\"repeated\":0,\"stages\":[{\"line\":31,\"loop\":true,\"reads\":[\"wave\"],\"writes\":[\"next\"]},{\"line\":33,\"loop\":true,\"reads\":[\"next\"],\"writes\":[\"wave\"]},{\"line\":35,\"loop\":false,\"reads\":[\"wave\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
