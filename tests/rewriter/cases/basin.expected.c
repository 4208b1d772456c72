#include <xmpi_gen.h>
#line 1 "basin.c"
/* Warmth in a basin whose shores are warm: the rows of the neighbours are kept in arrays of their own, in which
 * those without a neighbour keep the shore. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 44, m = 6;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "basin.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "basin.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 13 "basin.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = malloc((size_t)count * (size_t)m * sizeof *u);
    double *v = malloc((size_t)count * (size_t)m * sizeof *v);
    double *top 
#line 16 "basin.c"
; if (xmpi_gen_initial()) { top
#line 16 "basin.c"
                = malloc((size_t)m * sizeof *top);
#line 16 "basin.c"
} else { top = 0; }
#line 16 "basin.c"
                                                   
#line 16 "basin.c"
double
#line 16 "basin.c"
                                                   *bottom 
#line 16 "basin.c"
; if (xmpi_gen_initial()) { bottom
#line 16 "basin.c"
                                                           = malloc((size_t)m * sizeof *bottom);
#line 16 "basin.c"
} else { bottom = 0; }
if (xmpi_gen_initial()) {
#line 17 "basin.c"
    for (int i = 0; i < count * m; i++)
        u[i] = (displ * m + i) % 17;
#line 18 "basin.c"
}
if (xmpi_gen_initial()) {
#line 19 "basin.c"
    for (int j = 0; j < m; j++)
        top[j] = bottom[j] = 10 + j;
#line 20 "basin.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(m)); xmpi_gen_elements("u", "f8"); xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(m)); xmpi_gen_elements("v", "f8"); xmpi_gen_live("basin.c:9:m", &m, sizeof m); xmpi_gen_elements("basin.c:9:m", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(20LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("basin.c:22", 0);
    for (int k = 0; 
#line 22 "basin.c"
xmpi_gen_joining() || (
#line 22 "basin.c"
                    k < 20
#line 22 "basin.c"
)
#line 22 "basin.c"
                          ; k++) {
#line 22 "basin.c"
xmpi_gen_live("basin.c:22:k", &k, sizeof k); xmpi_gen_elements("basin.c:22:k", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(top); top = 0;
#line 16 "basin.c"
            top = malloc((size_t)m * sizeof *top); xmpi_gen_free(bottom); bottom = 0;
#line 16 "basin.c"
                                                    bottom = malloc((size_t)m * sizeof *bottom);
#line 19 "basin.c"
    for (int j = 0; j < m; j++)
        top[j] = bottom[j] = 10 + j;
#line 22 "basin.c"
}
        if (rank > 0)
            MPI_Sendrecv(u, m, MPI_DOUBLE, rank - 1, 0, top, m, MPI_DOUBLE,
                         rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Sendrecv(&u[(count - 1) * m], m, MPI_DOUBLE, rank + 1, 0, bottom, m,
                         MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++) {
                double a = i > 0 ? u[(i - 1) * m + j] : top[j];
                double b = i < count - 1 ? u[(i + 1) * m + j] : bottom[j];
                v[i * m + j] = (a + b + u[i * m + j]) / 3;
            }
        for (int i = 0; i < count * m; i++)
            u[i] = v[i];
    }
#line 37 "basin.c"
xmpi_gen_loop_end();
    double own = 0, sum;
    for (int i = 0; i < count; i++)
        own = u[i * m] > own ? u[i * m] : own;
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", sum);
    free(u);
    free(v);
    free(top);
    free(bottom);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"basin.c:22\",\"sections\":[{\"event\":{\"arrays\":[\"u\",\"top\",\"bottom\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":23},\"line\":22,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":29,\"repeated\":0,\"stages\":[{\"line\":29,\"loop\":true,\"reads\":[\"u\",\"top\",\"bottom\"],\"writes\":[\"v\"]},{\"line\":35,\"loop\":true,\"reads\":[\"v\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
