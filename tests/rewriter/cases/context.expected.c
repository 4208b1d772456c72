#include <xmpi_gen.h>
#line 1 "context.c"
/* One struct for everything, the loop left in many ways, and rank calls in odd places.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rank, size, n, count, displ;
    double tolerance;
} context_t;

static void divide(context_t *c)
{
    c->count = c->n / c->size;
    c->displ = c->rank * c->count;
}

static int iterate(context_t *c, double *restrict u, double (*table)[4], int most)
{
    int it, i, visits[4];
    double error = 1, weights[8];

    memset(visits, 0, sizeof visits);
    for (i = 0; i < c->size; i++)
        if (i > 1000)
            exit(3);
    for (i = 0; i < 8; i++)
        weights[i] = i;
    if (most > 0) {
xmpi_gen_data("table", (void *)&table, sizeof *table, XMPI_GEN_DISTRIBUTED, (long long)(c->n), 1); xmpi_gen_elements("table", "4f8"); xmpi_gen_constant("table");
xmpi_gen_alias("u", (void *)&u); xmpi_gen_live("context.c:21:it", &it, sizeof it); xmpi_gen_elements("context.c:21:it", "i4"); xmpi_gen_live("context.c:19:most", &most, sizeof most); xmpi_gen_elements("context.c:19:most", "i4"); xmpi_gen_live("context.c:22:error", &error, sizeof error); xmpi_gen_elements("context.c:22:error", "f8"); xmpi_gen_live("context.c:22:weights", &weights, sizeof weights); xmpi_gen_elements("context.c:22:weights", "8f8"); xmpi_gen_live("context.c:21:visits", &visits, sizeof visits); xmpi_gen_elements("context.c:21:visits", "4i4"); xmpi_gen_live("context.c:66:context.tolerance", &(c->tolerance), sizeof(c->tolerance)); xmpi_gen_elements("context.c:66:context.tolerance", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(most)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("context.c:33", 4LL);
        for (it = 0; 
#line 33 "context.c"
xmpi_gen_joining() || (
#line 33 "context.c"
                     it < most
#line 33 "context.c"
)
#line 33 "context.c"
                              ; ++it) {
#line 33 "context.c"
(void)xmpi_gen_point();
            switch (it % 3) {
            case 0:
                error *= 0.5;
                break;
            default:
                error *= 0.75;
            }
            for (i = 0; i < c->count; i++) {
                if (u[i] < 0)
{ xmpi_gen_loop_end();
#line 43 "context.c"
                    return -1;
#line 43 "context.c"
}
                else if (u[i] > 1e30) 
#line 44 "context.c"
{ xmpi_gen_loop_end();
#line 44 "context.c"
                                      goto done;
#line 44 "context.c"
}
                u[i] += weights[(c->displ + i) % 8] + table[i][2];
                if (i > 100)
                    continue;
            }
            do {
                visits[it % 4]++;
            } while (it < 0);
            if (error < c->tolerance)
                break;
            else if (it == 12345) 
#line 54 "context.c"
{ xmpi_gen_loop_end();
#line 54 "context.c"
                                  return 0;
#line 54 "context.c"
}
#line 54 "context.c"
                                            else if (it == 12346) { 
#line 54 "context.c"
{ xmpi_gen_loop_end();
#line 54 "context.c"
                                                                    return 1;
#line 54 "context.c"
}
#line 54 "context.c"
                                                                              }
        }
#line 55 "context.c"
xmpi_gen_loop_end();
    }
    else
        return 0;
done:
    return it + visits[0];
}

int main(int argc, char *argv[])
{
    int error = MPI_Init(&argc, &argv);
    context_t context = {0};
    context_t *c = &context;
    if (error != MPI_SUCCESS)
        return 1;
    if ((error = MPI_Comm_rank(MPI_COMM_WORLD, &c->rank)) != MPI_SUCCESS) {
        fprintf(stderr, "no rank\n");
        return 1;
    }
#line 73 "context.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &(c->rank), sizeof(c->rank));
    {
        int unused;
        MPI_Comm_size(MPI_COMM_WORLD, &unused);
        MPI_Comm_size(MPI_COMM_WORLD, &c->size);
#line 77 "context.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &(c->size), sizeof(c->size));
    }
if (xmpi_gen_initial()) {
    {
        c->n = 32;
        c->tolerance = 1e-3;
    }
#line 83 "context.c"
} xmpi_gen_live("context.c:66:context.n", &context.n, sizeof context.n); xmpi_gen_elements("context.c:66:context.n", "i4"); xmpi_gen_live("context.c:66:context.tolerance", &context.tolerance, sizeof context.tolerance); xmpi_gen_elements("context.c:66:context.tolerance", "f8");

    divide(c);
#line 85 "context.c"
xmpi_gen_domain((long long)(c->n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &(c->count), sizeof(c->count)); xmpi_gen_refresh(XMPI_GEN_DISPL, &(c->displ), sizeof(c->displ));
    double *u = malloc(((size_t)c->count + 1) * sizeof *u);
    double(*table)[4] = malloc(((size_t)c->count + 1) * sizeof *table);
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(c->n), 1); xmpi_gen_elements("u", "f8");
if (xmpi_gen_initial()) {
    for (int i = 0; i < c->count; i++) {
        u[i] = i + c->displ;
        for (int k = 0; k < 4; k++)
            table[i][k] = k;
    }
#line 94 "context.c"
}
xmpi_gen_alias("table", (void *)&table);
#line 95 "context.c"
    int iterations = iterate(c, u, table, argc > 1 ? atoi(argv[1]) : 20);
    double sum = 0, all;
    for (int i = 0; i < c->count; i++)
        sum += u[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (c->rank == 0)
        printf("result %d %.17g\n", iterations, all);
    free(u);
    free(table);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"context.c:33\",\"sections\":[{\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[\"u\",\"weights\",\"table\"],\"writes\":[\"u\"]},{\"line\":49,\"loop\":true,\"reads\":[\"visits\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
