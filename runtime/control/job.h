/* SPDX-License-Identifier: BSD-3-Clause
 * What a running job tells about itself, and what it can be asked to do: the messages of the
 * control endpoint, one JSON object in each line, both ways (docs/control.md). */
#ifndef XMPI_CONTROL_JOB_H
#define XMPI_CONTROL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "control/log.h"
#include "decide/layout/node_seconds.h"

enum {
    XMPI_JOB_TEXT = 256,
    XMPI_JOB_NAME = 64,
    XMPI_REQUEST_LINE = 2048,
    XMPI_JOB_ERRORS = 16,
    XMPI_JOB_IDLES = 64,
    XMPI_WAITING_MAX = 64 /* requests that wait for the end of an interval */
};

typedef struct {
    int process;
    int pe;      /* the number of its processing element */
    int64_t pid; /* of its process on the leader's node; 0: it is on another one */
    char node[XMPI_JOB_NAME];
    char class_name[XMPI_JOB_NAME];
    int64_t count, displ;
    double computation; /* seconds, of the last interval */
} xmpi_job_member_t;

/* A processing element that the job might use, and has no member on. */
typedef struct {
    int pe;
    char node[XMPI_JOB_NAME];
    char class_name[XMPI_JOB_NAME];
    double speed; /* units of work per second that a member is taken to do there; 0: not known */
    double age;   /* seconds of the loop since that was seen */
} xmpi_job_idle_t;

/* How good the predictions of one phase were. */
typedef struct {
    const char *phase; /* static */
    double percent;    /* mean */
    int64_t n;
} xmpi_job_error_t;

/* As of the end of the last sampling interval. Plain data but for the list of members. */
typedef struct {
    char program[XMPI_JOB_TEXT];
    char loop[XMPI_JOB_TEXT]; /* where it stands; empty before the first one */
    char policy[XMPI_JOB_NAME];
    char allocation[XMPI_JOB_NAME]; /* that its nodes are of; empty: of none */
    char trace[XMPI_JOB_TEXT];      /* file; empty: none */
    char decision[XMPI_JOB_TEXT];   /* the last change, or why it was called off */
    char outlook[XMPI_JOB_TEXT]; /* what the next decision is expected to be; empty: none comes */
    char keeps[XMPI_JOB_TEXT];   /* why the loop keeps its processes and blocks, so that no interval
                                    of it ends; empty: it does not */
    bool movable;                /* its processes move as they are, and their number stays */
    int64_t pid;
    int64_t iteration;
    int64_t from;          /* that it went on from; 0: from its beginning */
    int64_t iterations;    /* of the loop, -1: not known */
    int64_t next_decision; /* the iteration after which it is made; 0: not known yet */
    double seconds;        /* since the loop began, or went on */
    double iteration_seconds;
    double efficiency;         /* share of the members' time that is computation */
    double cost;               /* units spent */
    xmpi_node_seconds_t nodes; /* as cost is */
    int64_t reconfigurations;
    double reconfiguration_seconds;
    int checks_equal, checks_different, checks_missed; /* checks of changes, by what they came to */
    bool over;                                         /* the loop has ended; then also: */
    double static_seconds; /* what it would have taken without any change; 0: not known */
    int errors;
    xmpi_job_error_t error[XMPI_JOB_ERRORS];
    int max_members;
    int pes;   /* processing elements, by their numbers from 0 on; 0: that is not known */
    int idles; /* of these, of which the first are told */
    xmpi_job_idle_t idle[XMPI_JOB_IDLES];
    int members;
    xmpi_job_member_t *member; /* malloc */
    xmpi_log_t log;
} xmpi_job_t;

typedef enum {
    XMPI_REQUEST_STATUS, /* answered at once */
    XMPI_REQUEST_WATCH,  /* answered again and again */
    XMPI_REQUEST_LOG,    /* answered at once */
    XMPI_REQUEST_GROW,   /* the others are carried out at the end of the interval */
    XMPI_REQUEST_SHRINK,
    XMPI_REQUEST_POLICY,
    XMPI_REQUEST_GOAL,
    XMPI_REQUEST_TRACE,
    XMPI_REQUEST_MOVE,
    XMPI_REQUEST_SWAP,     /* of a movable loop */
    XMPI_REQUEST_WITHDRAW, /* a node */
    XMPI_REQUEST_OFFER,
    XMPI_REQUEST_MATRIX,  /* who sends how much to whom: answered when that has been gathered */
    XMPI_REQUEST_MEMBERS, /* so many members, neither more nor fewer */
    XMPI_REQUEST_WORTH,   /* what numbers of members are worth: answered when that is known */
} xmpi_request_kind_t;

/* What is answered by the program, not by the endpoint alone. */
typedef enum { XMPI_LATER_MATRIX, XMPI_LATER_WORTH, XMPI_LATERS } xmpi_later_t;

typedef struct {
    xmpi_request_kind_t kind;
    int64_t number;                 /* of those that wait for the end of an interval: from 1 */
    int64_t known;                  /* of the log: lines that need not be told */
    int processes;                  /* to grow or shrink by, or to be members; > 0 */
    bool asks;                      /* move and swap: only what that would be */
    int rank, other;                /* to move, and the processing element that it moves to, or the
                                       rank that it changes places with */
    char class_name[XMPI_JOB_NAME]; /* of them; empty: any */
    char text[XMPI_JOB_TEXT];       /* a policy, a goal, a node, or the file of the trace (empty: no
                                       trace) */
} xmpi_request_t;

/* Requests that wait for the end of the interval, the oldest one first. Plain data: who leads next
 * takes them over. */
typedef struct {
    int64_t last; /* number of the last one there was */
    int requests;
    xmpi_request_t request[XMPI_WAITING_MAX];
    bool watched; /* somebody watches, and will look for who leads next */
} xmpi_waiting_t;

/* "grow" and so on; static. */
const char *xmpi_request_name(xmpi_request_kind_t kind);

/* Reads one line. XMPI_ERR_INPUT, and what is wrong with it, when it is no request. */
xmpi_status_t xmpi_request_read(const char *line, xmpi_request_t *request, xmpi_error_t *error);

/* XMPI_ERR_INPUT, and why, where a loop of so many MEMBERS, MOVABLE or not, cannot have the number
 * of them that REQUEST asks for. */
xmpi_status_t xmpi_request_check_number(const xmpi_request_t *request, bool movable, int members,
                                        xmpi_error_t *error);

/* XMPI_ERR_INPUT, and why, where nothing can come of REQUEST while JOB is as it tells. */
xmpi_status_t xmpi_request_check(const xmpi_request_t *request, const xmpi_job_t *job,
                                 xmpi_error_t *error);

/* The line, malloc, with a newline, that answers a status request, any other one that was accepted,
 * (by its number, 0: none), and one that was refused. NULL when there is no memory. */
char *xmpi_job_line(const xmpi_job_t *job);
char *xmpi_accepted_line(int64_t number);
char *xmpi_refused_line(const char *why);

#endif
