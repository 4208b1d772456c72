#include <xmpi_gen.h>
#line 1 "plate.c"
/* Heat in a plate: rows with a ghost row on each side, exchanged with the neighbours; the upper and
 * lower edge are in the outermost ghost rows. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 34, m = 9;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "plate.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "plate.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int count = n / size + (rank < n % size ? 1 : 0);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
#line 14 "plate.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = malloc((size_t)(count + 2) * (size_t)m * sizeof *u);
    double *next = malloc((size_t)(count + 2) * (size_t)m * sizeof *next);
if (xmpi_gen_initial()) {
#line 19 "plate.c"
    for (int i = 0; i < count + 2; i++)
        for (int j = 0; j < m; j++) {
            u[i * m + j] = (displ + i) * j % 7;
            next[i * m + j] = u[i * m + j];
        }
#line 23 "plate.c"
}
    double change = 1;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(m)); xmpi_gen_halo("u", 1LL); xmpi_gen_elements("u", "f8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(m)); xmpi_gen_halo("next", 1LL); xmpi_gen_elements("next", "f8"); xmpi_gen_live("plate.c:24:change", &change, sizeof change); xmpi_gen_elements("plate.c:24:change", "f8"); xmpi_gen_live("plate.c:9:m", &m, sizeof m); xmpi_gen_elements("plate.c:9:m", "i4"); xmpi_gen_live("plate.c:9:n", &n, sizeof n); xmpi_gen_elements("plate.c:9:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("plate.c:26", 0);
    for (int step = 0; 
#line 26 "plate.c"
xmpi_gen_joining() || (
#line 26 "plate.c"
                       step < 40 && change > 1e-9
#line 26 "plate.c"
)
#line 26 "plate.c"
                                                 ; step++) {
#line 26 "plate.c"
xmpi_gen_live("plate.c:26:step", &step, sizeof step); xmpi_gen_elements("plate.c:26:step", "i4"); if (xmpi_gen_point()) {
#line 15 "plate.c"
        up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 16 "plate.c"
        down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#line 26 "plate.c"
}
        double own = 0, *other;
        MPI_Sendrecv(&u[m], m, MPI_DOUBLE, up, 1, &u[(count + 1) * m], m, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count * m], m, MPI_DOUBLE, down, 2, &u[0], m, MPI_DOUBLE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            for (int j = 1; j < m - 1; j++) {
                next[i * m + j] = (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                                   u[i * m + j + 1]) /
                                  4;
                double by = next[i * m + j] - u[i * m + j];
                own = by * by > own ? by * by : own;
            }
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        other = u;
        u = next;
        next = other;
    }
#line 44 "plate.c"
xmpi_gen_loop_end();
    double middle = 0, sum;
    for (int i = 1; i <= count; i++)
        if (displ + i - 1 == n / 2)
            middle = u[i * m + m / 2];
    MPI_Reduce(&middle, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g %.17g\n", change, sum);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"plate.c:26\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":28},\"line\":26,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":40},\"line\":32,\"repeated\":0,\"stages\":[{\"line\":32,\"loop\":true,\"reads\":[\"u\",\"next\"],\"writes\":[\"next\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
