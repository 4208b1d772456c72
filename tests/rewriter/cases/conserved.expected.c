#include <xmpi_gen.h>
#line 1 "conserved.c"
/* A norm before the loop, which the loop compares with, and an energy, which what follows compares with: functions
 * reduce them from the field. They are what the field was then, whoever joins. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double sum_of(const double *u, int count, int power)
{
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += power == 2 ? u[i] * u[i] : u[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, size, n = 240;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 21 "conserved.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 22 "conserved.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
#line 23 "conserved.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = malloc((size_t)count * sizeof *u);
if (xmpi_gen_initial()) {
#line 25 "conserved.c"
    for (int i = 0; i < count; i++)
        u[i] = 1 + (first + i) % 8;
#line 26 "conserved.c"
}
    double start 
#line 27 "conserved.c"
; if (xmpi_gen_initial()) { start
#line 27 "conserved.c"
                 = sqrt(sum_of(u, count, 2));
#line 27 "conserved.c"
} xmpi_gen_live("conserved.c:27:start", &start, sizeof start); xmpi_gen_elements("conserved.c:27:start", "f8");
#line 27 "conserved.c"
                                              
#line 27 "conserved.c"
double
#line 27 "conserved.c"
                                              mass 
#line 27 "conserved.c"
; if (xmpi_gen_initial()) { mass
#line 27 "conserved.c"
                                                   = sum_of(u, count, 1);
#line 27 "conserved.c"
} xmpi_gen_live("conserved.c:27:mass", &mass, sizeof mass); xmpi_gen_elements("conserved.c:27:mass", "f8");
#line 27 "conserved.c"
                                                                          
#line 27 "conserved.c"
double
#line 27 "conserved.c"
                                                                          norm = start;
    int steps = 0;
{ extern char xmpi_wrap_sqrt[] __asm__("__wrap_sqrt") __attribute__((weak)), xmpi_replaced_sqrt[] __attribute__((weak)); xmpi_gen_library("conserved.c:33", "sqrt", xmpi_wrap_sqrt, xmpi_replaced_sqrt); } xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("conserved.c:27:norm", &norm, sizeof norm); xmpi_gen_elements("conserved.c:27:norm", "f8"); xmpi_gen_live("conserved.c:27:start", &start, sizeof start); xmpi_gen_elements("conserved.c:27:start", "f8"); xmpi_gen_live("conserved.c:28:steps", &steps, sizeof steps); xmpi_gen_elements("conserved.c:28:steps", "i4"); xmpi_gen_live("conserved.c:27:mass", &mass, sizeof mass); xmpi_gen_elements("conserved.c:27:mass", "f8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("conserved.c:30", 0);
    while (
#line 30 "conserved.c"
xmpi_gen_joining() || (
#line 30 "conserved.c"
           norm > 0.01 * start && steps < 400
#line 30 "conserved.c"
)
#line 30 "conserved.c"
                                             ) {
#line 30 "conserved.c"
(void)xmpi_gen_point();
        for (int i = 0; i < count; i++)
            u[i] *= 0.875 + 0.0078125 * ((first + i) % 4);
        norm = sqrt(sum_of(u, count, 2));
        steps++;
    }
#line 35 "conserved.c"
xmpi_gen_loop_end();
    double left = sum_of(u, count, 1) / mass;
    if (rank == 0)
        printf("result %d %.6f\n", steps, left);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"conserved.c:30\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":33},\"line\":31,\"repeated\":0,\"stages\":[{\"line\":31,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
