#include <xmpi_gen.h>
#line 1 "integrator.c"
/* A time integrator that calls the iterative part, with its adaptive loop, once in each step and
 * looks at the field in between. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int count, displ;

static int settle(long *field, long *total, int limit)
{
    int used = 0;
xmpi_gen_data("field", (void *)&field, sizeof *field, XMPI_GEN_DISTRIBUTED, 59LL, 1); xmpi_gen_elements("field", "i8"); xmpi_gen_live("integrator.c:9:limit", &limit, sizeof limit); xmpi_gen_elements("integrator.c:9:limit", "i4"); xmpi_gen_live("integrator.c:11:used", &used, sizeof used); xmpi_gen_elements("integrator.c:11:used", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_call(1); xmpi_gen_loop_begin("integrator.c:13", 0);
    for (int k = 0; 
#line 13 "integrator.c"
xmpi_gen_joining() || (
#line 13 "integrator.c"
                    k < limit
#line 13 "integrator.c"
)
#line 13 "integrator.c"
                             ; k++) {
#line 13 "integrator.c"
xmpi_gen_live("integrator.c:13:k", &k, sizeof k); xmpi_gen_elements("integrator.c:13:k", "i4"); (void)xmpi_gen_point();
        long own = 0;
        for (int i = 0; i < count; i++) {
            field[i] = (field[i] * 5 + displ + i + k) % 4099;
            own += field[i];
        }
        MPI_Allreduce(&own, total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        used++;
        if (*total % 17 == 0)
            break;
    }
#line 23 "integrator.c"
xmpi_gen_loop_end(); xmpi_gen_return(1);
    return used;
}

int main(int argc, char **argv)
{
    int rank, size, n = 59, step = 0, used = 0;
    long total = 1, history = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 32 "integrator.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 33 "integrator.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    count = (n - rank + size - 1) / size;
    displ = 0;
    for (int r = 0; r < rank; r++)
        displ += (n - r + size - 1) / size;
#line 37 "integrator.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    long *field = malloc((size_t)count * sizeof *field);
if (xmpi_gen_initial()) {
#line 39 "integrator.c"
    for (int i = 0; i < count; i++)
        field[i] = displ + i;
#line 40 "integrator.c"
}
    while (
#line 41 "integrator.c"
xmpi_gen_joining() || (
#line 41 "integrator.c"
           step < 9
#line 41 "integrator.c"
)
#line 41 "integrator.c"
                   ) {
#line 41 "integrator.c"
xmpi_gen_live("integrator.c:30:history", &history, sizeof history); xmpi_gen_elements("integrator.c:30:history", "i8"); xmpi_gen_live("integrator.c:30:total", &total, sizeof total); xmpi_gen_elements("integrator.c:30:total", "i8"); xmpi_gen_live("integrator.c:29:step", &step, sizeof step); xmpi_gen_elements("integrator.c:29:step", "i4"); xmpi_gen_live("integrator.c:29:used", &used, sizeof used); xmpi_gen_elements("integrator.c:29:used", "i4");
        long kick = total % 10;
if (xmpi_gen_initial()) {
#line 43 "integrator.c"
        for (int i = 0; i < count; i++)
            field[i] += kick;
#line 44 "integrator.c"
}
xmpi_gen_alias("field", (void *)&field); xmpi_gen_live("integrator.c:30:history", &history, sizeof history); xmpi_gen_elements("integrator.c:30:history", "i8"); xmpi_gen_live("integrator.c:30:total", &total, sizeof total); xmpi_gen_elements("integrator.c:30:total", "i8"); xmpi_gen_live("integrator.c:29:step", &step, sizeof step); xmpi_gen_elements("integrator.c:29:step", "i4"); xmpi_gen_live("integrator.c:42:kick", &kick, sizeof kick); xmpi_gen_elements("integrator.c:42:kick", "i8"); xmpi_gen_live("integrator.c:29:used", &used, sizeof used); xmpi_gen_elements("integrator.c:29:used", "i4"); xmpi_gen_call(0);
#line 45 "integrator.c"
        used += settle(field, &total, 3 + step % 3);
#line 45 "integrator.c"
xmpi_gen_return(0);
        history = (history * 7 + total) % 1000003;
        step++;
    }
    if (rank == 0)
        printf("result %ld %d %ld\n", history, used, total);
    free(field);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"integrator.c:13\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":19},\"line\":15,\"repeated\":0,\"stages\":[{\"line\":15,\"loop\":true,\"reads\":[\"field\"],\"writes\":[\"field\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
