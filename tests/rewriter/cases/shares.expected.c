#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "shares.c"
/* A pragma names the range; the function that computes it makes the tables of all ranks, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void divide(int n, int rank, int size, int *lo, int *cnt, int *cnts, int *offs)
{
    for (int i = 0; i < size; i++) {
        offs[i] = i * n / size;
        cnts[i] = (i + 1) * n / size - offs[i];
    }
    *lo = offs[rank];
    *cnt = cnts[rank];
}

int main(int argc, char **argv)
{
    int rank, size, n = 300, lo, cnt;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 20 "shares.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 21 "shares.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int *cnts 
#line 22 "shares.c"
; if (xmpi_gen_initial()) { cnts
#line 22 "shares.c"
              = malloc((size_t)size * sizeof *cnts);
#line 22 "shares.c"
} else { cnts = 0; }
#line 22 "shares.c"
                                                     
#line 22 "shares.c"
int
#line 22 "shares.c"
                                                     *offs 
#line 22 "shares.c"
; if (xmpi_gen_initial()) { offs
#line 22 "shares.c"
                                                           = malloc((size_t)size * sizeof *offs);
#line 22 "shares.c"
} else { offs = 0; }

if (xmpi_gen_initial()) {
#line 24 "shares.c"
    divide(n, rank, size, &lo, &cnt, cnts, offs);
#line 24 "shares.c"
} else { lo = 0; cnt = 0; } xmpi_displ = (long long)lo; xmpi_count = (long long)cnt; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &cnt, sizeof cnt); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
    double *all = calloc((size_t)n, sizeof *all), *own = malloc((size_t)cnt * sizeof *own);
xmpi_gen_data("all", (void *)&all, sizeof *all, XMPI_GEN_REPLICATED, (long long)(n), 1); xmpi_gen_elements("all", "f8"); xmpi_gen_data("own", (void *)&own, sizeof *own, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("own", "f8"); xmpi_gen_live("shares.c:18:n", &n, sizeof n); xmpi_gen_elements("shares.c:18:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(50LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("shares.c:27", 0);
    for (int k = 0; 
#line 27 "shares.c"
xmpi_gen_joining() || (
#line 27 "shares.c"
                    k < 50
#line 27 "shares.c"
)
#line 27 "shares.c"
                          ; k++) {
#line 27 "shares.c"
xmpi_gen_live("shares.c:27:k", &k, sizeof k); xmpi_gen_elements("shares.c:27:k", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(cnts); cnts = 0;
#line 22 "shares.c"
         cnts = malloc((size_t)size * sizeof *cnts); xmpi_gen_free(offs); offs = 0;
#line 22 "shares.c"
                                                      offs = malloc((size_t)size * sizeof *offs);
#line 24 "shares.c"
    divide(n, rank, size, &lo, &cnt, cnts, offs);
lo = (int)(xmpi_displ);
cnt = (int)(xmpi_count);
{ int xmpi_part = (int)(cnt); MPI_Allgather(&xmpi_part, 1, MPI_INT, cnts, 1, MPI_INT, MPI_COMM_WORLD); }
{ int xmpi_part = (int)(lo); MPI_Allgather(&xmpi_part, 1, MPI_INT, offs, 1, MPI_INT, MPI_COMM_WORLD); }
#line 27 "shares.c"
}
        for (int i = 0; i < cnt; i++)
            own[i] = all[lo + i] * 0.5 + (lo + i) % 7 + all[(lo + i + 1) % n] * 0.25;
        MPI_Allgatherv(own, cnt, MPI_DOUBLE, all, cnts, offs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
#line 31 "shares.c"
xmpi_gen_loop_end();
    if (rank == 0) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += all[i] * (i % 6);
        printf("result %.12g\n", sum);
    }
    free(all);
    free(own);
    free(cnts);
    free(offs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"shares.c:27\",\"sections\":[{\"event\":{\"arrays\":[\"own\",\"all\",\"cnts\",\"offs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":30},\"line\":28,\"repeated\":0,\"stages\":[{\"line\":28,\"loop\":true,\"reads\":[\"all\"],\"writes\":[\"own\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
