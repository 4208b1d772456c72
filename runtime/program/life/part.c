/* SPDX-License-Identifier: BSD-3-Clause
 * Part: what part a process takes. */
#define _GNU_SOURCE
#include "program/life/part.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/spawning/spawn.h"
#include "base/data/digest.h"
#include "base/misuse.h"
#include "observe/tools.h"
#include "program/life/fellows.h"
#include "program/life/configure.h"

static bool is_traced(void)
{
    const char *file = getenv("XMPI_TRACE");
    return file != NULL && file[0] != '\0';
}

/* Of what the loops of the program are: another program has others. */
static uint64_t number_of(const char *const *structure, int n)
{
    uint64_t number = 0;
    for (int i = 0; i < n; i++)
        number = xmpi_digest_bytes(structure[i], strlen(structure[i]), number);
    return number;
}

static void choose_kind(xmpi_part_t *part, bool annotated, const char *const *structure, int n)
{
    if (annotated) {
        part->kind = XMPI_PART_ADAPTED;
        snprintf(part->word, sizeof part->word, "loop:%016llx",
                 (unsigned long long)number_of(structure, n));
    } else if (is_traced()) {
        part->kind = XMPI_PART_WATCHED;
        strcpy(part->word, "watched");
    }
}

/* The first setting that only an adaptive loop heeds. */
static const char *find_wish(void)
{
    static const char *const wishes[] = {"XMPI_POLICY", "XMPI_MAX", "XMPI_ACTIVE", "XMPI_SCHEDULE",
                                         "XMPI_GOAL"};
    const char *loaded = getenv("LD_PRELOAD");
    if (loaded != NULL && strstr(loaded, "libxmpi") != NULL)
        return NULL; /* it is only watched */
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
        if (getenv(wishes[i]) != NULL)
            return wishes[i];
    return NULL;
}

static bool is_to_restart(void)
{
    const char *restart = getenv("XMPI_RESTART");
    return restart != NULL && atoi(restart) > 0;
}

void xmpi_part_choose(xmpi_part_t *part, bool annotated, const char *const *structure, int n)
{
    bool called = getenv(XMPI_SPAWNED_MARK) != NULL;
    *part = (xmpi_part_t){.kind = XMPI_PART_NONE, .started = true, .comm = MPI_COMM_NULL};
    unsetenv(XMPI_SPAWNED_MARK);
    if (xmpi_configure_off()) {
        part->cannot_restart = annotated && !called && is_to_restart();
        return;
    }
    choose_kind(part, annotated, structure, n);
    if (!called && part->kind == XMPI_PART_NONE)
        part->wish = find_wish();
    if (called && annotated) {
        part->kind = XMPI_PART_CALLED;
        return;
    }
    if (part->kind != XMPI_PART_NONE && xmpi_tools_before(part->tool, sizeof part->tool))
        part->kind = XMPI_PART_NONE;
    if (part->kind == XMPI_PART_ADAPTED && xmpi_tools_are_passed(part->passed, sizeof part->passed))
        part->kind = XMPI_PART_NONE;
}

void xmpi_part_announce(const xmpi_part_t *part)
{
    if (part->kind == XMPI_PART_ADAPTED || part->kind == XMPI_PART_WATCHED)
        xmpi_fellows_announce(part->word);
}

static bool is_first(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static bool is_spawned(void)
{
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

static void say_others(const xmpi_fellows_t *fellows)
{
    if (xmpi_fellows_leads(fellows))
        fprintf(stderr,
                "xmpi: %d of the %d processes that were started together are of other programs, or "
                "not built with xmpicc: the program keeps its processes and blocks\n",
                fellows->size - fellows->members, fellows->size);
}

static void find_fellows(xmpi_part_t *part)
{
    xmpi_fellows_t fellows = xmpi_fellows_find(part->word);
    if (part->kind == XMPI_PART_WATCHED)
        part->comm = xmpi_fellows_comm(&fellows);
    else if (!xmpi_fellows_is_all(&fellows)) {
        say_others(&fellows);
        part->kind = XMPI_PART_NONE;
    }
    xmpi_fellows_free(&fellows);
}

/* Who names xmpicc as the wrapper whose flags another compiler takes has a program as it was, and
 * nobody told him. */
static void say_plain(const xmpi_part_t *part)
{
    if (is_first() && !is_spawned())
        fprintf(stderr,
                "xmpi: %s is set, but the program has no adaptive loop: no file with #pragma xmpi "
                "loop was compiled by xmpicc (where MPI_C_COMPILER, OMPI_CC or -show name xmpicc, "
                "another compiler ignores the pragmas: make xmpicc the C compiler)\n",
                part->wish);
}

void xmpi_part_settle(xmpi_part_t *part)
{
    if (part->cannot_restart && is_first() && !is_spawned())
        xmpi_misuse("there is nothing to go on from (XMPI_RESTART) with XMPI_POLICY=off");
    if (part->wish != NULL)
        say_plain(part);
    if (part->tool[0] != '\0' && is_first())
        fprintf(stderr,
                "xmpi: a tool wraps calls of MPI before XMPI (%s): the program keeps its processes "
                "and blocks, and has no trace\n",
                part->tool);
    if (part->passed[0] != '\0' && is_first())
        fprintf(stderr,
                "xmpi: the program calls %s, which goes past XMPI into a world that is another one "
                "after a change: it keeps its processes and blocks (call %s)\n",
                part->passed, part->passed + 1);
    if (part->kind == XMPI_PART_WATCHED && is_spawned())
        part->kind =
            XMPI_PART_NONE; /* the trace is that of the processes that mpiexec has started */
    if (part->kind == XMPI_PART_ADAPTED || part->kind == XMPI_PART_WATCHED)
        find_fellows(part);
}

void xmpi_part_check(xmpi_part_t *part, const char *where)
{
    if (part->started || xmpi_configure_off())
        return;
    part->started = true;
    if (!xmpi_tools_wrap("MPI_Init", part->tool, sizeof part->tool) &&
        !xmpi_tools_wrap("MPI_Init_thread", part->tool, sizeof part->tool))
        strcpy(part->tool, "PMPI_Init, or a language other than C");
    if (is_first())
        fprintf(stderr,
                "xmpi: %s: the loop keeps its processes and blocks, as MPI was started past XMPI "
                "(%s)\n",
                where, part->tool);
}
