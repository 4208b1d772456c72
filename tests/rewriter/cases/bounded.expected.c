#include <xmpi_gen.h>
#line 1 "bounded.c"
/* Heat equation with a bounded loop: the whole rod on every rank, own cells computed, gathered with formula tables.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 90, steps = 12;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "bounded.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "bounded.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    if (argc > 1)
        n = atoi(argv[1]);
    int local = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
#line 16 "bounded.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &local, sizeof local); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first);
    double *u = malloc((size_t)n * sizeof(double));
    double *next = malloc((size_t)local * sizeof(double));
    int *counts 
#line 19 "bounded.c"
; if (xmpi_gen_initial()) { counts
#line 19 "bounded.c"
                = malloc((size_t)size * sizeof(int));
#line 19 "bounded.c"
} else { counts = 0; }
    int *displs 
#line 20 "bounded.c"
; if (xmpi_gen_initial()) { displs
#line 20 "bounded.c"
                = malloc((size_t)size * sizeof(int));
#line 20 "bounded.c"
} else { displs = 0; }
if (xmpi_gen_initial()) {
#line 21 "bounded.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
#line 24 "bounded.c"
}
if (xmpi_gen_initial()) {
#line 25 "bounded.c"
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
#line 26 "bounded.c"
}
if (xmpi_gen_initial()) {
#line 27 "bounded.c"
    if (rank == 0)
        printf("heating %d cells\n", n);
#line 28 "bounded.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("next", "f8"); xmpi_gen_live("bounded.c:9:steps", &steps, sizeof steps); xmpi_gen_elements("bounded.c:9:steps", "i4"); xmpi_gen_live("bounded.c:9:n", &n, sizeof n); xmpi_gen_elements("bounded.c:9:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("bounded.c:30", 2LL);
    for (int step = 0; 
#line 30 "bounded.c"
xmpi_gen_joining() || (
#line 30 "bounded.c"
                       step < steps
#line 30 "bounded.c"
)
#line 30 "bounded.c"
                                   ; step++) {
#line 30 "bounded.c"
xmpi_gen_live("bounded.c:30:step", &step, sizeof step); xmpi_gen_elements("bounded.c:30:step", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 19 "bounded.c"
         counts = malloc((size_t)size * sizeof(int)); xmpi_gen_free(displs); displs = 0;
#line 20 "bounded.c"
         displs = malloc((size_t)size * sizeof(int));
#line 21 "bounded.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
{ int xmpi_part = (int)(local); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(first); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
#line 30 "bounded.c"
}
        for (int i = 0; i < local; i++) {
            int g = first + i;
            double left = g > 0 ? u[g - 1] : 0;
            double right = g < n - 1 ? u[g + 1] : 0;
            next[i] = u[g] + 0.25 * (left - 2 * u[g] + right);
        }
        MPI_Allgatherv(next, local, MPI_DOUBLE, u, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
#line 38 "bounded.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.17g %.17g\n", u[0], u[n / 2]);
    free(u);
    free(next);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"bounded.c:30\",\"sections\":[{\"event\":{\"arrays\":[\"next\",\"u\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":37},\"line\":31,\"repeated\":0,\"stages\":[{\"line\":31,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"next\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
