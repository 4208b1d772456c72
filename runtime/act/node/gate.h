/* SPDX-License-Identifier: BSD-3-Clause
 * Gate: opens when so many processes have come as are needed. They share memory; who waits for it
 * sleeps in the kernel (futex), and after some milliseconds elsewhere, as it says: the process that
 * opens the gate rings for those, and nobody looks again and again. When a process was killed there
 * is nothing to put right: the gate stays closed. */
#ifndef XMPI_ACT_NODE_GATE_H
#define XMPI_ACT_NODE_GATE_H

#include <stdatomic.h>
#include <stdint.h>

/* In shared memory, 0 at first. */
typedef struct {
    _Atomic uint32_t opened; /* how often; who waits sleeps on it */
    _Atomic uint32_t arrived, needed;
} xmpi_gate_t;

/* Of one process at one gate, in shared memory, 0 at first. */
typedef struct {
    _Atomic uint32_t state;
} xmpi_gate_place_t;

/* Who waits at a gate: the processes FIRST to FIRST + N - 1, with their places. RING wakes one that
 * sleeps in what SLEEP is, which returns when it was rung for, once for each. */
typedef struct {
    int first, n;
    xmpi_gate_place_t *(*place)(void *context, int rank);
    void (*ring)(void *context, int rank);
    void (*sleep)(void *context);
    void *context;
} xmpi_gate_visit_t;

/* The number of the next opening, from 0 on (it wraps around). */
uint32_t xmpi_gate_next(xmpi_gate_t *gate);

/* Before anybody can come: the gate opens next when NEEDED (more than 0) have. */
void xmpi_gate_need(xmpi_gate_t *gate, uint32_t needed);

/* From now on the process at PLACE wants to know of the next opening. */
void xmpi_gate_stand(xmpi_gate_t *gate, xmpi_gate_place_t *place);

/* The caller has come; does not wait. */
void xmpi_gate_come(xmpi_gate_t *gate, const xmpi_gate_visit_t *visit);

/* The process RANK, which stands there, waits until the OPENING that was the next one then; what
 * those who came wrote before is seen behind it. */
void xmpi_gate_wait(xmpi_gate_t *gate, const xmpi_gate_visit_t *visit, int rank, uint32_t opening);

#endif
