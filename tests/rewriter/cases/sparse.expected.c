#include <xmpi_gen.h>
#line 1 "sparse.c"
/* A sparse matrix with uneven rows, multiplied with a vector again and again; initial processes make the
 * matrix. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 60 };

int main(int argc, char **argv)
{
    int rank, size, count, displ, *ia, *counts, *displs;
    short *ja = NULL;
    long *a = NULL, *x, *y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 15 "sparse.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 16 "sparse.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);

    {
        displ = rank * SIZE / size;
        count = (rank + 1) * SIZE / size - displ;
    }
#line 21 "sparse.c"
xmpi_gen_domain((long long)(SIZE)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    ia = malloc(((size_t)count + 1) * sizeof *ia);
    x = malloc(SIZE * sizeof *x);
if (xmpi_gen_initial()) {
    {
        y = malloc(((size_t)count + 1) * sizeof *y);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
#line 31 "sparse.c"
} else { y = 0; counts = 0; displs = 0; }
if (xmpi_gen_initial()) {
    {
        ia[0] = 0;
        for (int i = 0; i < count; i++)
            ia[i + 1] = ia[i] + (displ + i) * (displ + i) % 7;
        ja = malloc((size_t)(ia[count] + 1) * sizeof *ja);
        a = malloc((size_t)(ia[count] + 1) * sizeof *a);
        for (int i = 0; i < count; i++)
            for (int k = ia[i]; k < ia[i + 1]; k++) {
                ja[k] = (short)((7 * (displ + i) + 11 * (k - ia[i])) % SIZE);
                a[k] = (displ + i + 3 * (k - ia[i])) % 5 - 2;
            }
        for (int i = 0; i < SIZE; i++)
            x[i] = i % 4;
    }
#line 46 "sparse.c"
} else { ja = 0; a = 0; }
xmpi_gen_data("ia", (void *)&ia, sizeof *ia, XMPI_GEN_DISTRIBUTED, (long long)(SIZE), 1); xmpi_gen_elements("ia", "i4"); xmpi_gen_data("ja", (void *)&ja, sizeof *ja, XMPI_GEN_DISTRIBUTED, (long long)(SIZE), 1); xmpi_gen_elements("ja", "i2"); xmpi_gen_data("a", (void *)&a, sizeof *a, XMPI_GEN_DISTRIBUTED, (long long)(SIZE), 1); xmpi_gen_elements("a", "i8"); xmpi_gen_csr("ia", "ja", "a"); xmpi_gen_data("x", (void *)&x, sizeof *x, XMPI_GEN_REPLICATED, (long long)(SIZE), 1); xmpi_gen_elements("x", "i8"); xmpi_gen_constant("ia"); xmpi_gen_constant("ja"); xmpi_gen_constant("a");
if (xmpi_gen_initial()) xmpi_gen_bound(20LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("sparse.c:49", 3LL);
    for (int step = 0; 
#line 49 "sparse.c"
xmpi_gen_joining() || (
#line 49 "sparse.c"
                       step < 20
#line 49 "sparse.c"
)
#line 49 "sparse.c"
                                ; step++) {
#line 49 "sparse.c"
xmpi_gen_live("sparse.c:49:step", &step, sizeof step); xmpi_gen_elements("sparse.c:49:step", "i4"); if (xmpi_gen_point()) { xmpi_gen_free(y); y = 0; xmpi_gen_free(counts); counts = 0; xmpi_gen_free(displs); displs = 0;
#line 25 "sparse.c"
    {
        y = malloc(((size_t)count + 1) * sizeof *y);
        counts = malloc((size_t)size * sizeof *counts);
        displs = malloc((size_t)size * sizeof *displs);
        MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    }
#line 49 "sparse.c"
}
        for (int i = 0; i < count; i++) {
            y[i] = step;
            for (int k = ia[i]; k < ia[i + 1]; k++)
                y[i] += a[k] * x[ja[k]];
            y[i] %= 1000;
        }
        MPI_Allgatherv(y, count, MPI_LONG, x, counts, displs, MPI_LONG, MPI_COMM_WORLD);
    }
#line 57 "sparse.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld %ld %ld\n", x[0], x[SIZE / 2], x[SIZE - 1]);
    free(ia);
    free(ja);
    free(a);
    free(x);
    free(y);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"sparse.c:49\",\"sections\":[{\"event\":{\"arrays\":[\"y\",\"x\",\"counts\",\"displs\"],\"calls\":[\"MPI_Allgatherv\"],\"line\":56},\"line\":50,\"repeated\":0,\"stages\":[{\"line\":50,\"loop\":true,\"reads\":[\"ia\",\"a\",\"x\",\"ja\",\"y\"],\"writes\":[\"y\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
