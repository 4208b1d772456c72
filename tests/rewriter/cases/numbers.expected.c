#include <xmpi_gen.h>
#line 1 "numbers.c"
/* The first process makes a number for each, scatters them and frees the list: setup, in which the pointer begins with
 * nothing each time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 150, weight, *weights = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "numbers.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "numbers.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#line 13 "numbers.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = malloc((size_t)count * sizeof *u), sum = 0;
if (xmpi_gen_initial()) {
#line 15 "numbers.c"
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#line 16 "numbers.c"
}
if (xmpi_gen_initial()) {
#line 17 "numbers.c"
    if (rank == 0) {
        weights = malloc((size_t)size * sizeof *weights);
        for (int p = 0; p < size; p++)
            weights[p] = 2 + 3 * p;
    }
#line 21 "numbers.c"
} else { weights = 0; }
if (xmpi_gen_initial()) {
#line 22 "numbers.c"
    MPI_Scatter(weights, 1, MPI_INT, &weight, 1, MPI_INT, 0, MPI_COMM_WORLD);
#line 22 "numbers.c"
} else { weight = 0; }
if (xmpi_gen_initial()) {
#line 23 "numbers.c"
    free(weights);
#line 23 "numbers.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("numbers.c:14:sum", &sum, sizeof sum); xmpi_gen_elements("numbers.c:14:sum", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("numbers.c:25", 0);
    for (int k = 0; 
#line 25 "numbers.c"
xmpi_gen_joining() || (
#line 25 "numbers.c"
                    k < 40
#line 25 "numbers.c"
)
#line 25 "numbers.c"
                          ; k++) {
#line 25 "numbers.c"
xmpi_gen_live("numbers.c:25:k", &k, sizeof k); xmpi_gen_elements("numbers.c:25:k", "i4"); if (xmpi_gen_point()) { weights = 0;
#line 17 "numbers.c"
    if (rank == 0) {
        weights = malloc((size_t)size * sizeof *weights);
        for (int p = 0; p < size; p++)
            weights[p] = 2 + 3 * p;
    }
#line 22 "numbers.c"
    MPI_Scatter(weights, 1, MPI_INT, &weight, 1, MPI_INT, 0, MPI_COMM_WORLD);
#line 23 "numbers.c"
    free(weights);
#line 25 "numbers.c"
}
        double own = 0;
        for (int i = 0; i < count; i++) {
            u[i] += 1;
            own += u[i] + (weight != 2 + 3 * rank);
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#line 32 "numbers.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.15g\n", sum);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"numbers.c:25\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":31},\"line\":27,\"repeated\":0,\"stages\":[{\"line\":27,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
