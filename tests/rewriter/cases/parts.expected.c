#include <xmpi_gen.h>
#line 1 "parts.c"
/* The parts of all ranks in a struct whose address a function of the file is given. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int rank, size, n, lo, cnt; int *cnts, *offs; } part_t;
static void tell(part_t *p)
{
    p->cnts = malloc((size_t)p->size * sizeof(int));
    p->offs = malloc((size_t)p->size * sizeof(int));
    for (int i = 0; i < p->size; i++) {
        p->offs[i] = i * p->n / p->size;
        p->cnts[i] = (i + 1) * p->n / p->size - p->offs[i];
    }
}
int main(int argc, char **argv)
{
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
#line 19 "parts.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &part.rank, sizeof part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &part.size);
#line 20 "parts.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &part.size, sizeof part.size);
    part.n = 400;
    part.lo = part.rank * part.n / part.size;
    part.cnt = (part.rank + 1) * part.n / part.size - part.lo;
#line 23 "parts.c"
xmpi_gen_domain((long long)(part.n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &part.lo, sizeof part.lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &part.cnt, sizeof part.cnt);
if (xmpi_gen_initial()) {
#line 24 "parts.c"
    tell(&part);
#line 24 "parts.c"
} else { part.cnts = 0; part.offs = 0; }
    double *x = calloc((size_t)part.n, sizeof *x), *y = malloc((size_t)part.cnt * sizeof *y);
xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, (long long)(part.n), 1); xmpi_gen_elements("x", "f8"); xmpi_gen_data("y", (void *)&y, sizeof *y, XMPI_GEN_DISTRIBUTED, (long long)(part.n), 1); xmpi_gen_elements("y", "f8"); xmpi_gen_live("parts.c:17:part.n", &part.n, sizeof part.n); xmpi_gen_elements("parts.c:17:part.n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(50LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("parts.c:27", 0);
    for (int k = 0; 
#line 27 "parts.c"
xmpi_gen_joining() || (
#line 27 "parts.c"
                    k < 50
#line 27 "parts.c"
)
#line 27 "parts.c"
                          ; k++) {
#line 27 "parts.c"
xmpi_gen_live("parts.c:27:k", &k, sizeof k); xmpi_gen_elements("parts.c:27:k", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(part.cnts); part.cnts = 0; xmpi_gen_free(part.offs); part.offs = 0;
#line 24 "parts.c"
    tell(&part);
{ int xmpi_part = (int)(part.lo); MPI_Allgather(&xmpi_part, 1, MPI_INT, part.offs, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(part.cnt); MPI_Allgather(&xmpi_part, 1, MPI_INT, part.cnts, 1, MPI_INT, MPI_COMM_WORLD); }
#line 27 "parts.c"
}
        for (int i = 0; i < part.cnt; i++)
            y[i] = x[part.lo + i] * 0.5 + (part.lo + i) % 7 + x[(part.lo + i + 1) % part.n] * 0.25;
        MPI_Allgatherv(y, part.cnt, MPI_DOUBLE, x, part.cnts, part.offs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
#line 31 "parts.c"
xmpi_gen_loop_end();
    if (part.rank == 0) {
        double s = 0;
        for (int i = 0; i < part.n; i++)
            s += x[i] * (i % 6);
        printf("result %.12g\n", s);
    }
    free(x);
    free(y);
    free(part.cnts);
    free(part.offs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"parts.c:27\",\"sections\":[{\"event\":{\"arrays\":[\"y\",\"x\",\"part.cnts\",\"part.offs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":30},\"line\":28,\"repeated\":0,\"stages\":[{\"line\":28,\"loop\":true,\"reads\":[\"x\"],\"writes\":[\"y\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
