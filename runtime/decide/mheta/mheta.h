/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: how long an iteration takes whose data do not fit on every node, for any division of the
 * rows (Nakazawa, Lowenthal and Zhou 2005; thesis of Nakazawa, ch. 5). Pure.
 *
 * The structure of the program: an iteration is sections, which communication ends; a section is
 * stages, which go through arrays. What a node does in it: seconds that one iteration showed which
 * was made with the arrays on disk, and every prefetch awaited at once. Seconds, bytes and rows. */
#ifndef XMPI_DECIDE_MHETA_MHETA_H
#define XMPI_DECIDE_MHETA_MHETA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "decide/layout/layout.h"

enum { XMPI_MHETA_ARRAYS = 16, XMPI_MHETA_STAGES = 32, XMPI_MHETA_SECTIONS = 32 };

typedef struct {
    double row_bytes; /* > 0 */
    bool out;         /* it may be out of core; else it is in memory whatever it takes */
    double uses;      /* how often an iteration goes through it: those that are used most for their
                         bytes stay in memory first (5.3.1) */
    bool paged; /* the runtime has it in a file (act/outofcore): all such arrays are out of core
                   together, and before others; of their rows as many as there is room for
                   stay in memory; and they are written while the program goes on */
} xmpi_mheta_array_t;

/* How a stage goes through an array that is out of core, piece by piece; READS and WRITES times. */
typedef struct {
    int array;
    double reads, writes; /* a mean where their number changes */
    bool ahead;           /* it reads the next piece while it computes this one */
} xmpi_mheta_access_t;

typedef struct {
    int accesses;
    xmpi_mheta_access_t access[XMPI_MHETA_ARRAYS];
} xmpi_mheta_stage_t;

/* How a section ends. */
typedef enum {
    XMPI_MHETA_ALONE,         /* nobody waits for anybody */
    XMPI_MHETA_NEIGHBOURS,    /* a message to, and one from, the members before and behind */
    XMPI_MHETA_REDUCTION,     /* all to member 0, and back from there */
    XMPI_MHETA_PIPELINE,      /* tile by tile, from each member to the next */
    XMPI_MHETA_PIPELINE_BACK, /* and to the one before */
} xmpi_mheta_pattern_t;

typedef struct {
    int stages; /* they follow those of the section before */
    xmpi_mheta_pattern_t pattern;
    int sent;             /* the array whose rows are sent, -1: none that may be out of core */
    double message_bytes; /* of each message */
    int tiles;            /* of a pipeline, > 0 */
} xmpi_mheta_section_t;

typedef struct {
    int arrays, stages, sections;
    xmpi_mheta_array_t array[XMPI_MHETA_ARRAYS];
    xmpi_mheta_stage_t stage[XMPI_MHETA_STAGES];
    xmpi_mheta_section_t section[XMPI_MHETA_SECTIONS];
} xmpi_mheta_program_t;

typedef struct {
    double memory;        /* bytes that arrays may have; INFINITY: everything fits */
    int64_t piece_rows;   /* rows of a piece (ICLA) of an array that is out of core, > 0 */
    int64_t passing_rows; /* of paged arrays: rows that come and go, >= 0; the others stay */
    double read_seek, write_seek;                                       /* of a piece (O_r, O_w) */
    double read_byte[XMPI_MHETA_ARRAYS], write_byte[XMPI_MHETA_ARRAYS]; /* (r, w) */
    double issue;                          /* of a piece that is read ahead (O_A) */
    double computation[XMPI_MHETA_STAGES]; /* of a row of weight 1 (T_phi / W) */
    double overlap[XMPI_MHETA_STAGES];     /* of a row: from the issue of a read to the wait for it
                                              (T_A) */
    double send, receive, reduce; /* of a message (O_S, O_<-), and of one that is reduced */
} xmpi_mheta_node_t;

/* Of a message from one node to another. */
typedef struct {
    double latency, byte_seconds;
} xmpi_mheta_link_t;

typedef struct {
    const xmpi_mheta_program_t *program;
    int n;                         /* members */
    const xmpi_mheta_node_t *node; /* of each */
    const xmpi_mheta_link_t *link; /* n * n, from member i to member k at i * n + k; NULL: messages
                                      take no time */
    const double *prefix;          /* weights of rows, domain + 1 sums; NULL: all weigh 1 */
    int order[XMPI_MHETA_ARRAYS];  /* arrays that may be out of core, the last to go first */
    int outs;                      /* so many */
    int paged;                     /* of these the last so many are paged */
    double bytes[XMPI_MHETA_ARRAYS + 1]; /* of a row of the others, and of the first K in ORDER */
    int tiles[XMPI_MHETA_STAGES];        /* of a stage; 1: in no pipeline */
} xmpi_mheta_t;

/* Parts of an iteration of a member. */
typedef struct {
    double computation, io; /* (T_phi, T_psi) */
    double overhead;        /* of its own messages */
    double waiting;         /* for those of others */
} xmpi_mheta_time_t;

/* Sets ORDER, OUTS, BYTES and TILES. XMPI_ERR_INPUT for a structure or numbers that make no sense. */
xmpi_status_t xmpi_mheta_make(xmpi_mheta_t *model, xmpi_error_t *error);

/* How many of the arrays in ORDER member I has in memory with ROWS rows, OUTS: all; -1 where not
 * even those fit that must. Never more for more rows: the first that does not fit and all behind it
 * are out, and what their pieces take is the same whichever they are. */
int xmpi_mheta_in_core(const xmpi_mheta_t *model, int i, int64_t rows);

/* The most rows with which member I has everything in memory, of DOMAIN. */
int64_t xmpi_mheta_capacity(const xmpi_mheta_t *model, int i, int64_t domain);

/* I/O of a stage of member I, of whose arrays in ORDER the first IN_CORE are in memory (5.1, 5.2):
 * what is left for the last piece is taken as it is, where the paper takes a whole one; a piece ends
 * where its tile does. Of several
 * arrays that are read ahead a disk reads one after the other: computation hides its time once.
 * What is written behind the program takes the same disk, and is hidden with it. */
double xmpi_mheta_io(const xmpi_mheta_t *model, int i, int stage, int64_t rows, int in_core);

/* Seconds of an iteration in which member I has the rows from BEGIN to END, and waits for nobody:
 * an xmpi_block_cost_t of a model as CONTEXT. INFINITY where they do not fit. The second is of its
 * computation alone, the third of its I/O. */
double xmpi_mheta_alone(const void *context, int i, int64_t begin, int64_t end);
double xmpi_mheta_computation(const void *context, int i, int64_t begin, int64_t end);
double xmpi_mheta_all_io(const void *context, int i, int64_t begin, int64_t end);

/* Seconds of an iteration with these blocks (5.3 to 5.12); the parts of each member where MEMBER is
 * not NULL. CLOCK is scratch, 3 * n. The members begin at the same time; who comes late at the end
 * of a section is late in the next one, which the paper leaves out. */
double xmpi_mheta_iteration(const xmpi_mheta_t *model, const xmpi_block_t *blocks, double *clock,
                            xmpi_mheta_time_t *member);

#endif
