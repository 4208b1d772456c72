#include <xmpi_gen.h>
#line 1 "declared.c"
/* Loop variable in the for; declarations in initial and setup; no braces round the body. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int ask(void)
{
    int n = 24;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return n;
}

static void advance(double *v, int count, const int *offset, int left, int it)
{
    for (int i = left < 0; i < count; i++)
        v[i] += (*offset + i) * it;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 23 "declared.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank); xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);

    int n 
#line 25 "declared.c"
; if (xmpi_gen_initial()) { n
#line 25 "declared.c"
          = ask();
#line 25 "declared.c"
} xmpi_gen_live("declared.c:25:n", &n, sizeof n); xmpi_gen_elements("declared.c:25:n", "i4");
#line 25 "declared.c"
                   /* everybody's */
    int count, displ;

    count = n / size, displ = rank * count;
#line 28 "declared.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);

    double *v 
#line 30 "declared.c"
; if (xmpi_gen_initial()) { v
#line 30 "declared.c"
              = calloc((size_t)count, sizeof *v);
#line 30 "declared.c"
} else { v = 0; }
xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("v", "f8");

    int *offset 
#line 33 "declared.c"
; if (xmpi_gen_initial()) { offset
#line 33 "declared.c"
                =
        malloc(sizeof *offset);
#line 34 "declared.c"
} else { offset = 0; }
if (xmpi_gen_initial()) {
    *offset = displ;
#line 36 "declared.c"
}
    int left;

    double scratch[3]; 
#line 39 "declared.c"
double
#line 39 "declared.c"
                       factor 
#line 39 "declared.c"
; if (xmpi_gen_initial()) { factor
#line 39 "declared.c"
                              = 0.5 * ask();
#line 39 "declared.c"
} xmpi_gen_live("declared.c:39:factor", &factor, sizeof factor); xmpi_gen_elements("declared.c:39:factor", "f8");
#line 39 "declared.c"
                                             
#line 39 "declared.c"
double
#line 39 "declared.c"
                                             half 
#line 39 "declared.c"
; if (xmpi_gen_initial()) { half
#line 39 "declared.c"
                                                  = factor / 2;
#line 39 "declared.c"
} xmpi_gen_live("declared.c:39:half", &half, sizeof half); xmpi_gen_elements("declared.c:39:half", "f8");
if (xmpi_gen_initial()) {
    if (rank > 0)
        left = rank - 1;
    else
        left = size - 1;
#line 44 "declared.c"
} else { left = 0; }
xmpi_gen_live("declared.c:39:half", &half, sizeof half); xmpi_gen_elements("declared.c:39:half", "f8"); xmpi_gen_live("declared.c:39:factor", &factor, sizeof factor); xmpi_gen_elements("declared.c:39:factor", "f8"); xmpi_gen_live("declared.c:39:scratch", &scratch, sizeof scratch); xmpi_gen_elements("declared.c:39:scratch", "? 3f8"); if (xmpi_gen_initial()) xmpi_gen_bound(11LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("declared.c:46", 0);
    for (int it = 0; 
#line 46 "declared.c"
xmpi_gen_joining() || (
#line 46 "declared.c"
                     it < 11
#line 46 "declared.c"
)
#line 46 "declared.c"
                            ; it++)
{ xmpi_gen_live("declared.c:46:it", &it, sizeof it); xmpi_gen_elements("declared.c:46:it", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(offset); offset = 0;
#line 33 "declared.c"
         offset =
        malloc(sizeof *offset);
#line 36 "declared.c"
    *offset = displ;
#line 41 "declared.c"
    if (rank > 0)
        left = rank - 1;
    else
        left = size - 1;
#line 47 "declared.c"
}
#line 47 "declared.c"
        scratch[it % 3] = half / factor, advance(v, count, offset, left, it + (int)scratch[it % 3]);
#line 47 "declared.c"
} xmpi_gen_loop_end();
    double sum = 0, all;
    for (int i = 0; i < count; i++)
        sum += v[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", all);
    free(v);
    free(offset);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"declared.c:46\",\"sections\":[{\"line\":47,\"repeated\":0,\"stages\":[{\"line\":47,\"loop\":true,\"reads\":[\"scratch\",\"offset\",\"v\"],\"writes\":[\"scratch\",\"v\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
