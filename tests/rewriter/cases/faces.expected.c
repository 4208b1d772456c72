#include <xmpi_gen.h>
#line 1 "faces.c"
/* Two fields on a ring of rows: their edges travel packed in one message, and fluxes go through the faces
 * between rows, of which there is one more than rows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int columns = 12;

static void pack(double *edge, const double *a, const double *b, int row)
{
    for (int i = 0; i < columns; i++) {
        edge[2 * i] = a[row * columns + i];
        edge[2 * i + 1] = b[row * columns + i];
    }
}

static void unpack(const double *edge, double *a, double *b, int row)
{
    for (int i = 0; i < columns; i++) {
        a[row * columns + i] = edge[2 * i];
        b[row * columns + i] = edge[2 * i + 1];
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 53, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 29 "faces.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 30 "faces.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = rank * n / size, m = (rank + 1) * n / size - lo;
#line 31 "faces.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &m, sizeof m);
    size_t row = (size_t)columns * sizeof(double);
    double *a = NULL, *b = NULL, *load = NULL, *flux = NULL, *out = NULL, *in = NULL, *sum = NULL;
    a = malloc((size_t)(m + 2) * row);
    b = malloc((size_t)(m + 2) * row);
    load = malloc((size_t)(m + 2) * row);
if (xmpi_gen_initial()) {
#line 37 "faces.c"
    flux = malloc((size_t)(m + 1) * row);
#line 37 "faces.c"
} else { flux = 0; }
    out = malloc(2 * row);
    in = malloc(2 * row);
    sum = malloc(2 * row);
if (xmpi_gen_initial()) {
#line 41 "faces.c"
    if (!a || !b || !load || !flux || !out || !in || !sum) {
        status = 1;
        goto cleanup;
    }
#line 44 "faces.c"
}
if (xmpi_gen_initial()) {
#line 45 "faces.c"
    for (int j = 0; j < m + 2; j++)
        for (int i = 0; i < columns; i++) {
            a[j * columns + i] = (lo + j) % 7 + i;
            b[j * columns + i] = 0;
            load[j * columns + i] = (lo + j) % 3;
        }
#line 50 "faces.c"
}
    int down = (rank + size - 1) % size, up = (rank + 1) % size, steps = 0;
    double total = 0;
xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(columns)); xmpi_gen_halo("a", 1LL); xmpi_gen_elements("a", "f8"); xmpi_gen_data("b", (void *)&b, sizeof *b, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(columns)); xmpi_gen_halo("b", 1LL); xmpi_gen_elements("b", "f8"); xmpi_gen_data("load", (void *)&load, sizeof *load, XMPI_GEN_DISTRIBUTED, (long long)(n), (long long)(columns)); xmpi_gen_halo("load", 1LL); xmpi_gen_elements("load", "f8"); xmpi_gen_constant("load"); xmpi_gen_live("faces.c:51:steps", &steps, sizeof steps); xmpi_gen_elements("faces.c:51:steps", "i4"); xmpi_gen_live("faces.c:7:columns", &columns, sizeof columns); xmpi_gen_elements("faces.c:7:columns", "i4"); xmpi_gen_live("faces.c:52:total", &total, sizeof total); xmpi_gen_elements("faces.c:52:total", "f8"); xmpi_gen_live("faces.c:32:row", &row, sizeof row); xmpi_gen_elements("faces.c:32:row", "i8"); xmpi_gen_live("faces.c:27:status", &status, sizeof status); xmpi_gen_elements("faces.c:27:status", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("faces.c:54", 0);
    while (
#line 54 "faces.c"
xmpi_gen_joining() || (
#line 54 "faces.c"
           steps < 40
#line 54 "faces.c"
)
#line 54 "faces.c"
                     ) {
#line 54 "faces.c"
if (xmpi_gen_point()) { xmpi_gen_free(flux); flux = 0;
#line 37 "faces.c"
    flux = malloc((size_t)(m + 1) * row);
#line 41 "faces.c"
    if (!a || !b || !load || !flux || !out || !in || !sum) {
        status = 1;
        goto cleanup;
    }
#line 51 "faces.c"
        down = (rank + size - 1) % size;
#line 51 "faces.c"
                                         up = (rank + 1) % size;
#line 54 "faces.c"
}
        pack(out, a, b, 1);
        MPI_Sendrecv(out, 2 * columns, MPI_DOUBLE, down, 0, in, 2 * columns, MPI_DOUBLE, up, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unpack(in, a, b, m + 1);
        pack(out, a, b, m);
        MPI_Sendrecv(out, 2 * columns, MPI_DOUBLE, up, 1, in, 2 * columns, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unpack(in, a, b, 0);
        for (int j = 0; j <= m; j++)
            for (int i = 0; i < columns; i++) {
                int at = j * columns + i;
                flux[at] = 0.2 * (a[at + columns] - a[at]) + 0.1 * (b[at + columns] - b[at]);
            }
        for (int i = 0; i < columns; i++)
            sum[i] = sum[columns + i] = 0;
        for (int j = 1; j <= m; j++)
            for (int i = (lo + j + steps) % 2; i < columns; i += 2)
                b[j * columns + i] += 0.01 * load[j * columns + i];
        for (int j = 1; j <= m; j++)
            for (int i = 0; i < columns; i++) {
                a[j * columns + i] += flux[j * columns + i] - flux[(j - 1) * columns + i];
                sum[i] += a[j * columns + i];
                sum[columns + i] += b[j * columns + i] * (lo + j);
            }
        double own = 0, all;
        for (int i = 0; i < 2 * columns; i++)
            own += sum[i] * (i + 1);
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        total += all;
        steps++;
    }
#line 85 "faces.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.9g after %d steps\n", total, steps);
cleanup:
    free(a);
    free(b);
    free(load);
    free(flux);
    free(out);
    free(in);
    free(sum);
    MPI_Finalize();
    return status;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"faces.c:54\",\"sections\":[{\"event\":{\"arrays\":[\"out\",\"in\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":56},\"line\":55,\"repeated\":0,\"stages\":[{\"line\":55,\"loop\":true,\"reads\":[\"a\",\"b\"],\"writes\":[\"out\"]}],\"tiled\":false},{\"event\":{\"arrays\":[\"out\",\"in\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":60},\"line\":58,\"repeated\":0,\"stages\":[{\"line\":58,\"loop\":true,\"reads\":[\"in\"],\"writes\":[\"a\",\"b\"]},{\"line\":59,\"loop\":true,\"reads\":[\"a\",\"b\"],\"writes\":[\"out\"]}],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":82},\"line\":62,\"repeated\":0,\"stages\":[{\"line\":62,\"loop\":true,\"reads\":[\"in\"],\"writes\":[\"a\",\"b\"]},{\"line\":63,\"loop\":true,\"reads\":[\"a\",\"b\"],\"writes\":[\"flux\"]},{\"line\":68,\"loop\":true,\"reads\":[],\"writes\":[\"sum\"]},{\"line\":70,\"loop\":true,\"reads\":[\"load\",\"b\"],\"writes\":[\"b\"]},{\"line\":73,\"loop\":true,\"reads\":[\"flux\",\"a\",\"sum\",\"b\"],\"writes\":[\"a\",\"sum\"]},{\"line\":80,\"loop\":true,\"reads\":[\"sum\"],\"writes\":[]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
