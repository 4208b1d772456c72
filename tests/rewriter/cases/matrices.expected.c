#include <xmpi_gen.h>
#line 1 "matrices.c"
/* A plate whose rows have a length that is read: arrays of variable length as types, in one
 * allocation each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 60, nx = argc > 1 ? atoi(argv[1]) : 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "matrices.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "matrices.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * n / size, m = (rank + 1) * n / size - lo;
#line 12 "matrices.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &m, sizeof m);
    double(*u)[nx] = malloc(sizeof(double[m + 2][nx])),
    (*v)[nx] = malloc((size_t)(m + 2) * sizeof *v), *w = malloc(sizeof(double[m][nx]));
if (xmpi_gen_initial()) {
#line 15 "matrices.c"
    for (int i = 0; i < m + 2; i++)
        for (int j = 0; j < nx; j++)
            u[i][j] = (lo + i) % 7 + j, v[i][j] = 0;
#line 17 "matrices.c"
}
if (xmpi_gen_initial()) {
#line 18 "matrices.c"
    for (int i = 0; i < m; i++)
        for (int j = 0; j < nx; j++)
            w[i * nx + j] = 1 + (lo + i) % 3;
#line 20 "matrices.c"
}
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("u", 1LL); xmpi_gen_elements("u", "f8"); xmpi_gen_data("w", (void *)&w, sizeof *w, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(nx)); xmpi_gen_elements("w", "f8"); xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("v", 1LL); xmpi_gen_elements("v", "f8"); xmpi_gen_live("matrices.c:8:nx", &nx, sizeof nx); xmpi_gen_elements("matrices.c:8:nx", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("matrices.c:23", 0);
    for (int k = 0; 
#line 23 "matrices.c"
xmpi_gen_joining() || (
#line 23 "matrices.c"
                    k < 40
#line 23 "matrices.c"
)
#line 23 "matrices.c"
                          ; k++) {
#line 23 "matrices.c"
xmpi_gen_live("matrices.c:23:k", &k, sizeof k); xmpi_gen_elements("matrices.c:23:k", "i4"); if (xmpi_gen_point()) {
#line 21 "matrices.c"
        up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 21 "matrices.c"
                                                  down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
#line 23 "matrices.c"
}
        MPI_Sendrecv(u[1], nx, MPI_DOUBLE, up, 0, u[m + 1], nx, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u[m], nx, MPI_DOUBLE, down, 1, u[0], nx, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= m; i++)
            for (int j = 0; j < nx; j++)
                v[i][j] =
                    0.25 * (u[i - 1][j] + u[i + 1][j] + 2 * u[i][j]) + 0.001 * w[(i - 1) * nx + j];
        for (int i = 1; i <= m; i++)
            for (int j = 0; j < nx; j++) {
                u[i][j] = v[i][j];
                w[(i - 1) * nx + j] *= 0.99;
            }
    }
#line 37 "matrices.c"
xmpi_gen_loop_end();
    double own = 0, all;
    for (int i = 1; i <= m; i++)
        for (int j = 0; j < nx; j++)
            own += u[i][j] * (lo + i + j) + w[(i - 1) * nx + j];
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", all);
    free(u);
    free(v);
    free(w);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"matrices.c:23\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":24},\"line\":23,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":28,\"repeated\":0,\"stages\":[{\"line\":28,\"loop\":true,\"reads\":[\"u\",\"w\"],\"writes\":[\"v\"]},{\"line\":32,\"loop\":true,\"reads\":[\"v\",\"w\"],\"writes\":[\"u\",\"w\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
