/* SPDX-License-Identifier: BSD-3-Clause
 * Registry: the arrays and variables of the program that a reconfiguration moves or writes. */
#ifndef XMPI_ACT_DATA_REGISTRY_H
#define XMPI_ACT_DATA_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/pack.h"
#include "decide/plan/transfer_size.h"
#include "settings/settings.h"
#include "xmpi_gen.h"

enum { XMPI_ALIASES_MAX = 16 };

/* How the rows of the domain lie in storage (act/data/piece_map.h). */
typedef enum {
    XMPI_SHAPE_ROWS,    /* one behind the other */
    XMPI_SHAPE_COLUMNS, /* a row of the domain is a column of a matrix that is stored by lines */
    XMPI_SHAPE_OFFSETS, /* row pointers of a sparse matrix: one more than rows */
    XMPI_SHAPE_ENTRIES, /* as many elements for each row as row pointers tell */
} xmpi_shape_t;

/* What the slot of an array is: a pointer to its rows, or a descriptor or stream of a file that has
 * them (act/data/row_file.h). */
typedef enum { XMPI_SLOT_POINTER, XMPI_SLOT_DESCRIPTOR, XMPI_SLOT_STREAM } xmpi_slot_t;

/* What a process that joins has to know of such a file, which it makes itself. Plain data. */
typedef struct {
    int32_t known;  /* the file was open when this was noted */
    int32_t flags;  /* of open(), which the program has chosen */
    int32_t at_end; /* it stands at its end where an iteration begins, else at its begin */
    uint32_t mode;
    char folder[1024];
} xmpi_file_like_t;

typedef struct {
    char *live; /* behind the struct: the name of LIKE among the live values */
    xmpi_file_like_t like;
    char *mapped; /* its rows in memory (xmpi_row_files_map); NULL: they are not */
    int64_t mapped_bytes;
} xmpi_row_file_t;

/* An array. Its slot and aliases are the variables that hold its address; they agree at every
 * point. What is 0 below "shape" needs no mention by those who register plain rows. */
typedef struct {
    const char *name;
    int scheme; /* XMPI_SCHEME_... of decide/layout/transfer.h */
    int64_t rows;
    int64_t row_length; /* elements */
    int64_t row_bytes;  /* that a row moves; of OFFSETS and ENTRIES those of one element */
    xmpi_shape_t shape;
    int64_t fixed;      /* bytes of an array of fixed size, which SLOT is; 0: a pointer is there */
    int64_t halo;       /* rows beyond its block that a member stores on both sides */
    bool ghosts;        /* the halo is stored at the ends of the domain, too */
    int64_t row_stride; /* of ROWS: bytes from one to the next; 0: row_bytes */
    int64_t lines;      /* of COLUMNS: lines of the matrix */
    int64_t element_bytes; /* of COLUMNS */
    int64_t line_stride; /* of COLUMNS: bytes from one line to the next; 0: as many as are stored */
    int64_t origin;      /* of OFFSETS: the first pointer, 0 or 1 */
    bool constant;       /* the loop only reads it: it may move while the loop runs */
    bool outofcore;      /* of ROWS: on disk where it does not fit in memory (moving/on_disk.h) */
    xmpi_slot_t holds;   /* what SLOT is; of distributed ROWS anything but a pointer */
    xmpi_row_file_t *row_file; /* malloc; NULL where SLOT is a pointer */
    int reads, writes; /* how often an iteration goes through it; 0 and 0: it is not known */
    bool global;       /* of OFFSETS: they count from the begin of the matrix, not of the block */
    int offsets;       /* of ENTRIES: index of their OFFSETS in the registry */
    int offset_bytes;  /* of ENTRIES and OFFSETS: 4 or 8 */
    char *own_name;    /* where the registry holds the name itself: malloc, else NULL */
    const char *elements; /* of what one is made (xmpi_gen_elements); NULL: bytes */
    void *slot;           /* NULL: only aliases so far */
    int aliases;
    void *alias[XMPI_ALIASES_MAX];
    int frame; /* of the function that holds the slot, like the next ones (registry_frames.c) */
    int alias_frame[XMPI_ALIASES_MAX];
} xmpi_array_t;

/* A variable whose value joiners take over. */
typedef struct {
    const char *name;
    void *address;
    uint64_t size;
    int frame;
    const char *elements; /* of what it is made (xmpi_gen_elements); NULL: bytes */
    void *begun;          /* its value when the loop began; malloc, NULL: not known */
} xmpi_live_t;

/* An integer variable for the rank, size, count or displ. */
typedef struct {
    int kind;
    void *address;
    uint64_t size;
    int frame;
} xmpi_refresh_t;

