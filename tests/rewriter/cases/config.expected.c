#include <xmpi_gen.h>
#line 1 "config.c"
/* Rank, size and range in a struct; a time step around a solver; the outer loop is adaptive.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct config {
    int rank, size;
    int rows, count, displ;
    double time;
};

int main(int argc, char **argv)
{
    struct config c = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
#line 17 "config.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &c.rank, sizeof c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.size);
#line 18 "config.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &c.size, sizeof c.size);
    c.rows = argc > 1 ? atoi(argv[1]) : 33;
    c.displ = c.rows * c.rank / c.size;
    c.count = c.rows * (c.rank + 1) / c.size - c.displ;
#line 21 "config.c"
xmpi_gen_domain((long long)(c.rows)); xmpi_gen_refresh(XMPI_GEN_COUNT, &c.count, sizeof c.count); xmpi_gen_refresh(XMPI_GEN_DISPL, &c.displ, sizeof c.displ);
    float *u = calloc((size_t)c.count, sizeof(float));
    float largest = 0;
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(c.rows), 1); xmpi_gen_elements("u", "f4"); xmpi_gen_live("config.c:15:c.rows", &c.rows, sizeof c.rows); xmpi_gen_elements("config.c:15:c.rows", "i4"); xmpi_gen_live("config.c:15:c.time", &c.time, sizeof c.time); xmpi_gen_elements("config.c:15:c.time", "f8"); xmpi_gen_live("config.c:23:largest", &largest, sizeof largest); xmpi_gen_elements("config.c:23:largest", "f4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("config.c:25", 0);
    while (
#line 25 "config.c"
xmpi_gen_joining() || (
#line 25 "config.c"
           c.time < 1.95
#line 25 "config.c"
)
#line 25 "config.c"
                        ) {
#line 25 "config.c"
(void)xmpi_gen_point();
        float change;
        int inner = 0;
        do {
            float own = 0;
            for (int i = 0; i < c.count; i++) {
                float before = u[i];
                u[i] = 0.5f * u[i] + (float)(c.displ + i) + (float)c.time;
                own = u[i] - before > own ? u[i] - before : own;
            }
            MPI_Allreduce(&own, &change, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
            inner++;
        } while (change > 0.5f && inner < 9);
        largest = change > largest ? change : largest;
        c.time += 0.25;
    }
#line 40 "config.c"
xmpi_gen_loop_end();
    if (c.rank == 0)
        printf("result %.9g %.9g %.9g\n", c.time, (double)largest, (double)u[0]);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"config.c:25\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":35},\"line\":30,\"repeated\":1,\"stages\":[{\"line\":30,\"loop\":true,\"passes\":0,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
