#include <xmpi_gen.h>
#line 1 "phases.c"
/* Two adaptive loops in main, one after another: a wave is damped, then its energy is summed up in
 * growing powers. What was divided for the first loop serves the second one. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 61;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "phases.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "phases.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
#line 14 "phases.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    long *wave = malloc((size_t)count * sizeof *wave);
    int *counts 
#line 16 "phases.c"
; if (xmpi_gen_initial()) { counts
#line 16 "phases.c"
                = malloc((size_t)size * sizeof *counts);
#line 16 "phases.c"
} else { counts = 0; }
    int *displs 
#line 17 "phases.c"
; if (xmpi_gen_initial()) { displs
#line 17 "phases.c"
                = malloc((size_t)size * sizeof *displs);
#line 17 "phases.c"
} else { displs = 0; }
if (xmpi_gen_initial()) {
#line 18 "phases.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
#line 21 "phases.c"
}
if (xmpi_gen_initial()) {
#line 22 "phases.c"
    for (int i = 0; i < count; i++)
        wave[i] = (displ + i) * 7919 % 1009;
#line 23 "phases.c"
}
if (xmpi_gen_enter("phases.c:25")) { xmpi_gen_data("phases.c:15:wave", (void *)&wave, sizeof *wave, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("phases.c:15:wave", "i8"); xmpi_gen_live("phases.c:9:n", &n, sizeof n); xmpi_gen_elements("phases.c:9:n", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_call(0); xmpi_gen_loop_begin("phases.c:25", 0);
    for (int step = 0; 
#line 25 "phases.c"
xmpi_gen_joining() || (
#line 25 "phases.c"
                       step < 12
#line 25 "phases.c"
)
#line 25 "phases.c"
                                ; step++) {
#line 25 "phases.c"
xmpi_gen_live("phases.c:25:step", &step, sizeof step); xmpi_gen_elements("phases.c:25:step", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 16 "phases.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(displs); displs = 0;
#line 17 "phases.c"
         displs = malloc((size_t)size * sizeof *displs);
#line 18 "phases.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
{ int xmpi_part = (int)(count); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(displ); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
#line 25 "phases.c"
} if (xmpi_gen_elsewhere("phases.c:25")) break;
        for (int i = 0; i < count; i++)
            wave[i] = (wave[i] * 3 + displ + i + step) % 100003;
    }
#line 28 "phases.c"
xmpi_gen_loop_end(); xmpi_gen_return(0); }
    long peak = 0, top = 0;
if (xmpi_gen_initial()) {
#line 30 "phases.c"
    for (int i = 0; i < count; i++)
        top = wave[i] > top ? wave[i] : top;
#line 31 "phases.c"
} xmpi_gen_live("phases.c:29:top", &top, sizeof top); xmpi_gen_elements("phases.c:29:top", "~ i8");
if (xmpi_gen_initial()) {
#line 32 "phases.c"
    MPI_Allreduce(&top, &peak, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
#line 32 "phases.c"
} xmpi_gen_live("phases.c:29:peak", &peak, sizeof peak); xmpi_gen_elements("phases.c:29:peak", "i8");
    long *all = malloc((size_t)n * sizeof *all);
    long energy = 0;
xmpi_gen_data("phases.c:15:wave", (void *)&wave, sizeof *wave, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("phases.c:15:wave", "i8"); xmpi_gen_data("phases.c:33:all", (void *)&all, sizeof *all, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("phases.c:33:all", "i8"); xmpi_gen_live("phases.c:29:peak", &peak, sizeof peak); xmpi_gen_elements("phases.c:29:peak", "i8"); xmpi_gen_live("phases.c:9:n", &n, sizeof n); xmpi_gen_elements("phases.c:9:n", "i4"); xmpi_gen_live("phases.c:34:energy", &energy, sizeof energy); xmpi_gen_elements("phases.c:34:energy", "i8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_call(0); xmpi_gen_loop_begin("phases.c:36", 0);
    for (int power = 1; 
#line 36 "phases.c"
xmpi_gen_joining() || (
#line 36 "phases.c"
                        power < 14
#line 36 "phases.c"
)
#line 36 "phases.c"
                                  ; power++) {
#line 36 "phases.c"
xmpi_gen_live("phases.c:36:power", &power, sizeof power); xmpi_gen_elements("phases.c:36:power", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 16 "phases.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(displs); displs = 0;
#line 17 "phases.c"
         displs = malloc((size_t)size * sizeof *displs);
#line 18 "phases.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
{ int xmpi_part = (int)(count); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(displ); MPI_Allgather(&xmpi_part, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); }
#line 36 "phases.c"
}
        long own = 0, sum;
        for (int i = 0; i < count; i++)
            own += wave[i] * power % (peak + 1);
        MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            wave[i] = (wave[i] + sum) % 65521;
        MPI_Allgatherv(wave, count, MPI_LONG, all, counts, displs, MPI_LONG, MPI_COMM_WORLD);
        energy += all[power % n] + sum;
    }
#line 45 "phases.c"
xmpi_gen_loop_end(); xmpi_gen_return(0);
    if (rank == 0)
        printf("result %ld %ld %ld\n", peak, energy, all[n - 1]);
    free(wave);
    free(all);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"phases.c:25\",\"sections\":[{\"line\":26,\"repeated\":0,\"stages\":[{\"line\":26,\"loop\":true,\"reads\":[\"phases.c:15:wave\"],\"writes\":[\"phases.c:15:wave\"]}],\"tiled\":false}]}";
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration_2[] =
    "{\"loop\":\"phases.c:36\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":40},\"line\":38,\"repeated\":0,\"stages\":[{\"line\":38,\"loop\":true,\"reads\":[\"phases.c:15:wave\"],\"writes\":[]}],\"tiled\":false},{\"event\":{\"arrays\":[\"phases.c:15:wave\",\"phases.c:33:all\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":43},\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[\"phases.c:15:wave\"],\"writes\":[\"phases.c:15:wave\"]}],\"tiled\":false},{\"line\":44,\"repeated\":0,\"stages\":[{\"line\":44,\"loop\":false,\"reads\":[\"phases.c:33:all\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
