/* SPDX-License-Identifier: BSD-3-Clause
 * Moving images: a process gets the program of another one as it is (act/image/image.h).
 *
 *     open  →  ahead, tend, tend, ...  →  last  →  tell  →  commit or cancel     whoever has a
 * program open  →  serve                                      →  commit or cancel     who joins
 *
 * All of it goes between pairs, of who has a program and who takes it over. A process that joins
 * may be lost on the way: who has the program notices, and goes on with it. Whatever is said here
 * is agreed upon by those who had programs before (act/execute.c). */
#ifndef XMPI_ACT_IMAGE_MOVE_H
#define XMPI_ACT_IMAGE_MOVE_H

#include <mpi.h>

#include "act/image/bytes.h"
#include "act/image/follow.h"
#include "act/image/image.h"
#include "act/members/change.h"
#include "settings/settings.h"

/* What is wrong, from little to much. */
typedef enum {
    XMPI_IMAGE_FINE,
    XMPI_IMAGE_NO_MEMORY, /* where it was to go */
    XMPI_IMAGE_NOT_WHOLE, /* something of it could not be had there */
    XMPI_IMAGE_LOST,      /* who was to take it over has ended, or does not answer */
} xmpi_image_fault_t;

/* What a process that joins is to do. */
typedef enum {
    XMPI_IMAGE_AHEAD,     /* to get what there is, while the program goes on */
    XMPI_IMAGE_LAST,      /* to get the rest; the program stands still */
    XMPI_IMAGE_GO,        /* to take over */
    XMPI_IMAGE_OFF,       /* not to */
    XMPI_IMAGE_ABANDONED, /* nor to take leave: somebody has been lost, whom MPI would wait for */
} xmpi_image_word_t;

typedef struct {
    int32_t what; /* xmpi_image_word_t */
    int32_t process;
    uint64_t host;
    int64_t spans; /* how many are told of */
    int64_t kept;  /* 1: what is left of what has come is told of, too */
} xmpi_image_offer_t;

typedef struct {
    int32_t send; /* it is to come in messages */
    int32_t fault;
    char why[XMPI_IMAGE_WHY_MAX];
} xmpi_image_answer_t;

/* Whether the process of a transit rank has ended. */
typedef bool (*xmpi_image_gone_t)(const void *context, int rank);

/* The part of one process. */
typedef struct {
    const xmpi_image_t *image;
    MPI_Comm transit;
    int to, from;    /* transit ranks; -1: none */
    bool joins;      /* it has no program yet */
    bool to_joiner;  /* nor has who gets the program */
    bool direct;     /* images may be read out of the memory of others */
    bool packed;     /* the program has been put together */
    bool leaves;     /* it has gone, and no other one comes */
    double patience; /* seconds after which who does not answer is lost */
    xmpi_image_gone_t gone;
    const void *context;

    /* The side of who has the program. */
    xmpi_spans_t here, kept; /* what is sent now; behind others, all that there is */
    xmpi_follow_t follow;
    bool starting;      /* it is not followed yet: nothing has gone ahead */
    int rounds;         /* that went ahead */
    int64_t last_bytes; /* of the last one */
    bool asked;         /* an answer is to come */
    double asked_at, looked_at;
    xmpi_image_offer_t offer;
    xmpi_image_answer_t answer;
    MPI_Request answering;
    xmpi_sendings_t sendings;
    xmpi_image_fault_t fault;

    /* The side of who gets it. */
    xmpi_spans_t span, had; /* what comes; what has come ahead */
    xmpi_image_fault_t got;
    bool unpacked;  /* it is the program of this process, unless the move is called off */
    double last_at; /* when the last of it began to come; seconds of MPI_Wtime */
    char *staged;   /* what has come, where there is still a program that may have to go on */
    size_t staged_bytes;
    int64_t bytes, messages, ahead; /* that were received while the program stood still; before */
    char why[XMPI_IMAGE_WHY_MAX];   /* it could not be had */
} xmpi_image_move_t;

/* How the images change processes by CHANGE, whose layouts have the same members in number. ME: the
 * caller's rank in TRANSIT, which reports its errors. GONE is called with CONTEXT. */
void xmpi_image_open(const xmpi_image_t *image, const xmpi_change_t *change, MPI_Comm transit,
                     int me, xmpi_move_strategy_t strategy, double patience, xmpi_image_gone_t gone,
                     const void *context, xmpi_image_move_t *move);

/* Bytes that the program has in use. */
int64_t xmpi_image_bytes(const xmpi_image_t *image);

/* Adds to SPANS what makes the image of a program that stands still: of the arena what was touched,
 * and all variables. False: no memory for the list. */
bool xmpi_image_list(const xmpi_image_t *image, xmpi_spans_t *spans);

/* What of them was touched once. */
typedef struct {
    int64_t used, touched;
    int64_t asked; /* how often since it was looked at for another reason than this */
} xmpi_image_size_t;

/* Bytes of them that were touched, which is what moves. It is looked at (0.9 ms for a GiB) where a
 * sixteenth more or less is in use than SIZE has, which is kept; and where as much had not been
 * touched then, the 1st, 2nd, 4th, 8th, ... time after that. */
int64_t xmpi_image_touched(const xmpi_image_t *image, xmpi_image_size_t *size);

/* Lets what there is go ahead to the process that joins. False, and nothing has happened, where
 * there is none, or the kernel cannot say what is written meanwhile. */
bool xmpi_image_ahead(xmpi_image_move_t *move);

/* Whether what went ahead has arrived, or something is wrong. Where much has been written since,
 * and less than last time, it goes ahead, too. */
bool xmpi_image_tend(xmpi_image_move_t *move);

/* What has not gone ahead, or all; the programs stand still. Everybody who has a program calls it.
 */
xmpi_image_fault_t xmpi_image_last(xmpi_image_move_t *move);

/* Whether the process that joins is still there when all have answered, some of them long after it:
 * as above. */
xmpi_image_fault_t xmpi_image_look_again(xmpi_image_move_t *move);

/* What who joins does until the last has come, or it is called off, which is in WORD. */
xmpi_image_fault_t xmpi_image_serve(xmpi_image_move_t *move, xmpi_image_word_t *word);

/* What has been agreed: GO, OFF or ABANDONED; to who joins, who hears it. */
void xmpi_image_tell(xmpi_image_move_t *move, xmpi_image_word_t word);
xmpi_image_word_t xmpi_image_hear(xmpi_image_move_t *move);

/* What has come becomes the program of this process. */
void xmpi_image_commit(xmpi_image_move_t *move);

/* What takes its time and nobody waits for: what is followed no more, and the memory of a program
 * that has left; after either. */
void xmpi_image_release(xmpi_image_move_t *move);

/* The program that was here stays. */
void xmpi_image_cancel(xmpi_image_move_t *move);

#endif
