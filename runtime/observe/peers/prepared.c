/* SPDX-License-Identifier: BSD-3-Clause
 * What persistent requests send: a hash table by their handles, of which the MPI gives those of
 * freed ones to others. */
#include "observe/peers/prepared.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    MPI_Request request; /* MPI_REQUEST_NULL: a free place */
    int n;
    xmpi_talk_t *talk; /* malloc */
} prepared_t;

static prepared_t *table; /* malloc; twice as many places as there may be requests */
static int requests, entries;

enum { PLACES = 2 * XMPI_PREPARED_MAX };

/* The place that REQUEST has, or would have. */
static prepared_t *place_of(MPI_Request request)
{
    uint32_t hash = (uint32_t)(uintptr_t)request * 2654435769u;
    uint32_t i = hash % PLACES;
    while (table[i].request != MPI_REQUEST_NULL && table[i].request != request)
        i = (i + 1) % PLACES;
    return &table[i];
}

static bool make_table(void)
{
    if (table == NULL && (table = calloc(PLACES, sizeof *table)) != NULL)
        for (int i = 0; i < PLACES; i++)
            table[i].request = MPI_REQUEST_NULL;
    return table != NULL;
}

void xmpi_prepared_put(MPI_Request request, int n, const xmpi_talk_t *talk)
{
    if (!make_table())
        return;
    prepared_t *place = place_of(request);
    if (place->request == MPI_REQUEST_NULL) { /* (those that send nothing need no place) */
        if (n == 0 || requests == XMPI_PREPARED_MAX)
            return;
        requests++;
        place->request = request;
    }
    entries -= place->n;
    free(place->talk);
    place->n = 0;
    place->talk = n > 0 && entries + n <= XMPI_PREPARED_TALK_MAX
                      ? malloc((size_t)n * sizeof *place->talk)
                      : NULL;
    if (place->talk == NULL)
        return;
    memcpy(place->talk, talk, (size_t)n * sizeof *talk);
    place->n = n;
    entries += n;
}

const xmpi_talk_t *xmpi_prepared_get(MPI_Request request, int *n)
{
    if (table == NULL || request == MPI_REQUEST_NULL)
        return NULL;
    const prepared_t *place = place_of(request);
    *n = place->n;
    return place->talk;
}

void xmpi_prepared_free(void)
{
    for (int i = 0; table != NULL && i < PLACES; i++)
        free(table[i].talk);
    free(table);
    table = NULL;
    requests = entries = 0;
}
