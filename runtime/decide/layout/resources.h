/* SPDX-License-Identifier: BSD-3-Clause
 * The processing elements (PEs) that the program may use, as the policies see them. Plain data. */
#ifndef XMPI_DECIDE_LAYOUT_RESOURCES_H
#define XMPI_DECIDE_LAYOUT_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "decide/layout/layout.h"

enum {
    XMPI_NAME_MAX = 64,
    XMPI_CLASSES_MAX = 64,
    XMPI_ANY_CLASS = -1,
    XMPI_SWITCHES_MAX = 4, /* levels of them, between nodes */
    XMPI_INSIDE_MAX = 4,   /* levels within a node: packages, memory, caches */
};

typedef struct {
    char node[XMPI_NAME_MAX]; /* empty: wherever the MPI puts it */
    int class_index;          /* in xmpi_resources_t.class_name */
    double cost;              /* per hour, any unit; 0 when not given */
    double memory;         /* bytes of its node that data may take, of all members there together;
                              0: not known */
    double disk_bandwidth; /* of its node, bytes per second; > 0 where the memory is known */
    double disk_latency;   /* seconds of an access */
    int process;           /* that lives here (a member or parked), or -1 */
    bool parked;           /* the process here is parked and can be woken */
    bool shared;           /* a place beyond the processing elements of its node, which the
                              processes there share */
    bool withdrawn;        /* the program has to leave, and may not come back, for any of the
                              reasons below */
    bool reached;          /* a process of the program has been here */
    bool rests;            /* one that was called here did not come: nobody is called before */
    double rests_until;    /* that; seconds of the real-time clock */
    int failures;          /* of calls in a row */
    bool gone;             /* it is withdrawn by who says which PEs there are: only that brings
                              it back, no request */
    bool avoided;          /* it is withdrawn with its node, by request: until that is offered */
    bool lost;             /* the process that was started here has died, for good */
    bool returned;         /* its node has been given back to who has let the program have it */
    bool given_back;       /* it is withdrawn for there to be a member less: until there are to be
                              more */
    double deadline;       /* until then; seconds of the real-time clock */
    uint16_t switches[XMPI_SWITCHES_MAX]; /* that its node is behind, outermost first: those of a
                                             level have numbers; 0 where none is known */
    uint8_t inside[XMPI_INSIDE_MAX]; /* parts of its node that its core is in, outermost first: from
                                        1 within the part above; 0 where none is known, as processes
                                        are not bound, or where there is one for all */
} xmpi_pe_t;

typedef struct {
    int pes;
    xmpi_pe_t *pe; /* malloc */
    int classes;
    char class_name[XMPI_CLASSES_MAX][XMPI_NAME_MAX];
    int max_members; /* the most members that a plan may have */
    bool max_is_pes; /* which is the number of PEs, whatever that comes to be */
    bool can_spawn;  /* a process can be started on an empty PE */
    bool listed;     /* all nodes that there are have been named, by who says which there are */
    bool given;   /* by somebody whom the job asks for nodes, as many as it may have (XMPI_NODES) */
    bool changes; /* nodes may come, or have to be left, while the program runs */
    bool shares;  /* processes of a node share its PEs, where there are more of them */
    int anchor;   /* process that may not leave, or -1 */
    double ends;  /* the job ends then, as whoever has given the PEs says; seconds of the real-time
                     clock; 0: not known */
    int started;  /* processes below this were started by mpiexec and park when they leave, where
                     the others end; 0 where all are alike */
} xmpi_resources_t;

void xmpi_resources_free(xmpi_resources_t *resources);

/* Adds N PEs like PE. XMPI_ERR_MEMORY, and nothing has changed. */
xmpi_status_t xmpi_resources_add(xmpi_resources_t *resources, const xmpi_pe_t *pe, int n);

/* Index of the class with this name, which is entered where it is new; -1 when there are too many.
 */
int xmpi_resources_enter(xmpi_resources_t *resources, const char *name);

/* Whether a new member can be had on this PE now. */
bool xmpi_pe_usable(const xmpi_resources_t *resources, int pe);

/* Which of the PEs of its node this one is, from 0; a PE of which nobody knows where it is counts
 * as on each. */
int xmpi_pe_on_node(const xmpi_resources_t *resources, int pe);

/* Whether a process of the program is, or has been, on the node of this PE. */
bool xmpi_pe_reached(const xmpi_resources_t *resources, int pe);

/* A process that was called on PE did not come. The node, where it has a name, is not asked again
 * for SECONDS from NOW on, after another time twice as long, and so on, up to an hour (or SECONDS).
 */
void xmpi_resources_rest(xmpi_resources_t *resources, int pe, double now, double seconds);

/* Those that have rested until NOW may be asked again. */
void xmpi_resources_wake(xmpi_resources_t *resources, double now);

/* How many such PEs of a class (or XMPI_ANY_CLASS) there are. */
int xmpi_resources_usable(const xmpi_resources_t *resources, int class_index);

/* Index of the class with this name, XMPI_ANY_CLASS for "any", -2 when there is none. */
int xmpi_resources_class(const xmpi_resources_t *resources, const char *name);

/* The PE on which a process lives, or -1. */
int xmpi_resources_pe_of(const xmpi_resources_t *resources, int process);

/* The PEs of the members of LAYOUT in rank order, -1 where there is none: malloc, NULL when there
 * is no memory. In time proportional to members and PEs, where one by one takes their product. */
int *xmpi_members_pes(const xmpi_layout_t *layout, const xmpi_resources_t *resources);

#endif
