#include <xmpi_gen.h>
#line 1 "walks.c"
/* Walks on a graph that every process assembles for its own nodes, in compressed rows: it does so again
 * whenever it gets others. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 44;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "walks.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "walks.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 13 "walks.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    int *counts 
#line 14 "walks.c"
; if (xmpi_gen_initial()) { counts
#line 14 "walks.c"
                = malloc((size_t)size * sizeof *counts);
#line 14 "walks.c"
} else { counts = 0; }
#line 14 "walks.c"
                                                         
#line 14 "walks.c"
int
#line 14 "walks.c"
                                                         *displs 
#line 14 "walks.c"
; if (xmpi_gen_initial()) { displs
#line 14 "walks.c"
                                                                 = malloc((size_t)size * sizeof *displs);
#line 14 "walks.c"
} else { displs = 0; }
if (xmpi_gen_initial()) {
#line 15 "walks.c"
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 15 "walks.c"
}
if (xmpi_gen_initial()) {
#line 16 "walks.c"
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
#line 16 "walks.c"
}
    int *begin 
#line 17 "walks.c"
; if (xmpi_gen_initial()) { begin
#line 17 "walks.c"
               = malloc(((size_t)count + 1) * sizeof *begin);
#line 17 "walks.c"
} else { begin = 0; }
if (xmpi_gen_initial()) {
#line 18 "walks.c"
    begin[0] = 0;
#line 18 "walks.c"
}
if (xmpi_gen_initial()) {
#line 19 "walks.c"
    for (int i = 0; i < count; i++)
        begin[i + 1] = begin[i] + 2 + (displ + i) % 3;
#line 20 "walks.c"
}
    int *column 
#line 21 "walks.c"
; if (xmpi_gen_initial()) { column
#line 21 "walks.c"
                = malloc((size_t)begin[count] * sizeof *column);
#line 21 "walks.c"
} else { column = 0; }
    long *value 
#line 22 "walks.c"
; if (xmpi_gen_initial()) { value
#line 22 "walks.c"
                = malloc((size_t)begin[count] * sizeof *value);
#line 22 "walks.c"
} else { value = 0; }
if (xmpi_gen_initial()) {
#line 23 "walks.c"
    for (int i = 0; i < count; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            column[k] = (displ + i + k - begin[i]) % n;
            value[k] = 1 + k - begin[i];
        }
#line 27 "walks.c"
}
    long *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)count * sizeof *y);
if (xmpi_gen_initial()) {
#line 29 "walks.c"
    for (int i = 0; i < n; i++)
        x[i] = i;
#line 30 "walks.c"
}
xmpi_gen_data("y", (void *)&y, sizeof *y, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("y", "i8"); xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("x", "i8"); xmpi_gen_live("walks.c:9:n", &n, sizeof n); xmpi_gen_elements("walks.c:9:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(20LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("walks.c:32", 0);
    for (int t = 0; 
#line 32 "walks.c"
xmpi_gen_joining() || (
#line 32 "walks.c"
                    t < 20
#line 32 "walks.c"
)
#line 32 "walks.c"
                          ; t++) {
#line 32 "walks.c"
xmpi_gen_live("walks.c:32:t", &t, sizeof t); xmpi_gen_elements("walks.c:32:t", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(counts); counts = 0;
#line 14 "walks.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(displs); displs = 0;
#line 14 "walks.c"
                                                          displs = malloc((size_t)size * sizeof *displs);
#line 15 "walks.c"
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 16 "walks.c"
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD); xmpi_gen_free(begin); begin = 0;
#line 17 "walks.c"
         begin = malloc(((size_t)count + 1) * sizeof *begin);
#line 18 "walks.c"
    begin[0] = 0;
#line 19 "walks.c"
    for (int i = 0; i < count; i++)
        begin[i + 1] = begin[i] + 2 + (displ + i) % 3; xmpi_gen_free(column); column = 0;
#line 21 "walks.c"
         column = malloc((size_t)begin[count] * sizeof *column); xmpi_gen_free(value); value = 0;
#line 22 "walks.c"
          value = malloc((size_t)begin[count] * sizeof *value);
#line 23 "walks.c"
    for (int i = 0; i < count; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            column[k] = (displ + i + k - begin[i]) % n;
            value[k] = 1 + k - begin[i];
        }
#line 32 "walks.c"
}
        for (int i = 0; i < count; i++) {
            y[i] = 0;
            for (int k = begin[i]; k < begin[i + 1]; k++)
                y[i] = (y[i] + value[k] * x[column[k]]) % 10007;
        }
        MPI_Allgatherv(y, count, MPI_LONG, x, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    }
#line 39 "walks.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", x[n / 3]);
    free(begin);
    free(column);
    free(value);
    free(x);
    free(y);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"walks.c:32\",\"sections\":[{\"event\":{\"arrays\":[\"y\",\"x\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":38},\"line\":33,\"repeated\":0,\"stages\":[{\"line\":33,\"loop\":true,\"reads\":[\"begin\",\"y\",\"value\",\"x\",\"column\"],\"writes\":[\"y\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
