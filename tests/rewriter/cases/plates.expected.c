#include <xmpi_gen.h>
#line 1 "plates.c"
/* A plate in a struct on the heap: bounds, neighbours, communicator, fields and residual. All
 * functions get a pointer to it; two of its pointers are exchanged in each iteration. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    int rank, size, up, down;
    int rows, cols, lo, mine;
    double *now, *next;
    double residual;
    int steps;
    MPI_Comm comm;
} grid_t;
static grid_t *grid_new(int rows, int cols)
{
    grid_t *g = malloc(sizeof *g);
    g->comm = MPI_COMM_WORLD;
    MPI_Comm_rank(g->comm, &g->rank);
#line 19 "plates.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &(g->rank), sizeof(g->rank));
    MPI_Comm_size(g->comm, &g->size);
#line 20 "plates.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &(g->size), sizeof(g->size));
    g->rows = rows;
    g->cols = cols;
    g->lo = (int)((long)rows * g->rank / g->size);
    g->mine = (int)((long)rows * (g->rank + 1) / g->size) - g->lo;
    g->up = g->rank > 0 ? g->rank - 1 : MPI_PROC_NULL;
    g->down = g->rank + 1 < g->size ? g->rank + 1 : MPI_PROC_NULL;
    g->now = calloc((size_t)(g->mine + 2) * (size_t)cols, sizeof(double));
    g->next = calloc((size_t)(g->mine + 2) * (size_t)cols, sizeof(double));
    g->residual = 0;
    g->steps = 0;
    for (int i = 1; i <= g->mine; i++)
        for (int j = 0; j < cols; j++)
            g->now[i * cols + j] = g->next[i * cols + j] = (g->lo + i - 1) * 0.1 + j * 0.01;
    return g;
}
static void exchange(grid_t *g)
{
    int c = g->cols;
    MPI_Sendrecv(g->now + c, c, MPI_DOUBLE, g->up, 1, g->now + (g->mine + 1) * c, c, MPI_DOUBLE,
                 g->down, 1, g->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g->now + g->mine * c, c, MPI_DOUBLE, g->down, 2, g->now, c, MPI_DOUBLE, g->up, 2,
                 g->comm, MPI_STATUS_IGNORE);
}
static void step(grid_t *g)
{
    int c = g->cols;
    double r = 0;
    for (int i = 1; i <= g->mine; i++)
        for (int j = 1; j < c - 1; j++) {
            g->next[i * c + j] = 0.25 * (g->now[(i - 1) * c + j] + g->now[(i + 1) * c + j] +
                                         g->now[i * c + j - 1] + g->now[i * c + j + 1]);
            double d = g->next[i * c + j] - g->now[i * c + j];
            r += d * d;
        }
    MPI_Allreduce(&r, &g->residual, 1, MPI_DOUBLE, MPI_SUM, g->comm);
    double *t = g->now;
    g->now = g->next;
    g->next = t;
    g->steps++;
}
static void grid_free(grid_t *g)
{
    free(g->now);
    free(g->next);
}
static void run(grid_t *g, int steps)
{
xmpi_gen_data("g->now", (void *)&g->now, sizeof *g->now, XMPI_GEN_DISTRIBUTED, (long long)(g->rows), (long long)(g->cols)); xmpi_gen_halo("g->now", 1LL); xmpi_gen_elements("g->now", "f8"); xmpi_gen_data("g->next", (void *)&g->next, sizeof *g->next, XMPI_GEN_DISTRIBUTED, (long long)(g->rows), (long long)(g->cols)); xmpi_gen_halo("g->next", 1LL); xmpi_gen_elements("g->next", "f8"); xmpi_gen_live("plates.c:66:steps", &steps, sizeof steps); xmpi_gen_elements("plates.c:66:steps", "i4"); xmpi_gen_live("plates.c:17:g->cols", &(g->cols), sizeof(g->cols)); xmpi_gen_elements("plates.c:17:g->cols", "i4"); xmpi_gen_live("plates.c:17:g->residual", &(g->residual), sizeof(g->residual)); xmpi_gen_elements("plates.c:17:g->residual", "f8"); xmpi_gen_live("plates.c:17:g->steps", &(g->steps), sizeof(g->steps)); xmpi_gen_elements("plates.c:17:g->steps", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("plates.c:69", 0);
    for (int k = 0; 
#line 69 "plates.c"
xmpi_gen_joining() || (
#line 69 "plates.c"
                    k < steps
#line 69 "plates.c"
)
#line 69 "plates.c"
                             ; k++) {
#line 69 "plates.c"
xmpi_gen_live("plates.c:69:k", &k, sizeof k); xmpi_gen_elements("plates.c:69:k", "i4"); if (xmpi_gen_point()) { { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); g->up = (int)(xmpi_rank > 0 ? xmpi_rank - 1 : -1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); g->down = (int)(xmpi_rank + 1 < xmpi_size ? xmpi_rank + 1 : -1); }
#line 69 "plates.c"
}
        exchange(g);
        step(g);
    }
#line 72 "plates.c"
xmpi_gen_loop_end();
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grid_t *g = grid_new(120, 30);
#line 77 "plates.c"
xmpi_gen_domain((long long)(g->rows)); xmpi_gen_refresh(XMPI_GEN_DISPL, &(g->lo), sizeof(g->lo)); xmpi_gen_refresh(XMPI_GEN_COUNT, &(g->mine), sizeof(g->mine));
    run(g, 80);
    double s = 0, total;
    for (int i = 1; i <= g->mine; i++)
        for (int j = 0; j < g->cols; j++)
            s += g->now[i * g->cols + j] * (g->lo + i);
    MPI_Reduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (g->rank == 0)
        printf("result %.10g %.10g %d\n", total, g->residual, g->steps);
    grid_free(g);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"plates.c:69\",\"sections\":[{\"event\":{\"arrays\":[\"g->now\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":70},\"line\":69,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":55},\"line\":48,\"repeated\":0,\"stages\":[{\"line\":48,\"loop\":true,\"reads\":[\"g->now\",\"g->next\"],\"writes\":[\"g->next\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
