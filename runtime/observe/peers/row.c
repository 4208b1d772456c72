/* SPDX-License-Identifier: BSD-3-Clause
 * A row of the matrix while it grows. */
#include "observe/peers/row.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FEW = 16 };

/* Where PEER is, or would be: there is always a free place. */
static xmpi_talk_t *find(const xmpi_row_t *row, int peer)
{
    uint32_t mask = (uint32_t)row->room - 1, i = (uint32_t)peer * 2654435769u & mask;
    while (row->place[i].messages >= 0 && row->place[i].peer != peer)
        i = (i + 1) & mask;
    return &row->place[i];
}

/* A table of twice the size. False: there is no memory, and the old one stays. */
static bool grow(xmpi_row_t *row)
{
    xmpi_row_t larger = *row;
    larger.room = row->room > 0 ? 2 * row->room : FEW;
    larger.place = malloc((size_t)larger.room * sizeof *larger.place);
    if (larger.place == NULL)
        return false;
    for (int i = 0; i < larger.room; i++)
        larger.place[i].messages = -1;
    for (int i = 0; i < row->room; i++)
        if (row->place[i].messages >= 0)
            *find(&larger, row->place[i].peer) = row->place[i];
    free(row->place);
    *row = larger;
    return true;
}

void xmpi_row_add(xmpi_row_t *row, int peer, int64_t messages, int64_t bytes)
{
    xmpi_talk_t *talk = row->room > 0 && peer >= 0 ? find(row, peer) : NULL;
    if (talk != NULL && talk->messages >= 0) {
        talk->messages += messages;
        talk->bytes += bytes;
        return;
    }
    if (peer < 0 || row->n == row->most || (2 * row->n >= row->room && !grow(row))) {
        row->rest += bytes;
        return;
    }
    *find(row, peer) = (xmpi_talk_t){.peer = peer, .messages = messages, .bytes = bytes};
    row->n++;
}

xmpi_talk_t *xmpi_row_list(const xmpi_row_t *row)
{
    int n = 0;
    xmpi_talk_t *list = malloc(((size_t)row->n + 1) * sizeof *list);
    for (int i = 0; i < row->room && list != NULL; i++)
        if (row->place[i].messages >= 0)
            list[n++] = row->place[i];
    return list;
}

void xmpi_row_clear(xmpi_row_t *row)
{
    free(row->place);
    *row = (xmpi_row_t){.most = row->most};
}
