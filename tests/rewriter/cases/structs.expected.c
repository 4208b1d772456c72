#include <xmpi_gen.h>
#line 1 "structs.c"
/* Range, rank and values as members of structs.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, steps;
    long count, displ;
    double factor;
} problem_t;

static struct {
    int rank, size;
} self;

enum mode { SLOW, FAST };

int main(int argc, char **argv)
{
    problem_t p;
    enum mode mode;
    double history[3] = {0, 0, 0};
    const double half = 0.5;
    float *w;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
#line 28 "structs.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &self.rank, sizeof self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.size);
#line 29 "structs.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &self.size, sizeof self.size);
if (xmpi_gen_initial()) {
    {
        p.n = 30;
        p.steps = argc > 1 ? atoi(argv[1]) : 12;
        p.factor = 1.25;
        mode = argc > 2 ? SLOW : FAST;
    }
#line 36 "structs.c"
} xmpi_gen_live("structs.c:21:p.n", &p.n, sizeof p.n); xmpi_gen_elements("structs.c:21:p.n", "? i4"); xmpi_gen_live("structs.c:21:p.steps", &p.steps, sizeof p.steps); xmpi_gen_elements("structs.c:21:p.steps", "? i4"); xmpi_gen_live("structs.c:21:p.factor", &p.factor, sizeof p.factor); xmpi_gen_elements("structs.c:21:p.factor", "? f8"); xmpi_gen_live("structs.c:22:mode", &mode, sizeof mode); xmpi_gen_elements("structs.c:22:mode", "? i4");

    {
        p.count = p.n / self.size;
        p.displ = p.count * self.rank;
    }
#line 41 "structs.c"
xmpi_gen_domain((long long)(p.n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &p.count, sizeof p.count); xmpi_gen_refresh(XMPI_GEN_DISPL, &p.displ, sizeof p.displ);
    w = malloc((size_t)p.count * sizeof *w);
xmpi_gen_data("w", (void *)&w, sizeof *w, XMPI_GEN_DISTRIBUTED, (long long)(p.n), 1); xmpi_gen_elements("w", "f4");
if (xmpi_gen_initial()) {
    {
        for (long i = 0; i < p.count; i++)
            w[i] = (float)(i + p.displ);
    }
#line 48 "structs.c"
}
    int it;
xmpi_gen_live("structs.c:49:it", &it, sizeof it); xmpi_gen_elements("structs.c:49:it", "i4"); xmpi_gen_live("structs.c:21:p.n", &p.n, sizeof p.n); xmpi_gen_elements("structs.c:21:p.n", "? i4"); xmpi_gen_live("structs.c:21:p.steps", &p.steps, sizeof p.steps); xmpi_gen_elements("structs.c:21:p.steps", "? i4"); xmpi_gen_live("structs.c:21:p.factor", &p.factor, sizeof p.factor); xmpi_gen_elements("structs.c:21:p.factor", "? f8"); xmpi_gen_live("structs.c:22:mode", &mode, sizeof mode); xmpi_gen_elements("structs.c:22:mode", "? i4"); xmpi_gen_live("structs.c:23:history", &history, sizeof history); xmpi_gen_elements("structs.c:23:history", "3f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(p.steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("structs.c:51", xmpi_gen_interval((long long)(p.steps / 4)));
    for (it = 0; 
#line 51 "structs.c"
xmpi_gen_joining() || (
#line 51 "structs.c"
                 it < p.steps
#line 51 "structs.c"
)
#line 51 "structs.c"
                             ; it++)
    {
#line 52 "structs.c"
(void)xmpi_gen_point();
        double sum = 0, total;
        for (long i = 0; i < p.count; i++) {
            w[i] = (float)(w[i] * (mode == FAST ? half : p.factor));
            sum += (double)w[i];
        }
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        history[it % 3] += total;
        if (total < 0)
            break;
    }
#line 62 "structs.c"
xmpi_gen_loop_end();
    if (self.rank == 0)
        printf("result %d %.17g %.17g %.17g\n", it, history[0], history[1], history[2]);
    free(w);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"structs.c:51\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":58},\"line\":54,\"repeated\":0,\"stages\":[{\"line\":54,\"loop\":true,\"reads\":[\"w\"],\"writes\":[\"w\"]}],\"tiled\":false},{\"line\":59,\"repeated\":0,\"stages\":[{\"line\":59,\"loop\":false,\"reads\":[\"history\"],\"writes\":[\"history\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
