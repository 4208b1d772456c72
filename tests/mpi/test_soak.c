/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of many changes: random growing, shrinking and exchanging between 1 and 16 members, on both
 * backends. Results are checked in every iteration, and nothing may be lost on the way: file
 * descriptors, memory, communicators, shared memory; and of programs that end in the middle of one.
 * SOAK=N is the number of changes of members with spawned processes; otherwise it is one that does
 * not take minutes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { MEMBERS = 16, POOL_CHANGES = 1000, SPAWN_CHANGES = 120, WARM = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

/* Of one process, at the beginning and at the end. A connection to each of the others may have been
 * made or closed meanwhile, and the allocator may have kept what it was given back: once, not in
 * every change. */
static void check_line(const char *line)
{
    long fds[2], communicators[2], kilobytes[2], segments[2];
    if (sscanf(line,
               "holdings: fds %ld %ld communicators %ld %ld kilobytes %ld %ld segments %ld %ld",
               &fds[0], &fds[1], &communicators[0], &communicators[1], &kilobytes[0], &kilobytes[1],
               &segments[0], &segments[1]) != 8)
        fail_msg("cannot be read: %.200s", line);
    if (fds[1] > fds[0] + 3 * MEMBERS || communicators[1] < communicators[0] - 4 ||
        kilobytes[1] > kilobytes[0] + 4096 || segments[1] > segments[0])
        fail_msg("something is lost: %.200s", line);
}

static void check_holdings(const char *output)
{
    int lines = 0;
    for (const char *at = strstr(output, "holdings: "); at != NULL;
         at = strstr(at + 1, "holdings: "), lines++)
        check_line(at);
    assert_true(lines > 0);
}

/* In every second interval, more or less, the members change; a run goes on until enough have. */
static void soak(const char *settings, int processes, int changes)
{
    char path[512];
    command_t result = command_shell(
        dir, 60 + changes,
        "rm -f trace; EVOLVE_HOLDINGS=%d XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=trace %s "
        "'%s'/bin/mpiexec -n %d ./evolve 53 %d",
        WARM, settings, build_dir(), processes, WARM + 2 * changes);
    if (result.status != 0 || strstr(result.out, "evolve: ok ") == NULL || result.err[0] != '\0')
        fail_msg("%s: status %d: %s%s", settings, result.status, result.out, result.err);
    snprintf(path, sizeof path, "%s/trace", dir);
    char *trace = read_file(path, NULL);
    assert_non_null(trace);
    int done = count(trace, "\"kind\":\"grow\"") + count(trace, "\"kind\":\"shrink\"") +
               count(trace, "\"kind\":\"exchange\"");
    if (done < changes)
        fail_msg("%s: only %d changes of %d", settings, done, changes);
    assert_null(strstr(trace, "called off"));
    check_holdings(result.out);
    free(trace);
    command_free(&result);
}

static int spawn_changes(void)
{
    const char *wanted = getenv("SOAK");
    return wanted != NULL ? atoi(wanted) : SPAWN_CHANGES;
}

static void a_pool_changes_without_loss(void **state)
{
    (void)state;
    soak("XMPI_BACKEND=pool XMPI_ACTIVE=3", MEMBERS, POOL_CHANGES);
}

static void processes_are_spawned_without_loss(void **state)
{
    (void)state;
    soak("XMPI_BACKEND=spawn XMPI_STRATEGY=concurrent XMPI_MAX=16", 2, spawn_changes());
}

static void groups_are_spawned_without_loss(void **state)
{
    (void)state;
    soak("XMPI_BACKEND=spawn XMPI_STRATEGY=group XMPI_MAX=16", 2, spawn_changes() / 2);
}

/* Runs that end while processes are being got for them, at another moment each, four at a time: the
 * program's result and its status are what they are without. */
static void programs_end_while_processes_start(void **state)
{
    (void)state;
    int runs = getenv("SOAK") != NULL ? 300 : 30;
    command_t result = command_shell(
        dir, 60 + 2 * runs,
        "printf 'spawn 2 any 20\n' >schedule; export XMPI_POLICY=schedule XMPI_SCHEDULE=schedule "
        "XMPI_INTERVAL=10 XMPI_MAX=5 XMPI_BACKGROUND=1; for try in $(seq %d); do "
        "    case $((try %% 2)) in 0) export XMPI_STRATEGY=group;; 1) export "
        "XMPI_STRATEGY=concurrent;; esac; "
        "    ('%s'/bin/mpiexec -n 2 \"$PWD\"/evolve 40 $((20 + try %% 12)) >out.$try 2>&1; "
        "    echo \"status $?\" >>out.$try) & [ $((try %% 4)) = 0 ] && wait; done; wait; "
        "grep -l '^evolve: ok ' out.* | xargs grep -lx 'status 0' | wc -l; "
        "grep -vh '^evolve: ok\\|no grow from 2 to 4: the loop ended before the new processes were "
        "ready' out.* | sort | uniq -c; pgrep -fc \"^$PWD/evolve\"; rm out.*",
        runs, build_dir());
    char expected[64];
    snprintf(expected, sizeof expected, "%d\n%7d status 0\n0\n", runs, runs);
    assert_string_equal(result.out, expected);
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_changes_without_loss),
        cmocka_unit_test(processes_are_spawned_without_loss),
        cmocka_unit_test(groups_are_spawned_without_loss),
        cmocka_unit_test(programs_end_while_processes_start),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
