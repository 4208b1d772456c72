/* SPDX-License-Identifier: BSD-3-Clause
 * Handles of ours. What a program that can move is given instead of the MPI's handles for what is
 * not predefined: a number that stays the same in whatever process the program goes on, while what
 * is behind it is made again there.
 *
 * The handles of MPICH and its kin are integers whose upper bits tell what they are. Ours lie
 * behind the null handle of their kind, where the MPI has none, so that it refuses one that reaches
 * it. */
#ifndef XMPI_ACT_HANDLES_TABLE_TABLE_H
#define XMPI_ACT_HANDLES_TABLE_TABLE_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    XMPI_HANDLE_COMM,
    XMPI_HANDLE_GROUP,
    XMPI_HANDLE_TYPE,
    XMPI_HANDLE_OP,
    XMPI_HANDLE_ERRHANDLER,
    XMPI_HANDLE_INFO,
    XMPI_HANDLE_KEYVAL,
    XMPI_HANDLE_REQUEST,
    XMPI_HANDLE_KINDS,
} xmpi_handle_kind_t;

enum { XMPI_HANDLES_CHUNK = 256, XMPI_HANDLES_CHUNKS = 4096 };

typedef struct {
    int real;           /* the MPI's handle; of one that has none, ours, which the MPI refuses */
    int ahead;          /* the MPI's handle in a world to come; 0: none */
    int refs;           /* the program's, and those of persistent requests; 0: the number is free */
    uint32_t next_free; /* number */
    uint64_t serial;    /* in the order in which they were made */
    const char *call;   /* that made it */
    const void *place;  /* where the program called it */
    void *made;         /* what else is known of it (malloc), or NULL */
} xmpi_handle_t;

typedef struct {
    xmpi_handle_t **chunk; /* they stay where they are */
    uint32_t n;            /* numbers 1 to n have been given */
    uint32_t first_free;   /* 0: none */
} xmpi_handle_table_t;

/* A communicator's name among the members: the same on all, whatever they have made besides. */
typedef struct {
    uint64_t high, low;
} xmpi_comm_id_t;

/* What is known of a communicator beyond what the MPI can be asked. */
typedef struct {
    xmpi_comm_id_t id;
    uint64_t children; /* that have been made of it by calls of all its members */
    bool hinted;       /* the program has given it infos */
    bool freed;        /* by the program; persistent requests still need it */
} xmpi_comm_made_t;

/* What keeps the program in this process while it is there. */
typedef enum {
    XMPI_PIN_WINDOW,
    XMPI_PIN_FILE,
    XMPI_PIN_MESSAGE,
    XMPI_PIN_SESSION,
    XMPI_PIN_DATAREP,
} xmpi_pin_kind_t;

typedef struct {
    xmpi_pin_kind_t kind;
    bool alone; /* nobody else has a part in it */
    int64_t handle;
    const char *call;
    const void *place;
} xmpi_pin_t;

/* Whom the program has sent messages to (act/handles/sends.h). */
enum { XMPI_SENDS_RECENT = 64 };

typedef struct {
    bool all;                           /* or it is not known */
    int words;                          /* of 64 ranks each */
    uint64_t *word;                     /* malloc: a bit for each rank of the world */
    uint64_t recent[XMPI_SENDS_RECENT]; /* pairs of a communicator and a rank that are noted */
} xmpi_sends_t;

typedef struct {
    bool on;      /* the program is given handles of ours */
    bool several; /* threads may make them at a time */
    bool quiet;   /* functions of the program are not called for its attributes */
    pthread_mutex_t lock;
    xmpi_handle_table_t table[XMPI_HANDLE_KINDS];
    uint64_t serial;
    MPI_Comm world; /* that MPI_COMM_WORLD stands for */
    xmpi_comm_made_t world_made, self_made;
    xmpi_pin_t *pin; /* malloc */
    int pins, pin_room;
    void *buffer; /* for buffered sends, the program's; NULL: none */
    int64_t buffer_bytes;
    xmpi_sends_t sends;
} xmpi_handles_t;

extern xmpi_handles_t xmpi_handles;

/* The MPI's null handle of a kind. */
extern const int xmpi_handle_nulls[XMPI_HANDLE_KINDS];

static inline int xmpi_handle_null(xmpi_handle_kind_t kind)
{
    return xmpi_handle_nulls[kind];
}

/* One of ours for REAL, made by CALL at PLACE. Ends the job where there is no memory. */
int xmpi_handle_add(xmpi_handle_kind_t kind, int real, const char *call, const void *place);

