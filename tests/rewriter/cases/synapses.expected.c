#include <xmpi_gen.h>
#line 1 "synapses.c"
/* Neurons that learn: a sparse matrix of weights, which the loop changes, so that its rows have to move.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void learn(const int *first, const int *from, long *weight, int own, const long *spikes, long *potential)
{
    for (int i = 0; i < own; i++) {
        const int begin = first[i], end = first[i + 1];
        potential[i] = 0;
        for (int s = begin; s < end; s++) {
            potential[i] += weight[s] * spikes[from[s]];
            weight[s] = (weight[s] * 5 + spikes[from[s]] + s - begin) % 97;
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 39;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 23 "synapses.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 24 "synapses.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int start = n * rank / size, own = n * (rank + 1) / size - start;
#line 25 "synapses.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &start, sizeof start); xmpi_gen_refresh(XMPI_GEN_COUNT, &own, sizeof own);
    int *counts 
#line 26 "synapses.c"
; if (xmpi_gen_initial()) { counts
#line 26 "synapses.c"
                = malloc((size_t)size * sizeof *counts);
#line 26 "synapses.c"
} else { counts = 0; }
#line 26 "synapses.c"
                                                         
#line 26 "synapses.c"
int
#line 26 "synapses.c"
                                                         *starts 
#line 26 "synapses.c"
; if (xmpi_gen_initial()) { starts
#line 26 "synapses.c"
                                                                 = malloc((size_t)size * sizeof *starts);
#line 26 "synapses.c"
} else { starts = 0; }
if (xmpi_gen_initial()) {
#line 27 "synapses.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n * (r + 1) / size - n * r / size;
        starts[r] = n * r / size;
    }
#line 30 "synapses.c"
}
    int *first = malloc((size_t)(own + 1) * sizeof *first);
if (xmpi_gen_initial()) {
#line 32 "synapses.c"
    first[0] = 0;
#line 32 "synapses.c"
}
if (xmpi_gen_initial()) {
#line 33 "synapses.c"
    for (int i = 0; i < own; i++)
        first[i + 1] = first[i] + 1 + (start + i) * 5 % 4;
#line 34 "synapses.c"
}
    int *from 
#line 35 "synapses.c"
; if (xmpi_gen_initial()) { from
#line 35 "synapses.c"
              = malloc((size_t)first[own] * sizeof *from);
#line 35 "synapses.c"
} else { from = 0; }
    long *weight 
#line 36 "synapses.c"
; if (xmpi_gen_initial()) { weight
#line 36 "synapses.c"
                 = malloc((size_t)first[own] * sizeof *weight);
#line 36 "synapses.c"
} else { weight = 0; }
if (xmpi_gen_initial()) {
#line 37 "synapses.c"
    for (int i = 0; i < own; i++)
        for (int s = first[i]; s < first[i + 1]; s++) {
            from[s] = (start + i + 3 * (s - first[i]) + 1) % n;
            weight[s] = (start + i) % 7 + s - first[i];
        }
#line 41 "synapses.c"
}
    long *spikes = malloc((size_t)n * sizeof *spikes), *potential = malloc((size_t)(own + 1) * sizeof *potential);
if (xmpi_gen_initial()) {
#line 43 "synapses.c"
    for (int i = 0; i < n; i++)
        spikes[i] = i % 3;
#line 44 "synapses.c"
}
xmpi_gen_data("first", (void *)&first, sizeof *first, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("first", "i4"); xmpi_gen_data("weight", (void *)&weight, sizeof *weight, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("weight", "i8"); xmpi_gen_data("from", (void *)&from, sizeof *from, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("from", "i4"); xmpi_gen_csr("first", "weight", "from"); xmpi_gen_data("spikes", (void *)&spikes, sizeof *spikes, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("spikes", "i8"); xmpi_gen_data("potential", (void *)&potential, sizeof *potential, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("potential", "i8"); xmpi_gen_constant("first"); xmpi_gen_constant("from"); xmpi_gen_live("synapses.c:21:n", &n, sizeof n); xmpi_gen_elements("synapses.c:21:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(30LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("synapses.c:46", 0);
    for (int t = 0; 
#line 46 "synapses.c"
xmpi_gen_joining() || (
#line 46 "synapses.c"
                    t < 30
#line 46 "synapses.c"
)
#line 46 "synapses.c"
                          ; t++) {
#line 46 "synapses.c"
xmpi_gen_live("synapses.c:46:t", &t, sizeof t); xmpi_gen_elements("synapses.c:46:t", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 26 "synapses.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(starts); starts = 0;
#line 26 "synapses.c"
                                                          starts = malloc((size_t)size * sizeof *starts);
#line 27 "synapses.c"
    for (int r = 0; r < size; r++) {
        counts[r] = n * (r + 1) / size - n * r / size;
        starts[r] = n * r / size;
    }
{ int xmpi_part = (int)(own); MPI_Allgather(&xmpi_part, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(start); MPI_Allgather(&xmpi_part, 1, MPI_INT, starts, 1, MPI_INT, MPI_COMM_WORLD); }
#line 46 "synapses.c"
}
        learn(first, from, weight, own, spikes, potential);
        for (int i = 0; i < own; i++)
            potential[i] %= 11;
        MPI_Allgatherv(potential, own, MPI_LONG, spikes, counts, starts, MPI_LONG, MPI_COMM_WORLD);
    }
#line 51 "synapses.c"
xmpi_gen_loop_end();
    long mine = 0, sum;
    for (int i = 0; i < own; i++)
        for (int s = first[i]; s < first[i + 1]; s++)
            mine += weight[s] * (start + i + from[s]);
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld %ld\n", sum, spikes[n / 2]);
    free(first);
    free(from);
    free(weight);
    free(spikes);
    free(potential);
    free(counts);
    free(starts);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"synapses.c:46\",\"sections\":[{\"event\":{\"arrays\":[\"potential\",\"spikes\",\"counts\",\"starts\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":50},\"line\":47,\"repeated\":0,\"stages\":[{\"line\":47,\"loop\":true,\"reads\":[\"first\",\"weight\",\"spikes\",\"from\",\"potential\"],\"writes\":[\"potential\",\"weight\"]},{\"line\":48,\"loop\":true,\"reads\":[\"potential\"],\"writes\":[\"potential\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
