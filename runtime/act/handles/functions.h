/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of the program that the MPI calls with handles: operations get a datatype, error
 * handlers a communicator. The MPI is given functions of ours in their place, which give the
 * program its own handles. */
#ifndef XMPI_ACT_HANDLES_FUNCTIONS_H
#define XMPI_ACT_HANDLES_FUNCTIONS_H

#include <mpi.h>
#include <stdbool.h>

/* Any function, to be cast to what it is. */
typedef void (*xmpi_function_t)(void);

typedef enum {
    XMPI_OF_COMM,
    XMPI_OF_TYPE,
    XMPI_OF_WIN,
    XMPI_OF_FILE,
    XMPI_OF_SESSION,
} xmpi_of_t;

/* How an operation was made, and an error handler. Plain data. */
typedef struct {
    xmpi_function_t function;
    int commutes;
    bool large; /* counts are MPI_Count */
} xmpi_op_made_t;

typedef struct {
    xmpi_function_t function;
    xmpi_of_t of;
} xmpi_errhandler_made_t;

/* Like the MPI's calls, for what is called by a function of ours. */
int xmpi_functions_op(const xmpi_op_made_t *made, MPI_Op *op);
int xmpi_functions_errhandler(const xmpi_errhandler_made_t *made, MPI_Errhandler *errhandler);

/* How the MPI's handle REAL was made; NULL: not by the program. The MPI may keep one that the
 * program has freed. */
const xmpi_errhandler_made_t *xmpi_functions_of_errhandler(MPI_Errhandler real);

#endif
