/* SPDX-License-Identifier: BSD-3-Clause
 * A program's objects of MPI, of every kind, and what can be told of them. */
#ifndef XMPI_TESTS_HANDLES_MADE_H
#define XMPI_TESTS_HANDLES_MADE_H

#include <mpi.h>

enum { COMMS = 15, TYPES = 22, GROUPS = 4, REQUESTS = 7, FACTS = 4096, PART = 4 };

/* All that the program has. Plain data, which goes to another process as it is. */
typedef struct {
    MPI_Comm comm[COMMS], inter;
    MPI_Group group[GROUPS];
    MPI_Datatype type[TYPES];
    MPI_Op op, typed_op;
    MPI_Errhandler handler;
    MPI_Info info;
    int comm_keyval, same_keyval, freed_keyval, type_keyval;
    MPI_Request request[REQUESTS];
    MPI_Datatype part_type[2 * PART];
    int counts[2 * PART], displs[2 * PART];
    MPI_Aint far[2 * PART];
    double sent[64], received[64], part[4];
    int copied, deleted, handled, wrong; /* calls of its functions */
    int fact[FACTS], facts;              /* as they were at first */
} mine_t;

extern mine_t mine;

/* Makes them. Collective over MPI_COMM_WORLD. */
void made_make(void);

/* Compares what MPI tells of them with what it told at first; ends the program where it differs. */
void made_compare(const char *when);

/* Uses them all; ends the program where a result is wrong. */
void made_use(const char *when);

/* Frees them, by which the delete functions are called. */
void made_free(void);

/* Ends the program, with a line. */
void made_fail(const char *when, const char *what, int which);

#endif