/* The same under a number that is known, with what COPY says; xmpi_handles_claimed() behind the
 * last. */
xmpi_handle_t *xmpi_handle_claim(xmpi_handle_kind_t kind, int handle, const xmpi_handle_t *copy);
void xmpi_handles_claimed(void);

/* The one behind *NUMBER (0 at first) that is in use; NULL: there is none. */
xmpi_handle_t *xmpi_handle_next(xmpi_handle_kind_t kind, uint32_t *number);

/* ENTRY, behind HANDLE, has no reference any more: the number is free. */
void xmpi_handle_free(xmpi_handle_kind_t kind, int handle, xmpi_handle_t *entry);

/* One reference less; true: it was the last, and the number is free. */
bool xmpi_handle_drop(xmpi_handle_kind_t kind, int handle);

/* Ours for the MPI's handle REAL (of the world: MPI_COMM_WORLD); REAL where there is none. */
int xmpi_handle_ours(xmpi_handle_kind_t kind, int real);

/* Whether the MPI has made it for the program. (The types of pairs are predefined, although the MPI
 * makes them like others.) */
static inline bool xmpi_handle_is_made(xmpi_handle_kind_t kind, int real)
{
    return (uint32_t)real >> 31 != 0 &&
           (kind != XMPI_HANDLE_TYPE ||
            (real != MPI_FLOAT_INT && real != MPI_DOUBLE_INT && real != MPI_LONG_INT &&
             real != MPI_SHORT_INT && real != MPI_LONG_DOUBLE_INT));
}

/* Handles of communicators may mean others from here on: pairs that are noted are looked at anew.
 */
void xmpi_handles_forget_sends(void);

/* Forgets all. */
void xmpi_handles_empty(void);

/* --- the MPI's handle for one of the program's -------------------------------------------------
 */

static inline int xmpi_real(xmpi_handle_kind_t kind, int null, int handle)
{
    const xmpi_handle_table_t *table = &xmpi_handles.table[kind];
    uint32_t number = (uint32_t)handle - (uint32_t)null;
    if (number - 1 >= table->n)
        return handle;
    return table->chunk[number / XMPI_HANDLES_CHUNK][number % XMPI_HANDLES_CHUNK].real;
}

/* What is behind HANDLE; NULL: it is none of ours, or a free one. */
static inline xmpi_handle_t *xmpi_handle_at(xmpi_handle_kind_t kind, int handle)
{
    const xmpi_handle_table_t *table = &xmpi_handles.table[kind];
    uint32_t number = (uint32_t)handle - (uint32_t)xmpi_handle_nulls[kind];
    if (number - 1 >= table->n)
        return NULL;
    xmpi_handle_t *entry = &table->chunk[number / XMPI_HANDLES_CHUNK][number % XMPI_HANDLES_CHUNK];
    return entry->refs == 0 ? NULL : entry;
}

static inline MPI_Comm xmpi_real_comm(MPI_Comm comm)
{
    return xmpi_real(XMPI_HANDLE_COMM, MPI_COMM_NULL, comm);
}

static inline MPI_Group xmpi_real_group(MPI_Group group)
{
    return xmpi_real(XMPI_HANDLE_GROUP, MPI_GROUP_NULL, group);
}

static inline MPI_Datatype xmpi_real_type(MPI_Datatype type)
{
    return xmpi_real(XMPI_HANDLE_TYPE, MPI_DATATYPE_NULL, type);
}

static inline MPI_Op xmpi_real_op(MPI_Op op)
{
    return xmpi_real(XMPI_HANDLE_OP, MPI_OP_NULL, op);
}

static inline MPI_Errhandler xmpi_real_errhandler(MPI_Errhandler errhandler)
{
    return xmpi_real(XMPI_HANDLE_ERRHANDLER, MPI_ERRHANDLER_NULL, errhandler);
}

static inline MPI_Info xmpi_real_info(MPI_Info info)
{
    return xmpi_real(XMPI_HANDLE_INFO, MPI_INFO_NULL, info);
}

static inline int xmpi_real_keyval(int keyval)
{
    return xmpi_real(XMPI_HANDLE_KEYVAL, MPI_KEYVAL_INVALID, keyval);
}

static inline MPI_Request xmpi_real_request(MPI_Request request)
{
    return xmpi_real(XMPI_HANDLE_REQUEST, MPI_REQUEST_NULL, request);
}

#endif
