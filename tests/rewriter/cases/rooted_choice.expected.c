#include <xmpi_gen.h>
#line 1 "rooted_choice.c"
/* A file of rank 0 that a choice opens, not an if. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "rooted_choice.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "rooted_choice.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, rows = (rank + 1) * n / size - first;
#line 12 "rooted_choice.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    double *u = malloc((size_t)rows * sizeof *u), all = 0;
if (xmpi_gen_initial()) {
#line 14 "rooted_choice.c"
    for (int i = 0; i < rows; i++)
        u[i] = first + i;
#line 15 "rooted_choice.c"
}
    FILE *series 
#line 16 "rooted_choice.c"
; if (xmpi_gen_initial()) { series
#line 16 "rooted_choice.c"
                 = rank == 0 ? tmpfile() : NULL;
#line 16 "rooted_choice.c"
} else { series = 0; }
xmpi_gen_root(); xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("rooted_choice.c:13:all", &all, sizeof all); xmpi_gen_elements("rooted_choice.c:13:all", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_NEVER_REPEATS, "it reads or writes a file: fprintf at rooted_choice.c:24"); xmpi_gen_loop_begin("rooted_choice.c:18", 0);
    for (int k = 0; 
#line 18 "rooted_choice.c"
xmpi_gen_joining() || (
#line 18 "rooted_choice.c"
                    k < 40
#line 18 "rooted_choice.c"
)
#line 18 "rooted_choice.c"
                          ; k++) {
#line 18 "rooted_choice.c"
xmpi_gen_live("rooted_choice.c:18:k", &k, sizeof k); xmpi_gen_elements("rooted_choice.c:18:k", "i4"); (void)xmpi_gen_point();
        double sum = 0;
        for (int i = 0; i < rows; i++)
            sum += u[i] = .5 * u[i] + k;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            fprintf(series, "%d %g\n", k, all);
    }
#line 25 "rooted_choice.c"
xmpi_gen_loop_end();
    if (series) {
        printf("result %.10g, %d written\n", all, ftell(series) > 0);
        fclose(series);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"rooted_choice.c:18\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":22},\"line\":20,\"repeated\":0,\"stages\":[{\"line\":20,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false},{\"line\":23,\"repeated\":0,\"stages\":[{\"line\":23,\"loop\":true,\"reads\":[\"series\"],\"writes\":[\"series\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
