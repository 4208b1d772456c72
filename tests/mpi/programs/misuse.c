/* SPDX-License-Identifier: BSD-3-Clause
 * What the functions for registration and redistribution by hand return for misuse; two members. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmpi.h>

enum { ROWS = 83 };

static void expect(const char *what, int code, int expected)
{
    if (code == expected)
        return;
    fprintf(stderr, "misuse: %s gives %d, not %d\n", what, code, expected);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void run_registration_errors(double **a, double **b)
{
    MPI_Datatype loose;
    MPI_Type_contiguous(3, MPI_DOUBLE, &loose);
    XMPI_Matrix narrow = {.rows = ROWS, .columns = 9, .leading = 8};
    XMPI_Compressed odd = {.size = ROWS, .pointers = MPI_DOUBLE, .indices = MPI_INT};
    int *ia = NULL, *ja = NULL;
    expect("NULL", XMPI_Register_vector(NULL, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED), MPI_ERR_ARG);
    expect("twice", XMPI_Register_vector(a, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED), MPI_ERR_ARG);
    expect("another domain", XMPI_Register_vector(b, ROWS + 1, MPI_DOUBLE, XMPI_DISTRIBUTED),
           MPI_ERR_COUNT);
    expect("negative", XMPI_Register_vector(b, -1, MPI_DOUBLE, XMPI_DISTRIBUTED), MPI_ERR_COUNT);
    expect("uncommitted", XMPI_Register_vector(b, ROWS, loose, XMPI_DISTRIBUTED), MPI_ERR_TYPE);
    expect("null type", XMPI_Register_vector(b, ROWS, MPI_DATATYPE_NULL, XMPI_DISTRIBUTED),
           MPI_ERR_TYPE);
    expect("scheme", XMPI_Register_vector(b, ROWS, MPI_DOUBLE, (XMPI_Scheme)7), MPI_ERR_ARG);
    expect("leading", XMPI_Register_matrix(b, &narrow, MPI_DOUBLE, XMPI_DISTRIBUTED),
           MPI_ERR_COUNT);
    expect("pointers", XMPI_Register_compressed(&ia, &ja, b, &odd, MPI_DOUBLE, XMPI_DISTRIBUTED),
           MPI_ERR_TYPE);
    expect("same address", XMPI_Register_sparse(&ia, &ia, b, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED),
           MPI_ERR_ARG);
    expect("unknown", XMPI_Deregister(b), MPI_ERR_ARG);
    expect("unknown", XMPI_Declare_constant(b), MPI_ERR_ARG);
    expect("unknown", XMPI_Declare_out_of_core(b), MPI_ERR_ARG);
    MPI_Type_free(&loose);
}

/* Each of the calls says one line; the test counts them. */
int main(int argc, char **argv)
{
    double *a = calloc(ROWS, sizeof *a), *b = NULL, *kept = a;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t count = rank == 0 ? ROWS : 0;
    expect("nothing registered", XMPI_Redistribute_data(count, 0, count, 0), MPI_ERR_BUFFER);
    expect("a vector", XMPI_Register_vector(&a, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED), MPI_SUCCESS);
    if (rank == 0)
        run_registration_errors(&a, &b);
    MPI_Barrier(MPI_COMM_WORLD);
    expect("overlap", XMPI_Redistribute_data(ROWS, 0, count, 0), MPI_ERR_COUNT);
    expect("a gap", XMPI_Redistribute_data(count, 0, count > 0 ? count - 1 : 0, 0), MPI_ERR_COUNT);
    expect("b", XMPI_Register_vector(&b, ROWS, MPI_DOUBLE, XMPI_DISTRIBUTED), MPI_SUCCESS);
    expect("a NULL pointer", XMPI_Redistribute_data(count, 0, count, 0), MPI_ERR_BUFFER);
    expect("out", XMPI_Deregister(&b), MPI_SUCCESS);
    if (rank == 0)
        expect("out", XMPI_Deregister(&a), MPI_SUCCESS);
    expect("different", XMPI_Redistribute_data(count, 0, count, 0), MPI_ERR_BUFFER);
    expect("a pointer after errors", a == kept && b == NULL, 1);
    free(a);
    if (rank == 0)
        printf("misuse: ok\n");
    MPI_Finalize();
    return 0;
}
