/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a change of a program that starts over. */
#define _GNU_SOURCE
#include "act/startover/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/startover/forms.h"
#include "base/collective.h"
#include "base/misuse.h"

/* --- what the iteration begins with -------------------------------------------------------------
 */

int64_t xmpi_trial_bytes(const xmpi_startover_t *start)
{
    return xmpi_rows_bytes(&start->now);
}

static void copy_pack(const xmpi_pack_t *from, xmpi_pack_t *to)
{
    xmpi_pack_put(to, from->data, from->size);
}

enum { MOST_FILES = 256 };

static xmpi_file_place_t *list_files(const xmpi_startover_t *start, int *n)
{
    xmpi_file_place_t *list = calloc(MOST_FILES, sizeof *list);
    *n = list != NULL ? (int)start->program->files(list, MOST_FILES) : 0;
    return list;
}

static const xmpi_file_place_t *find_file(const xmpi_file_place_t *list, int n, const char *path)
{
    int i = 0;
    while (i < n && strcmp(list[i].path, path) != 0)
        i++;
    return i < n ? &list[i] : NULL;
}

/* The number of the last read of all files as they stood. */
static int64_t last_read(const xmpi_startover_t *start)
{
    int64_t last = 0;
    for (int i = 0; i < start->beginnings; i++)
        if (start->stood[i].read > last)
            last = start->stood[i].read;
    return last;
}

/* One that it only writes has moved on as well: how it is opened does not tell, for a program that
 * has started over goes on with descriptors that can do both. */
bool xmpi_trial_has_read(const xmpi_startover_t *start, char *why, size_t size)
{
    int n = 0;
    bool found = false;
    int64_t before = last_read(start);
    xmpi_file_place_t *now = list_files(start, &n);
    for (int i = 0; i < n && !found; i++) {
        const xmpi_file_place_t *was = find_file(start->stood, start->beginnings, now[i].path);
        found = now[i].read > before && (was == NULL || was->at != now[i].at);
        if (found)
            snprintf(why, size, "the iteration reads %s", now[i].path);
    }
    free(now);
    return found;
}

xmpi_status_t xmpi_trial_note(xmpi_startover_t *start, MPI_Comm comm)
{
    xmpi_state_told_t *begin = &start->begin;
    xmpi_trial_forget(start);
    int mine = xmpi_rows_copy(&start->now, comm, begin) == XMPI_OK, all = 0;
    copy_pack(&start->now.same, &begin->same);
    copy_pack(&start->now.own, &begin->own);
    begin->sames = start->now.sames;
    begin->owns = start->now.owns;
    start->stood = list_files(start, &start->beginnings);
    mine = mine && begin->same.status == XMPI_OK && begin->own.status == XMPI_OK &&
           start->stood != NULL;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
    start->noted = all != 0;
    if (!start->noted)
        xmpi_trial_forget(start);
    return start->noted ? XMPI_OK : XMPI_ERR_MEMORY;
}

void xmpi_trial_forget(xmpi_startover_t *start)
{
    xmpi_rows_release(&start->begin);
    xmpi_state_clear(&start->begin);
    free(start->stood);
    start->stood = NULL;
    start->beginnings = 0;
    start->noted = false;
}

/* --- rows ---------------------------------------------------------------------------------------
 */

/* Of one array, on one process: the own rows that the program has, and those that it should. */
typedef struct {
    const xmpi_state_rows_t *has, *should;
    xmpi_elements_t elements;
    double *largest; /* of each field, on all; malloc */
} pair_t;

static int64_t elements_in_row(const xmpi_state_rows_t *rows)
{
    return rows->form.bytes > 0 ? rows->row_bytes / rows->form.bytes : 0;
}

static void look_at(const xmpi_state_rows_t *rows, xmpi_words_t *words)
{
    for (int64_t i = 0; i < rows->own.count; i++)
        xmpi_form_look(rows->form, xmpi_state_row(rows, rows->own.displ + i, NULL),
                       elements_in_row(rows), words);
}

static void find_largest(const pair_t *pair, const xmpi_state_rows_t *rows)
{
    for (int64_t i = 0; i < rows->own.count; i++)
        xmpi_elements_largest(&pair->elements, xmpi_state_row(rows, rows->own.displ + i, NULL),
                              rows->row_bytes, pair->largest);
}

/* HAS and SHOULD: NULL on who leaves; FORM: of all. Collective over TRANSIT. */
static void pair_open(const xmpi_state_rows_t *has, const xmpi_state_rows_t *should,
                      xmpi_state_form_t form, MPI_Comm transit, pair_t *pair)
{
    xmpi_words_t words;
    memset(&words, 0, sizeof words);
    *pair = (pair_t){.has = has, .should = should};
    if (has != NULL) {
        look_at(has, &words);
        look_at(should, &words);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &words, sizeof words, MPI_BYTE, MPI_BOR, transit);
    xmpi_status_t status = xmpi_form_elements(form, &words, &pair->elements);
    pair->largest = calloc((size_t)pair->elements.fields + 1, sizeof *pair->largest);
    if (status != XMPI_OK || pair->largest == NULL)
        xmpi_misuse("no memory to compare rows");
    if (has != NULL) {
        find_largest(pair, has);
        find_largest(pair, should);
    }
    PMPI_Allreduce(MPI_IN_PLACE, pair->largest, pair->elements.fields, MPI_DOUBLE, MPI_MAX,
                   transit);
}

