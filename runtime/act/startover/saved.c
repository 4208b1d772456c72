/* SPDX-License-Identifier: BSD-3-Clause
 * The told state as registered data. */
#include "act/startover/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/startover/rows.h"
#include "act/startover/values.h"
#include "base/collective.h"
#include "base/misuse.h"

/* --- rows ---------------------------------------------------------------------------------------
 */

static bool is_block(xmpi_block_t a, xmpi_block_t b)
{
    return a.count == b.count && a.displ == b.displ;
}

/* The rows as the registry numbers them: a halo around everybody's own ones, also at the ends of the
 * domain. */
static xmpi_block_t stored(const xmpi_state_rows_t *rows, int64_t halo)
{
    return (xmpi_block_t){.count = rows->own.count + 2 * halo, .displ = rows->own.displ - halo};
}

/* To a copy beside, or from there; what there is not is zeros. */
static void copy_rows(const xmpi_saved_state_t *saved, const xmpi_state_rows_t *rows, int i,
                      bool back)
{
    xmpi_block_t here = saved->here[i];
    for (int64_t row = here.displ; row < here.displ + here.count; row++) {
        char *there = xmpi_state_row(rows, row, NULL);
        char *beside =
            saved->base[i] + (row - stored(rows, saved->halo[i]).displ) * rows->row_bytes;
        if (there != NULL)
            memcpy(back ? there : beside, back ? beside : there, (size_t)rows->row_bytes);
    }
}

static void add_rows(const xmpi_state_rows_t *rows, int i, xmpi_saved_state_t *saved)
{
    xmpi_block_t all = stored(rows, saved->halo[i]);
    saved->beside[i] = rows->shape == XMPI_GEN_POINTERS || !is_block(all, saved->here[i]);
    if (saved->beside[i]) {
        saved->base[i] = calloc((size_t)all.count + 1, (size_t)rows->row_bytes);
        if (saved->base[i] == NULL)
            xmpi_misuse("no memory for a copy of %s", rows->name);
        copy_rows(saved, rows, i, false);
    } else
        saved->base[i] = rows->own.count > 0 ? xmpi_state_row(rows, all.displ, NULL) : NULL;
    xmpi_array_t *array = xmpi_registry_array(&saved->registry, rows->name);
    array->scheme = XMPI_GEN_DISTRIBUTED;
    array->rows = rows->rows;
    array->row_length = 1;
    array->row_bytes = rows->row_bytes;
    array->halo = saved->halo[i];
    array->ghosts = true;
    xmpi_registry_set_slot(&saved->registry, array, &saved->base[i]);
}

/* Rows that are divided in another way than others have no place in a registry, which has one block
 * for all: the first such array, on all, or less than 0. */
static int divided_otherwise(const xmpi_state_told_t *state, MPI_Comm comm)
{
    int mine = -1, any;
    for (int i = 0; i < state->arrays && mine < 0; i++)
        if (state->array[i].rows != state->array[0].rows ||
            !is_block(state->array[i].own, state->array[0].own))
            mine = i;
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm);
    return any;
}

static void look_around(const xmpi_state_told_t *state, MPI_Comm comm, xmpi_saved_state_t *saved)
{
    int64_t halo[XMPI_STATE_ROWS] = {0};
    for (int i = 0; i < state->arrays; i++) {
        const xmpi_state_rows_t *rows = &state->array[i];
        halo[i] = rows->before > rows->behind ? rows->before : rows->behind;
    }
    PMPI_Allreduce(halo, saved->halo, state->arrays, MPI_INT64_T, MPI_MAX, comm);
    xmpi_rows_here(state, comm, saved->here);
}

/* --- all ----------------------------------------------------------------------------------------
 */

xmpi_status_t xmpi_saved_state(const xmpi_state_told_t *state, MPI_Comm comm,
                               xmpi_saved_state_t *saved, xmpi_error_t *why)
{
    *saved = (xmpi_saved_state_t){.block = {0, 0}};
    int other = divided_otherwise(state, comm);
    if (other >= 0)
        return xmpi_error_set(why, XMPI_ERR_INPUT, "%s is not divided as %s is",
                              state->array[other].name, state->array[0].name);
    look_around(state, comm, saved);
    for (int i = 0; i < state->arrays; i++)
        add_rows(&state->array[i], i, saved);
    if (state->arrays > 0) {
        saved->block = state->array[0].own;
        saved->registry.domain = state->array[0].rows;
    }
    xmpi_values_register(state, &saved->registry);
    saved->sums = xmpi_values_sum(state, comm, &saved->registry);
    return XMPI_OK;
}

void xmpi_saved_state_put(const xmpi_saved_state_t *saved, const xmpi_state_told_t *state, int rank)
{
    for (int i = 0; i < state->arrays; i++)
        if (saved->beside[i])
            copy_rows(saved, &state->array[i], i, true);
    xmpi_values_give(state, saved->sums, rank == 0);
}

void xmpi_saved_state_free(xmpi_saved_state_t *saved)
{
    for (int i = 0; i < XMPI_STATE_ROWS; i++)
        if (saved->beside[i])
            free(saved->base[i]);
    free(saved->sums);
    xmpi_registry_free(&saved->registry);
    *saved = (xmpi_saved_state_t){.block = {0, 0}};
}
