/* SPDX-License-Identifier: BSD-3-Clause
 * State: what the loop changes and reads again, as the program tells it at a point. All else is
 * made by the program's own start, in whatever world it runs. */
#ifndef XMPI_ACT_STARTOVER_STATE_H
#define XMPI_ACT_STARTOVER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "act/image/aside.h"
#include "base/data/pack.h"
#include "decide/layout/layout.h"

enum { XMPI_STATE_ROWS = 64, XMPI_STATE_WHY_MAX = 320 };

/* What elements are: of KIND 'f' floating, 'c' complex, 's' a struct, 'b' anything that is compared
 * by its bits; of BYTES each. */
typedef struct {
    int kind;
    int64_t bytes;
} xmpi_state_form_t;

/* Rows of an array that are here: those of OWN, which begin at index AT of BASE. */
typedef struct {
    const char *name; /* of the program, for as long as it is there */
    int shape;        /* XMPI_GEN_FLAT, ... */
    const char *base;
    int64_t row_bytes;
    int64_t rows; /* in all */
    xmpi_block_t own;
    int64_t at;
    int64_t before, behind; /* rows beyond the own ones that are here, too, if there are any */
    bool around;            /* they are there at the ends of the domain as well */
    xmpi_state_form_t form;
} xmpi_state_rows_t;

typedef struct {
    int arrays;
    xmpi_state_rows_t array[XMPI_STATE_ROWS];
    xmpi_pack_t same, own; /* values: where they are, and what they were */
    xmpi_pack_t form;      /* of each of "same" */
    int sames, owns;
    bool root; /* the next of "same" is so on rank 0 alone, and nobody else goes by it */
    char why[XMPI_STATE_WHY_MAX]; /* the first thing that is wrong; empty: nothing */
} xmpi_state_told_t;

/* Nothing has been told. */
void xmpi_state_clear(xmpi_state_told_t *state);

void xmpi_state_tell_rows(xmpi_state_told_t *state, const xmpi_state_rows_t *rows);

/* The memory that the base of the rows told last leads to has BYTES; 0: that is not known. Rows
 * that do not lie in it are none. */
void xmpi_state_tell_room(xmpi_state_told_t *state, int64_t bytes);

/* SIZE bytes at ADDRESS; what they are now is kept. Whether they are rank 0's is "root", which is
 * false then: where this is not the FIRST of the members they are not looked at, and ADDRESS may be
 * anything. */
void xmpi_state_tell_same(xmpi_state_told_t *state, const char *name, void *address, uint64_t size,
                          bool first);

/* Of what the rows, or the values that are the same, are made that were told last. */
void xmpi_state_tell_form(xmpi_state_told_t *state, bool of_rows, xmpi_state_form_t form);

/* N numbers of BYTES each (TYPE and OPERATION as for xmpi_gen_state_own). */
void xmpi_state_tell_own(xmpi_state_told_t *state, const char *name, void *address, uint64_t n,
                         uint64_t bytes, int type, const char *operation);

/* Where row ROW of the array, an own one, is: in the program aside (NULL: in the one that runs);
 * NULL: the program has nothing there. */
char *xmpi_state_row(const xmpi_state_rows_t *rows, int64_t row, const xmpi_aside_t *aside);

/* How many rows from ROW on lie one after another in memory, at most N. */
int64_t xmpi_state_run(const xmpi_state_rows_t *rows, int64_t row, int64_t n,
                       const xmpi_aside_t *aside);

#endif
