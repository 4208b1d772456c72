#include <xmpi_gen.h>
#line 1 "loading.c"
/* What a pragma says of the range is of a statement that also communicates and makes the rows; a
 * table of weights is made from what a statement marked as setup hands to all.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int n, count, first;
    double *u;
};

static int columns;

static int load(struct part *p, int n, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Bcast(&n, 1, MPI_INT, 0, comm);
    p->n = n;
    p->first = n * rank / size;
    p->count = n * (rank + 1) / size - p->first;
    p->u = malloc((size_t)p->count * sizeof *p->u);
    for (int i = 0; i < p->count; i++)
        p->u[i] = p->first + i;
    return n < 1;
}

static void agree(int rank)
{
    if (rank == 0)
        columns = 3;
    MPI_Bcast(&columns, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, failed;
    struct part p;
    double largest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 43 "loading.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);

if (xmpi_gen_initial()) {
#line 45 "loading.c"
    failed = load(&p, 41, MPI_COMM_WORLD);
#line 45 "loading.c"
} else { p.u = 0; } xmpi_gen_live("loading.c:39:failed", &failed, sizeof failed); xmpi_gen_elements("loading.c:39:failed", "? i4"); xmpi_gen_live("loading.c:40:p.n", &p.n, sizeof p.n); xmpi_gen_elements("loading.c:40:p.n", "? i4"); xmpi_gen_domain((long long)(p.n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &p.count, sizeof p.count); xmpi_gen_refresh(XMPI_GEN_DISPL, &p.first, sizeof p.first);
    if (failed) {
        MPI_Finalize();
        return 1;
    }
if (xmpi_gen_initial()) {
    agree(rank);
#line 51 "loading.c"
} xmpi_gen_live("loading.c:13:columns", &columns, sizeof columns); xmpi_gen_elements("loading.c:13:columns", "i4");
    double *v = calloc((size_t)(p.count * columns), sizeof *v);
xmpi_gen_data("p.u", (void *)&p.u, sizeof *p.u, XMPI_GEN_DISTRIBUTED, (long long)(p.n), 1); xmpi_gen_elements("p.u", "f8"); xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(p.n), (long long)(columns)); xmpi_gen_elements("v", "f8");
xmpi_gen_live("loading.c:41:largest", &largest, sizeof largest); xmpi_gen_elements("loading.c:41:largest", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(24LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("loading.c:55", 0);
    for (int k = 0; 
#line 55 "loading.c"
xmpi_gen_joining() || (
#line 55 "loading.c"
                    k < 24
#line 55 "loading.c"
)
#line 55 "loading.c"
                          ; k++) {
#line 55 "loading.c"
xmpi_gen_live("loading.c:55:k", &k, sizeof k); xmpi_gen_elements("loading.c:55:k", "i4"); if (xmpi_gen_point()) {
#line 51 "loading.c"
    agree(rank);
#line 55 "loading.c"
}
        largest = 0;
        for (int i = 0; i < p.count; i++) {
            p.u[i] = 0.75 * p.u[i] + 1;
            for (int j = 0; j < columns; j++) {
                v[i * columns + j] = 0.5 * v[i * columns + j] + p.u[i] + j;
                largest = v[i * columns + j] > largest ? v[i * columns + j] : largest;
            }
        }
        MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
#line 65 "loading.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.9g\n", largest);
    free(v);
    free(p.u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"loading.c:55\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":64},\"line\":57,\"repeated\":0,\"stages\":[{\"line\":57,\"loop\":true,\"reads\":[\"p.u\",\"v\"],\"writes\":[\"p.u\",\"v\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
