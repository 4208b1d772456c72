#include <xmpi_gen.h>
#line 1 "rooted.c"
/* Smoothing in parts, and a sweep over the whole on rank 0 in each iteration: only rank 0 has the tables of all
 * parts, which its statement is to make again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 101;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "rooted.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "rooted.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
#line 13 "rooted.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    long *u = malloc((size_t)rows * sizeof *u), *full = NULL;
    int *counts = NULL, *begins = NULL;
if (xmpi_gen_initial()) {
#line 16 "rooted.c"
    for (int i = 0; i < rows; i++)
        u[i] = (first + i) * 7 % 31;
#line 17 "rooted.c"
}
if (xmpi_gen_initial()) {
    if (rank == 0) {
        full = malloc((size_t)n * sizeof *full);
        counts = malloc((size_t)size * sizeof *counts);
        begins = malloc((size_t)size * sizeof *begins);
        for (int p = 0; p < size; p++) {
            begins[p] = p * n / size;
            counts[p] = (p + 1) * n / size - begins[p];
        }
    }
#line 27 "rooted.c"
} else { full = 0; counts = 0; begins = 0; }
xmpi_gen_root(); xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "i8"); xmpi_gen_live("rooted.c:9:n", &n, sizeof n); xmpi_gen_elements("rooted.c:9:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_MAY_REPEAT, "it changes 'full', which is not registered, at rooted.c:32"); xmpi_gen_loop_begin("rooted.c:29", 0);
    for (int it = 0; 
#line 29 "rooted.c"
xmpi_gen_joining() || (
#line 29 "rooted.c"
                     it < 40
#line 29 "rooted.c"
)
#line 29 "rooted.c"
                            ; it++) {
#line 29 "rooted.c"
xmpi_gen_live("rooted.c:29:it", &it, sizeof it); xmpi_gen_elements("rooted.c:29:it", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(full); full = 0; xmpi_gen_free(counts); counts = 0; xmpi_gen_free(begins); begins = 0;
#line 19 "rooted.c"
    if (rank == 0) {
        full = malloc((size_t)n * sizeof *full);
        counts = malloc((size_t)size * sizeof *counts);
        begins = malloc((size_t)size * sizeof *begins);
        for (int p = 0; p < size; p++) {
            begins[p] = p * n / size;
            counts[p] = (p + 1) * n / size - begins[p];
        }
    }
{ int xmpi_part = (int)(first); MPI_Gather(&xmpi_part, 1, MPI_INT, begins, 1, MPI_INT, 0, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(rows); MPI_Gather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD); }
#line 29 "rooted.c"
}
        for (int i = 0; i < rows; i++)
            u[i] = u[i] * 5 % 1013 + 1;
        MPI_Gatherv(u, rows, MPI_LONG, full, counts, begins, MPI_LONG, 0, MPI_COMM_WORLD);
        if (rank == 0)
            for (int i = 1; i < n; i++)
                full[i] = (full[i] + full[i - 1]) % 2003;
        MPI_Scatterv(full, counts, begins, MPI_LONG, u, rows, MPI_LONG, 0, MPI_COMM_WORLD);
    }
#line 37 "rooted.c"
xmpi_gen_loop_end();
    long own = 0, sum = 0;
    for (int i = 0; i < rows; i++)
        own += u[i] * (1 + (first + i) % 9);
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) /* The result is the same for any layout. */
        printf("result %ld\n", sum);
    free(u);
    free(full);
    free(counts);
    free(begins);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"rooted.c:29\",\"sections\":[{\"event\":{\"arrays\":[\"u\",\"full\",\"counts\",\"begins\"],\"calls\":[\"MPI_Gatherv\"],\"line\":32},\"line\":30,\"repeated\":0,\"stages\":[{\"line\":30,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false},{\"event\":{\"arrays\":[\"full\",\"counts\",\"begins\",\"u\"],\"calls\":[\"MPI_Scatterv\"],\"line\":36},\"line\":33,\"repeated\":0,\"stages\":[{\"line\":33,\"loop\":true,\"passes\":0,\"reads\":[\"full\"],\"writes\":[\"full\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
