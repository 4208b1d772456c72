#include <xmpi_gen.h>
#line 1 "pi.c"
/* Pi by strips, a number of rounds; nothing but scalars, reduced in every round. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 10 "pi.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 11 "pi.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
if (xmpi_gen_initial()) {
#line 12 "pi.c"
    if (rank == 0)
        printf("%d processes\n", size);
#line 13 "pi.c"
}
xmpi_gen_live("pi.c:8:total", &total, sizeof total); xmpi_gen_elements("pi.c:8:total", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)((long long)((long long)(10) - (long long)(1)) + 1)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("pi.c:15", 0);
    for (int round = 1; 
#line 15 "pi.c"
xmpi_gen_joining() || (
#line 15 "pi.c"
                        round <= 10
#line 15 "pi.c"
)
#line 15 "pi.c"
                                   ; round++) {
#line 15 "pi.c"
xmpi_gen_live("pi.c:15:round", &round, sizeof round); xmpi_gen_elements("pi.c:15:round", "i4"); (void)xmpi_gen_point();
        double sum = 0, all;
        int strips = round * 100;
        for (int i = rank; i < strips; i += size) {
            double x = (i + 0.5) / strips;
            sum += 4 / (1 + x * x) / strips;
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += all;
    }
#line 24 "pi.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.10f\n", total / 10);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"pi.c:15\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":22},\"line\":18,\"repeated\":0,\"stages\":[{\"line\":18,\"loop\":true,\"reads\":[],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
