/* SPDX-License-Identifier: BSD-3-Clause
 * Moving images: a process gets the program of another one as it is (act/image/image.h). */
#ifndef XMPI_ACT_IMAGE_MOVE_H
#define XMPI_ACT_IMAGE_MOVE_H

#include <mpi.h>

#include "act/members/change.h"
#include "act/image/image.h"
#include "settings/settings.h"

/* The part of one process. */
typedef struct {
    const xmpi_image_t *image;
    int to, from;      /* transit ranks; -1: none */
    bool direct;       /* images may be read out of the memory of others */
    bool packed;       /* the program has been put together */
    xmpi_span_t *here; /* malloc: what is sent ... */
    xmpi_span_t *span; /* malloc: ... and what comes */
    int64_t heres, spans;
    char *staged; /* what has come, where there is still a program that may have to go on */
    size_t staged_bytes;
    int64_t bytes, messages;      /* that were received */
    char why[XMPI_IMAGE_WHY_MAX]; /* it could not be had */
} xmpi_image_move_t;

/* Sends and receives the images that change processes by CHANGE, whose layouts have the same
 * members in number. The programs stand still. Nothing has changed for who has one; who joins has
 * the other. What is wrong here is in the status; all have to agree on it before the commit.
 * Collective over TRANSIT, of whose ranks ME is the caller's. */
xmpi_status_t xmpi_image_move(const xmpi_image_t *image, const xmpi_change_t *change,
                              MPI_Comm transit, int me, xmpi_move_strategy_t strategy,
                              xmpi_image_move_t *move);

/* What has come becomes the program of this process. */
void xmpi_image_commit(xmpi_image_move_t *move);

/* The program that was here stays. */
void xmpi_image_cancel(xmpi_image_move_t *move);

#endif
