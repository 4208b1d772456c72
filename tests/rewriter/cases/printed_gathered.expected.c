#include <xmpi_gen.h>
#line 1 "printed_gathered.c"
/* What rank 0 puts out of rows that it has gathered: of rows by their numbers, which is said nothing of, and of what
 * each block has made of its own neighbours, which is. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 96;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "printed_gathered.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "printed_gathered.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 13 "printed_gathered.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = malloc(sizeof *u * (size_t)count);
if (xmpi_gen_initial()) {
#line 15 "printed_gathered.c"
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#line 16 "printed_gathered.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("printed_gathered.c:9:n", &n, sizeof n); xmpi_gen_elements("printed_gathered.c:9:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("printed_gathered.c:18", 0);
    for (int k = 0; 
#line 18 "printed_gathered.c"
xmpi_gen_joining() || (
#line 18 "printed_gathered.c"
                    k < 40
#line 18 "printed_gathered.c"
)
#line 18 "printed_gathered.c"
                          ; k++)
{ xmpi_gen_live("printed_gathered.c:18:k", &k, sizeof k); xmpi_gen_elements("printed_gathered.c:18:k", "i4"); (void)xmpi_gen_point();
#line 19 "printed_gathered.c"
        for (int i = 0; i < count; i++)
            u[i] = .5 * u[i] + .01 * k * (displ + i);
#line 20 "printed_gathered.c"
} xmpi_gen_loop_end();
    double *w = malloc(sizeof *w * (size_t)count), *all = malloc(sizeof *all * (size_t)n);
    int *counts = malloc(sizeof *counts * (size_t)size), *displs = malloc(sizeof *displs * (size_t)size);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    w[0] = u[0];
    for (int i = 1; i < count; i++)
        w[i] = u[i] - u[i - 1];
    MPI_Gatherv(u, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < n; i += 5)
            printf("%d %.9g\n", i, all[i]);
    double *steps = malloc(sizeof *steps * (size_t)n);
    MPI_Gatherv(w, count, MPI_DOUBLE, steps, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < n; i += 5)
            printf("%d %.9g\n", i, steps[i]);
    if (rank == 0)
        printf("result %.12g\n", all[n - 1]);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"printed_gathered.c:18\",\"sections\":[{\"line\":19,\"repeated\":0,\"stages\":[{\"line\":19,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
