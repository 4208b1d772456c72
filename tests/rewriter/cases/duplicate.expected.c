#include <xmpi_gen.h>
#line 1 "duplicate.c"
/* A library-minded program: it works on a duplicate of the world, and asks that for rank and size.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    MPI_Comm comm;
    int rank, size, first, count;
} part_t;

static void divide(part_t *part, int n)
{
    MPI_Comm_rank(part->comm, &part->rank);
#line 14 "duplicate.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &(part->rank), sizeof(part->rank));
    MPI_Comm_size(part->comm, &part->size);
#line 15 "duplicate.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &(part->size), sizeof(part->size));
    part->first = part->rank * n / part->size;
    part->count = (part->rank + 1) * n / part->size - part->first;
}

int main(int argc, char **argv)
{
    int n = 0;
    part_t part;
    MPI_Init(&argc, &argv);
if (xmpi_gen_initial()) {
#line 25 "duplicate.c"
    MPI_Comm_dup(MPI_COMM_WORLD, &part.comm);
#line 25 "duplicate.c"
} else { part.comm = MPI_COMM_WORLD; }
    MPI_Comm_rank(part.comm, &part.rank);
#line 26 "duplicate.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &part.rank, sizeof part.rank);
if (xmpi_gen_initial()) {
#line 27 "duplicate.c"
    if (part.rank == 0)
        n = 67;
#line 28 "duplicate.c"
} xmpi_gen_live("duplicate.c:22:n", &n, sizeof n); xmpi_gen_elements("duplicate.c:22:n", "i4");
if (xmpi_gen_initial()) {
#line 29 "duplicate.c"
    MPI_Bcast(&n, 1, MPI_INT, 0, part.comm);
#line 29 "duplicate.c"
} xmpi_gen_live("duplicate.c:22:n", &n, sizeof n); xmpi_gen_elements("duplicate.c:22:n", "i4");
    divide(&part, n);
#line 30 "duplicate.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &part.first, sizeof part.first); xmpi_gen_refresh(XMPI_GEN_COUNT, &part.count, sizeof part.count);
    double *u = malloc((size_t)part.count * sizeof *u), own = 0, energy, sum = 0;
if (xmpi_gen_initial()) {
#line 32 "duplicate.c"
    for (int i = 0; i < part.count; i++)
        u[i] = (part.first + i) % 9;
#line 33 "duplicate.c"
}
if (xmpi_gen_initial()) {
#line 34 "duplicate.c"
    for (int i = 0; i < part.count; i++)
        own += u[i];
#line 35 "duplicate.c"
} xmpi_gen_live("duplicate.c:31:own", &own, sizeof own); xmpi_gen_elements("duplicate.c:31:own", "~ f8");
if (xmpi_gen_initial()) {
#line 36 "duplicate.c"
    MPI_Allreduce(&own, &energy, 1, MPI_DOUBLE, MPI_SUM, part.comm);
#line 36 "duplicate.c"
} xmpi_gen_live("duplicate.c:31:energy", &energy, sizeof energy); xmpi_gen_elements("duplicate.c:31:energy", "f8");
    int before = (part.rank + part.size - 1) % part.size, behind = (part.rank + 1) % part.size;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("duplicate.c:31:energy", &energy, sizeof energy); xmpi_gen_elements("duplicate.c:31:energy", "f8"); xmpi_gen_live("duplicate.c:31:sum", &sum, sizeof sum); xmpi_gen_elements("duplicate.c:31:sum", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("duplicate.c:39", 0);
    for (int k = 0; 
#line 39 "duplicate.c"
xmpi_gen_joining() || (
#line 39 "duplicate.c"
                    k < 40
#line 39 "duplicate.c"
)
#line 39 "duplicate.c"
                          ; k++) {
#line 39 "duplicate.c"
xmpi_gen_live("duplicate.c:39:k", &k, sizeof k); xmpi_gen_elements("duplicate.c:39:k", "i4"); if (xmpi_gen_point()) {
#line 25 "duplicate.c"
    MPI_Comm_dup(MPI_COMM_WORLD, &part.comm);
#line 37 "duplicate.c"
        before = (part.rank + part.size - 1) % part.size;
#line 37 "duplicate.c"
                                                          behind = (part.rank + 1) % part.size;
#line 39 "duplicate.c"
}
        double left, all;
        MPI_Sendrecv(&u[part.count - 1], 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0,
                     part.comm, MPI_STATUS_IGNORE);
        own = 0;
        for (int i = part.count - 1; i >= 0; i--) {
            u[i] = 0.5 * (u[i] + (i > 0 ? u[i - 1] : left));
            own += u[i] * (part.first + i);
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, part.comm);
        sum += all / energy;
    }
#line 50 "duplicate.c"
xmpi_gen_loop_end();
    if (part.rank == 0)
        printf("result %.9g\n", sum);
    MPI_Comm_free(&part.comm);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"duplicate.c:39\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":41},\"line\":39,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":48},\"line\":44,\"repeated\":0,\"stages\":[{\"line\":44,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
