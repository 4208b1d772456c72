/* SPDX-License-Identifier: BSD-3-Clause
 * Agents: processes of ours on nodes without a process of the program, which say what these are
 * used for. They are started by a remote shell, need no MPI, sleep until they are asked, and end
 * when their line does, with the job or before a process comes to their node. */
#ifndef XMPI_OBSERVE_AGENTS_AGENTS_H
#define XMPI_OBSERVE_AGENTS_AGENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "decide/layout/resources.h"
#include "decide/model/idle.h"

/* What an agent has said of its node: its clock, its own CPU seconds, and what the cores did. */
typedef struct {
    double at, cpu, cores, busy, rate;
} xmpi_agent_word_t;

typedef struct {
    char node[XMPI_NAME_MAX];
    int line; /* -1: it is not there */
    bool asked;
    bool wanted;       /* scratch */
    int failures;      /* in a row */
    double retry_from; /* as by the clock of who asks, as is ... */
    double ask_from;   /* ... until when it is not asked */
    char come[256];    /* of the next line */
    size_t used;
    xmpi_agent_word_t last; /* at 0: it has said nothing yet */
    xmpi_load_t load;       /* since it was asked before; 0 s: not known */
    bool fresh;             /* and not taken yet */
} xmpi_agent_t;

/* All zeros at first. */
typedef struct {
    int n;
    xmpi_agent_t *agent; /* malloc */
    bool failed;         /* which has been said */
} xmpi_agents_t;

/* Asks the agents of the NODES nodes, starts some of those that are missing by SHELL (XMPI_RSH),
 * which read PROC (XMPI_PROC), and ends those of other nodes. Waits for none. NOW: seconds of any
 * clock, the same each time. */
int xmpi_agents_ask(xmpi_agents_t *agents, const char *shell, const char *proc,
                    const char *const *node, int nodes, double now);

/* Takes in what they have said, and asks none so soon again that it would use more than SHARE of a
 * core; whether there is anything fresh. */
bool xmpi_agents_hear(xmpi_agents_t *agents, double now, double share);

/* What that of NODE has said, once; NULL: nothing new. */
const xmpi_load_t *xmpi_agents_take(xmpi_agents_t *agents, const char *node);

/* Ends all. */
void xmpi_agents_end(xmpi_agents_t *agents);

#endif
