#include <xmpi_gen.h>
#line 1 "harvest.c"
/* One loop of the prologue fills the matrix, the right side and the first guess: the loop goes on with the guess, so
 * the matrix moves with it. A second matrix, of another loop, is made again, with the number of its entries. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIELDS = 70 };

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 13 "harvest.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 14 "harvest.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = FIELDS * rank / size, rows = FIELDS * (rank + 1) / size - first;
#line 15 "harvest.c"
xmpi_gen_domain(70LL); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    int *counts 
#line 16 "harvest.c"
; if (xmpi_gen_initial()) { counts
#line 16 "harvest.c"
                = malloc((size_t)size * sizeof *counts);
#line 16 "harvest.c"
} else { counts = 0; }
#line 16 "harvest.c"
                                                         
#line 16 "harvest.c"
int
#line 16 "harvest.c"
                                                         *firsts 
#line 16 "harvest.c"
; if (xmpi_gen_initial()) { firsts
#line 16 "harvest.c"
                                                                 = malloc((size_t)size * sizeof *firsts);
#line 16 "harvest.c"
} else { firsts = 0; }
if (xmpi_gen_initial()) {
#line 17 "harvest.c"
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 17 "harvest.c"
}
if (xmpi_gen_initial()) {
#line 18 "harvest.c"
    MPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, MPI_COMM_WORLD);
#line 18 "harvest.c"
}
    double *x = malloc((size_t)rows * sizeof *x), *b = malloc((size_t)rows * sizeof *b);
    double *all = malloc(FIELDS * sizeof *all);
    int *start = malloc(((size_t)rows + 1) * sizeof *start), *column = malloc(3 * (size_t)rows * sizeof *column);
    double *value = malloc(3 * (size_t)rows * sizeof *value);
    int entries = 0;
if (xmpi_gen_initial()) {
#line 24 "harvest.c"
    start[0] = 0;
#line 24 "harvest.c"
}
if (xmpi_gen_initial()) {
#line 25 "harvest.c"
    for (int i = 0; i < rows; i++) {
        int g = first + i;
        if (g > 0) {
            column[entries] = g - 1;
            value[entries++] = -0.25;
        }
        column[entries] = g;
        value[entries++] = 0.5;
        if (g < FIELDS - 1) {
            column[entries] = g + 1;
            value[entries++] = 0.125;
        }
        start[i + 1] = entries;
        b[i] = 1 + g % 4;
        x[i] = g % 3;
    }
#line 40 "harvest.c"
} xmpi_gen_live("harvest.c:23:entries", &entries, sizeof entries); xmpi_gen_elements("harvest.c:23:entries", "~ i4");
    int *from 
#line 41 "harvest.c"
; if (xmpi_gen_initial()) { from
#line 41 "harvest.c"
              = malloc(((size_t)rows + 1) * sizeof *from);
#line 41 "harvest.c"
} else { from = 0; }
#line 41 "harvest.c"
                                                           
#line 41 "harvest.c"
int
#line 41 "harvest.c"
                                                           *partner 
#line 41 "harvest.c"
; if (xmpi_gen_initial()) { partner
#line 41 "harvest.c"
                                                                    = malloc(4 * (size_t)rows * sizeof *partner);
#line 41 "harvest.c"
} else { partner = 0; }
    int *degree 
#line 42 "harvest.c"
; if (xmpi_gen_initial()) { degree
#line 42 "harvest.c"
                = malloc((size_t)rows * sizeof *degree);
#line 42 "harvest.c"
} else { degree = 0; }
#line 42 "harvest.c"
                                                         
#line 42 "harvest.c"
int
#line 42 "harvest.c"
                                                         links = 0; 
#line 42 "harvest.c"
int
#line 42 "harvest.c"
                                                                    odd = 0;
if (xmpi_gen_initial()) {
#line 43 "harvest.c"
    from[0] = 0;
#line 43 "harvest.c"
}
if (xmpi_gen_initial()) {
#line 44 "harvest.c"
    for (int i = 0; i < rows; i++) {
        degree[i] = (first + i) % 5;
        for (int k = 0; k < degree[i]; k++)
            partner[links++] = (7 * (first + i) + 11 * k) % FIELDS;
        from[i + 1] = links;
        if ((first + i) % 2 == 1)
            odd++;
    }
#line 51 "harvest.c"
}
    double harvest = 0;
xmpi_gen_data("start", (void *)&start, sizeof *start, XMPI_GEN_DISTRIBUTED, 70LL, 1); xmpi_gen_elements("start", "i4"); xmpi_gen_data("column", (void *)&column, sizeof *column, XMPI_GEN_DISTRIBUTED, 70LL, 1); xmpi_gen_elements("column", "i4"); xmpi_gen_data("value", (void *)&value, sizeof *value, XMPI_GEN_DISTRIBUTED, 70LL, 1); xmpi_gen_elements("value", "f8"); xmpi_gen_csr("start", "column", "value"); xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_DISTRIBUTED, 70LL, 1); xmpi_gen_elements("x", "f8"); xmpi_gen_data("all", (void *)&all, sizeof *all, XMPI_GEN_REPLICATED, 70LL, 1); xmpi_gen_elements("all", "f8"); xmpi_gen_data("b", (void *)&b, sizeof *b, XMPI_GEN_DISTRIBUTED, 70LL, 1); xmpi_gen_elements("b", "f8"); xmpi_gen_constant("start"); xmpi_gen_constant("column"); xmpi_gen_constant("value"); xmpi_gen_constant("b"); xmpi_gen_live("harvest.c:52:harvest", &harvest, sizeof harvest); xmpi_gen_elements("harvest.c:52:harvest", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(20LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("harvest.c:54", 0);
    for (int year = 0; 
#line 54 "harvest.c"
xmpi_gen_joining() || (
#line 54 "harvest.c"
                       year < 20
#line 54 "harvest.c"
)
#line 54 "harvest.c"
                                ; year++) {
#line 54 "harvest.c"
xmpi_gen_live("harvest.c:54:year", &year, sizeof year); xmpi_gen_elements("harvest.c:54:year", "i4"); if (xmpi_gen_point()) { links = 0; odd = 0; xmpi_gen_free(counts); counts = 0;
#line 16 "harvest.c"
         counts = malloc((size_t)size * sizeof *counts); xmpi_gen_free(firsts); firsts = 0;
#line 16 "harvest.c"
                                                          firsts = malloc((size_t)size * sizeof *firsts);
#line 17 "harvest.c"
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
#line 18 "harvest.c"
    MPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, MPI_COMM_WORLD); xmpi_gen_free(from); from = 0;
#line 41 "harvest.c"
         from = malloc(((size_t)rows + 1) * sizeof *from); xmpi_gen_free(partner); partner = 0;
#line 41 "harvest.c"
                                                            partner = malloc(4 * (size_t)rows * sizeof *partner); xmpi_gen_free(degree); degree = 0;
#line 42 "harvest.c"
         degree = malloc((size_t)rows * sizeof *degree);
#line 43 "harvest.c"
    from[0] = 0;
#line 44 "harvest.c"
    for (int i = 0; i < rows; i++) {
        degree[i] = (first + i) % 5;
        for (int k = 0; k < degree[i]; k++)
            partner[links++] = (7 * (first + i) + 11 * k) % FIELDS;
        from[i + 1] = links;
        if ((first + i) % 2 == 1)
            odd++;
    }
#line 54 "harvest.c"
}
        double own = 0.001 * odd;
        MPI_Allgatherv(x, rows, MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < rows; i++) {
            double sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * all[column[k]];
            for (int k = from[i]; k < from[i + 1]; k++)
                sum += 0.0625 * all[partner[k]] / degree[i];
            x[i] = sum / 2;
            own += x[i] > 2;
        }
        for (int k = 0; k < links; k++)
            own += partner[k] % 3 == 0;
        double sum;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        harvest += sum;
    }
#line 71 "harvest.c"
xmpi_gen_loop_end();
    MPI_Allgatherv(x, rows, MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.6f %.15g %.15g\n", harvest, all[0], all[FIELDS / 2]);
    free(x);
    free(b);
    free(all);
    free(start);
    free(column);
    free(value);
    free(from);
    free(partner);
    free(degree);
    free(counts);
    free(firsts);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"harvest.c:54\",\"sections\":[{\"event\":{\"arrays\":[\"x\",\"all\",\"counts\",\"firsts\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":56},\"line\":54,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":69},\"line\":57,\"repeated\":0,\"stages\":[{\"line\":57,\"loop\":true,\"reads\":[\"b\",\"start\",\"value\",\"all\",\"column\",\"from\",\"partner\",\"degree\",\"x\"],\"writes\":[\"x\"]},{\"line\":66,\"loop\":true,\"reads\":[\"partner\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
