#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "timesteps.c"
/* The adaptive loop is the solver inside a time step: in every step a right-hand side is made and
 * relaxed until it changes little. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 47;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 11 "timesteps.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 12 "timesteps.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * n / size, hi = (rank + 1) * n / size;
#line 13 "timesteps.c"
xmpi_displ = (long long)lo; xmpi_count = (long long)hi - (long long)lo; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); hi = (int)(xmpi_displ + xmpi_count);
    double *heat = malloc((size_t)(hi - lo) * sizeof *heat);
    double *source = malloc((size_t)(hi - lo) * sizeof *source);
    double time = 0, dt = 0.125;
    int solved = 0;
if (xmpi_gen_initial()) {
#line 18 "timesteps.c"
    for (int i = lo; i < hi; i++)
        heat[i - lo] = i % 11;
#line 19 "timesteps.c"
}
    for (int step = 0; 
#line 20 "timesteps.c"
xmpi_gen_joining() || (
#line 20 "timesteps.c"
                       step < 7
#line 20 "timesteps.c"
)
#line 20 "timesteps.c"
                               ; step++) {
#line 20 "timesteps.c"
xmpi_gen_live("timesteps.c:16:dt", &dt, sizeof dt); xmpi_gen_elements("timesteps.c:16:dt", "f8"); xmpi_gen_live("timesteps.c:20:step", &step, sizeof step); xmpi_gen_elements("timesteps.c:20:step", "i4"); xmpi_gen_live("timesteps.c:17:solved", &solved, sizeof solved); xmpi_gen_elements("timesteps.c:17:solved", "i4"); xmpi_gen_live("timesteps.c:16:time", &time, sizeof time); xmpi_gen_elements("timesteps.c:16:time", "f8");
        time += dt;
if (xmpi_gen_initial()) {
#line 22 "timesteps.c"
        if (step == 5)
            continue;
#line 23 "timesteps.c"
}
        double peak = 0;
if (xmpi_gen_initial()) {
#line 25 "timesteps.c"
        for (int i = lo; i < hi; i++)
            source[i - lo] = heat[i - lo] + time * (i % 3);
#line 26 "timesteps.c"
}
        int sweep = 0;
xmpi_gen_data("heat", (void *)&heat, sizeof *heat, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("heat", "f8"); xmpi_gen_data("source", (void *)&source, sizeof *source, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("source", "f8"); xmpi_gen_live("timesteps.c:16:dt", &dt, sizeof dt); xmpi_gen_elements("timesteps.c:16:dt", "f8"); xmpi_gen_live("timesteps.c:24:peak", &peak, sizeof peak); xmpi_gen_elements("timesteps.c:24:peak", "f8"); xmpi_gen_live("timesteps.c:27:sweep", &sweep, sizeof sweep); xmpi_gen_elements("timesteps.c:27:sweep", "i4"); xmpi_gen_live("timesteps.c:20:step", &step, sizeof step); xmpi_gen_elements("timesteps.c:20:step", "i4"); xmpi_gen_live("timesteps.c:17:solved", &solved, sizeof solved); xmpi_gen_elements("timesteps.c:17:solved", "i4"); xmpi_gen_live("timesteps.c:16:time", &time, sizeof time); xmpi_gen_elements("timesteps.c:16:time", "f8"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_call(0); xmpi_gen_loop_begin("timesteps.c:29", 0);
        do {
#line 29 "timesteps.c"
if (xmpi_gen_point()) { hi = (int)(xmpi_displ + xmpi_count);
#line 29 "timesteps.c"
}
            double own = 0;
            for (int i = lo; i < hi; i++) {
                heat[i - lo] = (heat[i - lo] + source[i - lo]) / 2 + dt;
                if (heat[i - lo] > own)
                    own = heat[i - lo];
            }
            MPI_Allreduce(&own, &peak, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            sweep++;
        } while (sweep < 5 + step % 2);
#line 38 "timesteps.c"
xmpi_gen_loop_end(); xmpi_gen_return(0);
        solved += sweep;
        dt = peak > 20 ? dt / 2 : dt;
    }
    double own = 0, top;
    for (int i = lo; i < hi; i++)
        own = heat[i - lo] > own ? heat[i - lo] : own;
    MPI_Reduce(&own, &top, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g %.17g %d\n", time, top, solved);
    free(heat);
    free(source);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"timesteps.c:29\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":36},\"line\":31,\"repeated\":0,\"stages\":[{\"line\":31,\"loop\":true,\"reads\":[\"heat\",\"source\"],\"writes\":[\"heat\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