typedef struct {
    int arrays, lives, refreshes;
    int frame;           /* what is registered now belongs to this one */
    xmpi_array_t *array; /* malloc, like the others */
    xmpi_live_t *live;
    xmpi_refresh_t *refresh;
    int64_t domain;       /* 0: not given yet */
    int64_t memory_limit; /* bytes of new storage that a move may fill at a time; 0: by itself */
    struct xmpi_outofcore *outofcore; /* where data that do not fit go; NULL: they stay in memory */
    bool waits;                       /* and are not read ahead */
    xmpi_move_strategy_t strategy;
    void *(*allocate)(size_t size); /* new storage of arrays; NULL: malloc */
} xmpi_registry_t;

/* The array NAME, made when it is new. Ends the job when there is no memory: nothing could be
 * adapted, and the program could not go on as it was promised. */
xmpi_array_t *xmpi_registry_array(xmpi_registry_t *registry, const char *name);

/* A new array behind the others, with a copy of NAME; NULL when there is no memory. */
xmpi_array_t *xmpi_registry_append(xmpi_registry_t *registry, const char *name);

/* The index of the array with this slot, or -1. */
int xmpi_registry_find_slot(const xmpi_registry_t *registry, const void *slot);

/* Takes arrays FIRST to FIRST + N - 1 out; none that stays may refer to them. */
void xmpi_registry_remove(xmpi_registry_t *registry, int first, int n);

/* Makes SLOT the array's own; in the frame of another function the former one still holds it. */
void xmpi_registry_set_slot(xmpi_registry_t *registry, xmpi_array_t *array, void *slot);
void xmpi_registry_add_alias(xmpi_registry_t *registry, xmpi_array_t *array, void *slot);
void xmpi_registry_add_live(xmpi_registry_t *registry, const char *name, void *address,
                            uint64_t size);
void xmpi_registry_drop_live(xmpi_registry_t *registry, const char *name); /* where there is one */
void xmpi_registry_add_refresh(xmpi_registry_t *registry, int kind, void *address, uint64_t size);

/* The pointer in the slots of an array, and changing it in all of them. An array in a file has
 * one only while it is mapped (xmpi_row_files_map), else NULL. */
void *xmpi_array_pointer(const xmpi_array_t *array);
void xmpi_array_set_pointer(const xmpi_array_t *array, void *pointer);

/* Whether array I is constant, of a sparse matrix all its arrays. */
bool xmpi_registry_is_constant(const xmpi_registry_t *registry, int i);

/* How many sparse matrices there are. */
int xmpi_registry_matrices(const xmpi_registry_t *registry);

/* What the cost model needs of all arrays: one entry for each, malloc; NULL when there is no
 * memory. The mean length of sparse rows is that of the rows that are stored here, COUNT of them.
 */
xmpi_moved_array_t *xmpi_registry_moved(const xmpi_registry_t *registry, int64_t count);

/* Rows of the widest halo; 0 without one. */
int64_t xmpi_registry_widest_halo(const xmpi_registry_t *registry);

/* Says of what the array or live variable NAME is made, where there is one. */
void xmpi_registry_set_elements(xmpi_registry_t *registry, const char *name, const char *elements);

/* Writes VALUE to all refreshed variables of KIND. */
void xmpi_registry_refresh(const xmpi_registry_t *registry, int kind, int64_t value);

/* The integer in the last registered variable of KIND; whether there is one. */
bool xmpi_registry_value(const xmpi_registry_t *registry, int kind, int64_t *value);

/* The values of all live variables, and writing them back by name. With ONLY not NULL just that
 * one. A name that the reader does not know is skipped. */
void xmpi_registry_put_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry);
void xmpi_registry_get_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry, const char *only);

/* In a list of live values that PACK stands in: the value of the next one, with its NAME and SIZE,
 * all within the pack; NULL where there is none. xmpi_registry_count_lives stands before them. */
int xmpi_registry_count_lives(xmpi_pack_t *pack);
const void *xmpi_registry_view_live(xmpi_pack_t *pack, const char **name, uint64_t *size);

/* The loop begins: the values that live variables have now are kept, which tells what the loop only
 * reads. Ends the job where there is no memory. */
void xmpi_registry_begin(xmpi_registry_t *registry);

/* The values that were kept, as those of live variables above: packed, and taken over by joiners.
 */
void xmpi_registry_put_begun(xmpi_pack_t *pack, const xmpi_registry_t *registry);
void xmpi_registry_get_begun(xmpi_pack_t *pack, xmpi_registry_t *registry);

/* Forgets what belongs to frames deeper than KEEP, functions that have returned; what is registered
 * from now on belongs to frame NEXT. An array that a shallower variable holds too stays. */
void xmpi_registry_enter_frame(xmpi_registry_t *registry, int keep, int next);

/* What stands in a variable of a function that has returned, FRAME being one that runs: a name, or
 * what it is of the layout; NULL where there is none. Only the stack of the thread that calls is
 * looked at: of what lies elsewhere nothing is known. */
const char *xmpi_registry_find_dead(const xmpi_registry_t *registry, const void *frame);

/* Puts the arrays into the order of their names, as members that have come here by different ways
 * have registered them in different orders. */
void xmpi_registry_sort(xmpi_registry_t *registry);

void xmpi_registry_free(xmpi_registry_t *registry);

#endif
