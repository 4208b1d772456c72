/* SPDX-License-Identifier: BSD-3-Clause
 * How many messages the runtime sends. What starting and ending takes is in every run, so that two
 * runs of different lengths are compared; what the program itself sends is in those with a runtime
 * that never looks. */
#define _GNU_SOURCE
#include "support/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 120, SHORT = 6, LONG = 26 };

static int finish(command_t *command)
{
    int status = command->status;
    if (status != 0)
        fprintf(stderr, "%s%s", command->out, command->err);
    command_free(command);
    return status;
}

int messages_build(const char *dir)
{
    command_t made = command_shell(
        dir, SECONDS,
        "'%s'/bin/mpicc -O2 -I'%s'/include '%s'/tests/bench/programs/steady.c -o steady "
        "-L'%s'/lib -lxmpi -Wl,-rpath,'%s'/lib && "
        "cc -O2 -shared -fPIC '%s'/tests/bench/programs/count_messages.c -o count.so -ldl",
        build_dir(), build_dir(), source_dir(), build_dir(), build_dir(), source_dir());
    return finish(&made);
}

/* A member leaves in one interval and is woken in the next. */
static void write_schedule(const char *dir)
{
    char path[512], text[LONG * 32] = "";
    size_t at = 0;
    for (int i = 1; i < LONG; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s 1 any %d\n",
                               i % 2 == 1 ? "remove" : "spawn", i);
    snprintf(path, sizeof path, "%s/schedule", dir);
    write_file(path, text);
}

/* The sum of what all processes of a run have sent. */
static int run(const char *dir, int members, const char *settings, int iterations, double *sum)
{
    command_t command = command_shell(
        dir, SECONDS,
        "rm -f counts; XMPI_BACKEND=pool XMPI_IMBALANCE=1 %s '%s'/bin/mpiexec -n %d "
        "-env LD_PRELOAD \"$PWD\"/count.so -env COUNT_FILE \"$PWD\"/counts ./steady %d 0 && "
        "awk '{ n += $1 } END { print n, NR }' counts",
        settings, build_dir(), members, iterations);
    int processes = 0;
    if (command.status == 0 &&
        (sscanf(command.out, "%lf %d", sum, &processes) != 2 || processes != members))
        command.status = 1;
    return finish(&command);
}

/* In one iteration with SETTINGS. */
static int per_iteration(const char *dir, int members, const char *settings, double *messages)
{
    double few = 0, many = 0;
    int status = run(dir, members, settings, SHORT, &few);
    if (status == 0)
        status = run(dir, members, settings, LONG, &many);
    *messages = (many - few) / (LONG - SHORT);
    return status;
}

int messages_count(const char *dir, int members, messages_t *messages)
{
    double program = 0, interval = 0, change = 0;
    write_schedule(dir);
    int status = per_iteration(dir, members, "XMPI_INTERVAL=1000", &program);
    if (status == 0)
        status = per_iteration(dir, members, "XMPI_INTERVAL=1", &interval);
    if (status == 0)
        status = per_iteration(
            dir, members, "XMPI_INTERVAL=1 XMPI_POLICY=schedule XMPI_SCHEDULE=schedule", &change);
    messages->interval = interval - program;
    messages->change = change - program;
    return status;
}

/* --- programs that move whole ------------------------------------------------------------------
 */

/* The sum of a run, and how many changes there were. */
static int run_moving(const char *dir, int members, const char *policy, double *sum, int *changes)
{
    command_t command = command_shell(
        dir, SECONDS,
        "rm -f counts t; XMPI_BACKEND=pool XMPI_ACTIVE=%d XMPI_INTERVAL=1 XMPI_SEED=1 "
        "XMPI_POLICY=%s XMPI_TRACE=t '%s'/bin/mpiexec -n %d -env LD_PRELOAD \"$PWD\"/count.so "
        "-env COUNT_FILE \"$PWD\"/counts ./halo %d >out && "
        "awk '{ n += $1 } END { print n }' counts && grep -c '\"outcome\":\"done\"' t; :",
        members, policy, build_dir(), members + 1, LONG);
    if (command.status == 0 && sscanf(command.out, "%lf %d", sum, changes) != 2)
        command.status = 1;
    return finish(&command);
}

int messages_of_move(const char *dir, int members, double *messages)
{
    double without = 0, with = 0;
    int none = 0, changes = 0;
    command_t made = command_shell(
        dir, SECONDS,
        "'%s'/bin/xmpicc -O2 '%s'/tests/movable/halo.c -o halo && "
        "cc -O2 -shared -fPIC '%s'/tests/bench/programs/count_messages.c -o count.so -ldl",
        build_dir(), source_dir(), source_dir());
    int status = finish(&made);
    if (status == 0)
        status = run_moving(dir, members, "balance", &without, &none);
    if (status == 0)
        status = run_moving(dir, members, "random", &with, &changes);
    if (status == 0 && (none != 0 || changes < LONG / 2))
        status = 1;
    if (status == 0)
        *messages = (with - without) / changes;
    return status;
}
