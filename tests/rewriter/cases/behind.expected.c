#include <xmpi_gen.h>
#line 1 "behind.c"
/* A field is filled, and gone through, by pointers up to the one behind its end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 400;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "behind.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "behind.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * n / size, count = (rank + 1) * n / size - lo;
#line 12 "behind.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *a = malloc((size_t)count * sizeof *a); 
#line 13 "behind.c"
double
#line 13 "behind.c"
                                                   *end 
#line 13 "behind.c"
; if (xmpi_gen_initial()) { end
#line 13 "behind.c"
                                                        = a + count;
#line 13 "behind.c"
} else { end = 0; }
if (xmpi_gen_initial()) {
#line 14 "behind.c"
    for (double *p = a; p < end; p++)
        *p = (double)(lo + (p - a));
#line 15 "behind.c"
}
xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("a", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("behind.c:17", 0);
    for (int k = 0; 
#line 17 "behind.c"
xmpi_gen_joining() || (
#line 17 "behind.c"
                    k < 40
#line 17 "behind.c"
)
#line 17 "behind.c"
                          ; k++)
{ xmpi_gen_live("behind.c:17:k", &k, sizeof k); xmpi_gen_elements("behind.c:17:k", "i4"); if (xmpi_gen_point()) {
#line 13 "behind.c"
                                                    end = a + count;
#line 18 "behind.c"
}
#line 18 "behind.c"
        for (double *p = a; p < end; p++)
            *p = 0.95 * *p + k;
#line 19 "behind.c"
} xmpi_gen_loop_end();
    double own = 0, sum;
    for (int i = 0; i < count; i++)
        own += a[i] * (lo + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g\n", sum);
    free(a);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"behind.c:17\",\"sections\":[{\"line\":18,\"repeated\":0,\"stages\":[{\"line\":18,\"loop\":true,\"reads\":[\"a\"],\"writes\":[\"a\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
