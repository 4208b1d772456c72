#include <xmpi_gen.h>
#line 1 "edges.c"
/* A rod whose ends are held at temperatures: what a rank has at its ends follows from conditions. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void look(int rank, int size, int *left, int *right)
{
    if (rank > 0)
        *left = rank - 1;
    if (rank + 1 < size)
        *right = rank + 1;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 18 "edges.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 19 "edges.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#line 20 "edges.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
    look(rank, size, &left, &right);
    int messages = 0;
    messages += left != MPI_PROC_NULL ? 2 : 0;
    messages += right != MPI_PROC_NULL ? 2 : 0;
    double heat = 0;
    if (rank == 0)
        heat = 100;
    else if (rank == size - 1)
        heat = 50;
    double *u = calloc((size_t)count + 2, sizeof *u), *next = calloc((size_t)count + 2, sizeof *u);
    int wrong = 0;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("u", 1LL); xmpi_gen_elements("u", "f8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("next", 1LL); xmpi_gen_elements("next", "f8"); xmpi_gen_live("edges.c:32:wrong", &wrong, sizeof wrong); xmpi_gen_elements("edges.c:32:wrong", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(50LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("edges.c:34", 0);
    for (int k = 0; 
#line 34 "edges.c"
xmpi_gen_joining() || (
#line 34 "edges.c"
                    k < 50
#line 34 "edges.c"
)
#line 34 "edges.c"
                          ; k++) {
#line 34 "edges.c"
xmpi_gen_live("edges.c:34:k", &k, sizeof k); xmpi_gen_elements("edges.c:34:k", "i4"); if (xmpi_gen_point()) { { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); left = (int)(xmpi_rank > 0 ? xmpi_rank - 1 : -1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); right = (int)(xmpi_rank + 1 < xmpi_size ? xmpi_rank + 1 : -1); } messages = 0; heat = 0;
#line 24 "edges.c"
    messages += left != MPI_PROC_NULL ? 2 : 0;
#line 25 "edges.c"
    messages += right != MPI_PROC_NULL ? 2 : 0;
#line 27 "edges.c"
    if (rank == 0)
        heat = 100;
    else if (rank == size - 1)
        heat = 50;
#line 34 "edges.c"
}
        u[0] = heat;
        u[count + 1] = size == 1 ? 50 : heat;
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, left, 0, u + count + 1, 1, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, right, 1, u, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            next[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        double *other = u;
        u = next;
        next = other;
        int bad = messages != (rank > 0 ? 2 : 0) + (rank + 1 < size ? 2 : 0), all;
        MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all;
    }
#line 49 "edges.c"
xmpi_gen_loop_end();
    double own = 0, sum = 0;
    for (int i = 1; i <= count; i++)
        own += u[i] * (first + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g, wrong %d\n", sum, wrong);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"edges.c:34\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":37},\"line\":35,\"repeated\":0,\"stages\":[{\"line\":35,\"loop\":false,\"reads\":[],\"writes\":[\"u\"]}],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":47},\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"next\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
