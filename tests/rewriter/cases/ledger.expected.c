#include <xmpi_gen.h>
#line 1 "ledger.c"
/* Tables of all ranks' parts that functions make: one hands its table back, one keeps it in variables of the file and asks
 * for the size itself. Both are gathered anew after a reconfiguration. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int *displs;

static int *counts_of(int n, int size)
{
    int *table = malloc((size_t)size * sizeof *table);
    for (int p = 0; p < size; p++)
        table[p] = (p + 1) * n / size - p * n / size;
    return table;
}

static void divide(int n)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displs = malloc((size_t)size * sizeof *displs);
    for (int p = 0; p < size; p++)
        displs[p] = p * n / size;
}

int main(int argc, char **argv)
{
    int rank, size, n = 47;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 30 "ledger.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 31 "ledger.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 32 "ledger.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = malloc((size_t)count * sizeof *u), *every = malloc((size_t)n * sizeof *every);
if (xmpi_gen_initial()) {
#line 34 "ledger.c"
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#line 35 "ledger.c"
}
    int *counts 
#line 36 "ledger.c"
; if (xmpi_gen_initial()) { counts
#line 36 "ledger.c"
                = counts_of(n, size);
#line 36 "ledger.c"
} else { counts = 0; }
if (xmpi_gen_initial()) {
#line 37 "ledger.c"
    divide(n);
#line 37 "ledger.c"
} else { displs = 0; }
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("ledger.c:28:n", &n, sizeof n); xmpi_gen_elements("ledger.c:28:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("ledger.c:39", 0);
    for (int k = 0; 
#line 39 "ledger.c"
xmpi_gen_joining() || (
#line 39 "ledger.c"
                    k < 40
#line 39 "ledger.c"
)
#line 39 "ledger.c"
                          ; k++) {
#line 39 "ledger.c"
xmpi_gen_live("ledger.c:39:k", &k, sizeof k); xmpi_gen_elements("ledger.c:39:k", "i4"); if (xmpi_gen_point()) {
#line 36 "ledger.c"
         counts = counts_of(n, size);
{ int xmpi_part = (int)(count); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); } xmpi_gen_free(displs); displs = 0;
#line 37 "ledger.c"
    divide(n);
{ int xmpi_part = (int)(displ); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
#line 39 "ledger.c"
}
        MPI_Allgatherv(u, count, MPI_DOUBLE, every, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] = 0.75 * u[i] + 0.25 * every[(displ + i + 5) % n];
    }
#line 43 "ledger.c"
xmpi_gen_loop_end();
    double own = 0, sum = 0;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(u);
    free(every);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"ledger.c:39\",\"sections\":[{\"event\":{\"arrays\":[\"u\",\"every\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":40},\"line\":39,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[\"u\",\"every\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
