/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes: the keyvals of the program, whose functions the MPI calls with handles. */
#ifndef XMPI_ACT_HANDLES_ATTRIBUTES_H
#define XMPI_ACT_HANDLES_ATTRIBUTES_H

#include <stdint.h>

#include "act/handles/functions.h"
#include "base/data/pack.h"

/* What a copy function is where it is none of the program's: the MPI's own are at another place in
 * each process. */
typedef enum { XMPI_COPY_NONE, XMPI_COPY_SAME, XMPI_COPY_CALLS } xmpi_copies_t;

typedef struct {
    xmpi_of_t of;
    xmpi_copies_t copies;
    xmpi_function_t copy, delete;
    void *extra_state;
    int64_t attributes; /* that there are; a keyval that the program has freed stays for them */
    int freed;
    int ours; /* the program's handle */
} xmpi_keyval_made_t;

/* The MPI's keyval for what calls the functions of MADE, which stays where it is. */
int xmpi_attributes_keyval(xmpi_keyval_made_t *made, int *keyval);

/* Those of an object, by the program's keyvals, and back to another one. */
void xmpi_attributes_put(xmpi_pack_t *pack, xmpi_of_t of, int object);
void xmpi_attributes_get(xmpi_pack_t *pack, xmpi_of_t of, int object);

/* Reads them and leaves them out. */
void xmpi_attributes_skip(xmpi_pack_t *pack);

/* The program has set one of KEYVAL, its handle. */
void xmpi_attributes_set(int keyval);

/* Takes those of a communicator away, without calling functions of the program. */
void xmpi_attributes_clear(MPI_Comm comm);

#endif
