#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "norms.c"
/* What is computed from a whole vector is the same on all ranks: the norm that the loop starts from, and
 * the goal that follows from it. What is computed from a block is summed up first.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long dot(int n, const long *a, const long *b)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum + a[i] * b[i]) % 1000003;
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, n = 47, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 20 "norms.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 21 "norms.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int *counts 
#line 22 "norms.c"
; if (xmpi_gen_initial()) { counts
#line 22 "norms.c"
                = malloc((size_t)size * sizeof *counts);
#line 22 "norms.c"
} else { counts = 0; }
#line 22 "norms.c"
                                                         
#line 22 "norms.c"
int
#line 22 "norms.c"
                                                         *displs 
#line 22 "norms.c"
; if (xmpi_gen_initial()) { displs
#line 22 "norms.c"
                                                                 = malloc((size_t)size * sizeof *displs);
#line 22 "norms.c"
} else { displs = 0; }
if (xmpi_gen_initial()) {
#line 23 "norms.c"
    for (int r = 0, next = 0; r < size; next += counts[r++]) {
        counts[r] = n / size + (size - r <= n % size);
        displs[r] = next;
    }
#line 26 "norms.c"
}
    int own 
#line 27 "norms.c"
; if (xmpi_gen_initial()) { own
#line 27 "norms.c"
            = counts[rank];
#line 27 "norms.c"
} else { own = 0; }
#line 27 "norms.c"
                            
#line 27 "norms.c"
int
#line 27 "norms.c"
                            first 
#line 27 "norms.c"
; if (xmpi_gen_initial()) { first
#line 27 "norms.c"
                                  = displs[rank];
#line 27 "norms.c"
} else { first = 0; } xmpi_displ = (long long)first; xmpi_count = (long long)own; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &own, sizeof own); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
    long *residual = malloc(((size_t)own + 1) * sizeof *residual), *direction = malloc((size_t)n * sizeof *direction);
if (xmpi_gen_initial()) {
#line 29 "norms.c"
    for (int i = 0; i < own; i++)
        residual[i] = (first + i) * 37 % 101;
#line 30 "norms.c"
}
if (xmpi_gen_initial()) {
#line 31 "norms.c"
    MPI_Allgatherv(residual, own, MPI_LONG, direction, counts, displs, MPI_LONG, MPI_COMM_WORLD);
#line 31 "norms.c"
}
    long norm 
#line 32 "norms.c"
; if (xmpi_gen_initial()) { norm
#line 32 "norms.c"
              = dot(n, direction, direction);
#line 32 "norms.c"
} xmpi_gen_live("norms.c:32:norm", &norm, sizeof norm); xmpi_gen_elements("norms.c:32:norm", "i8");
    long goal 
#line 33 "norms.c"
; if (xmpi_gen_initial()) { goal
#line 33 "norms.c"
              = norm / 8 + 1;
#line 33 "norms.c"
} xmpi_gen_live("norms.c:33:goal", &goal, sizeof goal); xmpi_gen_elements("norms.c:33:goal", "i8");
    long mine = 0, total;
if (xmpi_gen_initial()) {
#line 35 "norms.c"
    for (int i = 0; i < own; i++)
        mine += residual[i];
#line 36 "norms.c"
} xmpi_gen_live("norms.c:34:mine", &mine, sizeof mine); xmpi_gen_elements("norms.c:34:mine", "~ i8");
if (xmpi_gen_initial()) {
#line 37 "norms.c"
    MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
#line 37 "norms.c"
} xmpi_gen_live("norms.c:34:total", &total, sizeof total); xmpi_gen_elements("norms.c:34:total", "i8");
xmpi_gen_data("residual", (void *)&residual, sizeof *residual, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("residual", "i8"); xmpi_gen_data("direction", (void *)&direction, sizeof *direction, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("direction", "i8"); xmpi_gen_live("norms.c:32:norm", &norm, sizeof norm); xmpi_gen_elements("norms.c:32:norm", "i8"); xmpi_gen_live("norms.c:33:goal", &goal, sizeof goal); xmpi_gen_elements("norms.c:33:goal", "i8"); xmpi_gen_live("norms.c:18:rounds", &rounds, sizeof rounds); xmpi_gen_elements("norms.c:18:rounds", "i4"); xmpi_gen_live("norms.c:18:n", &n, sizeof n); xmpi_gen_elements("norms.c:18:n", "i4"); xmpi_gen_live("norms.c:34:total", &total, sizeof total); xmpi_gen_elements("norms.c:34:total", "i8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("norms.c:39", 0);
    while (
#line 39 "norms.c"
xmpi_gen_joining() || (
#line 39 "norms.c"
           norm > goal && rounds < 40
#line 39 "norms.c"
)
#line 39 "norms.c"
                                     ) {
#line 39 "norms.c"
if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 22 "norms.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(displs); displs = 0;
#line 22 "norms.c"
                                                          displs = malloc((size_t)size * sizeof *displs);
#line 23 "norms.c"
    for (int r = 0, next = 0; r < size; next += counts[r++]) {
        counts[r] = n / size + (size - r <= n % size);
        displs[r] = next;
    }
{ int xmpi_part = (int)(own); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(first); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
#line 27 "norms.c"
        own = counts[rank];
own = (int)(xmpi_count);
#line 27 "norms.c"
                            first = displs[rank];
first = (int)(xmpi_displ);
#line 39 "norms.c"
}
        for (int i = 0; i < own; i++)
            residual[i] = (residual[i] * 5 + direction[(first + i + 1) % n] + norm % 7) % (total + 1);
        MPI_Allgatherv(residual, own, MPI_LONG, direction, counts, displs, MPI_LONG, MPI_COMM_WORLD);
        norm = dot(n, direction, direction);
        rounds++;
    }
#line 45 "norms.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %d %ld %ld %ld\n", rounds, norm, goal, total);
    free(residual);
    free(direction);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"norms.c:39\",\"sections\":[{\"event\":{\"arrays\":[\"residual\",\"direction\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":42},\"line\":40,\"repeated\":0,\"stages\":[{\"line\":40,\"loop\":true,\"reads\":[\"residual\",\"direction\"],\"writes\":[\"residual\"]}],\"tiled\":false},{\"line\":43,\"repeated\":0,\"stages\":[{\"line\":43,\"loop\":true,\"reads\":[\"direction\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
