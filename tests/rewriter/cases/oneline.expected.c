#include <xmpi_gen.h>
#line 1 "oneline.c"
/* Everything as close together as C allows, and an if around the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int r, s, n = 10, k, d; double *a; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);
#line 5 "oneline.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &r, sizeof r);
#line 5 "oneline.c"
                                                                                                                    MPI_Comm_size(MPI_COMM_WORLD, &s);
#line 5 "oneline.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &s, sizeof s);

k = n / s, d = r * k;
#line 7 "oneline.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &k, sizeof k); xmpi_gen_refresh(XMPI_GEN_DISPL, &d, sizeof d);
#line 7 "oneline.c"
                      a = malloc((size_t)(k + 1) * sizeof *a);
xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("a", "f8");
if (xmpi_gen_initial()) {
for (int i = 0; i <= k; i++) a[i] = i + d;
#line 10 "oneline.c"
}
#line 10 "oneline.c"
                                           double t = 0; if (n > 5) { double f = 0.5;
xmpi_gen_live("oneline.c:10:f", &f, sizeof f); xmpi_gen_elements("oneline.c:10:f", "f8"); xmpi_gen_live("oneline.c:10:t", &t, sizeof t); xmpi_gen_elements("oneline.c:10:t", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(8LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("oneline.c:12", 0);
for (int i = 0; 
#line 12 "oneline.c"
xmpi_gen_joining() || (
#line 12 "oneline.c"
                i < 8
#line 12 "oneline.c"
)
#line 12 "oneline.c"
                     ; i++) 
#line 12 "oneline.c"
{ xmpi_gen_live("oneline.c:12:i", &i, sizeof i); xmpi_gen_elements("oneline.c:12:i", "i4"); (void)xmpi_gen_point();
#line 12 "oneline.c"
                            for (int j = (t += f, 0); j < k; j++) a[j] *= f;
#line 12 "oneline.c"
} xmpi_gen_loop_end();
#line 12 "oneline.c"
                                                                             }
if (r == 0) printf("result %.17g\n", t); free(a); MPI_Finalize(); return 0; }
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"oneline.c:12\",\"sections\":[{\"line\":12,\"repeated\":0,\"stages\":[{\"line\":12,\"loop\":true,\"reads\":[\"a\"],\"writes\":[\"a\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
