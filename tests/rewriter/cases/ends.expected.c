#include <xmpi_gen.h>
#line 1 "ends.c"
/* Neighbours as most programs find them: nobody, but where there is one. The values at the ends of the field, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 180;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "ends.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "ends.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#line 12 "ends.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
    if (rank > 0)
        left = rank - 1;
    if (rank + 1 < size)
        right = rank + 1;
    double edge = 0;
    if (first == 0)
        edge = 8;
    double *u = calloc((size_t)count + 2, sizeof *u), *next = calloc((size_t)count + 2, sizeof *next);
if (xmpi_gen_initial()) {
#line 22 "ends.c"
    for (int i = 1; i <= count; i++)
        u[i] = (first + i) % 5;
#line 23 "ends.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("u", 1LL); xmpi_gen_elements("u", "f8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("next", 1LL); xmpi_gen_elements("next", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(50LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("ends.c:25", 0);
    for (int k = 0; 
#line 25 "ends.c"
xmpi_gen_joining() || (
#line 25 "ends.c"
                    k < 50
#line 25 "ends.c"
)
#line 25 "ends.c"
                          ; k++) {
#line 25 "ends.c"
xmpi_gen_live("ends.c:25:k", &k, sizeof k); xmpi_gen_elements("ends.c:25:k", "i4"); if (xmpi_gen_point()) { left = MPI_PROC_NULL; right = MPI_PROC_NULL; edge = 0;
#line 14 "ends.c"
    if (rank > 0)
        left = rank - 1;
#line 16 "ends.c"
    if (rank + 1 < size)
        right = rank + 1;
#line 19 "ends.c"
    if (first == 0)
        edge = 8;
#line 25 "ends.c"
}
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[count + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[count], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (left == MPI_PROC_NULL)
            u[0] = edge;
        if (right == MPI_PROC_NULL)
            u[count + 1] = 0;
        for (int i = 1; i <= count; i++)
            next[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
        double *swap = u;
        u = next;
        next = swap;
    }
#line 39 "ends.c"
xmpi_gen_loop_end();
    double own = 0, all;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.10g\n", all);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"ends.c:25\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":26},\"line\":25,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":30,\"repeated\":0,\"stages\":[{\"line\":30,\"loop\":false,\"reads\":[],\"writes\":[\"u\"]},{\"line\":34,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"next\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
