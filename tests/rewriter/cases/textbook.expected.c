#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "textbook.c"
/* A string that swings, as lecture notes have it: rows from s to e, counted from 1, by a function of
 * their own; three states that a function exchanges; options; counters at the top.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void decompose(int n, int size, int rank, int *s, int *e)
{
    int local = n / size, rest = n % size;
    *s = rank * local + 1 + (rank < rest ? rank : rest);
    if (rank < rest)
        local++;
    *e = *s + local - 1;
    if (*e > n || rank == size - 1)
        *e = n;
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    int rank, size, n, steps, s, e, i, j, k;
    double *before, *now, *next, largest, energy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 31 "textbook.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 32 "textbook.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    n = 45;
    steps = 30;
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        steps = atoi(argv[2]);
    decompose(n, size, rank, &s, &e);
#line 39 "textbook.c"
xmpi_displ = (long long)s - 1; xmpi_count = (long long)e - xmpi_displ; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
    before = calloc((size_t)(e - s + 3), sizeof(double));
    now = calloc((size_t)(e - s + 3), sizeof(double));
    next = calloc((size_t)(e - s + 3), sizeof(double));
if (xmpi_gen_initial()) {
#line 43 "textbook.c"
    for (i = s; i <= e; i++)
        for (j = 0; j < 4; j++) {
            now[i - s + 1] += i * (n - i) / (double)(n * (j + 1));
            before[i - s + 1] = now[i - s + 1];
        }
#line 47 "textbook.c"
} xmpi_gen_live("textbook.c:28:i", &i, sizeof i); xmpi_gen_elements("textbook.c:28:i", "~ i4"); xmpi_gen_live("textbook.c:28:j", &j, sizeof j); xmpi_gen_elements("textbook.c:28:j", "~ i4");
xmpi_gen_data("now", (void *)&now, sizeof *now, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("now", 1LL); xmpi_gen_elements("now", "f8"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("next", 1LL); xmpi_gen_elements("next", "f8"); xmpi_gen_data("before", (void *)&before, sizeof *before, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_halo("before", 1LL); xmpi_gen_elements("before", "f8"); xmpi_gen_live("textbook.c:28:k", &k, sizeof k); xmpi_gen_elements("textbook.c:28:k", "i4"); xmpi_gen_live("textbook.c:28:steps", &steps, sizeof steps); xmpi_gen_elements("textbook.c:28:steps", "i4"); xmpi_gen_live("textbook.c:28:n", &n, sizeof n); xmpi_gen_elements("textbook.c:28:n", "i4"); xmpi_gen_live("textbook.c:29:energy", &energy, sizeof energy); xmpi_gen_elements("textbook.c:29:energy", "? f8"); if (xmpi_gen_initial()) xmpi_gen_bound((long long)(steps)); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("textbook.c:49", 0);
    for (k = 0; 
#line 49 "textbook.c"
xmpi_gen_joining() || (
#line 49 "textbook.c"
                k < steps
#line 49 "textbook.c"
)
#line 49 "textbook.c"
                         ; k++) {
#line 49 "textbook.c"
if (xmpi_gen_point()) { s = (int)(xmpi_displ + 1); e = (int)(xmpi_displ + xmpi_count);
#line 49 "textbook.c"
}
        int left = rank - 1, right = rank + 1;
        if (rank > 0)
            MPI_Send(&now[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
        if (rank < size - 1) {
            MPI_Recv(&now[e - s + 2], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&now[e - s + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        }
        if (rank > 0)
            MPI_Recv(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (i = 1; i <= e - s + 1; i++) {
            int g = s + i - 1;
            if (g == 1 || g == n)
                next[i] = 0;
            else
                next[i] = 2 * now[i] - before[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        }
        swap(&before, &now);
        swap(&now, &next);
    }
#line 68 "textbook.c"
xmpi_gen_loop_end();
    largest = 0;
    for (i = s; i <= e; i++)
        largest = now[i - s + 1] * i > largest ? now[i - s + 1] * i : largest;
    MPI_Reduce(&largest, &energy, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.17g\n", energy);
    free(before);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"textbook.c:49\",\"sections\":[{\"event\":{\"arrays\":[\"now\"],\"calls\":[\"MPI_Send\",\"MPI_Recv\"],\"line\":51},\"line\":49,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"line\":59,\"repeated\":0,\"stages\":[{\"line\":59,\"loop\":true,\"reads\":[\"now\",\"before\"],\"writes\":[\"next\"]},{\"line\":66,\"loop\":false,\"reads\":[\"before\",\"now\",\"next\"],\"writes\":[\"before\",\"now\",\"next\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
