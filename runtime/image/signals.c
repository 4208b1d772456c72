/* SPDX-License-Identifier: BSD-3-Clause
 * Signals, their mask, and the stack of their handlers. */
#define _GNU_SOURCE
#include "image/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "image/memory/native.h"
#include "image/variables.h"

enum { SIGNALS = 65 };

/* While the program stands still. */
static struct {
    sigset_t blocked, pending;
    bool said[SIGNALS]; /* the action is what the program has said */
    struct sigaction action[SIGNALS];
    stack_t alternate; /* for handlers */
} kept;

/* What the process has without the program. */
XMPI_NATIVE static struct {
    sigset_t blocked;
    struct sigaction action[SIGNALS];
} own;

/* --- actions ------------------------------------------------------------------------------------
 */

static bool is_programs_code(const struct sigaction *action)
{
    return xmpi_variables_is_code((const void *)(uintptr_t)action->sa_handler);
}

/* Those of libraries are for the process. */
static bool is_librarys(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN &&
           !is_programs_code(action);
}

/* A signal that the process ignores from its start, as whoever has started it wants, is nothing
 * that the program has said. */
static bool is_said(const struct sigaction *here, int signal)
{
    return !is_librarys(here) && here->sa_handler != own.action[signal].sa_handler;
}

/* Whether the program was sent it, and has blocked it. */
static bool waits(int signal)
{
    return sigismember(&kept.pending, signal) == 1 && sigismember(&kept.blocked, signal) == 1;
}

void xmpi_signals_begin(void)
{
    sigprocmask(SIG_BLOCK, NULL, &own.blocked);
    for (int i = 1; i < SIGNALS; i++)
        if (sigaction(i, NULL, &own.action[i]) != 0 || is_programs_code(&own.action[i]))
            own.action[i] = (struct sigaction){.sa_handler = SIG_DFL}; /* of a constructor */
}

void xmpi_signals_note(void)
{
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction here;
        if (sigaction(i, NULL, &here) == 0 && is_librarys(&here))
            own.action[i] = here;
    }
}

/* (What it has said elsewhere may be what this process has anyway.) A signal that waits until the
 * program lets it through does so where the program goes. */
void xmpi_signals_pack(void)
{
    xmpi_signals_note();
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction before = kept.action[i];
        bool there = sigaction(i, NULL, &kept.action[i]) == 0;
        bool stays = kept.said[i] && kept.action[i].sa_handler == before.sa_handler;
        kept.said[i] = there && (stays || is_said(&kept.action[i], i));
    }
    sigprocmask(SIG_BLOCK, NULL, &kept.blocked);
    if (sigpending(&kept.pending) != 0)
        sigemptyset(&kept.pending);
    if (sigaltstack(NULL, &kept.alternate) != 0 || (kept.alternate.ss_flags & SS_DISABLE) != 0 ||
        !xmpi_variables_has(kept.alternate.ss_sp))
        kept.alternate = (stack_t){.ss_flags = SS_DISABLE}; /* a library's stays the process's */
}

/* (A library may have a handler here that it had not where the program was, which what is only the
 * default does not take away.) */
void xmpi_signals_unpack(void)
{
    xmpi_signals_note();
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction here;
        if (sigaction(i, NULL, &here) != 0)
            continue;
        if (!kept.said[i] && !is_librarys(&here))
            sigaction(i, &own.action[i], NULL);
        else if (kept.said[i] && (!is_librarys(&here) || kept.action[i].sa_handler != SIG_DFL))
            sigaction(i, &kept.action[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &kept.blocked, NULL);
    for (int i = 1; i < SIGNALS; i++)
        if (waits(i))
            kill(getpid(), i);
}

void xmpi_signals_left(void)
{
    static const struct timespec now = {0};
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction here;
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, i);
        if (waits(i))
            sigtimedwait(&one, NULL, &now);
        if (sigaction(i, NULL, &here) == 0 && is_said(&here, i))
            sigaction(i, &own.action[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &own.blocked, NULL);
}

/* --- the stack ----------------------------------------------------------------------------------
 */

void xmpi_signals_leave_stack(void)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t here;
    if (sigaltstack(NULL, &here) == 0 && (here.ss_flags & SS_DISABLE) == 0 &&
        xmpi_variables_has(here.ss_sp))
        sigaltstack(&none, NULL);
}

void xmpi_signals_take_stack(void)
{
    if ((kept.alternate.ss_flags & SS_DISABLE) == 0)
        sigaltstack(&kept.alternate, NULL);
}
