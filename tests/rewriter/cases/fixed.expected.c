#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "fixed.c"
/* Tiles on a long roof dry from row to row, in arrays of fixed size with room for all rows: each process has its
 * own rows and ghost rows at the begin of them. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 5 };

struct tile {
    int wet, age;
};

static struct tile roof[ROWS + 2][COLUMNS], dried[ROWS + 2][COLUMNS];

static void exchange(struct tile rows[][COLUMNS], int n, int before, int after)
{
    MPI_Status status;
    int bytes = (int)sizeof rows[0];
    MPI_Sendrecv(rows[1], bytes, MPI_BYTE, before, 0, rows[n + 1], bytes, MPI_BYTE, after, 0, MPI_COMM_WORLD,
                 &status);
    MPI_Sendrecv(rows[n], bytes, MPI_BYTE, after, 1, rows[0], bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD,
                 &status);
}

int main(int argc, char **argv)
{
    int rank, size, wettest = 0, rain[ROWS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 29 "fixed.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 30 "fixed.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = ROWS * rank / size, last = ROWS * (rank + 1) / size - 1, n = last - first + 1;
#line 31 "fixed.c"
xmpi_displ = (long long)first; xmpi_count = (long long)last - (long long)first + 1; xmpi_gen_domain(40LL); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &n, sizeof n);
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
if (xmpi_gen_initial()) {
#line 33 "fixed.c"
    memset(roof, 0, sizeof roof);
#line 33 "fixed.c"
}
if (xmpi_gen_initial()) {
#line 34 "fixed.c"
    for (int i = 1; i <= n; i++)
        for (int j = 0; j < COLUMNS; j++)
            roof[i][j].wet = (first + i) * (j + 2) % 23;
#line 36 "fixed.c"
}
xmpi_gen_data("roof", (void *)roof, sizeof *roof, XMPI_GEN_DISTRIBUTED, 40LL, 1); xmpi_gen_halo("roof", 1LL); xmpi_gen_fixed("roof", 1680UL); xmpi_gen_elements("roof", "2i4"); xmpi_gen_data("rain", (void *)rain, sizeof *rain, XMPI_GEN_OWNED, 40LL, 1); xmpi_gen_fixed("rain", 160UL); xmpi_gen_elements("rain", "i4"); xmpi_gen_data("dried", (void *)dried, sizeof *dried, XMPI_GEN_DISTRIBUTED, 40LL, 1); xmpi_gen_halo("dried", 1LL); xmpi_gen_fixed("dried", 1680UL); xmpi_gen_elements("dried", "2i4"); xmpi_gen_live("fixed.c:27:wettest", &wettest, sizeof wettest); xmpi_gen_elements("fixed.c:27:wettest", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("fixed.c:38", 0);
    for (int hour = 0; 
#line 38 "fixed.c"
xmpi_gen_joining() || (
#line 38 "fixed.c"
                       hour < 40
#line 38 "fixed.c"
)
#line 38 "fixed.c"
                                ; hour++) {
#line 38 "fixed.c"
xmpi_gen_live("fixed.c:38:hour", &hour, sizeof hour); xmpi_gen_elements("fixed.c:38:hour", "i4"); if (xmpi_gen_point()) { last = (int)(xmpi_displ + xmpi_count - 1);
#line 32 "fixed.c"
        before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
#line 32 "fixed.c"
                                                      after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#line 38 "fixed.c"
}
        int own = 0, all;
        exchange(roof, n, before, after);
        for (int i = first; i <= last; i++)
            rain[i] = (rain[i] * 3 + hour + i) % 11;
        for (int i = 1; i <= n; i++)
            for (int j = 0; j < COLUMNS; j++) {
                dried[i][j].wet = (2 * roof[i - 1][j].wet + roof[i][j].wet + roof[i + 1][j].wet) / 4;
                dried[i][j].age = roof[i][j].age + (dried[i][j].wet > 4);
            }
        for (int i = 1; i <= n; i++)
            for (int j = 0; j < COLUMNS; j++) {
                roof[i][j] = dried[i][j];
                roof[i][j].wet += rain[first + i - 1];
                own = own > roof[i][j].wet + roof[i][j].age ? own : roof[i][j].wet + roof[i][j].age;
            }
        MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        wettest = (wettest * 5 + all) % 10007;
    }
#line 56 "fixed.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %d\n", wettest);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"fixed.c:38\",\"sections\":[{\"event\":{\"arrays\":[\"roof\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":40},\"line\":38,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":54},\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[\"rain\"],\"writes\":[\"rain\"]},{\"line\":43,\"loop\":true,\"reads\":[\"roof\",\"dried\"],\"writes\":[\"dried\"]},{\"line\":48,\"loop\":true,\"reads\":[\"dried\",\"rain\",\"roof\"],\"writes\":[\"roof\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
