/* SPDX-License-Identifier: BSD-3-Clause
 * A gate. The state of a process tells which opening it waits for, and how: there are two bits for
 * that, so that who opens and who goes to sleep elsewhere agree by one exchange. */
#define _GNU_SOURCE
#include "act/node/gate.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/process/seconds.h"

enum { HERE, ELSEWHERE, OPENED, STATES = 4 };

/* Seconds: without sleeping, and asleep in the kernel; and those after which a process that steps
 * aside has been away for long, which makes it sleep so often. */
static const double aside = 200e-6, patience = 4e-3, away = 150e-6;
enum { SLEEPS = 50 };

static uint32_t state_of(uint32_t opening, int how)
{
    return opening * STATES + (uint32_t)how;
}

uint32_t xmpi_gate_next(xmpi_gate_t *gate)
{
    return atomic_load_explicit(&gate->opened, memory_order_acquire);
}

void xmpi_gate_need(xmpi_gate_t *gate, uint32_t needed)
{
    atomic_store(&gate->needed, needed);
}

void xmpi_gate_stand(xmpi_gate_t *gate, xmpi_gate_place_t *place)
{
    atomic_store(&place->state, state_of(xmpi_gate_next(gate), HERE));
}

/* Whether it was the caller that could turn the state of PLACE, at this opening, from HERE. */
static bool turn(xmpi_gate_place_t *place, uint32_t opening, int how)
{
    uint32_t here = state_of(opening, HERE);
    return atomic_compare_exchange_strong(&place->state, &here, state_of(opening, how));
}

static void open_for_all(xmpi_gate_t *gate, const xmpi_gate_visit_t *visit)
{
    const uint32_t opening = xmpi_gate_next(gate);
    atomic_store(&gate->arrived, 0);
    atomic_store_explicit(&gate->opened, opening + 1, memory_order_release);
    syscall(SYS_futex, &gate->opened, FUTEX_WAKE, visit->n, NULL, NULL, 0);
    for (int i = visit->first; i < visit->first + visit->n; i++) {
        xmpi_gate_place_t *place = visit->place(visit->context, i);
        if (!turn(place, opening, OPENED) &&
            atomic_load(&place->state) == state_of(opening, ELSEWHERE))
            visit->ring(visit->context, i);
    }
}

void xmpi_gate_come(xmpi_gate_t *gate, const xmpi_gate_visit_t *visit)
{
    if (atomic_fetch_add(&gate->arrived, 1) + 1 == atomic_load(&gate->needed))
        open_for_all(gate, visit);
}

/* Steps aside for whoever wants the processor, as those who are waited for may be among them: that
 * takes less than to sleep and to be woken. Where others keep it, or it takes longer, this process
 * has lost its turn for what it does next: then it sleeps, this time and some times more. */
static bool wait_aside(xmpi_gate_t *gate, uint32_t opening)
{
    static int sleeps;
    const double since = xmpi_seconds_now();
    double now = since;
    if (sleeps > 0) {
        sleeps--;
        return false;
    }
    while (xmpi_gate_next(gate) == opening && sleeps == 0) {
        double before = now;
        sched_yield();
        now = xmpi_seconds_now();
        if (now - before > away || now - since > aside)
            sleeps = SLEEPS;
    }
    return sleeps == 0;
}

/* Whether it was opened within the time for that. */
static bool wait_here(xmpi_gate_t *gate, uint32_t opening)
{
    const double until = xmpi_seconds_now() + patience;
    while (xmpi_gate_next(gate) == opening) {
        double left = until - xmpi_seconds_now();
        if (left <= 0)
            return false;
        const struct timespec as_long = {.tv_nsec = (long)(left * 1e9)};
        syscall(SYS_futex, &gate->opened, FUTEX_WAIT, opening, &as_long, NULL, 0);
    }
    return true;
}

void xmpi_gate_wait(xmpi_gate_t *gate, const xmpi_gate_visit_t *visit, int rank, uint32_t opening)
{
    if (!wait_aside(gate, opening) && !wait_here(gate, opening) &&
        turn(visit->place(visit->context, rank), opening, ELSEWHERE))
        visit->sleep(visit->context);
}
