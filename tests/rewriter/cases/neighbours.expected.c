#include <xmpi_gen.h>
#line 1 "neighbours.c"
/* A wave on a ring of cells that two functions step. One function of the file divides the cells and tells who the
 * neighbours are, in a struct; main also knows the ring, and hands it on. All of it is known to follow the rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int first, cells;
    int before, after; /* at the ends nobody */
    int is_last;
};

static void divide(int n, int rank, int size, struct part *part)
{
    part->first = (int)((long)n * rank / size);
    part->cells = (int)((long)n * (rank + 1) / size) - part->first;
    part->before = rank == 0 ? MPI_PROC_NULL : rank - 1;
    part->after = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    part->is_last = rank + 1 == size;
}

static void exchange(long *u, const struct part *part)
{
    MPI_Sendrecv(&u[1], 1, MPI_LONG, part->before, 0, &u[part->cells + 1], 1, MPI_LONG, part->after, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[part->cells], 1, MPI_LONG, part->after, 1, &u[0], 1, MPI_LONG, part->before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static long step(long *u, long *next, const struct part *part,       int left, int right, int steps)
{
    long token = 7;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, 61LL, 1); xmpi_gen_halo("u", 1LL); xmpi_gen_elements("u", "i8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, 61LL, 1); xmpi_gen_halo("next", 1LL); xmpi_gen_elements("next", "i8"); xmpi_gen_live("neighbours.c:30:steps", &steps, sizeof steps); xmpi_gen_elements("neighbours.c:30:steps", "i4"); xmpi_gen_live("neighbours.c:32:token", &token, sizeof token); xmpi_gen_elements("neighbours.c:32:token", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("neighbours.c:34", 0);
    for (int k = 0; 
#line 34 "neighbours.c"
xmpi_gen_joining() || (
#line 34 "neighbours.c"
                    k < steps
#line 34 "neighbours.c"
)
#line 34 "neighbours.c"
                             ; k++) {
#line 34 "neighbours.c"
xmpi_gen_live("neighbours.c:34:k", &k, sizeof k); xmpi_gen_elements("neighbours.c:34:k", "i4"); if (xmpi_gen_point()) { { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); *(int *)(__UINTPTR_TYPE__)&part->before = (int)(xmpi_rank > 0 ? xmpi_rank - 1 : -1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); *(int *)(__UINTPTR_TYPE__)&part->after = (int)(xmpi_rank + 1 < xmpi_size ? xmpi_rank + 1 : -1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); *(int *)(__UINTPTR_TYPE__)&part->is_last = (int)(xmpi_rank + 1 < xmpi_size ? 0 : 1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); left = (int)(xmpi_rank > 0 ? xmpi_rank - 1 : xmpi_size - 1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); right = (int)(xmpi_rank + 1 < xmpi_size ? xmpi_rank + 1 : 0); }
#line 34 "neighbours.c"
}
        long own = 0, sum;
        exchange(u, part);
        for (int i = 1; i <= part->cells; i++)
            next[i] = (u[i - 1] + 2 * u[i] + u[i + 1]) % 1009;
        for (int i = 1; i <= part->cells; i++) {
            u[i] = next[i];
            own += u[i];
        }
        if (part->is_last)
            u[part->cells] += 3;
        long got;
        MPI_Sendrecv(&own, 1, MPI_LONG, right, 2, &got, 1, MPI_LONG, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&got, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        token = (token * 31 + sum) % 65521;
    }
#line 49 "neighbours.c"
xmpi_gen_loop_end();
    return token;
}

int main(int argc, char **argv)
{
    int rank, size, n = 61;
    struct part part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 58 "neighbours.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 59 "neighbours.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    divide(n, rank, size, &part);
#line 60 "neighbours.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &part.first, sizeof part.first); xmpi_gen_refresh(XMPI_GEN_COUNT, &part.cells, sizeof part.cells);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    long *u = calloc((size_t)part.cells + 2, sizeof *u), *next = calloc((size_t)part.cells + 2, sizeof *next);
if (xmpi_gen_initial()) {
#line 63 "neighbours.c"
    for (int i = 1; i <= part.cells; i++)
        u[i] = next[i] = (part.first + i) * 5 % 23;
#line 64 "neighbours.c"
}
xmpi_gen_alias("u", (void *)&u); xmpi_gen_alias("next", (void *)&next);
#line 65 "neighbours.c"
    long token = step(u, next, &part, left, right, 30), own = 0, sum = 0;
    for (int i = 1; i <= part.cells; i++)
        own += u[i] * (part.first + i);
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld %ld\n", token, sum);
    free(u);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"neighbours.c:34\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":36},\"line\":34,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Sendrecv\",\"MPI_Allreduce\"],\"line\":46},\"line\":37,\"repeated\":0,\"stages\":[{\"line\":37,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"next\"]},{\"line\":39,\"loop\":true,\"reads\":[\"next\",\"u\"],\"writes\":[\"u\"]},{\"line\":43,\"loop\":false,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
