/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a loop as it is told. */
#include "act/startover/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "xmpi_gen.h"

void xmpi_state_clear(xmpi_state_told_t *state)
{
    xmpi_pack_free(&state->same);
    xmpi_pack_free(&state->own);
    xmpi_pack_free(&state->form);
    memset(state, 0, sizeof *state);
}

/* What is wrong with rows that a member tells of; NULL: nothing. */
static const char *wrong_with(const xmpi_state_rows_t *rows)
{
    if (rows->rows <= 0)
        return "has no rows";
    if (rows->row_bytes <= 0)
        return "has rows of no bytes";
    if (rows->own.count < 0 || rows->own.displ < 0 ||
        rows->own.displ + rows->own.count > rows->rows)
        return "does not have the rows that this member says it owns";
    int64_t front = rows->own.displ < rows->before ? rows->own.displ : rows->before;
    if (rows->before < 0 || rows->behind < 0 || (rows->at < front && !rows->around))
        return "has rows before its first element";
    if (rows->base == NULL && rows->own.count > 0)
        return "is a null pointer";
    return NULL;
}

void xmpi_state_tell_rows(xmpi_state_told_t *state, const xmpi_state_rows_t *rows)
{
    const char *wrong =
        state->arrays == XMPI_STATE_ROWS ? "is one array too many" : wrong_with(rows);
    if (wrong != NULL) {
        if (state->why[0] == '\0')
            snprintf(state->why, sizeof state->why,
                     "%s %s (row %" PRId64 " and %" PRId64 " rows from there on, of %" PRId64 ")",
                     rows->name, wrong, rows->own.displ, rows->own.count, rows->rows);
        return;
    }
    state->array[state->arrays++] = *rows;
}

/* Where the last row that is here ends, in bytes from the base. */
static int64_t end_of(const xmpi_state_rows_t *rows)
{
    int64_t step = rows->shape == XMPI_GEN_POINTERS ? (int64_t)sizeof(char *) : rows->row_bytes;
    int64_t rest = rows->rows - rows->own.displ - rows->own.count;
    int64_t behind = rows->around || rows->behind < rest ? rows->behind : rest;
    return (rows->at + rows->own.count + behind) * step;
}

void xmpi_state_tell_room(xmpi_state_told_t *state, int64_t bytes)
{
    if (state->why[0] != '\0' || state->arrays == 0 || bytes == 0)
        return;
    const xmpi_state_rows_t *rows = &state->array[state->arrays - 1];
    if (rows->own.count == 0 || end_of(rows) <= bytes)
        return;
    snprintf(state->why, sizeof state->why,
             "%s has %" PRId64 " bytes, and its rows here end behind %" PRId64 " (%" PRId64
             " rows from index %" PRId64 " on, of %" PRId64 " bytes)",
             rows->name, bytes, end_of(rows), rows->own.count, rows->at, rows->row_bytes);
    state->arrays--;
}

/* Whether the SIZE bytes at ADDRESS are there; what is not is told as nothing. */
static bool is_there(xmpi_state_told_t *state, const char *name, const void *address, uint64_t size)
{
    if (address != NULL || size == 0)
        return true;
    if (state->why[0] == '\0')
        snprintf(state->why, sizeof state->why, "%s is a null pointer", name);
    return false;
}

void xmpi_state_tell_same(xmpi_state_told_t *state, const char *name, void *address, uint64_t size,
                          bool first)
{
    bool elsewhere = state->root && !first;
    if (elsewhere || !is_there(state, name, address, size)) {
        address = NULL;
        size = 0;
    }
    xmpi_pack_put(&state->same, &name, sizeof name);
    xmpi_pack_put(&state->same, &address, sizeof address);
    xmpi_pack_put(&state->same, &size, sizeof size);
    xmpi_pack_put(&state->same, &state->root, sizeof state->root);
    xmpi_pack_put(&state->same, address, size);
    state->root = false;
    state->sames++;
}

void xmpi_state_tell_form(xmpi_state_told_t *state, bool of_rows, xmpi_state_form_t form)
{
    if (!of_rows)
        xmpi_pack_put(&state->form, &form, sizeof form);
    else if (state->arrays > 0)
        state->array[state->arrays - 1].form = form;
}

void xmpi_state_tell_own(xmpi_state_told_t *state, const char *name, void *address, uint64_t n,
                         uint64_t bytes, int type, const char *operation)
{
    if (!is_there(state, name, address, n * bytes))
        n = 0;
    xmpi_pack_put(&state->own, &name, sizeof name);
    xmpi_pack_put(&state->own, &address, sizeof address);
    xmpi_pack_put(&state->own, &n, sizeof n);
    xmpi_pack_put(&state->own, &bytes, sizeof bytes);
    xmpi_pack_put(&state->own, &type, sizeof type);
    xmpi_pack_put(&state->own, &operation, sizeof operation);
    xmpi_pack_put(&state->own, address, n * bytes);
    state->owns++;
}

/* --- where rows are -----------------------------------------------------------------------------
 */

static char *place(const xmpi_aside_t *aside, const char *address)
{
    return aside == NULL ? (char *)(uintptr_t)address : xmpi_aside_find(aside, address);
}

char *xmpi_state_row(const xmpi_state_rows_t *rows, int64_t row, const xmpi_aside_t *aside)
{
    int64_t index = rows->at + row - rows->own.displ;
    if (rows->shape != XMPI_GEN_POINTERS)
        return place(aside, rows->base + index * rows->row_bytes);
    const char *const *pointer = (const char *const *)(const void *)place(
        aside, rows->base + index * (int64_t)sizeof(char *));
    return pointer == NULL || *pointer == NULL ? NULL : place(aside, *pointer);
}

int64_t xmpi_state_run(const xmpi_state_rows_t *rows, int64_t row, int64_t n,
                       const xmpi_aside_t *aside)
{
    int64_t run = 1;
    if (rows->shape != XMPI_GEN_POINTERS)
        return n;
    const char *first = xmpi_state_row(rows, row, aside);
    while (run < n && xmpi_state_row(rows, row + run, aside) == first + run * rows->row_bytes)
        run++;
    return run;
}
