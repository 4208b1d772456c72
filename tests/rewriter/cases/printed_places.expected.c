#include <xmpi_gen.h>
#line 1 "printed_places.c"
/* What is put out behind the loop that is made of places in blocks: mixed with rows, by a parity, a distance of
 * addresses, a position, rows beside one another or edges of blocks, which is said; and what is made of rows by
 * their numbers among all, which is not. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double of_all(double own)
{
    double all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double odd(const double *u, int count)
{
    double t = 0;
    for (int i = 0; i < count; i++)
        t += i % 2 ? u[i] : 0;
    return t;
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 28 "printed_places.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 29 "printed_places.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
#line 30 "printed_places.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    double *u = calloc((size_t)count, sizeof *u);
if (xmpi_gen_initial()) {
#line 32 "printed_places.c"
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
#line 33 "printed_places.c"
}
xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(30LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("printed_places.c:35", 0);
    for (int k = 0; 
#line 35 "printed_places.c"
xmpi_gen_joining() || (
#line 35 "printed_places.c"
                    k < 30
#line 35 "printed_places.c"
)
#line 35 "printed_places.c"
                          ; k++)
{ xmpi_gen_live("printed_places.c:35:k", &k, sizeof k); xmpi_gen_elements("printed_places.c:35:k", "i4"); (void)xmpi_gen_point();
#line 36 "printed_places.c"
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * (displ + i);
#line 37 "printed_places.c"
} xmpi_gen_loop_end();
    double times = 0, mixed = 0, apart = 0, rises = 0, numbers = 0, odds = 0, most = -1;
    for (int i = 0; i < count; i++)
        times += u[i] * i;
    times = of_all(times);
    printf("times the place %g\n", times);
    for (int i = 0; i < count; i++)
        mixed += i + u[i];
    MPI_Allreduce(MPI_IN_PLACE, &mixed, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("with the place %g\n", mixed);
    printf("in odd places %g\n", of_all(odd(u, count)));
    for (int i = 0; i < count; i++) {
        double distance, *to = &distance;
        *to = (double)(&u[i] - &u[0]);
        apart += 0.01 * distance;
    }
    MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("distances %g\n", apart);
    for (int i = 0; i + 1 < count; i++)
        if (u[i] < u[i + 1])
            rises++;
    MPI_Allreduce(MPI_IN_PLACE, &rises, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("rises %g\n", rises);
    struct {
        double value;
        int at;
    } own = {-1, -1}, best = {-1, -1}, row = {-1, -1};
    for (int i = 0; i < count; i++)
        if (u[i] > own.value) {
            own.value = u[i];
            own.at = i;
        }
    MPI_Allreduce(&own, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    printf("largest %g at %d\n", best.value, best.at);
    double *ends = malloc((size_t)size * sizeof *ends), last = u[count - 1], end = 0;
    MPI_Gather(&last, 1, MPI_DOUBLE, ends, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int r = 0; r < size; r++)
            end += ends[r];
        printf("last rows %g\n", end);
    }
    free(ends);
    for (int i = 0; i < count; i++)
        printf("row %d: %g\n", i, u[i]);
    for (int i = 0; i < count; i++)
        printf("rank %d, place %d\n", rank, i);
    for (int i = 0; i < count; i++) {
        numbers += u[i] * (displ + i) + (double)(displ + (&u[i] - &u[0]));
        odds += (displ + i) % 2 ? u[i] : 0;
    }
    numbers = of_all(numbers);
    odds = of_all(odds);
    for (int i = 0; i < count; i++)
        if (u[i] > most) {
            most = u[i];
            row.at = displ + i;
        }
    own.value = most;
    own.at = row.at;
    MPI_Allreduce(&own, &row, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.12g %.12g %.12g %d\n", numbers, odds, row.value, row.at);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += u[i];
    free(u);
    MPI_Finalize();
    return sum > 1e9;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"printed_places.c:35\",\"sections\":[{\"line\":36,\"repeated\":0,\"stages\":[{\"line\":36,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
