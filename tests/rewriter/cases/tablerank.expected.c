#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "tablerank.c"
/* The range is in a table only, the rank comes from a function, and what is one less than the rank is set later.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, left;
static int *starts;

static void identify(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 12 "tablerank.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 13 "tablerank.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    identify();
    int n = argc > 1 ? atoi(argv[1]) : 33;
if (xmpi_gen_initial()) {
#line 21 "tablerank.c"
    starts = malloc((size_t)(size + 1) * sizeof *starts);
#line 21 "tablerank.c"
} else { starts = 0; }
if (xmpi_gen_initial()) {
#line 22 "tablerank.c"
    for (int r = 0; r <= size; r++)
        starts[r] = r * n / size;
#line 23 "tablerank.c"
} if (xmpi_gen_initial()) { xmpi_displ = (long long)starts[rank]; xmpi_count = (long long)starts[rank + 1] - (long long)starts[rank]; } xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
    double *u 
#line 24 "tablerank.c"
; if (xmpi_gen_initial()) { u
#line 24 "tablerank.c"
              = calloc((size_t)(starts[rank + 1] - starts[rank]), sizeof *u);
#line 24 "tablerank.c"
} else { u = 0; }
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double sum = 0;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("tablerank.c:26:sum", &sum, sizeof sum); xmpi_gen_elements("tablerank.c:26:sum", "f8"); xmpi_gen_live("tablerank.c:20:n", &n, sizeof n); xmpi_gen_elements("tablerank.c:20:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(12LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("tablerank.c:28", 0);
    for (int k = 0; 
#line 28 "tablerank.c"
xmpi_gen_joining() || (
#line 28 "tablerank.c"
                    k < 12
#line 28 "tablerank.c"
)
#line 28 "tablerank.c"
                          ; k++) {
#line 28 "tablerank.c"
xmpi_gen_live("tablerank.c:28:k", &k, sizeof k); xmpi_gen_elements("tablerank.c:28:k", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(starts); starts = 0;
#line 21 "tablerank.c"
    starts = malloc((size_t)(size + 1) * sizeof *starts);
#line 22 "tablerank.c"
    for (int r = 0; r <= size; r++)
        starts[r] = r * n / size;
{ int xmpi_part = (int)(xmpi_displ); MPI_Allgather(&xmpi_part, 1, MPI_INT, starts, 1, MPI_INT, MPI_COMM_WORLD); }
#line 25 "tablerank.c"
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 28 "tablerank.c"
}
        double own = 0, edge = 0;
        for (int i = 0; i < starts[rank + 1] - starts[rank]; i++) {
            u[i] = 0.5 * u[i] + (starts[rank] + i) % 7;
            own += u[i];
        }
        if (rank == size - 1) /* a walk through all, back to front */
            edge = u[starts[rank + 1] - starts[rank] - 1];
        else
            MPI_Recv(&edge, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&edge, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
        u[0] += starts[rank] == 0 ? 0.1 * edge : 0;
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#line 41 "tablerank.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(u);
    free(starts);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"tablerank.c:28\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Recv\",\"MPI_Send\"],\"line\":34},\"line\":30,\"repeated\":0,\"stages\":[{\"line\":30,\"loop\":true,\"reads\":[\"starts\",\"u\"],\"writes\":[\"u\"]}],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":40},\"line\":39,\"repeated\":0,\"stages\":[{\"line\":39,\"loop\":false,\"reads\":[\"starts\",\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