static void pair_close(pair_t *pair)
{
    xmpi_elements_free(&pair->elements);
    free(pair->largest);
}

/* ROW of the own ones, AT bytes into it. */
static void print_place(const xmpi_state_rows_t *rows, int64_t row, int64_t at,
                        xmpi_trial_difference_t *difference)
{
    size_t room = sizeof difference->where;
    int used =
        snprintf(difference->where, room, "%.70s, row %" PRId64, rows->name, rows->own.displ + row);
    if (elements_in_row(rows) > 1)
        snprintf(difference->where + used, room - (size_t)used, ", element %" PRId64,
                 at / rows->form.bytes);
}

static bool pair_same(const pair_t *pair, const xmpi_tolerance_t *tolerance,
                      xmpi_trial_difference_t *difference)
{
    const xmpi_state_rows_t *has = pair->has;
    for (int64_t row = 0; has != NULL && row < has->own.count; row++) {
        const char *one = xmpi_state_row(has, has->own.displ + row, NULL);
        const char *other = xmpi_state_row(pair->should, has->own.displ + row, NULL);
        const xmpi_field_t *field;
        int64_t at = 0;
        if (xmpi_elements_same(&pair->elements, one, other, has->row_bytes, pair->largest,
                               tolerance, &at, &field))
            continue;
        print_place(has, row, at, difference);
        xmpi_field_print(field, other + at, difference->before, XMPI_TRIAL_VALUE);
        xmpi_field_print(field, one + at, difference->after, XMPI_TRIAL_VALUE);
        return false;
    }
    return true;
}

/* Raises SCALE to the largest value of all rows. */
static bool rows_same(const xmpi_state_told_t *any, const xmpi_state_told_t *now,
                      const xmpi_state_told_t *room, MPI_Comm transit, xmpi_tolerance_t *tolerance,
                      xmpi_trial_difference_t *difference)
{
    int arrays = any->arrays;
    bool same = true;
    pair_t *pair = calloc((size_t)arrays + 1, sizeof *pair);
    if (pair == NULL)
        xmpi_misuse("no memory to compare rows");
    for (int a = 0; a < arrays; a++) {
        pair_open(now != NULL ? &now->array[a] : NULL, &room->array[a], any->array[a].form, transit,
                  &pair[a]);
        for (int k = 0; k < pair[a].elements.fields; k++)
            if (pair[a].largest[k] > tolerance->scale)
                tolerance->scale = pair[a].largest[k];
    }
    for (int a = 0; a < arrays; a++) {
        same = same && pair_same(&pair[a], tolerance, difference);
        pair_close(&pair[a]);
    }
    free(pair);
    return same;
}

/* --- all ----------------------------------------------------------------------------------------
 */

/* What the first of those who found something has found, on all. */
static bool tell(bool same, xmpi_trial_difference_t *difference, MPI_Comm transit, int me)
{
    int processes, least, mine;
    PMPI_Comm_size(transit, &processes);
    mine = same ? processes : me;
    PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, transit);
    if (least < processes)
        PMPI_Bcast(difference, sizeof *difference, MPI_BYTE, least, transit);
    return least == processes;
}

static bool is_alike(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                     const xmpi_change_t *change, MPI_Comm transit, int me)
{
    int mine = xmpi_values_fit(before, now, change, transit, me), all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, transit);
    return all != 0;
}

bool xmpi_trial_compare(const xmpi_startover_t *start, const xmpi_change_t *change,
                        MPI_Comm transit, int me, xmpi_move_strategy_t strategy, double relative,
                        char *why, size_t size)
{
    const xmpi_state_told_t *before = start->had ? &start->before : NULL;
    const xmpi_state_told_t *now = start->has ? &start->now : NULL;
    xmpi_state_told_t *room = calloc(1, sizeof *room);
    xmpi_tolerance_t tolerance = {.relative = relative};
    xmpi_trial_difference_t difference = {.where = ""};
    xmpi_rows_map_t map;
    if (room == NULL || (now != NULL && xmpi_rows_room(now, room) != XMPI_OK))
        xmpi_misuse("no memory to compare rows");
    bool fits = xmpi_rows_compare(before, now != NULL ? room : NULL, transit, &map, why, size);
    if (fits && !is_alike(before, now, change, transit, me)) {
        snprintf(why, size, "a value has another size than before");
        fits = false;
    }
    bool same = fits;
    if (fits) {
        xmpi_rows_move(before, now != NULL ? room : NULL, start->has ? &start->aside : NULL, true,
                       strategy, transit, me, &map);
        same = rows_same(now != NULL ? now : before, now, room, transit, &tolerance, &difference);
        same = tell(same, &difference, transit, me) &&
               tell(xmpi_values_compare(before, now, change, transit, me, &tolerance, &difference),
                    &difference, transit, me);
        if (!same)
            snprintf(why, size, "%s: %s with %d members, %s with %d", difference.where,
                     difference.before, change->olds, difference.after,
                     change->transit - change->leavers);
    }
    xmpi_rows_map_free(&map);
    xmpi_rows_release(room);
    free(room);
    return same;
}
